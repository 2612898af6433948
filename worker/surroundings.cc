// SPDX-License-Identifier: Apache-2.0
#include "worker/surroundings.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <iterator>
#include <unistd.h>

#include "configs/base/error.h"
#include "configs/base/file.h"

extern "C" char** environ;

namespace understudy::worker {
namespace {

constexpr std::string_view kIsa = "UNDERSTUDY_ISA=";

std::string cpu_model() {
  const std::string text = read_text_file("/proc/cpuinfo");
  const std::size_t key = text.find("model name");
  const std::size_t colon = text.find(": ", key);
  if (key == std::string::npos || colon == std::string::npos) return "";
  return text.substr(colon + 2, text.find('\n', colon) - colon - 2);
}

std::string host_name() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
}

}  // namespace

Surroundings read_surroundings() {
  Surroundings found;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    found.environment.emplace_back(*entry);
    if (found.environment.back().starts_with(kIsa)) {
      found.isa = found.environment.back().substr(kIsa.size());
    }
  }
  std::sort(found.environment.begin(), found.environment.end());
  found.machine = host_name();
  found.cpu = cpu_model();
  return found;
}

void check_frozen(const Surroundings& then, const Surroundings& now) {
  std::vector<std::string> changed;
  std::set_symmetric_difference(then.environment.begin(), then.environment.end(),
                                now.environment.begin(), now.environment.end(),
                                std::back_inserter(changed));
  if (changed.empty()) return;
  throw Error(ErrorKind::protocol,
              fmt::format("the environment changed after the launch contract was made: {}",
                          changed[0].substr(0, changed[0].find('='))))
      .diagnosed("environment-changed");
}

}  // namespace understudy::worker
