// SPDX-License-Identifier: Apache-2.0
// The failures that understudy distinguishes, by name. The detector gives the name to its Error
// (Error::diagnosed); layers and advice are in configs/receipt/diagnosis.cc, which has a row for
// each. Names are stable: receipts, scripts and docs/faults.md refer to them. Constant data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace understudy {

// clang-format off
#define UNDERSTUDY_DIAGNOSES(row)                                                                  \
  row(broken_invariant, "broken-invariant")                                                        \
  row(chip_busy, "chip-busy")                                                                      \
  row(clocks_differ, "clocks-differ")                                                              \
  row(chip_computes_wrong, "chip-computes-wrong")                                                  \
  row(chip_in_use, "chip-in-use")                                                                  \
  row(chip_missing, "chip-missing")                                                                \
  row(descriptors_too_few, "descriptors-too-few")                                                  \
  row(disk_full, "disk-full")                                                                      \
  row(hugepages_off, "hugepages-off")                                                              \
  row(libtpu_loaded_twice, "libtpu-loaded-twice")                                                  \
  row(lock_of_other_user, "lock-of-other-user")                                                    \
  row(lock_removed, "lock-removed")                                                                \
  row(lock_stale, "lock-stale")                                                                    \
  row(machine_refused, "machine-refused")                                                          \
  row(mpirun_died, "mpirun-died")                                                                  \
  row(mpirun_stopped, "mpirun-stopped")                                                            \
  row(rank_signalled, "rank-signalled")                                                            \
  row(rank_lost_at_start, "rank-lost-at-start")                                                    \
  row(workers_did_not_start, "workers-did-not-start")                                              \
  row(accelerator_unknown, "accelerator-unknown")                                                  \
  row(bounds_do_not_multiply, "bounds-do-not-multiply")                                            \
  row(contract_differs, "contract-differs")                                                        \
  row(coordinator_malformed, "coordinator-malformed")                                              \
  row(device_kind_differs, "device-kind-differs")                                                  \
  row(device_set_late, "device-set-late")                                                          \
  row(device_unknown, "device-unknown")                                                            \
  row(diagnostic_flag, "diagnostic-flag")                                                          \
  row(duplicate_worker_id, "duplicate-worker-id")                                                  \
  row(environment_changed, "environment-changed")                                                  \
  row(environment_differs, "environment-differs")                                                  \
  row(flag_misplaced, "flag-misplaced")                                                            \
  row(flags_differ, "flags-differ")                                                                \
  row(host_list_length, "host-list-length")                                                        \
  row(host_name_malformed, "host-name-malformed")                                                  \
  row(host_names_missing, "host-names-missing")                                                    \
  row(host_order_differs, "host-order-differs")                                                    \
  row(identity_by_hand, "identity-by-hand")                                                        \
  row(process_count_unsupported, "process-count-unsupported")                                      \
  row(program_bytes_differ, "program-bytes-differ")                                                \
  row(proxy_set, "proxy-set")                                                                      \
  row(restored_another, "restored-another")                                                        \
  row(second_framework, "second-framework")                                                        \
  row(single_host_default, "single-host-default")                                                  \
  row(slice_count_stale, "slice-count-stale")                                                      \
  row(spmd_disabled, "spmd-disabled")                                                              \
  row(versions_differ, "versions-differ")                                                          \
  row(cache_denied, "cache-denied")                                                                \
  row(cache_disk_full, "cache-disk-full")                                                          \
  row(cache_not_empty, "cache-not-empty")                                                          \
  row(cache_unsafe, "cache-unsafe")                                                                \
  row(restore_not_proven, "restore-not-proven")                                                    \
  row(cache_entry_damaged, "cache-entry-damaged")                                                  \
  row(cache_leader_lost, "cache-leader-lost")                                                      \
  row(cache_lock_stuck, "cache-lock-stuck")                                                        \
  row(cache_not_writable, "cache-not-writable")                                                    \
  row(cache_cannot_restore, "cache-cannot-restore")                                                \
  row(cache_keys_differ, "cache-keys-differ")                                                      \
  row(host_fallback, "host-fallback")                                                              \
  row(recompiles, "recompiles")                                                                    \
  row(tpu_compiler_refused, "tpu-compiler-refused")                                                \
  row(algorithms_disagree, "algorithms-disagree")                                                  \
  row(collective_alone, "collective-alone")                                                        \
  row(collectives_differ, "collectives-differ")                                                    \
  row(sync_points_differ, "sync-points-differ")                                                    \
  row(rank_left_early, "rank-left-early")                                                          \
  row(layout_constraint_differs, "layout-constraint-differs")                                      \
  row(straggler, "straggler")                                                                      \
  row(rank_died, "rank-died")                                                                      \
  row(rank_stopped, "rank-stopped")                                                                \
  row(rank_stuck, "rank-stuck")                                                                    \
  row(deadline_passed, "deadline-passed")                                                          \
  row(hbm_not_as_planned, "hbm-not-as-planned")                                                    \
  row(hbm_exceeded_at_compile, "hbm-exceeded-at-compile")                                          \
  row(program_does_not_load, "program-does-not-load")                                              \
  row(hbm_exhausted, "hbm-exhausted")                                                              \
  row(host_memory_exhausted, "host-memory-exhausted")                                              \
  row(host_memory_exceeded, "host-memory-exceeded")                                                \
  row(memlock_too_low, "memlock-too-low")                                                          \
  row(premapped_too_small, "premapped-too-small")                                                  \
  row(premapped_unaligned, "premapped-unaligned")                                                  \
  row(vmem_exhausted, "vmem-exhausted")                                                            \
  row(cache_set_late, "cache-set-late")                                                            \
  row(tensor_before_spmd, "tensor-before-spmd")                                                    \
  row(metric_not_global, "metric-not-global")                                                      \
  row(replicated_values_differ, "replicated-values-differ")                                        \
  row(nothing_executed, "nothing-executed")                                                        \
  row(program_refused, "program-refused")                                                          \
  row(results_differ, "results-differ")
// clang-format on

enum class DiagnosisId : std::uint8_t {
#define UNDERSTUDY_ENUMERATOR(id, name) id,
  UNDERSTUDY_DIAGNOSES(UNDERSTUDY_ENUMERATOR)
#undef UNDERSTUDY_ENUMERATOR
};

inline constexpr std::string_view kDiagnosisNames[] = {
#define UNDERSTUDY_NAME(id, name) name,
    UNDERSTUDY_DIAGNOSES(UNDERSTUDY_NAME)
#undef UNDERSTUDY_NAME
};

constexpr std::string_view name_of(DiagnosisId id) {
  return kDiagnosisNames[static_cast<std::size_t>(id)];
}

}  // namespace understudy
