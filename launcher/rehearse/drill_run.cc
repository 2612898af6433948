// SPDX-License-Identifier: Apache-2.0
// Drills of failures during a run: cache, graph, memory, collectives, program. Two lines per row:
// the failure and its expected diagnosis, then the options and preparation that cause it.
#include "configs/base/diagnosis_id.h"
#include "launcher/rehearse/drill.h"
#include "launcher/rehearse/drill_damage.h"

namespace understudy::launcher {
namespace {

constexpr double kRun = 20, kTwoRuns = 30;  // seconds

// Rank 2, of host 1, runs another program than ranks 0, 1 and 3.
constexpr std::string_view kTwoPrograms =
    "{W}/ours.mlir --hosts 2 --fill ones --program 2={W}/theirs.mlir --timeout 3";
constexpr std::string_view kOurs = "{W}/ours.mlir --fill ones";

using enum DiagnosisId;

// clang-format off
constexpr Drill kRunDrills[] = {
    // ---- cache ----------------------------------------------------------------------------------
    {"cache-bit-flipped", "F53", "one bit of a cache entry is flipped", cache_entry_damaged, 0, kRun,
     "{P}/dense/4", flipped_bit},
    {"cache-entry-torn", "F53", "a cache entry is truncated", cache_entry_damaged, 0, kRun,
     "{P}/dense/4", torn_entry},
    {"cache-entry-empty", "F53", "a cache entry is empty", cache_entry_damaged, 0, kRun,
     "{P}/dense/4", empty_entry},
    {"cache-lock-held", "F69", "another process holds the lock of a shared cache", cache_lock_stuck, kNoHost, 40,
     "{P}/dense/4 --cache-policy shared --cache-lock directory --timeout 3", held_lock},
    {"cache-host-folder-is-a-file", "F68", "the folder of one host is a file", cache_not_writable, 0, kRun,
     "{P}/dense/4", file_for_host_folder},
    {"restore-other-numerics", "", "the restart has one flag changed", restore_not_proven, kNoHost, kRun,
     "{P}/dense/4", nullptr, false, "--numerics ieee"},
    {"restore-other-policy", "", "the restart uses another cache folder", restore_not_proven, kNoHost, kRun,
     "{P}/dense/4", nullptr, false, "--cache-policy per-process"},
    {"other-cache-key", "F66", "a host requests another cache key than its leader", cache_keys_differ, 1, kRun,
     "--fault cache-key:rank=3"},
    // ---- graph and compile ----------------------------------------------------------------------
    {"baked-scalars", "F49", "scalars are constants, so every step is a new program (strict)", recompiles, kNoHost, kRun,
     "{P}/adamw_baked/4"},
    {"baked-scalars-lenient", "F49", "the same, recompiled and counted (lenient)", recompiles, kNoHost, kTwoRuns,
     "{P}/adamw_baked/4 --shape-guard lenient"},
    {"short-last-batch", "F49", "the last batch is shorter than the others", recompiles, kNoHost, kRun,
     "{P}/dense/4 --step-program 2={P}/dense_short/4"},
    {"short-last-batch-lenient", "F49", "the same, recompiled and counted (lenient)", recompiles, kNoHost, kRun,
     "{P}/dense/4 --step-program 2={P}/dense_short/4 --shape-guard lenient"},
    {"host-fallback", "F52", "an operation of the program runs on the host", host_fallback, 1, kRun,
     "--fault host-fallback:op=dot_general,rank=2"},
    {"host-fallback-untraced", "F52", "an operation outside the program runs on the host", host_fallback, 1, kRun,
     "--fault host-fallback:op=aten::nonzero,rank=3"},
    // ---- memory ---------------------------------------------------------------------------------
    {"hbm-too-small", "F58", "the compiler's plan does not fit into HBM", hbm_exceeded_at_compile, 1, kRun,
     "--fault hbm-limit:rank=2,bytes=4096"},
    {"hbm-full-at-load", "F61", "buffers of an earlier program fill HBM", program_does_not_load, 1, kRun,
     "--fault hbm-held:rank=3,bytes=99000000000"},
    {"hbm-leak", "F60", "every step leaks a buffer until HBM is full", hbm_exhausted, 1, kRun,
     "--fault hbm-leak:rank=2,bytes=20000000000"},
    {"hbm-not-as-planned", "F60", "every step leaks a little memory", hbm_not_as_planned, 1, kRun,
     "--fault hbm-leak:rank=2,bytes=1000000"},
    {"vmem-too-small", "F59", "a tile does not fit into VMEM", vmem_exhausted, 1, kRun,
     "--fault vmem-limit:rank=2,bytes=64"},
    // ---- collectives ----------------------------------------------------------------------------
    {"rank-killed", "F36", "a rank is killed in a collective", rank_died, 1, kRun,
     "--fault kill:rank=3,at=all_reduce#5 --timeout 5"},
    {"rank-0-killed", "F37", "rank 0 is killed in a collective", rank_died, 0, kRun,
     "--fault kill:rank=0,at=all_reduce#3 --timeout 5"},
    {"rank-stopped", "F38", "a rank is stopped", rank_stopped, 1, kRun,
     "--fault stop:rank=2,at=all_reduce#2 --timeout 3"},
    {"rank-stuck", "F38", "a rank is alive but makes no progress", rank_stuck, 1, 25,
     "--fault delay:rank=2,ms=60000,at=all_reduce#2 --timeout 3"},
    {"host-dropped", "F48", "all ranks of a host are killed", rank_died, 1, kRun,
     "--fault drop-host:1,at=all_reduce#2 --timeout 5"},
    {"other-launch", "F39", "a rank launches another collective than its peers", collectives_differ, 1, kRun,
     "--fault mismatch:rank=2,at=all_reduce#2 --timeout 3"},
    {"other-order", "F40", "one rank runs two collectives in the opposite order", collectives_differ, 1, kRun,
     kTwoPrograms, other_order},
    {"other-shape", "F41", "one rank has another operand size", collectives_differ, 1, kRun,
     kTwoPrograms, other_shape},
    {"other-groups", "F57", "one rank has other replica groups", collectives_differ, 1, kRun,
     kTwoPrograms, other_groups},
    {"mixed-pin-layout", "F51", "pin_layout is set on one rank only", layout_constraint_differs, 1, kRun,
     kTwoPrograms, other_layout},
    {"absent-collective", "F41", "one rank skips a collective", rank_stuck, 1, kRun,
     kTwoPrograms, absent_sum},
    {"extra-collective", "F44", "one rank enters an extra collective", collective_alone, 1, kRun,
     kTwoPrograms, extra_sum},
    {"uneven-batches", "F42", "one rank has an extra batch", collective_alone, 1, kRun,
     kTwoPrograms, uneven_batches},
    {"rank-leaves-early", "F47", "a rank ends before the others have finished", rank_left_early, 1, kRun,
     "--fault leave-early:rank=2 --timeout 5"},
    {"straggler", "F46", "one rank enters every collective late", straggler, 1, 25,
     "--fault delay:rank=2,ms=60 --steps 4"},
    // ---- program --------------------------------------------------------------------------------
    {"wrong-golden", "", "the expected loss is wrong", results_differ, kNoHost, kRun,
     "{P}/dense/4 --expect {W}/expect", wrong_expectation},
    {"unknown-custom-call", "F11", "an unknown custom call of a newer framework", program_refused, kNoHost, 10,
     kOurs, unknown_custom_call},
    {"wrong-types", "F54", "an operation with mismatched operand shapes", program_refused, kNoHost, 10,
     kOurs, wrong_types},
    {"wrong-shape-argument", "F54", "an argument for another number of chips", program_refused, kNoHost, 10,
     "{P}/dense/4 --arg 3={P}/dense/8/arg3.npy"},
    {"too-few-chips", "F57", "a slice with fewer chips than the program needs", program_refused, kNoHost, 10,
     "{P}/dense/8 --slice v6e-4"},
    {"local-metric", "F43", "a loss that is never reduced", replicated_values_differ, kNoHost, kRun,
     "{W}/ours.mlir --fill random:1", local_metric, true},
    {"half-reduced-metric", "F43", "a loss that is reduced over pairs of chips only", metric_not_global, kNoHost, 25,
     kOurs, half_reduced_metric, true},
};
// clang-format on

}  // namespace

// Static storage: views of it stay valid.
std::span<const Drill> run_drills() { return kRunDrills; }

// In the order in which a launch can fail, which is the order of the report.
std::vector<Drill> drills() {
  std::vector<Drill> all;
  for (const auto& rows : {start_drills(), run_drills()})
    all.insert(all.end(), rows.begin(), rows.end());
  return all;
}

}  // namespace understudy::launcher
