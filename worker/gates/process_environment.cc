// SPDX-License-Identifier: Apache-2.0
#include "worker/gates/process_environment.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <iterator>
#include <unistd.h>

#include "configs/base/diagnosis_id.h"
#include "configs/base/error.h"
#include "configs/base/file.h"
#include "configs/base/procfs.h"
#include "configs/launch/environment.h"
#include "configs/launch/shell_variables.h"

extern "C" char** environ;

namespace understudy::worker {
namespace {

constexpr std::string_view kIsa = "UNDERSTUDY_ISA=";

std::string cpu_model() {
  // The first processor stands for all. Some architectures have no "model name" line.
  const std::string text = read_text_file("/proc/cpuinfo");
  const std::size_t key = text.find("model name");
  const std::size_t colon = text.find(": ", key);
  if (key == std::string::npos || colon == std::string::npos) return "";
  return text.substr(colon + 2, text.find('\n', colon) - colon - 2);
}

}  // namespace

// The environment as getenv() sees it now, including changes by setenv().
std::vector<std::string> environment_now() {
  std::vector<std::string> found;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry)
    found.emplace_back(*entry);
  // Open MPI changes its own variables while it starts, so they cannot be frozen.
  std::erase_if(found, [](const std::string& entry) {
    return configs::owner_of(entry.substr(0, entry.find('='))) == configs::VariableOwner::mpi;
  });
  std::sort(found.begin(), found.end());
  return found;
}

ProcessEnvironment read_process_environment() {
  ProcessEnvironment found;
  found.environment = environment_now();
  for (const std::string& entry : found.environment)
    if (entry.starts_with(kIsa)) found.isa = entry.substr(kIsa.size());
  found.machine = machine_name();
  found.cpu = cpu_model();
  return found;
}

std::vector<std::string> own_environment() {
  // Entries end with a zero byte each.
  // /proc/self/environ is what the kernel was given at exec, whatever setenv() did since.
  const std::string text = read_text_file("/proc/self/environ");
  std::vector<std::string> entries;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\0', at), text.size());
    entries.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return entries;
}

void check_frozen(const ProcessEnvironment& then, const std::vector<std::string>& now) {
  std::vector<std::string> changed;
  // Both lists are sorted, so one pass finds every variable that was set, changed or removed.
  // An entry that only one side has: changed values appear on both sides, and the first tells the
  // name.
  std::set_symmetric_difference(then.environment.begin(), then.environment.end(), now.begin(),
                                now.end(), std::back_inserter(changed));
  if (changed.empty()) return;
  const std::string name = changed[0].substr(0, changed[0].find('='));
  const std::string text =
      fmt::format("the environment changed after the launch contract was computed: {}", name);
  const auto kind = configs::kind_of(name);
  if (kind && kind->group == configs::VariableGroup::cache)
    throw Error(ErrorKind::protocol, text)
        .note(
            "the compile cache is configured before this point: set the variable before the launch")
        .diagnosed(name_of(DiagnosisId::cache_set_late));
  if (name == "PJRT_DEVICE")
    throw Error(ErrorKind::protocol, text).diagnosed(name_of(DiagnosisId::device_set_late));
  throw Error(ErrorKind::protocol, text).diagnosed(name_of(DiagnosisId::environment_changed));
}

}  // namespace understudy::worker
