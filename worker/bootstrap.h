// SPDX-License-Identifier: Apache-2.0
// Starts and ends a worker: MPI, the record, main and executor thread. The main thread owns MPI,
// sends heartbeats and watches for signals and failing peers; the executor thread runs the session.
// A failure here or at a peer makes every worker of the pod leave, each with its own record. Call
// from main() only.
#pragma once

#include <string>

namespace understudy::worker {

// Returns after a successful run. A failed run ends the whole job by MPI_Abort and does not return.
// *Throws* Error before there is a record to write to.
void run_worker(const std::string& run_dir);

}  // namespace understudy::worker
