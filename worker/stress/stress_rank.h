// SPDX-License-Identifier: Apache-2.0
// The whole life of one rank of `understudy cache stress`. A rank that is killed ends the whole MPI
// job, so nothing bad ever happens to ranks: each supervises a contender, which is what is killed,
// stopped and denied. Call from main() only.
#pragma once

#include <string>

namespace understudy::worker {

// `plan`: understudy/stress-plan/1. Returns the exit code. *Throws* Error before MPI is up; later
// failures end the job.
int run_stress_rank(const std::string& plan);

}  // namespace understudy::worker
