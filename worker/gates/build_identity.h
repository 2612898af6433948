// SPDX-License-Identifier: Apache-2.0
// Identifies the running program, from its own image in memory. Pure functions of the process.
#pragma once

#include <map>
#include <string>

namespace understudy::worker {

// The linker's digest of the running binary (NT_GNU_BUILD_ID) in hexadecimal digits; "" where it
// has none.
std::string build_id();

// Versions of the libraries that were loaded, by name.
std::map<std::string, std::string> library_versions(const std::string& mpi);

}  // namespace understudy::worker
