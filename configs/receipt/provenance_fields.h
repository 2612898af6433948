// SPDX-License-Identifier: Apache-2.0
// The fields of configs/receipt/provenance.h. Internal to configs.
#pragma once

#include "configs/json/fields.h"
#include "configs/receipt/cache_stress_fields.h"
#include "configs/receipt/provenance.h"

namespace understudy::configs {

template <class F, FieldsOf<PackagePin> T>
void fields(F& field, T& one) {
  field("name", one.name);
  field("version", one.version);
}
template <>
inline constexpr bool kIsOneLine<PackagePin> = true;

template <class F, FieldsOf<Pins> T>
void fields(F& field, T& pins) {
  field("setup_script", pins.setup_script);
  field("script_sha256", pins.script_sha256);
  field("packages", pins.packages);
}

template <class F, FieldsOf<EnvRestore> T>
void fields(F& field, T& restore) {
  field("method", restore.method);
  field("steps_sha256", restore.steps_sha256);
  field("by", restore.by);
}

template <class F, FieldsOf<CodeState> T>
void fields(F& field, T& state) {
  field("commit", state.commit);
  field("dirty", state.dirty);
  field("tree_sha256_per_rank_equal", state.tree_sha256_per_rank_equal);
}

template <class F, FieldsOf<RuntimeNote> T>
void fields(F& field, T& note) {
  field("source", note.source);
}

template <class F, FieldsOf<Hardware> T>
void fields(F& field, T& hardware) {
  field("chip", hardware.chip);
  field("topology", hardware.topology);
  field("wrap", hardware.wrap);
  field("hosts", hardware.hosts);
  field("processes", hardware.processes);
  field("chips_per_process", hardware.chips_per_process);
  field("table", hardware.table);
}

template <class F, FieldsOf<GateAnswer> T>
void fields(F& field, T& answer) {
  field("holds", answer.holds);
  field("evidence", answer.evidence);
}

template <class F, FieldsOf<GateAnswers> T>
void fields(F& field, T& gates) {
  field("env_before_import", gates.env_before_import);
  field("spmd_before_tensors", gates.spmd_before_tensors);
}

template <class F, FieldsOf<CacheUse> T>
void fields(F& field, T& cache) {
  field("policy", cache.policy);
  field("lock", cache.lock);
  field("lock_wait_seconds", cache.lock_wait_seconds);
  field("path_class", cache.path_class);
  field("writer_ranks", cache.writer_ranks);
  field("lock_selftest", cache.lock_selftest);
}

template <class F, FieldsOf<HostMemoryUse> T>
void fields(F& field, T& mem) {
  field("premapped_bytes", mem.premapped_bytes);
  field("loader_resident_bytes", mem.loader_resident_bytes);
  field("os_headroom_bytes", mem.os_headroom_bytes);
}

}  // namespace understudy::configs
