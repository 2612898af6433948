// SPDX-License-Identifier: Apache-2.0
// The fields of a stress result as JSON has them, for its document and for receipts. Internal to
// configs.
#pragma once

#include "configs/json/fields.h"
#include "configs/receipt/cache_stress.h"

namespace understudy::configs {

template <class F, FieldsOf<Quantiles> T>
void fields(F& field, T& quantiles) {
  field("p50", quantiles.p50);
  field("p99", quantiles.p99);
  field("max", quantiles.max);
}

// Over 40 lines: the list of all fields of the document.
template <class F, FieldsOf<PolicyStress> T>
void fields(F& field, T& stress) {
  field("policy", stress.policy);
  field("lock", stress.lock);
  field("processes", stress.processes);
  field("hosts", stress.hosts);
  field("keys", stress.keys);
  field("rounds", stress.rounds);
  field("startup_seconds", stress.startup_seconds);
  field("restart_seconds", stress.restart_seconds);
  field("lock_wait_fraction", stress.lock_wait_fraction);
  field("wait_fraction", stress.wait_fraction);
  field("compile_fraction", stress.compile_fraction);
  field("read_fraction", stress.read_fraction);
  field("write_fraction", stress.write_fraction);
  field("lock_wait_seconds", stress.lock_wait_seconds);
  field("compiles", stress.compiles);
  field("mean_compile_seconds", stress.mean_compile_seconds);
  field("duplicate_compiles", stress.duplicate_compiles);
  field("torn_reads", stress.torn_reads);
  field("damaged_reads", stress.damaged_reads);
  field("wrong_results", stress.wrong_results);
  field("stuck_processes", stress.stuck_processes);
  field("entries_lost", stress.entries_lost);
  field("lock_timeouts", stress.lock_timeouts);
  field("wait_timeouts", stress.wait_timeouts);
  field("locks_broken", stress.locks_broken);
  field("write_failures", stress.write_failures);
  field("quarantined", stress.quarantined);
  field("removed", stress.removed);
  field("evicted", stress.evicted);
  field("retries", stress.retries);
  field("killed", stress.killed);
  field("leftover_files", stress.leftover_files);
  field("leftovers_after_prune", stress.leftovers_after_prune);
  field("bytes_written", stress.bytes_written);
  field("unique_bytes", stress.unique_bytes);
  field("fairness", stress.fairness);
  field("by_process", stress.by_process);
  field("safe", stress.safe);
  field("diagnosis", stress.diagnosis);
  field("predicted_seconds", stress.predicted_seconds);
  field("warnings", stress.warnings);
}

}  // namespace understudy::configs
