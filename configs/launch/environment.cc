// SPDX-License-Identifier: Apache-2.0
#include "configs/launch/environment.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <optional>

#include "configs/base/cache_policy.h"
#include "configs/base/sha256.h"

namespace understudy::configs {
namespace {

using Text = std::optional<std::string>;  // nullopt: the variable is not set

// One process on one host. Hosts are numbered across all slices, workers inside of a slice.
struct Place {
  const LaunchInputs& in;
  std::int64_t host, process;
  std::int64_t slice() const { return in.slice_of(host); }
  std::int64_t worker() const { return host % in.hosts_per_slice(); }
  std::vector<std::string> names() const {  // of the hosts of its slice
    const auto first = in.host_names.begin() + slice() * in.hosts_per_slice();
    return {first, first + in.hosts_per_slice()};
  }
  const Profile& profile() const { return in.profile; }
  bool is_per_chip() const { return in.profile.launch.processes == "per-chip"; }
  std::int64_t index() const { return worker() * in.processes_per_host() + process; }
};

// Fixed ports: torch's MASTER_PORT, PyTorch/XLA's coordinator, Megascale.
constexpr std::int64_t kTorchPort = 12355, kXlaPort = 8547, kMegascalePort = 8080;

Text number(std::int64_t value) { return fmt::format("{}", value); }
Text flag(bool value) { return value ? "1" : "0"; }
Text only_if(bool set) { return set ? Text("1") : std::nullopt; }
Text unless_empty(std::string text) { return text.empty() ? Text() : Text(std::move(text)); }
std::string triple(const std::vector<std::int64_t>& axes) {
  return fmt::format("{}", fmt::join(axes, ","));
}

// make_slice() guarantees that host blocks divide the shape.
std::vector<std::int64_t> host_bounds(const LaunchInputs& in) {
  std::vector<std::int64_t> bounds;
  for (std::size_t axis = 0; axis < 3; ++axis)
    bounds.push_back(in.shape[axis] / in.host_shape[axis]);
  return bounds;
}

std::string topology(const LaunchInputs& in) {
  return fmt::format("{}", fmt::join(in.shape.begin(), in.shape.begin() + in.ndims, "x"));
}

std::string wrap(const LaunchInputs& in) {
  std::string text;
  for (const std::int64_t joined : in.wraps)
    text += fmt::format("{}{}", text.empty() ? "" : ",", joined != 0 ? "true" : "false");
  return text;
}

// libtpu expects the word "local" if there is only one process.
std::string process_addresses(const Place& at) {
  const LaunchInputs& in = at.in;
  if (in.hosts_per_slice() == 1 && in.processes_per_host() == 1) return "local";
  std::string text;
  for (const std::string& name : at.names())
    for (std::int64_t process = 0; process < in.processes_per_host(); ++process)
      text += fmt::format("{}{}:{}", text.empty() ? "" : ",", name,
                          in.profile.launch.process_port + process);
  return text;
}

std::string visible_chips(const Place& at) {
  if (at.is_per_chip()) return fmt::format("{}", at.process);
  std::string text = "0";
  for (std::int64_t chip = 1; chip < at.in.chips_per_host(); ++chip)
    text += fmt::format(",{}", chip);
  return text;
}

// ---- the compile cache, in the folder of its policy (cache/policies) ----------------------------

const CachePolicyRow& policy_of(const Place& at) {
  return cache_policy_named(at.profile().cache.policy);
}
// The same folders as the policies use for understudy's own entries, so that the frameworks of a
// host read and write under the same rules. Hosts and ranks are numbered across all slices.
std::string cache_folder(const Place& at) {
  const std::string& root = at.in.cache_dir;
  const std::int64_t process = at.host * at.in.processes_per_host() + at.process;
  return root + "/" + cache_subfolder(policy_of(at), at.host, process);
}
// Each framework has a folder of its own below ours: their entry names could collide.
Text cache_path(const Place& at, const char* framework) {
  if (!policy_of(at).keeps_entries() || at.in.cache_dir.empty()) return std::nullopt;
  return fmt::format("{}/{}", cache_folder(at), framework);
}
// Under `single-writer` only the first process of the first slice may write.
Text cache_read_only(const Place& at) {
  const CachePolicyRow& policy = policy_of(at);
  if (!policy.keeps_entries()) return std::nullopt;
  const bool leads_pod = at.host == 0 && at.process == 0;
  return flag(!policy.writes() || (policy.writers == CacheWriters::pod_leader && !leads_pod));
}
// JAX takes -1 for "no limit".
Text cache_bound(const Place& at) {
  const CacheSettings& cache = at.profile().cache;
  if (!policy_of(at).keeps_entries()) return std::nullopt;
  return cache.max_bytes == 0 ? "-1" : fmt::format("{}", cache.max_bytes);
}

// ---- flags --------------------------------------------------------------------------------------

std::string joined(std::vector<std::string> words, const std::vector<std::string>& more) {
  words.insert(words.end(), more.begin(), more.end());
  return fmt::format("{}", fmt::join(words, " "));
}
// TPU flags are in LIBTPU_INIT_ARGS, flags of XLA itself in XLA_FLAGS; XLA aborts on flags that it
// does not know.
Text libtpu_init_args(const Place& at) {
  const DiagnosticSettings& diag = at.profile().diag;
  std::vector<std::string> more;
  if (diag.log_allocations_on_oom) more.emplace_back("--tpu_log_allocations_on_oom=true");
  if (diag.abort_on_hangs) more.emplace_back("--megascale_abort_on_hangs=true");
  return unless_empty(joined(at.profile().launch.libtpu_init_args, more));
}
Text xla_flags(const Place& at) {
  const DiagnosticSettings& diag = at.profile().diag;
  std::vector<std::string> more;
  if (!diag.dump_to.empty())
    more = {fmt::format("--xla_dump_to={}", diag.dump_to), "--xla_dump_hlo_as_text"};
  return unless_empty(joined(at.profile().launch.xla_flags, more));
}

bool is_multislice(const Place& at) { return at.in.slices > 1; }

// One row per variable: its value is computed from the place of the process alone. nullopt leaves
// the variable unset. The rows are grouped; launch_environment() sorts them by name.
struct VariableRow {
  const char* name;
  VariableGroup group;
  const char* source;
  bool of_host;
  Text (*value)(const Place&);
  bool of_slice = false;  // differs between joined slices
  VariableKind kind() const { return {group, of_host, of_slice}; }
};

using enum VariableGroup;
// clang-format off
constexpr VariableRow kVariables[] = {
    {"CLOUD_TPU_TASK_ID", identity, "slice", true, [](const Place& at) { return number(at.index()); }},
    {"JAX_COORDINATOR_ADDRESS", identity, "slice", false, [](const Place& at) { return Text(fmt::format("{}:{}", at.in.coordinator, at.profile().launch.coordinator_port)); }},
    {"MASTER_ADDR", identity, "slice", false, [](const Place& at) { return Text(at.in.coordinator); }},
    {"MASTER_PORT", identity, "slice", false, [](const Place&) { return number(kTorchPort); }},
    {"MEGASCALE_COORDINATOR_ADDRESS", identity, "slice", false, [](const Place& at) { return is_multislice(at) ? Text(at.in.coordinator) : std::nullopt; }},
    {"MEGASCALE_NUM_SLICES", identity, "slice", false, [](const Place& at) { return is_multislice(at) ? number(at.in.slices) : std::nullopt; }},
    {"MEGASCALE_PORT", identity, "slice", false, [](const Place& at) { return is_multislice(at) ? number(kMegascalePort) : std::nullopt; }},
    {"MEGASCALE_SLICE_ID", identity, "slice", true, [](const Place& at) { return is_multislice(at) ? number(at.slice()) : std::nullopt; }},
    {"PJRT_LOCAL_PROCESS_COUNT", identity, "slice", false, [](const Place& at) { return number(at.in.processes_per_host()); }},
    {"PJRT_LOCAL_PROCESS_RANK", identity, "slice", true, [](const Place& at) { return number(at.process); }},
    {"TPU_ACCELERATOR_TYPE", identity, "slice", false, [](const Place& at) { return Text(at.in.accelerator_type); }},
    {"TPU_CHIPS_PER_HOST_BOUNDS", identity, "slice", false, [](const Place& at) { return Text(triple(at.in.host_shape)); }},
    {"TPU_CHIPS_PER_PROCESS_BOUNDS", identity, "slice", false, [](const Place& at) { return Text(at.is_per_chip() ? "1,1,1" : triple(at.in.host_shape)); }},
    {"TPU_HOST_BOUNDS", identity, "slice", false, [](const Place& at) { return Text(triple(host_bounds(at.in))); }},
    {"TPU_NAME", identity, "slice", false, [](const Place& at) { return Text(is_multislice(at) ? fmt::format("{}-s{}", at.in.slice, at.slice()) : at.in.slice); }, true},
    {"TPU_PROCESS_ADDRESSES", identity, "slice", false, [](const Place& at) { return Text(process_addresses(at)); }, true},
    {"TPU_PROCESS_BOUNDS", identity, "slice", false, [](const Place& at) { return Text(triple(at.is_per_chip() ? at.in.shape : host_bounds(at.in))); }},
    {"TPU_PROCESS_PORT", identity, "launch.process_port", true, [](const Place& at) { return number(at.profile().launch.process_port + at.process); }},
    {"TPU_TOPOLOGY", identity, "slice", false, [](const Place& at) { return Text(topology(at.in)); }},
    {"TPU_TOPOLOGY_ALT", identity, "slice", false, [](const Place&) { return Text("false"); }},
    {"TPU_TOPOLOGY_WRAP", identity, "slice", false, [](const Place& at) { return Text(wrap(at.in)); }},
    {"TPU_VISIBLE_CHIPS", identity, "slice", true, [](const Place& at) { return Text(visible_chips(at)); }},
    {"TPU_WORKER_HOSTNAMES", identity, "slice", false, [](const Place& at) { return Text(fmt::format("{}", fmt::join(at.names(), ","))); }, true},
    {"TPU_WORKER_ID", identity, "slice", true, [](const Place& at) { return number(at.worker()); }},
    {"XLA_COORDINATOR_PORT", identity, "slice", false, [](const Place&) { return number(kXlaPort); }},

    {"XLA_USE_SPMD", spmd, "spmd.enabled", false, [](const Place& at) { return only_if(at.profile().spmd.enabled); }},

    {"JAX_COMPILATION_CACHE_DIR", cache, "cache.policy", true, [](const Place& at) { return cache_path(at, "jax"); }},
    {"JAX_COMPILATION_CACHE_MAX_SIZE", cache, "cache.max_bytes", false, cache_bound},
    {"JAX_ENABLE_COMPILATION_CACHE", cache, "cache.policy", false, [](const Place& at) { return Text(policy_of(at).keeps_entries() ? "true" : "false"); }},
    {"JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS", cache, "cache.min_compile_seconds", false, [](const Place& at) { return Text(fmt::format("{}", at.profile().cache.min_compile_seconds)); }},
    {"JAX_RAISE_PERSISTENT_CACHE_ERRORS", cache, "cache.errors_are_fatal", false, [](const Place& at) { return Text(at.profile().cache.errors_are_fatal ? "true" : "false"); }},
    {"VLLM_XLA_CACHE_PATH", cache, "cache.policy", true, [](const Place& at) { return cache_path(at, "torch_xla"); }},
    {"XLA_COMPILATION_CACHE_SIZE", cache, "cache.graphs_in_memory", false, [](const Place& at) { return Text(fmt::format("{}", at.profile().cache.graphs_in_memory)); }},
    {"XLA_PERSISTENT_CACHE_PATH", cache, "cache.policy", true, [](const Place& at) { return cache_path(at, "torch_xla"); }},
    {"XLA_PERSISTENT_CACHE_READ_ONLY", cache, "cache.policy", true, cache_read_only},

    {"VLLM_XLA_CHECK_RECOMPILATION", shape, "shape.guard", false, [](const Place& at) { return flag(at.profile().shape.guard == "strict"); }},
    {"XLA_EXPERIMENTAL", shape, "shape.experimental", false, [](const Place& at) { return unless_empty(fmt::format("{}", fmt::join(at.profile().shape.experimental, ":"))); }},
    {"XLA_NO_SPECIAL_SCALARS", shape, "shape.scalars_are_inputs", false, [](const Place& at) { return flag(at.profile().shape.scalars_are_inputs); }},

    {"ALLOW_MULTIPLE_LIBTPU_LOAD", launch, "launch.multiple_libtpu", false, [](const Place& at) { return only_if(at.profile().launch.multiple_libtpu); }},
    {"DIST_SERVICE_HEARTBEAT_INTERVAL_IN_SEC", launch, "launch.heartbeat_seconds", false, [](const Place& at) { return number(at.profile().launch.heartbeat_seconds); }},
    {"GRPC_VERBOSITY", launch, "launch.log_level", false, [](const Place& at) { return Text(at.profile().launch.log_level == 0 ? "INFO" : "ERROR"); }},
    {"JAX_PLATFORMS", launch, "launch.device", false, [](const Place& at) { return Text(at.profile().launch.device == "TPU" ? "tpu,cpu" : "cpu"); }},
    {"LIBTPU_INIT_ARGS", launch, "launch.libtpu_init_args", false, libtpu_init_args},
    {"PJRT_DEVICE", launch, "launch.device", false, [](const Place& at) { return unless_empty(at.profile().launch.device); }},
    {"PJRT_SELECT_DEFAULT_DEVICE", launch, "launch.device", false, [](const Place&) { return Text("0"); }},
    {"TF_CPP_MIN_LOG_LEVEL", launch, "launch.log_level", false, [](const Place& at) { return number(at.profile().launch.log_level); }},
    {"TPU_MIN_LOG_LEVEL", launch, "launch.log_level", false, [](const Place& at) { return number(at.profile().launch.log_level); }},
    {"TPU_SKIP_MDS_QUERY", launch, "launch.skip_metadata", false, [](const Place& at) { return at.profile().launch.skip_metadata ? Text("true") : std::nullopt; }},
    {"XLA_FLAGS", launch, "launch.xla_flags", false, xla_flags},
    {"XLA_TPU_MAX_INFLIGHT_COMPUTATIONS", launch, "launch.inflight", false, [](const Place& at) { return number(at.profile().launch.inflight); }},

    {"TPU_PREMAPPED_BUFFER_SIZE", mem, "mem.premapped_bytes", false, [](const Place& at) { return Text(fmt::format("{}", at.profile().mem.premapped_bytes)); }},
    {"TPU_PREMAPPED_BUFFER_TRANSFER_THRESHOLD_BYTES", mem, "mem.premapped_threshold_bytes", false, [](const Place& at) { return Text(fmt::format("{}", at.profile().mem.premapped_threshold_bytes)); }},

    {"JAX_EXPLAIN_CACHE_MISSES", diag, "diag.explain_cache_misses", false, [](const Place& at) { return only_if(at.profile().diag.explain_cache_misses); }},
    {"JAX_LOG_COMPILES", diag, "diag.log_compiles", false, [](const Place& at) { return only_if(at.profile().diag.log_compiles); }},
    {"PT_XLA_DEBUG_LEVEL", diag, "diag.debug_level", false, [](const Place& at) { return at.profile().diag.debug_level > 0 ? number(at.profile().diag.debug_level) : std::nullopt; }},
    {"XLA_HLO_DEBUG", diag, "diag.hlo_debug", false, [](const Place& at) { return only_if(at.profile().diag.hlo_debug); }},
    {"XLA_IR_DEBUG", diag, "diag.ir_debug", false, [](const Place& at) { return only_if(at.profile().diag.ir_debug); }},
};
// clang-format on

}  // namespace

std::string_view name_of(VariableGroup group) {
  constexpr std::array<std::string_view, 7> kNames = {"id",     "spmd", "cache", "shape",
                                                      "launch", "mem",  "diag"};
  return kNames[static_cast<std::size_t>(group)];
}

std::optional<VariableKind> kind_of(std::string_view variable) {
  const auto found = std::ranges::find(
      kVariables, variable, [](const VariableRow& row) { return std::string_view(row.name); });
  if (found == std::end(kVariables)) return std::nullopt;
  return found->kind();
}

std::vector<std::string> launch_variables() {
  std::vector<std::string> names;
  for (const VariableRow& row : kVariables) names.emplace_back(row.name);
  return names;
}

std::vector<EnvironmentEntry> launch_environment(const LaunchInputs& inputs, std::int64_t host,
                                                 std::int64_t process) {
  const Place place{inputs, host, process};
  std::vector<EnvironmentEntry> entries;
  for (const VariableRow& row : kVariables)
    if (Text value = row.value(place))
      entries.push_back(
          {row.name, std::move(*value), row.group, row.source, row.kind().differs(inputs.slices)});
  for (const auto& [name, value] : inputs.profile.launch.variables) {
    // launch.variables overrides the table: the user set it explicitly.
    std::erase_if(entries, [&](const EnvironmentEntry& one) { return one.name == name; });
    entries.push_back({name, value, launch, "launch.variables", false});
  }
  std::ranges::sort(entries, {}, &EnvironmentEntry::name);
  return entries;
}

std::vector<EnvironmentEntry> chip_environment(const LaunchInputs& inputs, Rank rank) {
  const std::int64_t per_host = inputs.chips_per_host();
  const bool per_chip = inputs.processes_per_host() > 1;
  return launch_environment(inputs, rank.value / per_host, per_chip ? rank.value % per_host : 0);
}

// The entries are sorted by name, so equal environments have equal digests.
std::string common_digest(const std::vector<EnvironmentEntry>& entries) {
  std::string lines;
  for (const EnvironmentEntry& one : entries)
    if (!one.of_host) lines += fmt::format("{}={}\n", one.name, one.value);
  return sha256_of(lines);
}

Variables variables_of(const std::vector<EnvironmentEntry>& entries) {
  Variables variables;
  for (const EnvironmentEntry& one : entries) variables[one.name] = one.value;
  return variables;
}

}  // namespace understudy::configs
