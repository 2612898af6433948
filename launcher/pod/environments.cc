// SPDX-License-Identifier: Apache-2.0
#include "launcher/pod/environments.h"

#include "configs/launch/shell_variables.h"

namespace understudy::launcher {

std::string environments_text(const configs::Variables& shell,
                              const std::vector<configs::Variables>& hosts) {
  std::string text;
  for (const configs::Variables& host : hosts) {
    const configs::Variables worker = configs::worker_environment(shell, host);
    for (const auto& [name, value] : shell)
      if (!worker.contains(name)) text.append(name).push_back('\0');
    for (const auto& [name, value] : worker) {
      const auto there = shell.find(name);
      // mpirun has some variables of the shell with other values, and the host's have precedence.
      if (host.contains(name) || there == shell.end() || there->second != value)
        text.append(name + "=" + value).push_back('\0');
    }
    text.push_back('\0');
  }
  return text;
}

}  // namespace understudy::launcher
