// SPDX-License-Identifier: Apache-2.0
// Longer than 300 lines: one table with a row per diagnosis.
#include "configs/receipt/diagnosis.h"

#include <algorithm>
#include <array>

#include "configs/base/diagnosis_id.h"

namespace understudy::configs {
namespace {

constexpr std::array<std::string_view, 8> kLayers = {"host/runtime",  "contract",   "cache",
                                                     "graph/compile", "collective", "memory",
                                                     "program",       "host memory"};

// Grouped by layer. Names and ids are stable: receipts, scripts and docs/faults.md refer to them.
// The advice may change.
constexpr Diagnosis kTable[] = {
    // Host and runtime: the machine, its devices and processes. The program has not been reached.
    {name_of(DiagnosisId::broken_invariant), "", Layer::host_runtime,
     "This is a defect in understudy, not in the launch. Report it with the receipt."},
    {name_of(DiagnosisId::chip_busy), "F3", Layer::host_runtime,
     "A killed process can keep its device busy for up to half a minute. Wait that long, then "
     "start again."},
    {name_of(DiagnosisId::clocks_differ), "F70", Layer::host_runtime,
     "The clock of a host is wrong, so its log times cannot be compared with other hosts. Start "
     "the time service (chrony, ntpd) on that host before the job."},
    {name_of(DiagnosisId::chip_computes_wrong), "F35", Layer::host_runtime,
     "The chip responds but computes wrong results. Remove its host from the slice."},
    {name_of(DiagnosisId::chip_in_use), "F1", Layer::host_runtime,
     "Another process uses the chip, for example a notebook or an earlier job. End that process by "
     "its pid, which the message gives."},
    {name_of(DiagnosisId::chip_missing), "F4", Layer::host_runtime,
     "The host does not list its chip. Check the device files and the driver on that host before "
     "you check the model."},
    {name_of(DiagnosisId::descriptors_too_few), "", Layer::host_runtime,
     "mpirun needs open files for every chip. Raise the limit: `ulimit -n`, LimitNOFILE= of a "
     "service, or --ulimit nofile= of a container."},
    {name_of(DiagnosisId::disk_full), "", Layer::host_runtime,
     "Free space on the file system in the message, or use another one: TMPDIR for run folders, "
     "--out, --receipt, --cache-dir. If the file size limit is the cause, run `ulimit -f "
     "unlimited`."},
    {name_of(DiagnosisId::hugepages_off), "F72", Layer::host_runtime,
     "Without transparent hugepages a TPU host starts and transfers slowly. Run `echo always > "
     "/sys/kernel/mm/transparent_hugepage/enabled` as root on every host."},
    {name_of(DiagnosisId::libtpu_loaded_twice), "F12", Layer::host_runtime,
     "Unset ALLOW_MULTIPLE_LIBTPU_LOAD, or give each process its own chips."},
    {name_of(DiagnosisId::lock_of_other_user), "F2", Layer::host_runtime,
     "The lock file belongs to another user. Ask its owner to remove it, or run as the same user "
     "everywhere."},
    {name_of(DiagnosisId::lock_removed), "F1", Layer::host_runtime,
     "The lock file was removed while its holder still runs: the device is still in use. End the "
     "holder by its pid."},
    {name_of(DiagnosisId::lock_stale), "F2", Layer::host_runtime,
     "The process that left the lock file is dead. It is safe to remove the file."},
    {name_of(DiagnosisId::machine_refused), "", Layer::host_runtime,
     "The cause is this machine, not the program. Run `understudy doctor` to list what is "
     "missing."},
    {name_of(DiagnosisId::mpirun_died), "", Layer::host_runtime,
     "mpirun was ended, not a worker. Look for an operator, a batch system at its time limit, or a "
     "host without free memory. All ranks must be restarted."},
    {name_of(DiagnosisId::mpirun_stopped), "", Layer::host_runtime,
     "The mpirun process exists but does not run. Look for a suspended job, a debugger or a frozen "
     "container on the host that starts the pod."},
    {name_of(DiagnosisId::rank_signalled), "", Layer::host_runtime,
     "A process outside the pod sent the signal. Look for a preemption notice, a batch system at "
     "its time limit, or an operator on that host. All ranks must be restarted."},
    {name_of(DiagnosisId::rank_lost_at_start), "F22", Layer::host_runtime,
     "A worker did not reach the start barrier. Check its host and the last stage that it reached; "
     "the chips that wait for it are healthy."},
    {name_of(DiagnosisId::workers_did_not_start), "F21", Layer::host_runtime,
     "Read the output of mpirun, and run `understudy doctor` to check the MPI installation."},

    // Contract: what the hosts agreed on before the start, and what must be set before it.
    {name_of(DiagnosisId::accelerator_unknown), "F32", Layer::contract,
     "TPU_ACCELERATOR_TYPE does not match the slice. `understudy describe --list` lists all "
     "names."},
    {name_of(DiagnosisId::bounds_do_not_multiply), "F20", Layer::contract,
     "Process bounds times chips per process must equal the topology on every axis. Take both "
     "values from `understudy env`."},
    {name_of(DiagnosisId::contract_differs), "F39", Layer::contract,
     "Start all hosts with the same environment, binary and program. The note lists the "
     "differences."},
    {name_of(DiagnosisId::coordinator_malformed), "F28", Layer::contract,
     "Give the coordinator as HOST:PORT, with a host name that resolves on every host."},
    {name_of(DiagnosisId::device_kind_differs), "F4", Layer::contract,
     "A rank runs on a different device kind than the slice. Set PJRT_DEVICE and JAX_PLATFORMS on "
     "all hosts, and check that the TPU build of the framework is installed there."},
    {name_of(DiagnosisId::device_set_late), "F6", Layer::contract,
     "PJRT_DEVICE was set after the runtime had chosen its device. Set it before the first "
     "import."},
    {name_of(DiagnosisId::device_unknown), "F7", Layer::contract,
     "This device kind does not exist, or has no plugin. The message lists the valid kinds."},
    {name_of(DiagnosisId::diagnostic_flag), "F66", Layer::contract,
     "A diagnostic flag changes cache keys. Set it only in a diagnostic profile, and on all "
     "hosts."},
    {name_of(DiagnosisId::duplicate_worker_id), "F19", Layer::contract,
     "Two hosts have the same worker id. Number the hosts by their position in the slice, from 0, "
     "each once."},
    {name_of(DiagnosisId::environment_changed), "F13", Layer::contract,
     "The environment changed after the launch had fixed it. Set variables in the profile, not in "
     "code that runs at import."},
    {name_of(DiagnosisId::environment_differs), "F66", Layer::contract,
     "The environment of a host differs from the one of the launch. Take it from `understudy "
     "env`."},
    {name_of(DiagnosisId::flag_misplaced), "F14", Layer::contract,
     "XLA aborts on unknown flags. Move TPU flags to LIBTPU_INIT_ARGS."},
    {name_of(DiagnosisId::flags_differ), "F39", Layer::contract,
     "Compiler flags must be the same on all hosts; otherwise the hosts compile different "
     "programs. Set the flags in the profile."},
    {name_of(DiagnosisId::host_list_length), "F15", Layer::contract,
     "List every host of the slice once in TPU_WORKER_HOSTNAMES. The number of hosts is the "
     "product of the host bounds."},
    {name_of(DiagnosisId::host_name_malformed), "F16", Layer::contract,
     "TPU_WORKER_HOSTNAMES takes plain host names separated by commas, without ports, blanks or "
     "log text."},
    {name_of(DiagnosisId::host_names_missing), "F33", Layer::contract,
     "The worker list was not injected. Check that the webhook or controller that sets it ran."},
    {name_of(DiagnosisId::host_order_differs), "F18", Layer::contract,
     "Hosts are not numbered by their position in the slice. List TPU_WORKER_HOSTNAMES in "
     "coordinate order, the same on all hosts."},
    {name_of(DiagnosisId::identity_by_hand), "F18", Layer::contract,
     "The identity of a host follows from the slice. Name the slice, and remove these variables "
     "from the profile."},
    {name_of(DiagnosisId::process_count_unsupported), "F9", Layer::contract,
     "Use one process per host or one per chip, and choose chips with TPU_VISIBLE_CHIPS."},
    {name_of(DiagnosisId::program_bytes_differ), "F71", Layer::contract,
     "A host read a different program, so its copy of the code is out of date. Synchronise the "
     "code and compare digests before the start."},
    {name_of(DiagnosisId::proxy_set), "F29", Layer::contract,
     "Unset the proxy variables for traffic inside the cluster. gRPC sends its traffic through the "
     "proxy and hangs."},
    {name_of(DiagnosisId::restored_another), "", Layer::contract,
     "The launch differs from the one in the receipt. The \"not restored\" lines list all "
     "differences. Remove the option that causes them, or install the versions that the receipt "
     "pins."},
    {name_of(DiagnosisId::second_framework), "F1", Layer::contract,
     "JAX and PyTorch/XLA each load libtpu. Guard the second import, or run them in separate "
     "processes."},
    {name_of(DiagnosisId::single_host_default), "F17", Layer::contract,
     "These values are the defaults of a single host, but the slice has several. Take the values "
     "from `understudy env`."},
    {name_of(DiagnosisId::slice_count_stale), "F30", Layer::contract,
     "The number of slices or the coordinator comes from an earlier launch. Set the MEGASCALE "
     "variables again on all slices."},
    {name_of(DiagnosisId::spmd_disabled), "F57", Layer::contract,
     "The program is partitioned, but the profile disables SPMD. Enable SPMD, or run a program for "
     "one replica."},
    {name_of(DiagnosisId::versions_differ), "F66", Layer::contract,
     "Hosts run different builds or libraries. Install the same versions everywhere; the note "
     "lists the differences."},

    // Cache: entries, locks and folders of the compile cache.
    {name_of(DiagnosisId::cache_denied), "F68", Layer::cache,
     "The cache folder belongs to another user, or its mode forbids writing. Fix owner and mode, "
     "or use another folder."},
    {name_of(DiagnosisId::cache_disk_full), "F67", Layer::cache,
     "The disk of the cache is full. Run `understudy cache prune`, and look for dumps and driver "
     "logs."},
    {name_of(DiagnosisId::cache_not_empty), "", Layer::cache,
     "A cold start needs an empty cache. Use a new folder, or a profile whose cache.start is "
     "\"as-is\"."},
    {name_of(DiagnosisId::cache_unsafe), "F69", Layer::cache,
     "Nothing excludes concurrent writers of this cache. Use a folder per host, a single writer, "
     "or a lock that works on this mount."},
    {name_of(DiagnosisId::restore_not_proven), "", Layer::cache,
     "The second start should have found everything in the cache, but did not. Compare policy, "
     "folder, flags and program of both receipts with `understudy receipt diff`."},
    {name_of(DiagnosisId::cache_entry_damaged), "F53", Layer::cache,
     "A cache entry was damaged and has been quarantined; the program was compiled again. Look for "
     "writers that were killed, or files that were copied in part."},
    {name_of(DiagnosisId::cache_leader_lost), "", Layer::cache,
     "The chip that compiles for the others did not deliver in time, so others compiled too. Check "
     "the host in the message."},
    {name_of(DiagnosisId::cache_lock_stuck), "F69", Layer::cache,
     "Another process holds the cache lock, or died while holding it. Find the holder with "
     "`understudy cache verify`, or use a policy without a lock."},
    {name_of(DiagnosisId::cache_not_writable), "F68", Layer::cache,
     "Compiled programs cannot be stored, so every start compiles again. Check owner, mode and "
     "free space of the folder in the message."},
    {name_of(DiagnosisId::cache_cannot_restore), "F56", Layer::cache,
     "The stored entries cannot be loaded on this machine, so the cache cannot shorten a start "
     "here. Expect every start to compile."},
    {name_of(DiagnosisId::cache_keys_differ), "", Layer::cache,
     "One chip compiles for the others, so all chips must request the same entry. Give every host "
     "the same build and options; `understudy cache explain` lists the parts of a key."},

    // Graph and compile: the program compiles, but not as intended.
    {name_of(DiagnosisId::host_fallback), "F52", Layer::graph_compile,
     "An operation ran on the host instead of the chip. The message gives its name and count. "
     "Replace it with an operation that the compiler supports."},
    {name_of(DiagnosisId::recompiles), "F49", Layer::graph_compile,
     "The compiled program changes from step to step. Keep shapes fixed and pass scalars as "
     "tensors. The message gives the first difference."},
    {name_of(DiagnosisId::tpu_compiler_refused), "", Layer::graph_compile,
     "The message quotes the TPU compiler's error. `understudy preflight` has all findings."},

    // Collective: chips do not meet, or meet in different calls.
    {name_of(DiagnosisId::algorithms_disagree), "", Layer::collective,
     "Two algorithms gave different results for the same collectives. Select the correct one with "
     "--collectives, and report the receipts."},
    {name_of(DiagnosisId::collective_alone), "F44", Layer::collective,
     "Only this rank enters the collective. Look for code that runs on one rank only (logging, "
     "evaluation, a checkpoint), or for an extra batch in its shard."},
    {name_of(DiagnosisId::collectives_differ), "F39", Layer::collective,
     "Chips entered different collectives. Compare the two places in the message. All chips must "
     "run the same program with the same flags in the same order."},
    {name_of(DiagnosisId::sync_points_differ), "F45", Layer::collective,
     "Chips wait at different sync points of the program. Compare the names, and look for a branch "
     "that only some chips take."},
    {name_of(DiagnosisId::rank_left_early), "F47", Layer::collective,
     "A rank that had finished its program exited before the others. Let all ranks wait for each "
     "other at the end. The errors of the other ranks are consequences."},
    {name_of(DiagnosisId::layout_constraint_differs), "F51", Layer::collective,
     "Check three things together: the shape of the program (are the same collectives reached with "
     "the same operands?), when SPMD was enabled (before the first tensor), and the layout "
     "contract (pin_layout must have the same value at every call)."},
    {name_of(DiagnosisId::straggler), "F46", Layer::collective,
     "All chips wait for one. Check its host: NUMA placement, thermal throttling, a busy disk or "
     "another process."},
    {name_of(DiagnosisId::rank_died), "F36", Layer::collective,
     "Read the last output of the rank that failed first, and check its host. The failures of the "
     "other ranks are consequences. All ranks must be restarted."},
    {name_of(DiagnosisId::rank_stopped), "F38", Layer::collective,
     "The process exists but does not run. Look for a debugger, a suspended job or a frozen "
     "container on its host."},
    {name_of(DiagnosisId::rank_stuck), "F38", Layer::collective,
     "The rank is alive but does not reach the collective that the others wait in. Compare its "
     "last known place in the program with theirs."},

    {name_of(DiagnosisId::deadline_passed), "", Layer::program,
     "No error occurred: the run takes longer than --deadline allows. If the iteration count of a "
     "loop keeps growing, the loop condition is never met; otherwise allow more time or run fewer "
     "steps."},

    // Memory: HBM, VMEM and the memory of the hosts.
    {name_of(DiagnosisId::hbm_not_as_planned), "", Layer::memory,
     "The chip used a different amount of HBM than the compiler planned, so the plan cannot "
     "predict a larger model. Check the buffers that are kept from step to step."},
    {name_of(DiagnosisId::hbm_exceeded_at_compile), "F58", Layer::memory,
     "The memory plan of the compiler does not fit into the HBM of the chip, so no launch can "
     "succeed. Shard more, use smaller batches, or rematerialise. The message lists the largest "
     "buffers."},
    {name_of(DiagnosisId::program_does_not_load), "F61", Layer::memory,
     "Live buffers in HBM leave no room for the program. Free the buffers of earlier programs, or "
     "donate arguments."},
    {name_of(DiagnosisId::hbm_exhausted), "F60", Layer::memory,
     "The program needs more HBM than the chip has. Shard more, donate arguments, or use a chip "
     "with more HBM."},
    {name_of(DiagnosisId::host_memory_exhausted), "", Layer::host_memory,
     "The host, or the control group of the job, has less memory than the workers use. Raise the "
     "limit of the control group, start fewer chips on this host, or use smaller arguments."},
    {name_of(DiagnosisId::host_memory_exceeded), "F63", Layer::memory,
     "The processes would exceed the memory of the host and be killed. Reduce the premapped pool, "
     "or start fewer processes per host."},
    {name_of(DiagnosisId::memlock_too_low), "", Layer::memory,
     "The premapped pool is pinned memory. Raise the limit (`ulimit -l unlimited`, LimitMEMLOCK= "
     "of a service, --ulimit memlock=-1 of a container), or reduce the pool."},
    {name_of(DiagnosisId::premapped_too_small), "F65", Layer::memory,
     "Transfers up to the threshold use the premapped pool. Make the pool at least as large as the "
     "threshold, a multiple of 4096 bytes."},
    {name_of(DiagnosisId::premapped_unaligned), "F65", Layer::memory,
     "The size of the premapped pool must be a multiple of 4096 bytes."},
    {name_of(DiagnosisId::vmem_exhausted), "F59", Layer::memory,
     "A tile does not fit into VMEM. Use smaller blocks, or a chip with more VMEM."},

    {name_of(DiagnosisId::cache_set_late), "F55", Layer::program,
     "The compile cache is set up before the first compile and cannot change later. Configure it "
     "at the start of the program, before any framework call."},
    {name_of(DiagnosisId::tensor_before_spmd), "F50", Layer::program,
     "Enable SPMD before the first tensor exists. Tensors created earlier are copied to all chips, "
     "with only a warning."},
    {name_of(DiagnosisId::metric_not_global), "", Layer::program,
     "A result that every chip should share was not reduced over all chips. Add the reduction at "
     "the place that `understudy metrics` reports, before the value is read."},
    {name_of(DiagnosisId::replicated_values_differ), "", Layer::program,
     "Chips hold different values of a result that is declared replicated, so each reader gets a "
     "local value. Reduce the result over the axes in the message."},
    {name_of(DiagnosisId::nothing_executed), "F57", Layer::program,
     "Chips ran fewer steps than requested. Check which program the chips loaded, and the number "
     "of chips."},
    {name_of(DiagnosisId::program_refused), "", Layer::program,
     "The program is invalid or uses a feature that understudy does not support. The message gives "
     "the place."},
    {name_of(DiagnosisId::results_differ), "", Layer::program,
     "The run succeeded, but its results differ from the expected ones, or hold NaN or infinities. "
     "Compare --numerics, the program and the arguments with those of the expectation."},
};
static_assert(std::size(kTable) == std::size(kDiagnosisNames));

}  // namespace

std::string_view name_of(Layer layer) { return kLayers[static_cast<std::size_t>(layer)]; }

std::span<const Diagnosis> diagnoses() { return kTable; }

const Diagnosis* find_diagnosis(std::string_view name) {
  const auto* const found = std::ranges::find(kTable, name, &Diagnosis::name);
  return found == std::end(kTable) ? nullptr : found;
}

}  // namespace understudy::configs
