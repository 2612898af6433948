// SPDX-License-Identifier: Apache-2.0
// Drills of failures before the program runs: refused launches and failing gates. Two lines per
// row: the failure and its expected diagnosis, then the options and preparation that cause it.
#include "configs/base/diagnosis_id.h"
#include "launcher/rehearse/drill.h"
#include "launcher/rehearse/drill_damage.h"

namespace understudy::launcher {
namespace {

// Time limits in seconds: of failures found before anything is started, and during a start.
constexpr double kAtOnce = 5, kStart = 20;

using enum DiagnosisId;

// clang-format off
constexpr Drill kStartDrills[] = {
    // ---- contract, before anything is started ---------------------------------------------------
    {"list-too-short", "F15", "a host lists fewer hosts than the slice has", host_list_length, 1, kAtOnce,
     "--fault env:host=1,name=TPU_WORKER_HOSTNAMES,value=v6e-4-0"},
    {"name-with-port", "F16", "a host name with a port", host_name_malformed, 1, kAtOnce,
     "--fault env:host=1,name=TPU_WORKER_HOSTNAMES,value=v6e-4-0:8476,v6e-4-1"},
    {"local-addresses", "F17", "single-host default of the process addresses", single_host_default, 1, kAtOnce,
     "--fault env:host=1,name=TPU_PROCESS_ADDRESSES,value=local"},
    {"localhost", "F17", "single-host default of the host list", single_host_default, 1, kAtOnce,
     "--fault env:host=1,name=TPU_WORKER_HOSTNAMES,value=localhost"},
    {"hosts-in-other-order", "F18", "a host lists the hosts in another order", host_order_differs, 1, kAtOnce,
     "--fault env:host=1,name=TPU_WORKER_HOSTNAMES,value=v6e-4-1,v6e-4-0"},
    {"worker-id-by-hand", "F18", "a profile that sets an identity variable", identity_by_hand, kNoHost, kAtOnce,
     "--set launch.variables.TPU_WORKER_ID=0"},
    {"worker-id-twice", "F19", "two hosts have the same worker id", duplicate_worker_id, 1, kAtOnce,
     "--fault env:host=1,name=TPU_WORKER_ID,value=0"},
    {"wrong-bounds", "F20", "process bounds that do not match the topology", bounds_do_not_multiply, 1, kAtOnce,
     "--fault env:host=1,name=TPU_PROCESS_BOUNDS,value=1,1,1"},
    {"coordinator-without-name", "F28", "a coordinator address without a host name", coordinator_malformed, 1, kAtOnce,
     "--fault env:host=1,name=JAX_COORDINATOR_ADDRESS,value=:8482"},
    {"proxy", "F29", "a proxy between the hosts", proxy_set, 1, kAtOnce,
     "--fault env:host=1,name=https_proxy,value=http://proxy:3128"},
    {"stale-slice-count", "F30", "the number of slices of an earlier launch", slice_count_stale, 1, kAtOnce,
     "--fault env:host=1,name=MEGASCALE_NUM_SLICES,value=2"},
    {"unknown-accelerator", "F32", "an unknown accelerator type", accelerator_unknown, 1, kAtOnce,
     "--fault env:host=1,name=TPU_ACCELERATOR_TYPE,value=v6x-4"},
    {"no-host-list", "F33", "the host list was not injected", host_names_missing, 1, kAtOnce,
     "--fault env:host=1,name=TPU_WORKER_HOSTNAMES"},
    {"device-not-set", "F4", "PJRT_DEVICE is not set on a host", device_kind_differs, 1, kAtOnce,
     "--fault env:host=1,name=PJRT_DEVICE"},
    {"device-misspelt", "F7", "an unknown device kind", device_unknown, 1, kAtOnce,
     "--fault env:host=1,name=PJRT_DEVICE,value=TPUS"},
    {"three-of-four-processes", "F9", "an unsupported number of processes", process_count_unsupported, 1, kAtOnce,
     "--fault env:host=1,name=PJRT_LOCAL_PROCESS_COUNT,value=3"},
    {"tpu-flag-in-xla-flags", "F14", "a TPU flag in XLA_FLAGS", flag_misplaced, 1, kAtOnce,
     "--fault env:host=1,name=XLA_FLAGS,value=--xla_tpu_enable_latency_hiding_scheduler=true"},
    {"misspelt-flag", "F14", "a flag that XLA does not know", flag_misplaced, 1, kAtOnce,
     "--fault env:host=1,name=XLA_FLAGS,value=--xal_dump_to=/tmp"},
    {"flags-on-one-host", "F39", "a different compiler flag on one host", flags_differ, 1, kAtOnce,
     "--fault env:host=1,name=LIBTPU_INIT_ARGS,value=--xla_tpu_scoped_vmem_limit_kib=1024"},
    {"diagnostic-flag", "F66", "a diagnostic flag outside a diagnostic profile", diagnostic_flag, 1, kAtOnce,
     "--fault env:host=1,name=XLA_IR_DEBUG,value=1"},
    {"stray-variable", "F66", "an extra variable on one host", environment_differs, 1, kAtOnce,
     "--fault env:host=1,name=JAX_ENABLE_X64,value=1"},
    {"partitions-without-spmd", "F57", "a partitioned program, SPMD off", spmd_disabled, kNoHost, kAtOnce,
     "--set spmd.enabled=false"},
    {"two-libtpus-allowed", "F12", "two libtpus may share the chips of a process", libtpu_loaded_twice, kNoHost, kAtOnce,
     "--set launch.multiple_libtpu=true"},
    {"few-descriptors", "", "a host with a low open file limit", descriptors_too_few, 1, kAtOnce,
     "--fault host-limit:host=1,name=descriptors,value=64"},
    {"hugepages-off", "F72", "a host without transparent hugepages", hugepages_off, 1, kStart,
     "--fault host-limit:host=0,name=hugepages,value=always --fault host-limit:host=1,name=hugepages,value=never"},
    // ---- memory and cache, before anything is started -------------------------------------------
    {"pool-too-large", "F63", "premapped pools larger than the host", host_memory_exceeded, kNoHost, kAtOnce,
     "--set mem.premapped_bytes=2000GiB"},
    {"pool-too-small", "F65", "a premapped pool smaller than a transfer", premapped_too_small, kNoHost, kAtOnce,
     "--set mem.premapped_threshold_bytes=8GiB"},
    {"pool-unaligned", "F65", "a premapped pool that is not a multiple of the page size", premapped_unaligned, kNoHost, kAtOnce,
     "--set mem.premapped_bytes=5000000001"},
    {"little-memlock", "", "a host with a low locked memory limit", memlock_too_low, 1, kStart,
     "--fault host-limit:host=1,name=memlock,value=65536"},
    {"many-writers-no-lock", "F69", "one cache folder, many writers, no lock", cache_unsafe, kNoHost, kAtOnce,
     "--set cache.policy=shared --set cache.lock=none"},
    {"warm-cold-start", "", "a cold start that finds cache entries", cache_not_empty, kNoHost, kAtOnce,
     "--profile cold-isolated", filled_cache},
    {"cache-read-only", "F68", "a read-only cache folder", cache_denied, kNoHost, kAtOnce,
     "--cache-policy per-host", read_only_folder},
    {"cache-disk-full", "F67", "the disk of the cache is full", cache_disk_full, kNoHost, kAtOnce,
     "--cache-policy per-host", full_disk},
    {"cache-is-a-file", "F68", "the folder of the cache is a file", cache_not_writable, kNoHost, kAtOnce,
     "{P}/dense/4", file_for_folder},
    // ---- contract, at a gate --------------------------------------------------------------------
    {"flags-on-one-rank", "F39", "a different compiler flag on one rank", flags_differ, 1, kStart,
     "--fault env:rank=3,name=LIBTPU_INIT_ARGS,value=--xla_a=1"},
    {"device-cpu-on-one-rank", "F4", "one rank is started for the CPU", device_kind_differs, 1, kStart,
     "--fault env:rank=3,name=PJRT_DEVICE,value=CPU"},
    {"cpu-only-build", "F5", "the device of a rank is a CPU", device_kind_differs, 1, kStart,
     "--fault wrong-device-kind:rank=3"},
    {"device-set-late", "F6", "PJRT_DEVICE changes after the launch contract is fixed", device_set_late, 1, kStart,
     "--fault late-env:rank=2,name=PJRT_DEVICE,value=CPU"},
    {"probe-at-import", "F13", "an import changes the environment", environment_changed, 0, kStart,
     "--fault late-env:rank=1,name=JAX_PLATFORMS,value=cpu"},
    {"second-framework", "F1", "a second framework loads its libtpu", second_framework, 1, kStart,
     "--fault second-framework:rank=3"},
    {"libtpu-twice", "F12", "the same, but the profile allows it", libtpu_loaded_twice, 1, kStart,
     "--profile legacy-replica --set spmd.enabled=true --set launch.multiple_libtpu=true --fault second-framework:rank=3"},
    {"other-build", "F66", "one rank runs another build", versions_differ, 1, kStart,
     "--fault binary-skew:rank=2"},
    {"other-code", "F71", "a host has another copy of the program", program_bytes_differ, 1, kStart,
     "--fault program-byte:host=1"},
    {"chip-elsewhere", "F18", "a chip has other coordinates in the slice", host_order_differs, 1, kStart,
     "--fault wrong-coordinates:rank=2"},
    // ---- host and runtime -----------------------------------------------------------------------
    {"no-worker", "", "the worker binary is missing", machine_refused, kNoHost, kAtOnce,
     "--worker /nonexistent/understudy-worker"},
    {"mpirun-refuses", "F21", "mpirun does not start the workers", workers_did_not_start, kNoHost, kStart,
     "--mpi-arg --no-such-option-of-mpirun"},
    {"chip-held", "F1", "another process holds the chip", chip_in_use, 1, kStart,
     "--fault chip-locked:host=1"},
    {"lock-removed", "F1", "the lock file of a live holder was removed", lock_removed, 1, kStart,
     "--fault lock-deleted:host=1"},
    {"lock-of-the-dead", "F2", "a dead process left its lock", lock_stale, 1, kStart,
     "--fault lock-stale:host=1"},
    {"lock-of-another-user", "F2", "the lock belongs to another user", lock_of_other_user, 1, kStart,
     "--fault lock-foreign:host=1"},
    {"chip-stays-busy", "F3", "the device stays busy after a kill", chip_busy, 1, kStart,
     "--timeout 2 --fault chip-busy:host=1,seconds=60"},
    {"no-chip", "F4", "a rank finds no device", chip_missing, 1, kStart,
     "--fault missing-chip:rank=2"},
    {"chip-computes-wrong", "F35", "a chip responds but computes wrong results", chip_computes_wrong, 1, kStart,
     "--fault bad-chip:rank=3"},
    {"clock-skew", "F70", "the clock of a host is an hour fast", clocks_differ, 1, kStart,
     "--fault clock-skew:host=1,seconds=3600"},
    // ---- collective, at a gate ------------------------------------------------------------------
    {"other-sync-point", "F45", "a rank waits at another sync point", sync_points_differ, 1, kStart,
     "--fault sync-point:rank=2"},
    // ---- program, at a gate ---------------------------------------------------------------------
    {"tensor-before-spmd", "F50", "a tensor exists before SPMD is enabled", tensor_before_spmd, 1, kStart,
     "--fault late-spmd:rank=2"},
    {"cache-set-late", "F55", "the cache folder changes after the launch contract is fixed", cache_set_late, 1, kStart,
     "--fault late-env:rank=2,name=JAX_COMPILATION_CACHE_DIR,value=/elsewhere"},
};
// clang-format on

}  // namespace

std::span<const Drill> start_drills() { return kStartDrills; }

}  // namespace understudy::launcher
