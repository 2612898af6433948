// SPDX-License-Identifier: Apache-2.0
// The environment and the machine of a worker process. Read once, a value.
#pragma once

#include <string>
#include <vector>

namespace understudy::worker {

struct ProcessEnvironment {
  std::vector<std::string> environment;  // "NAME=value", sorted; without Open MPI's own
  std::string isa;                       // $UNDERSTUDY_ISA
  std::string machine;                   // host name
  std::string cpu;                       // "Intel(R) Xeon(R) ..."; empty where unknown
};

ProcessEnvironment read_process_environment();
// ProcessEnvironment::environment as it is now.
std::vector<std::string> environment_now();

// The environment that this process was started with, as the kernel keeps it (/proc/self/environ):
// later changes by the program do not show there.
std::vector<std::string> own_environment();

// *Throws* Error{protocol} naming the first variable that changed.
void check_frozen(const ProcessEnvironment& then, const std::vector<std::string>& now);

}  // namespace understudy::worker
