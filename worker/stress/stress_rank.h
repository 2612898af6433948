// SPDX-License-Identifier: Apache-2.0
// One rank of `understudy cache stress`. A killed rank would end the whole MPI job, so ranks are
// never hurt: each supervises a contender, and the contender is killed, stopped and denied access.
// Call from main() only.
#pragma once

#include <string>

namespace understudy::worker {

// `plan`: understudy/stress-plan/1. Returns the exit code. *Throws* Error before MPI has started;
// later failures end the job.
int run_stress_rank(const std::string& plan);

}  // namespace understudy::worker
