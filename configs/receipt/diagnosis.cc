// SPDX-License-Identifier: Apache-2.0
#include "configs/receipt/diagnosis.h"

#include <algorithm>
#include <array>

namespace understudy::configs {
namespace {

constexpr std::array<std::string_view, 8> kLayers = {"host/runtime",  "contract",   "cache",
                                                     "graph/compile", "collective", "memory",
                                                     "program",       "host memory"};

// Grouped by layer. Names and ids are stable: receipts, scripts and docs/faults.md refer to them.
// The advice may change.
constexpr Diagnosis kTable[] = {
    // Host and runtime: the machine, its devices and processes. The program has not been reached.
    {"broken-invariant", "", Layer::host_runtime,
     "This is a defect in understudy, not in the launch. Report it with the receipt."},
    {"chip-busy", "F3", Layer::host_runtime,
     "A killed process can keep its device busy for up to half a minute. Wait that long, then "
     "start again."},
    {"clocks-differ", "F70", Layer::host_runtime,
     "The clock of a host is wrong, so its log times cannot be compared with other hosts. Start "
     "the time service (chrony, ntpd) on that host before the job."},
    {"chip-computes-wrong", "F35", Layer::host_runtime,
     "The chip responds but computes wrong results. Remove its host from the slice."},
    {"chip-in-use", "F1", Layer::host_runtime,
     "Another process uses the chip, for example a notebook or an earlier job. End that process by "
     "its pid, which the message gives."},
    {"chip-missing", "F4", Layer::host_runtime,
     "The host does not list its chip. Check the device files and the driver on that host before "
     "you check the model."},
    {"descriptors-too-few", "", Layer::host_runtime,
     "mpirun needs open files for every chip. Raise the limit: `ulimit -n`, LimitNOFILE= of a "
     "service, or --ulimit nofile= of a container."},
    {"disk-full", "", Layer::host_runtime,
     "Free space on the file system in the message, or use another one: TMPDIR for run folders, "
     "--out, --receipt, --cache-dir. If the file size limit is the cause, run `ulimit -f "
     "unlimited`."},
    {"hugepages-off", "F72", Layer::host_runtime,
     "Without transparent hugepages a TPU host starts and transfers slowly. Run `echo always > "
     "/sys/kernel/mm/transparent_hugepage/enabled` as root on every host."},
    {"libtpu-loaded-twice", "F12", Layer::host_runtime,
     "Unset ALLOW_MULTIPLE_LIBTPU_LOAD, or give each process its own chips."},
    {"lock-of-other-user", "F2", Layer::host_runtime,
     "The lock file belongs to another user. Ask its owner to remove it, or run as the same user "
     "everywhere."},
    {"lock-removed", "F1", Layer::host_runtime,
     "The lock file was removed while its holder still runs, which only hides the conflict. End "
     "the holder by its pid."},
    {"lock-stale", "F2", Layer::host_runtime,
     "The process that left the lock file is dead. It is safe to remove the file."},
    {"machine-refused", "", Layer::host_runtime,
     "The cause is this machine, not the program. Run `understudy doctor` to list what is "
     "missing."},
    {"mpirun-died", "", Layer::host_runtime,
     "mpirun was ended, not a worker. Look for an operator, a batch system at its time limit, or a "
     "host without free memory. All ranks must be restarted."},
    {"mpirun-stopped", "", Layer::host_runtime,
     "The mpirun process exists but does not run. Look for a suspended job, a debugger or a frozen "
     "container on the host that starts the pod."},
    {"rank-signalled", "", Layer::host_runtime,
     "A process outside the pod sent the signal. Look for a preemption notice, a batch system at "
     "its time limit, or an operator on that host. All ranks must be restarted."},
    {"rank-lost-at-start", "F22", Layer::host_runtime,
     "A worker did not reach the start barrier. Check its host and the last stage that it reached; "
     "the chips that wait for it are healthy."},
    {"workers-did-not-start", "F21", Layer::host_runtime,
     "Read the output of mpirun, and run `understudy doctor` to check the MPI installation."},

    // Contract: what the hosts agreed on before the start, and what must be set before it.
    {"accelerator-unknown", "F32", Layer::contract,
     "TPU_ACCELERATOR_TYPE does not match the slice. `understudy describe --list` lists all "
     "names."},
    {"bounds-do-not-multiply", "F20", Layer::contract,
     "Process bounds times chips per process must equal the topology on every axis. Take both "
     "values from `understudy env`."},
    {"contract-differs", "F39", Layer::contract,
     "Start all hosts with the same environment, binary and program. The note lists the "
     "differences."},
    {"coordinator-malformed", "F28", Layer::contract,
     "Give the coordinator as HOST:PORT, with a host name that resolves on every host."},
    {"device-kind-differs", "F4", Layer::contract,
     "A rank runs on a different device kind than the slice. Set PJRT_DEVICE and JAX_PLATFORMS on "
     "all hosts, and check that the TPU build of the framework is installed there."},
    {"device-set-late", "F6", Layer::contract,
     "PJRT_DEVICE was set after the runtime had chosen its device. Set it before the first "
     "import."},
    {"device-unknown", "F7", Layer::contract,
     "This device kind does not exist, or has no plugin. The message lists the valid kinds."},
    {"diagnostic-flag", "F66", Layer::contract,
     "A diagnostic flag changes cache keys. Set it only in a diagnostic profile, and on all "
     "hosts."},
    {"duplicate-worker-id", "F19", Layer::contract,
     "Two hosts have the same worker id. Number the hosts by their position in the slice, from 0, "
     "each once."},
    {"environment-changed", "F13", Layer::contract,
     "The environment changed after the launch had fixed it. Set variables in the profile, not in "
     "code that runs at import."},

    {"environment-differs", "F66", Layer::contract,
     "The environment of a host differs from the one of the launch. Take it from `understudy "
     "env`."},
    {"flag-misplaced", "F14", Layer::contract,
     "XLA aborts on unknown flags. Move TPU flags to LIBTPU_INIT_ARGS."},
    {"flags-differ", "F39", Layer::contract,
     "Compiler flags must be the same on all hosts; otherwise the hosts compile different "
     "programs. Set the flags in the profile."},
    {"host-list-length", "F15", Layer::contract,
     "List every host of the slice once in TPU_WORKER_HOSTNAMES. The number of hosts is the "
     "product of the host bounds."},
    {"host-name-malformed", "F16", Layer::contract,
     "TPU_WORKER_HOSTNAMES takes plain host names separated by commas, without ports, blanks or "
     "log text."},
    {"host-names-missing", "F33", Layer::contract,
     "The worker list was not injected. Check that the webhook or controller that sets it ran."},
    {"host-order-differs", "F18", Layer::contract,
     "Hosts are not numbered by their position in the slice. List TPU_WORKER_HOSTNAMES in "
     "coordinate order, the same on all hosts."},
    {"identity-by-hand", "F18", Layer::contract,
     "The identity of a host follows from the slice. Name the slice, and remove these variables "
     "from the profile."},
    {"process-count-unsupported", "F9", Layer::contract,
     "Use one process per host or one per chip, and choose chips with TPU_VISIBLE_CHIPS."},
    {"program-bytes-differ", "F71", Layer::contract,
     "A host read a different program, so its copy of the code is out of date. Synchronise the "
     "code and compare digests before the start."},
    {"proxy-set", "F29", Layer::contract,
     "Unset the proxy variables for traffic inside the cluster. gRPC sends its traffic through the "
     "proxy and hangs."},
    {"restored-another", "", Layer::contract,
     "The launch differs from the one in the receipt. The \"not restored\" lines list all "
     "differences. Remove the option that causes them, or install the versions that the receipt "
     "pins."},
    {"second-framework", "F1", Layer::contract,
     "JAX and PyTorch/XLA each load libtpu. Guard the second import, or run them in separate "
     "processes."},
    {"single-host-default", "F17", Layer::contract,
     "These values are the defaults of a single host, but the slice has several. Take the values "
     "from `understudy env`."},
    {"slice-count-stale", "F30", Layer::contract,
     "The number of slices or the coordinator comes from an earlier launch. Set the MEGASCALE "
     "variables again on all slices."},
    {"spmd-disabled", "F57", Layer::contract,
     "The program is partitioned, but the profile disables SPMD. Enable SPMD, or run a program for "
     "one replica."},
    {"versions-differ", "F66", Layer::contract,
     "Hosts run different builds or libraries. Install the same versions everywhere; the note "
     "lists the differences."},

    // Cache: entries, locks and folders of the compile cache.
    {"cache-denied", "F68", Layer::cache,
     "The cache folder belongs to another user, or its mode forbids writing. Fix owner and mode, "
     "or use another folder."},
    {"cache-disk-full", "F67", Layer::cache,
     "The disk of the cache is full. Run `understudy cache prune`, and look for dumps and driver "
     "logs."},
    {"cache-not-empty", "", Layer::cache,
     "A cold start needs an empty cache. Use a new folder, or a profile whose cache.start is "
     "\"as-is\"."},
    {"cache-unsafe", "F69", Layer::cache,
     "Nothing excludes concurrent writers of this cache. Use a folder per host, a single writer, "
     "or a lock that works on this mount."},
    {"restore-not-proven", "", Layer::cache,
     "The second start should have found everything in the cache, but did not. Compare policy, "
     "folder, flags and program of both receipts with `understudy receipt diff`."},
    {"cache-entry-damaged", "F53", Layer::cache,
     "A cache entry was damaged and has been quarantined; the program was compiled again. Look for "
     "writers that were killed, or files that were copied in part."},
    {"cache-leader-lost", "", Layer::cache,
     "The chip that compiles for the others did not deliver in time, so others compiled too. Check "
     "the host in the message."},
    {"cache-lock-stuck", "F69", Layer::cache,
     "Another process holds the cache lock, or died while holding it. Find the holder with "
     "`understudy cache verify`, or use a policy without a lock."},
    {"cache-not-writable", "F68", Layer::cache,
     "Compiled programs cannot be stored, so every start compiles again. Check owner, mode and "
     "free space of the folder in the message."},
    {"cache-cannot-restore", "F56", Layer::cache,
     "The stored entries cannot be loaded on this machine, so the cache cannot shorten a start "
     "here. Expect every start to compile."},
    {"cache-keys-differ", "", Layer::cache,
     "One chip compiles for the others, so all chips must request the same entry. Give every host "
     "the same build and options; `understudy cache explain` lists the parts of a key."},

    // Graph and compile: the program compiles, but not as intended.
    {"host-fallback", "F52", Layer::graph_compile,
     "An operation ran on the host instead of the chip. The message gives its name and count. "
     "Replace it with an operation that the compiler supports."},
    {"recompiles", "F49", Layer::graph_compile,
     "The compiled program changes from step to step. Keep shapes fixed and pass scalars as "
     "tensors. The message gives the first difference."},
    {"tpu-compiler-refused", "", Layer::graph_compile,
     "The message has the words of the TPU compiler. `understudy preflight` has all findings."},

    // Collective: chips do not meet, or meet in different calls.
    {"algorithms-disagree", "", Layer::collective,
     "Two algorithms gave different results for the same collectives. Select the correct one with "
     "--collectives, and report the receipts."},
    {"collective-alone", "F44", Layer::collective,
     "Only this rank enters the collective. Look for code that runs on one rank only (logging, "
     "evaluation, a checkpoint), or for an extra batch in its shard."},
    {"collectives-differ", "F39", Layer::collective,
     "Chips entered different collectives. Compare the two places in the message. All chips must "
     "run the same program with the same flags in the same order."},
    {"sync-points-differ", "F45", Layer::collective,
     "Chips wait at different sync points of the program. Compare the names, and look for a branch "
     "that only some chips take."},
    {"rank-left-early", "F47", Layer::collective,
     "A rank that had finished its program exited before the others. Let all ranks wait for each "
     "other at the end. The errors of the other ranks are consequences."},
    {"layout-constraint-differs", "F51", Layer::collective,
     "Check three things together: the shape of the program (are the same collectives reached with "
     "the same operands?), when SPMD was enabled (before the first tensor), and the layout "
     "contract (pin_layout must have the same value at every call)."},
    {"straggler", "F46", Layer::collective,
     "All chips wait for one. Check its host: NUMA placement, thermal throttling, a busy disk or "
     "another process."},
    {"rank-died", "F36", Layer::collective,
     "Read the last output of the rank that failed first, and check its host. The failures of the "
     "other ranks are consequences. All ranks must be restarted."},
    {"rank-stopped", "F38", Layer::collective,
     "The process exists but does not run. Look for a debugger, a suspended job or a frozen "
     "container on its host."},
    {"rank-stuck", "F38", Layer::collective,
     "The rank is alive but does not reach the collective that the others wait in. Compare its "
     "last known place in the program with theirs."},

    {"deadline-passed", "", Layer::program,
     "No error occurred: the run takes longer than --deadline allows. If the iteration count of a "
     "loop keeps growing, the loop condition is never met; otherwise allow more time or run fewer "
     "steps."},

    // Memory: HBM, VMEM and the memory of the hosts.
    {"hbm-not-as-planned", "", Layer::memory,
     "The chip used a different amount of HBM than the compiler planned, so the plan cannot "
     "predict a larger model. Check the buffers that are kept from step to step."},
    {"hbm-exceeded-at-compile", "F58", Layer::memory,
     "The memory plan of the compiler does not fit into the HBM of the chip, so no launch can "
     "succeed. Shard more, use smaller batches, or rematerialise. The message lists the largest "
     "buffers."},
    {"program-does-not-load", "F61", Layer::memory,
     "Live buffers in HBM leave no room for the program. Free the buffers of earlier programs, or "
     "donate arguments."},
    {"hbm-exhausted", "F60", Layer::memory,
     "The program needs more HBM than the chip has. Shard more, donate arguments, or use a chip "
     "with more HBM."},
    {"host-memory-exhausted", "", Layer::host_memory,
     "The host, or the control group of the job, has less memory than the workers use. Raise the "
     "limit of the control group, start fewer chips on this host, or use smaller arguments."},
    {"host-memory-exceeded", "F63", Layer::memory,
     "The processes would exceed the memory of the host and be killed. Reduce the premapped pool, "
     "or start fewer processes per host."},
    {"memlock-too-low", "", Layer::memory,
     "The premapped pool is pinned memory. Raise the limit (`ulimit -l unlimited`, LimitMEMLOCK= "
     "of a service, --ulimit memlock=-1 of a container), or reduce the pool."},
    {"premapped-too-small", "F65", Layer::memory,
     "Transfers up to the threshold use the premapped pool. Make the pool at least as large as the "
     "threshold, a multiple of 4096 bytes."},
    {"premapped-unaligned", "F65", Layer::memory,
     "The size of the premapped pool must be a multiple of 4096 bytes."},
    {"vmem-exhausted", "F59", Layer::memory,
     "A tile does not fit into VMEM. Use smaller blocks, or a chip with more VMEM."},

    {"cache-set-late", "F55", Layer::program,
     "The compile cache is set up before the first compile and cannot change later. Configure it "
     "at the start of the program, before any framework call."},
    {"tensor-before-spmd", "F50", Layer::program,
     "Enable SPMD before the first tensor exists. Tensors created earlier are copied to all chips, "
     "with only a warning."},
    {"metric-not-global", "", Layer::program,
     "A result that every chip should share was not reduced over all chips. Add the reduction at "
     "the place that `understudy metrics` reports, before the value is read."},
    {"replicated-values-differ", "", Layer::program,
     "Chips hold different values of a result that is declared replicated, so each reader gets a "
     "local value. Reduce the result over the axes in the message."},
    {"nothing-executed", "F57", Layer::program,
     "Chips ran fewer steps than requested. Check which program the chips loaded, and the number "
     "of chips."},
    {"program-refused", "", Layer::program,
     "The program is invalid or uses a feature that understudy does not support. The message gives "
     "the place."},
    {"results-differ", "", Layer::program,
     "The run succeeded, but its results differ from the expected ones. Compare --numerics, the "
     "program and the arguments with those of the expectation."},
};

}  // namespace

std::string_view name_of(Layer layer) { return kLayers[static_cast<std::size_t>(layer)]; }

std::span<const Diagnosis> diagnoses() { return kTable; }

const Diagnosis* find_diagnosis(std::string_view name) {
  const auto* const found = std::ranges::find(kTable, name, &Diagnosis::name);
  return found == std::end(kTable) ? nullptr : found;
}

}  // namespace understudy::configs
