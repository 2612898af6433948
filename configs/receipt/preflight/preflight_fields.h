// SPDX-License-Identifier: Apache-2.0
// The fields of configs/receipt/preflight/preflight.h. Internal to configs.
#pragma once

#include "configs/json/fields.h"
#include "configs/receipt/preflight/preflight.h"

namespace understudy::configs {

template <class F, FieldsOf<PreflightLibrary> T>
void fields(F& field, T& one) {
  field("path", one.path);
  field("version", one.version);
  field("build", one.build);
  field("build_id", one.build_id);
  field("api", one.api);
  field("found_by", one.found_by);
}

template <class F, FieldsOf<PreflightFlag> T>
void fields(F& field, T& one) {
  field("source", one.source);
  field("flag", one.flag);
  field("status", one.status);
  field("words", one.words);
}
template <>
inline constexpr bool kIsOneLine<PreflightFlag> = true;

template <class F, FieldsOf<PreflightDifference> T>
void fields(F& field, T& one) {
  field("what", one.what);
  field("contract", one.contract);
  field("compiler", one.compiler);
  field("why", one.why);
}

template <class F, FieldsOf<PreflightTopology> T>
void fields(F& field, T& one) {
  field("name", one.name);
  field("chips_per_host", one.chips_per_host);
  field("slices", one.slices);
  field("status", one.status);
  field("words", one.words);
  field("device_kind", one.device_kind);
  field("devices", one.devices);
  field("processes", one.processes);
  field("hbm_bytes", one.hbm_bytes);
  field("differences", one.differences);
}

template <class F, FieldsOf<PreflightMemory> T>
void fields(F& field, T& one) {
  field("arguments", one.arguments);
  field("outputs", one.outputs);
  field("aliases", one.aliases);
  field("temporaries", one.temporaries);
  field("code", one.code);
  field("total", one.total);
  field("hbm", one.hbm);
  field("predicted", one.predicted);
  field("observed", one.observed);
  field("ratio", one.ratio);
}

template <class F, FieldsOf<PreflightCollective> T>
void fields(F& field, T& one) {
  field("kind", one.kind);
  field("count", one.count);
  field("bytes", one.bytes);
  field("groups", one.groups);
  field("algorithm", one.algorithm);
  field("place", one.place);
  field("asynchronous", one.asynchronous);
  field("in_loop", one.in_loop);
}

template <class F, FieldsOf<PreflightComparison> T>
void fields(F& field, T& one) {
  field("kind", one.kind);
  field("ours", one.ours);
  field("compiler", one.compiler);
  field("our_bytes", one.our_bytes);
  field("compiler_bytes", one.compiler_bytes);
  field("partitioner", one.partitioner);
  field("verdict", one.verdict);
  field("why", one.why);
}

template <class F, FieldsOf<PreflightProgram> T>
void fields(F& field, T& one) {
  field("name", one.name);
  field("path", one.path);
  field("digest", one.digest);
  field("chips", one.chips);
  field("topology", one.topology);
  field("status", one.status);
  field("words", one.words);
  field("place", one.place);
  field("source_line", one.source_line);
  field("cached", one.cached);
  field("seconds", one.seconds);
  field("executable_bytes", one.executable_bytes);
  field("memory", one.memory);
  field("collectives", one.collectives);
  field("comparison", one.comparison);
  field("instructions", one.instructions);
  field("estimated_cycles", one.estimated_cycles);
  field("costs", one.costs);
  field("fingerprint", one.fingerprint);
  field("notes", one.notes);
}

template <class F, FieldsOf<PreflightFingerprint> T>
void fields(F& field, T& one) {
  field("fingerprint", one.fingerprint);
  field("programs", one.programs);
}

template <class F, FieldsOf<Preflight> T>
void fields(F& field, T& one) {
  field("claim", one.claim);
  field("why", one.why);
  field("libtpu", one.libtpu);
  field("slice", one.slice);
  field("chip", one.chip);
  field("profile", one.profile);
  field("flags", one.flags);
  field("topology", one.topology);
  field("programs", one.programs);
  field("fingerprints", one.fingerprints);
  field("notes", one.notes);
  field("log", one.log);
  field("wall_seconds", one.wall_seconds);
  field("exit_code", one.exit_code);
}

}  // namespace understudy::configs
