// SPDX-License-Identifier: Apache-2.0
// What a worker finds around itself: its environment, its machine. Read once, a value.
#pragma once

#include <string>
#include <vector>

namespace understudy::worker {

struct ProcessEnvironment {
  std::vector<std::string> environment;  // "NAME=value", sorted; without Open MPI's own
  std::string isa;                       // $UNDERSTUDY_ISA
  std::string machine;                   // host name
  std::string cpu;                       // "Intel(R) Xeon(R) ..."; empty where it is not known
};

ProcessEnvironment read_surroundings();
// ProcessEnvironment::machine alone.
std::string machine_name();
// ProcessEnvironment::environment as it is now.
std::vector<std::string> environment_now();

// The environment that this process was started with, as the kernel keeps it
// (/proc/self/environ): what the program itself changed since is not in it.
std::vector<std::string> own_environment();

// *Throws* Error{protocol} naming the first variable that is not as it was.
void check_frozen(const ProcessEnvironment& then, const std::vector<std::string>& now);

}  // namespace understudy::worker
