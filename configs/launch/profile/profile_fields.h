// SPDX-License-Identifier: Apache-2.0
// The fields of a profile in the order of the document; used for reading, writing, overriding and
// listing. Internal to configs.
#pragma once

#include <functional>

#include "configs/json/fields.h"
#include "configs/launch/profile/profile.h"

namespace understudy::configs {

template <class F, FieldsOf<SpmdSettings> S>
void fields(F& field, S& spmd) {
  field("enabled", spmd.enabled);
}

template <class F, FieldsOf<CacheSettings> C>
void fields(F& field, C& cache) {
  field("policy", cache.policy);
  field("lock", cache.lock);
  field("folder", cache.folder);
  field("start", cache.start);
  field("max_bytes", cache.max_bytes);
  field("trust", cache.trust);
  field("min_compile_seconds", cache.min_compile_seconds);
  field("graphs_in_memory", cache.graphs_in_memory);
  field("errors_are_fatal", cache.errors_are_fatal);
  field("unsafe_on_purpose", cache.unsafe_on_purpose);
}

template <class F, FieldsOf<ShapeSettings> S>
void fields(F& field, S& shape) {
  field("guard", shape.guard);
  field("scalars_are_inputs", shape.scalars_are_inputs);
  field("experimental", shape.experimental);
}

template <class F, FieldsOf<LaunchSettings> L>
void fields(F& field, L& launch) {
  field("device", launch.device);
  field("processes", launch.processes);
  field("numerics", launch.numerics);
  field("collectives", launch.collectives);
  field("timeout_seconds", launch.timeout_seconds);
  field("libtpu_init_args", launch.libtpu_init_args);
  field("xla_flags", launch.xla_flags);
  field("process_port", launch.process_port);
  field("coordinator_port", launch.coordinator_port);
  field("heartbeat_seconds", launch.heartbeat_seconds);
  field("inflight", launch.inflight);
  field("skip_metadata", launch.skip_metadata);
  field("log_level", launch.log_level);
  field("multiple_libtpu", launch.multiple_libtpu);
  field("variables", launch.variables);
}

template <class F, FieldsOf<MemorySettings> M>
void fields(F& field, M& mem) {
  field("premapped_bytes", mem.premapped_bytes);
  field("premapped_threshold_bytes", mem.premapped_threshold_bytes);
  field("loader_bytes", mem.loader_bytes);
  field("headroom_bytes", mem.headroom_bytes);
  field("host_bytes", mem.host_bytes);
}

template <class F, FieldsOf<DiagnosticSettings> D>
void fields(F& field, D& diag) {
  field("diagnostic", diag.diagnostic);
  field("ir_debug", diag.ir_debug);
  field("hlo_debug", diag.hlo_debug);
  field("debug_level", diag.debug_level);
  field("explain_cache_misses", diag.explain_cache_misses);
  field("log_compiles", diag.log_compiles);
  field("log_allocations_on_oom", diag.log_allocations_on_oom);
  field("abort_on_hangs", diag.abort_on_hangs);
  field("dump_to", diag.dump_to);
}

template <class F, FieldsOf<Profile> P>
void fields(F& field, P& profile) {
  field("spmd", profile.spmd);
  field("cache", profile.cache);
  field("shape", profile.shape);
  field("launch", profile.launch);
  field("mem", profile.mem);
  field("diag", profile.diag);
}

// A part of a profile with fields of its own, not a value.
template <class T>
concept SettingsGroup = requires(FieldNames& names, T& group) {
  fields(names, group);
};

// Applies the values in a document to a profile; with `all`, every key is required. `given` is
// called for each key. *Throws* Error{config}.
using Given = std::function<void(const std::string&)>;
void overlay(const JsonReader& in, bool all, Profile& profile, const Given& given);

}  // namespace understudy::configs
