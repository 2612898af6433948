// SPDX-License-Identifier: Apache-2.0
// Checks of kernel limits. Too few file descriptors
// certainly prevent a start, so that is an error. The other limits matter only on the hosts of a
// real job, because the emulation pins no memory; they are warnings.
#include <algorithm>
#include <fmt/format.h>

#include "configs/base/diagnosis_id.h"
#include "configs/base/units.h"
#include "launcher/contract/checks.h"

namespace understudy::launcher {
namespace {

std::optional<Refusal> descriptors_suffice(const LaunchCase& launch) {
  const std::uint64_t wanted = descriptors_needed(launch.plan.chips);
  for (std::size_t i = 0; i < launch.limits.size(); ++i) {
    const auto& found = launch.limits[i].descriptors;
    if (found && *found < wanted)
      return Refusal{name_of(DiagnosisId::descriptors_too_few),
                     fmt::format("host {}: the open file limit is {}, but {} chips need {}", i,
                                 *found, launch.plan.chips, wanted),
                     static_cast<std::int64_t>(i)};
  }
  return std::nullopt;
}

std::string on_hugepages(const LaunchCase&, const HostLimits& limits) {
  if (!limits.hugepages || *limits.hugepages == "always") return "";
  return fmt::format("transparent hugepages: expected \"always\", found \"{}\"", *limits.hugepages);
}

std::string on_memlock(const LaunchCase& launch, const HostLimits& limits) {
  const std::uint64_t pool = launch.inputs.profile.mem.premapped_bytes;
  if (!limits.memlock || *limits.memlock >= pool) return "";
  return fmt::format("the locked memory limit is {}, but the premapped pool needs {}",
                     bytes_text(*limits.memlock), bytes_text(pool));
}

struct Remark {
  std::string_view diagnosis;
  std::string (*look)(const LaunchCase& launch, const HostLimits& limits);  // empty: no problem
};
constexpr Remark kRemarks[] = {{name_of(DiagnosisId::hugepages_off), on_hugepages},
                               {name_of(DiagnosisId::memlock_too_low), on_memlock}};

}  // namespace

std::span<const ContractCheck> limit_checks() {
  static constexpr ContractCheck kChecks[] = {{"descriptors suffice", descriptors_suffice}};
  return kChecks;
}

std::vector<Refusal> remarks_of(const LaunchCase& launch) {
  std::vector<Refusal> remarks;
  for (const Remark& row : kRemarks) {
    std::vector<std::string> words;
    for (const HostLimits& limits : launch.limits) words.push_back(row.look(launch, limits));
    if (words.empty()) continue;
    // A problem that all hosts share is reported once, without a host.
    const bool alike = std::ranges::count(words, words.front()) == std::ssize(words);
    if (alike && !words.front().empty())
      remarks.push_back({row.diagnosis, "every host: " + words.front(), {}});
    for (std::size_t i = 0; i < words.size() && !alike; ++i)
      if (!words[i].empty())
        remarks.push_back(
            {row.diagnosis, fmt::format("host {}: {}", i, words[i]), static_cast<std::int64_t>(i)});
  }
  return remarks;
}

}  // namespace understudy::launcher
