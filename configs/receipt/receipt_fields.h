// SPDX-License-Identifier: Apache-2.0
// The fields of receipt.h and receipt_sections.h: one list for the writer, the reader and the
// schema of the receipt. Internal to configs.
#pragma once

#include <optional>
#include <type_traits>

#include "configs/launch/mesh_fields.h"
#include "configs/launch/profile/profile_fields.h"
#include "configs/receipt/cache_stress_fields.h"
#include "configs/receipt/partition_fields.h"
#include "configs/receipt/preflight/preflight_fields.h"
#include "configs/receipt/provenance_fields.h"
#include "configs/receipt/rank_fields.h"
#include "configs/receipt/receipt.h"
#include "configs/receipt/record/record_fields.h"
#include "configs/receipt/rehearsal_fields.h"

namespace understudy::configs {

template <class F, FieldsOf<ReceiptFailure> T>
void fields(F& field, T& failure) {
  field("kind", failure.kind);
  field("id", failure.id);
  field("rank", failure.rank);
  field("host", failure.host);
  field("chip", failure.chip);
  field("phase", failure.phase);
  field("op", failure.op);
  field("place", failure.place);
  field("message", failure.message);
  field("rank_first", failure.rank_first);
  field("missing_ranks", failure.missing_ranks);
  field("process", failure.process);
  field("signal", failure.signal);
  field("evidence", failure.evidence);
  field("diagnosis", failure.diagnosis);
  field("layer", failure.layer);
  field("advice", failure.advice);
  field("python", failure.python);
  field("slice", failure.slice);
}

template <class F, FieldsOf<ResultComparison> T>
void fields(F& field, T& comparison) {
  field("max_abs_error", comparison.max_abs_error);
  field("max_rel_error", comparison.max_rel_error);
  field("rtol", comparison.rtol);
  field("atol", comparison.atol);
  field("ok", comparison.ok);
}

template <class F, FieldsOf<ReceiptProgram> T>
void fields(F& field, T& program) {
  field("path", program.path);
  field("digest", program.digest);
  field("numerics", program.numerics);
  field("collectives", program.collectives);
  field("replicas", program.replicas);
  field("partitions", program.partitions);
  field("device_order", program.device_order);
  field("reproducible", program.reproducible);
}

template <class F, FieldsOf<ReceiptVersions> T>
void fields(F& field, T& versions) {
  field("revision", versions.revision);
  field("workers", versions.workers);
  field("mpi", versions.mpi);
}

template <class F, FieldsOf<LaunchOverride> T>
void fields(F& field, T& one) {
  field("name", one.name);
  field("given", one.given);
  field("used", one.used);
  field("source", one.source);
  field("how", one.how);
}
template <>
inline constexpr bool kIsOneLine<LaunchOverride> = true;

template <class F, FieldsOf<LaunchWarning> T>
void fields(F& field, T& one) {
  field("diagnosis", one.diagnosis);
  field("layer", one.layer);
  field("host", one.host);
  field("message", one.message);
  field("advice", one.advice);
}

template <class F, FieldsOf<ReceiptLaunch> T>
void fields(F& field, T& launch) {
  field("profile", launch.profile);
  field("lineage", launch.lineage);
  field("groups", launch.groups);
  field("env_sha256", launch.env_sha256);
  field("env_equal_across_ranks", launch.env_equal_across_ranks);
  field("overrides", launch.overrides);
  field("remarks", launch.remarks);
}

template <class F, FieldsOf<StepSeen> T>
void fields(F& field, T& step) {
  field("index", step.index);
  field("wall_seconds", step.wall_seconds);
  field("emulated_seconds", step.emulated_seconds);
  field("scalars", step.scalars);
}

template <class F, FieldsOf<CollectiveSeen> T>
void fields(F& field, T& seen) {
  field("kind", seen.kind);
  field("algorithm", seen.algorithm);
  field("count", seen.count);
  field("calls", seen.calls);
  field("bytes", seen.bytes);
  field("messages_sent_per_chip", seen.messages_sent_per_chip);
  field("bytes_sent_per_chip", seen.bytes_sent_per_chip);
  field("messages_sent", seen.messages_sent);
  field("bytes_sent", seen.bytes_sent);
}

template <class F, FieldsOf<CompileSeen> T>
void fields(F& field, T& compile) {
  field("cached", compile.cached);
  field("wall_seconds", compile.wall_seconds);
  field("compile_seconds", compile.compile_seconds);
  field("keys", compile.keys);
  field("warnings", compile.warnings);
}

template <class F, FieldsOf<ResultReceipt> T>
void fields(F& field, T& result) {
  field("index", result.index);
  field("element", result.element);
  field("dtype", result.dtype);
  field("shape", result.shape);
  field("digest", result.digest);
  field("distinct_values", result.distinct_values);
  field("comparison", result.comparison);
  field("tile_of", result.tile_of);
  field("read_before_reduction", result.read_before_reduction);
  field("metric", result.metric);
  field("name", result.name);
  field("nans", result.nans);
  field("infinities", result.infinities);
  field("comparison_ieee", result.comparison_ieee);
  field("metric_reason", result.metric_reason);
  field("metric_place", result.metric_place);
}

template <class F, FieldsOf<NonFinite> T>
void fields(F& field, T& seen) {
  field("results", seen.results);
  field("op", seen.op);
  field("place", seen.place);
  field("python", seen.python);
  field("rank", seen.rank);
  field("step", seen.step);
  field("argument", seen.argument);
  field("message", seen.message);
}

template <class F, FieldsOf<HostProcessSeen> T>
void fields(F& field, T& process) {
  field("host", process.host);
  field("pid", process.pid);
  field("exit_code", process.exit_code);
  field("signal", process.signal);
  field("wall_seconds", process.wall_seconds);
}

template <class F, FieldsOf<ScriptSeen> T>
void fields(F& field, T& script) {
  field("command", script.command);
  field("script_exit_code", script.script_exit_code);
  field("hosts", script.hosts);
}

template <class F, FieldsOf<HbmPeak> T>
void fields(F& field, T& peak) {
  field("predicted", peak.predicted);
  field("observed", peak.observed);
  field("capacity", peak.capacity);
  field("not_as_planned", peak.not_as_planned);
}

template <class F, FieldsOf<HostPeak> T>
void fields(F& field, T& peak) {
  field("predicted", peak.predicted);
  field("observed", peak.observed);
  field("capacity", peak.capacity);
}

// Over 40 lines: the list of all fields of the document.
template <class F, FieldsOf<Receipt> T>
void fields(F& field, T& receipt) {
  field("run_id", receipt.run_id);
  field("started_at", receipt.started_at);
  field("wall_seconds", receipt.wall_seconds);
  field("verdict", receipt.verdict);
  field("exit_code", receipt.exit_code);
  field("failures", receipt.failures);
  field("contract_digest", receipt.contract_digest);
  field("contract_agreed", receipt.contract_agreed);
  field("launch", receipt.launch);
  field("versions", receipt.versions);
  field("slice", receipt.slice);
  field("chip", receipt.chip);
  field("chip_count", receipt.chip_count);
  field("host_count", receipt.host_count);
  field("program", receipt.program);
  field("partition", receipt.partition);
  field("mesh", receipt.mesh);
  field("compile", receipt.compile);
  field("compiles", receipt.compiles);
  field("executes", receipt.executes);
  field("hbm_peak_bytes", receipt.hbm_peak_bytes);
  // Optional, as receipts of earlier versions have none.
  std::optional<HostPeak> host;
  if (receipt.host_peak_bytes.predicted) host = receipt.host_peak_bytes;
  field("host_peak_bytes", host);
  if constexpr (!std::is_const_v<T>) receipt.host_peak_bytes = host.value_or(HostPeak{});
  field("steps", receipt.steps);
  field("collectives", receipt.collectives);
  field("stragglers", receipt.stragglers);
  field("results", receipt.results);
  field("non_finite", receipt.non_finite);
  field("faults", receipt.faults);
  field("hosts", receipt.hosts);
  field("ranks", receipt.ranks);
  field("counters", receipt.counters);
  field("script", receipt.script);
  field("cache_stress", receipt.cache_stress);
  field("ladder", receipt.ladder);
  field("claims", receipt.claims);
  field("restore", receipt.restore);
  field("metrics_declared", receipt.metrics_declared);
  field("preflight", receipt.preflight);
  field("tool_version", receipt.tool_version);
  field("created_utc", receipt.created_utc);
  field("pins", receipt.pins);
  field("env_restore", receipt.env_restore);
  field("code_state", receipt.code_state);
  field("runtime_note", receipt.runtime_note);
  field("hardware", receipt.hardware);
  field("gates", receipt.gates);
  field("cache", receipt.cache);
  field("mem", receipt.mem);
  field("durability", receipt.durability);
  field("volatile", receipt.volatile_fields);
}

}  // namespace understudy::configs
