// SPDX-License-Identifier: Apache-2.0
#include "launcher/contract/host_limits.h"

#include <charconv>
#include <fmt/format.h>
#include <fstream>

#include "configs/base/error.h"

namespace understudy::launcher {
namespace {

constexpr unsigned kMayPin = 14;                  // CAP_IPC_LOCK, capabilities(7)
constexpr std::uint64_t kDescriptorsPerRank = 6;  // in mpirun: pipes and a socket per rank
constexpr std::uint64_t kDescriptorsForItself = 64;

std::optional<rlim_t> soft_limit(int resource) {
  rlimit limit{};
  if (::getrlimit(static_cast<__rlimit_resource>(resource), &limit) != 0) return std::nullopt;
  return limit.rlim_cur;
}

// The word in brackets: "always [madvise] never" gives "madvise".
std::optional<std::string> chosen_word(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  if (!std::getline(file, line)) return std::nullopt;
  const std::size_t from = line.find('['), to = line.find(']');
  if (from == std::string::npos || to == std::string::npos || to < from) return std::nullopt;
  return line.substr(from + 1, to - from - 1);
}

// Whether this process has CAP_IPC_LOCK: RLIMIT_MEMLOCK does not apply then.
bool may_pin(const std::string& path) {
  constexpr std::string_view kKey = "CapEff:\t";
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with(kKey)) continue;
    std::uint64_t rights = 0;
    std::from_chars(line.data() + kKey.size(), line.data() + line.size(), rights, 16);
    return (rights >> kMayPin & 1U) != 0;
  }
  return false;
}

}  // namespace

HostLimits read_limits(const LimitSources& sources) {
  const auto limit_of = [&](int resource) -> std::optional<std::uint64_t> {
    const auto found = sources.limit ? sources.limit(resource) : soft_limit(resource);
    if (!found) return std::nullopt;
    return *found == RLIM_INFINITY ? kNoLimit : std::uint64_t{*found};
  };
  HostLimits limits;
  limits.hugepages = chosen_word(sources.hugepages);
  limits.memlock = may_pin(sources.status) ? kNoLimit : limit_of(RLIMIT_MEMLOCK);
  limits.descriptors = limit_of(RLIMIT_NOFILE);
  return limits;
}

// "hugepages" takes a word, the others a number.
HostLimits with_limit(HostLimits limits, const std::string& name, const std::string& value) {
  if (name == "hugepages") {
    limits.hugepages = value;
    return limits;
  }
  std::uint64_t number = 0;
  const auto [end, code] = std::from_chars(value.data(), value.data() + value.size(), number);
  const bool whole = code == std::errc() && end == value.data() + value.size();
  if (!whole || (name != "memlock" && name != "descriptors"))
    throw Error(ErrorKind::usage,
                fmt::format("--fault host-limit: invalid limit {}={}; expected hugepages=always|"
                            "madvise|never, memlock=BYTES or descriptors=COUNT",
                            name, value));
  (name == "memlock" ? limits.memlock : limits.descriptors) = number;
  return limits;
}

std::uint64_t descriptors_needed(std::int64_t chips) {
  return static_cast<std::uint64_t>(chips) * kDescriptorsPerRank + kDescriptorsForItself;
}

}  // namespace understudy::launcher
