// SPDX-License-Identifier: Apache-2.0
// What the launcher, understudy-worker-start and understudy-worker agree on for the start of a
// worker. Constants only: understudy-worker-start links no library.
#pragma once

namespace understudy::configs {

// A file of the run folder: for each rank, in order, what changes the variables that mpirun passes
// to its worker into those of its emulated host. "NAME=value" sets a variable, "NAME" removes one;
// a zero byte ends each, and one more ends the entries of a rank.
inline constexpr const char* kEnvironmentsFile = "environments";

// The second argument, after the run folder, of a worker that has the environment of its host.
inline constexpr const char* kInEnvironment = "in-host-environment";

}  // namespace understudy::configs
