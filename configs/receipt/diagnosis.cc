// SPDX-License-Identifier: Apache-2.0
#include "configs/receipt/diagnosis.h"

#include <algorithm>
#include <array>

namespace understudy::configs {
namespace {

constexpr std::array<std::string_view, 8> kLayers = {"host/runtime",  "contract",   "cache",
                                                     "graph/compile", "collective", "memory",
                                                     "program",       "host memory"};

// By layer.
constexpr Diagnosis kTable[] = {
    {"broken-invariant", "", Layer::host_runtime,
     "This is a defect of understudy itself, not of the launch. Report it with the receipt."},
    {"chip-busy", "F3", Layer::host_runtime,
     "A killed process leaves its device busy for up to half a minute: wait, and start again more "
     "slowly than that."},
    {"clocks-differ", "F70", Layer::host_runtime,
     "The clock of a host is wrong, so times in its logs mean nothing beside the others': start "
     "its "
     "time service (chrony, ntpd) before the job."},
    {"chip-computes-wrong", "F35", Layer::host_runtime,
     "The chip answers, but its arithmetic is wrong: take its host out of the slice."},
    {"chip-in-use", "F1", Layer::host_runtime,
     "Another process has the chip: a notebook, or an earlier job. End it by its pid, which is "
     "named."},
    {"chip-missing", "F4", Layer::host_runtime,
     "The host does not show its chip: look at the device files and at the driver there, before "
     "the model."},
    {"descriptors-too-few", "", Layer::host_runtime,
     "Every chip takes open files of mpirun. Raise the limit: `ulimit -n`, LimitNOFILE= of a "
     "service, or --ulimit nofile= of a container."},
    {"disk-full", "", Layer::host_runtime,
     "Free space on the file system that is named, or use another one: TMPDIR for run folders, "
     "--out, --receipt, --cache-dir; `ulimit -f unlimited` where the limit of file sizes is in "
     "the way."},
    {"hugepages-off", "F72", Layer::host_runtime,
     "Without transparent hugepages a TPU host starts and transfers slowly: `echo always > "
     "/sys/kernel/mm/transparent_hugepage/enabled` as root, on every host."},
    {"libtpu-loaded-twice", "F12", Layer::host_runtime,
     "Unset ALLOW_MULTIPLE_LIBTPU_LOAD, or give each process chips of its own."},
    {"lock-of-other-user", "F2", Layer::host_runtime,
     "The lock file belongs to another user: ask its owner to remove it, or run as the same user "
     "everywhere."},
    {"lock-removed", "F1", Layer::host_runtime,
     "Somebody removed the lock file while its holder lives, which only hides the conflict: end "
     "the holder by its pid."},
    {"lock-stale", "F2", Layer::host_runtime,
     "The process that left the lock file is dead: it is safe to remove the file."},
    {"machine-refused", "", Layer::host_runtime,
     "This machine, not the program, is in the way. `understudy doctor` says what it lacks."},
    {"mpirun-died", "", Layer::host_runtime,
     "Somebody ended mpirun, not a worker: look for an operator, a batch system at its time limit, "
     "or a full host. All ranks have to be started again."},
    {"mpirun-stopped", "", Layer::host_runtime,
     "The process of mpirun is there but does not run: look for a suspended job, a debugger or a "
     "frozen container on the host that starts the pod."},
    {"rank-signalled", "", Layer::host_runtime,
     "A process outside of the pod sent the signal: look for a preemption notice, a batch system "
     "at "
     "its time limit, or an operator on that host. All ranks have to be started again."},
    {"rank-lost-at-start", "F22", Layer::host_runtime,
     "A worker never came to the start line. Look at its host, and at the stage that it reached "
     "last; the chips that wait for it are in order."},
    {"workers-did-not-start", "F21", Layer::host_runtime,
     "See what mpirun said, and whether `understudy doctor` finds MPI in order."},

    {"accelerator-unknown", "F32", Layer::contract,
     "TPU_ACCELERATOR_TYPE is not what the slice is: `understudy describe --list` has all names."},
    {"bounds-do-not-multiply", "F20", Layer::contract,
     "Process bounds times chips per process must give the topology on every axis. Take both from "
     "`understudy env`."},
    {"contract-differs", "F39", Layer::contract,
     "Start all hosts from the same environment, binary and program. The note names what "
     "differs."},
    {"coordinator-malformed", "F28", Layer::contract,
     "Give the coordinator as HOST:PORT with a name that resolves on every host."},
    {"device-kind-differs", "F4", Layer::contract,
     "A rank is on another kind of device than the slice: set PJRT_DEVICE and JAX_PLATFORMS on all "
     "hosts, and see that the framework's TPU build is installed there."},
    {"device-set-late", "F6", Layer::contract,
     "PJRT_DEVICE was set after the runtime was decided. Set it before the first import."},
    {"device-unknown", "F7", Layer::contract,
     "There is no such device kind, or no plugin for it: the valid ones are named."},
    {"diagnostic-flag", "F66", Layer::contract,
     "A diagnostic flag changes cache keys: use it in a diagnostic profile only, on all hosts."},
    {"duplicate-worker-id", "F19", Layer::contract,
     "Two hosts say that they are the same worker. Number hosts by their place in the slice, from "
     "0, each once."},
    {"environment-changed", "F13", Layer::contract,
     "Something changed the environment after the launch decided it: set variables in the profile, "
     "not in code that runs at import."},

    {"environment-differs", "F66", Layer::contract,
     "A host was started with another environment than the launch gives it: take it from "
     "`understudy env`."},
    {"flag-misplaced", "F14", Layer::contract,
     "XLA aborts on a flag that it does not know. Put flags of the TPU into LIBTPU_INIT_ARGS."},
    {"flags-differ", "F39", Layer::contract,
     "Compiler flags must be the same on all hosts, or their programs are different ones. Set them "
     "in the profile."},
    {"host-list-length", "F15", Layer::contract,
     "List every host of the slice once in TPU_WORKER_HOSTNAMES: as many as the host bounds "
     "multiply to."},
    {"host-name-malformed", "F16", Layer::contract,
     "TPU_WORKER_HOSTNAMES takes plain names with commas between them: no ports, no blanks, no "
     "text of a log."},
    {"host-names-missing", "F33", Layer::contract,
     "The worker list was not injected: check that the webhook or controller that sets it ran."},
    {"host-order-differs", "F18", Layer::contract,
     "Hosts are not numbered by their place in the slice: list TPU_WORKER_HOSTNAMES in the order "
     "of the coordinates, the same on all hosts."},
    {"identity-by-hand", "F18", Layer::contract,
     "Who a host is follows from the slice: name the slice, and leave these variables out of the "
     "profile."},
    {"process-count-unsupported", "F9", Layer::contract,
     "Use one process for a host, or one for each chip, and choose chips by TPU_VISIBLE_CHIPS."},
    {"program-bytes-differ", "F71", Layer::contract,
     "A host read another program: its copy of the code is not in step. Sync it and compare "
     "digests before the start."},
    {"proxy-set", "F29", Layer::contract,
     "Unset the proxy variables for traffic inside of the cluster: gRPC routes through them and "
     "hangs."},
    {"restored-another", "", Layer::contract,
     "What was started is not what the receipt tells of; the lines \"not restored\" name all that "
     "differs. Leave that option out, or install what the receipt pins."},
    {"second-framework", "F1", Layer::contract,
     "JAX and PyTorch/XLA in one process each load libtpu: guard the second import, or run them "
     "in processes of their own."},
    {"single-host-default", "F17", Layer::contract,
     "These are the values of one host alone, on a slice of several: take them from `understudy "
     "env`."},
    {"slice-count-stale", "F30", Layer::contract,
     "The number of slices or the coordinator is that of an earlier launch: set the MEGASCALE "
     "variables anew on all slices."},
    {"spmd-disabled", "F57", Layer::contract,
     "The program is partitioned, and the profile runs replicas only: enable SPMD, or run the "
     "program of one replica."},
    {"versions-differ", "F66", Layer::contract,
     "Hosts run different builds or libraries: install the same everywhere, the note names which."},

    {"cache-denied", "F68", Layer::cache,
     "The cache folder belongs to somebody else, or its mode forbids writing: mend owner and mode, "
     "or name another folder."},
    {"cache-disk-full", "F67", Layer::cache,
     "The disk of the cache is full: prune it (`understudy cache prune`), and look for dumps and "
     "driver logs."},
    {"cache-not-empty", "", Layer::cache,
     "A cold start needs an empty cache: name a new folder, or use a profile that starts as is."},
    {"cache-unsafe", "F69", Layer::cache,
     "Nothing keeps the writers of this cache apart: give each host a folder of its own, or one "
     "writer, or a lock that the mount honours."},
    {"restore-not-proven", "", Layer::cache,
     "The second start should have found everything in the cache, and did not: compare policy, "
     "folder, flags and program of the two receipts with `understudy receipt diff`."},
    {"cache-entry-damaged", "F53", Layer::cache,
     "An entry of the cache was not what was written, and was set aside; the program was compiled "
     "again. Look for writers that were killed, or files that were copied in part."},
    {"cache-leader-lost", "", Layer::cache,
     "The chip that compiles for others did not deliver in time, so others compiled too. Look at "
     "the host of the one that is named."},
    {"cache-lock-stuck", "F69", Layer::cache,
     "Somebody else holds the lock of the cache, or died with it. See who does with "
     "`understudy cache verify`, or take a policy without a lock."},
    {"cache-not-writable", "F68", Layer::cache,
     "What was compiled cannot be kept, so every start will compile again. Look at owner, mode and "
     "free space of the folder that is named."},
    {"cache-cannot-restore", "F56", Layer::cache,
     "What is stored cannot be loaded here, so this cache cannot shorten a start on this machine. "
     "Expect every start to compile."},
    {"cache-keys-differ", "", Layer::cache,
     "One chip compiles for the others, so all must ask for the same entry. Give every host the "
     "same build and options; `understudy cache explain` tells the parts of a key."},

    {"host-fallback", "F52", Layer::graph_compile,
     "An operation ran on the host instead of the chip: it is named with its count. Replace it by "
     "one that the compiler lowers."},
    {"recompiles", "F49", Layer::graph_compile,
     "The program that is compiled changes from step to step: keep shapes fixed and pass scalars "
     "as tensors. The first difference is named."},

    {"algorithms-disagree", "", Layer::collective,
     "Two algorithms gave different numbers for the same collectives. Name the one that is right "
     "with --collectives, and report the receipts."},
    {"collective-alone", "F44", Layer::collective,
     "Only this rank enters the collective: look for code that runs on one rank alone (logging, "
     "evaluation, a checkpoint), or for a batch more in its shard."},
    {"collectives-differ", "F39", Layer::collective,
     "Chips entered different collectives: compare the two places that are named. All chips must "
     "run the same program with the same flags in the same order."},
    {"sync-points-differ", "F45", Layer::collective,
     "Chips wait at different points of the program: compare the names, and look for a branch that "
     "only some of them take."},
    {"rank-left-early", "F47", Layer::collective,
     "A rank that had finished its program ended before the others had: let all ranks wait for "
     "each other at the end. What the others then say is not the cause."},
    {"layout-constraint-differs", "F51", Layer::collective,
     "Check three things together: the program's shape (are the same collectives reached with the "
     "same operands?), when SPMD was enabled (before the first tensor), and the layout contract "
     "(give pin_layout the same value at every call)."},
    {"straggler", "F46", Layer::collective,
     "All chips wait for one. Look at its host: NUMA placement, heat, a busy disk or another "
     "process."},
    {"rank-died", "F36", Layer::collective,
     "Look at the last words and the host of the rank that went first; all others are victims of "
     "it. All ranks have to be started again."},
    {"rank-stopped", "F38", Layer::collective,
     "The process is there but does not run: look for a debugger, a suspended job or a frozen "
     "container on its host."},
    {"rank-stuck", "F38", Layer::collective,
     "The rank lives but does not come to the collective that the others wait in: compare the "
     "place where it was last seen with theirs."},

    {"deadline-passed", "", Layer::program,
     "Nothing failed: the run takes longer than --deadline allows. A loop whose iteration count "
     "grows without an end does not meet its condition; else give it more time or fewer steps."},

    {"hbm-not-as-planned", "", Layer::memory,
     "The chip used another amount of HBM than the compiler planned, so the plan says nothing "
     "about a larger model. Compare the buffers that are kept from step to step."},
    {"hbm-exceeded-at-compile", "F58", Layer::memory,
     "The compiler's own plan does not fit into the chip's HBM, and no launch ever will: shard "
     "more, use smaller batches, or rematerialise. The largest of it are named."},
    {"program-does-not-load", "F61", Layer::memory,
     "Buffers that lie in HBM leave no room for the program: free those of earlier programs, or "
     "donate arguments."},
    {"hbm-exhausted", "F60", Layer::memory,
     "The program needs more HBM than the chip has: shard more, donate arguments, or take a "
     "chip with more."},
    {"host-memory-exhausted", "", Layer::host_memory,
     "The host, or the control group of the job, has less memory than the workers use: raise the "
     "limit of the group, start fewer chips on this host, or use smaller arguments."},
    {"host-memory-exceeded", "F63", Layer::memory,
     "The host would be killed for its memory: make the premapped pool smaller, or start fewer "
     "processes on a host."},
    {"memlock-too-low", "", Layer::memory,
     "The premapped pool is pinned memory: raise the limit (`ulimit -l unlimited`, LimitMEMLOCK= "
     "of a service, --ulimit memlock=-1 of a container), or make the pool smaller."},
    {"premapped-too-small", "F65", Layer::memory,
     "Transfers up to the threshold go through the premapped pool: make the pool at least as "
     "large, a multiple of 4096 bytes."},
    {"premapped-unaligned", "F65", Layer::memory,
     "The premapped pool must be a multiple of 4096 bytes."},
    {"vmem-exhausted", "F59", Layer::memory,
     "A tile does not fit into VMEM: use smaller blocks, or a chip with more VMEM."},

    {"cache-set-late", "F55", Layer::program,
     "The compile cache is set up before the first compile and not again: move what sets it to the "
     "start of the program, before any framework call."},
    {"tensor-before-spmd", "F50", Layer::program,
     "Enable SPMD before the first tensor exists: tensors from before are copied to all chips with "
     "no more than a warning."},
    {"metric-not-global", "", Layer::program,
     "A result that every chip should share was not reduced over all chips: add the reduction at "
     "the place that `understudy metrics` names, before anything reads the value."},
    {"replicated-values-differ", "", Layer::program,
     "Chips hold different values of a result that is declared replicated: whoever reads one of "
     "them reads a local value. Reduce it over the axes that are named."},
    {"nothing-executed", "F57", Layer::program,
     "Chips ran fewer steps than were asked for; look at the program that they loaded and at "
     "their number."},
    {"program-refused", "", Layer::program,
     "The program itself is wrong or uses what understudy cannot run; the place is named."},
    {"results-differ", "", Layer::program,
     "The run itself was sound; its results are not the expected ones. Compare --numerics, the "
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
