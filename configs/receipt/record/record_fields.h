// SPDX-License-Identifier: Apache-2.0
// The fields of the observations as JSON has them, for records and receipts. Internal to configs.
#pragma once

#include "configs/json/fields.h"
#include "configs/receipt/record/record.h"

namespace understudy::configs {

template <class F, FieldsOf<ProcessSeen> S>
void fields(F& field, S& seen) {
  field("pid", seen.pid);
  field("pid_start", seen.pid_start);
  field("machine", seen.machine);
}

template <class F, FieldsOf<SignalSeen> S>
void fields(F& field, S& seen) {
  field("number", seen.number);
  field("sender_pid", seen.sender_pid);
  field("sender", seen.sender);
  field("from_pod", seen.from_pod);
  field("at_ns", seen.at_ns);
}

template <class F, FieldsOf<Started> S>
void fields(F& field, S& started) {
  field("pid", started.pid);
  field("pid_start", started.pid_start);
  field("machine", started.machine);
  field("host", started.host);
  field("cpu", started.cpu);
  field("isa", started.isa);
  field("mxu", started.mxu);
  field("mpi", started.mpi);
  field("version", started.version);
  field("revision", started.revision);
  field("contract_digest", started.contract_digest);
  field("environment_digest", started.environment_digest);
  field("program_digest", started.program_digest);
  field("worker_id", started.worker_id);
}

template <class F, FieldsOf<ClocksSeen> S>
void fields(F& field, S& seen) {
  field("skew_ms", seen.skew_ms);
}

template <class F, FieldsOf<GateSeen> S>
void fields(F& field, S& seen) {
  field("gate", seen.gate);
  field("seconds", seen.seconds);
  field("detail", seen.detail);
  field("failed", seen.failed);
}

template <class F, FieldsOf<Probed> S>
void fields(F& field, S& seen) {
  field("device_kind", seen.device_kind);
  field("coord", seen.coord);
}

template <class F, FieldsOf<CacheSeen> S>
void fields(F& field, S& cache) {
  field("directory", cache.directory);
  field("lock", cache.lock);
  field("parts", cache.parts);
  field("entry_reads", cache.entry_reads);
  field("wait_seconds", cache.wait_seconds);
  field("read_seconds", cache.read_seconds);
  field("write_seconds", cache.write_seconds);
  field("lock_wait_seconds", cache.lock_wait_seconds);
}

template <class F, FieldsOf<Compiled> S>
void fields(F& field, S& compiled) {
  field("cached", compiled.cached);
  field("wall_seconds", compiled.wall_seconds);
  field("compile_seconds", compiled.compile_seconds);
  field("key", compiled.key);
  field("policy", compiled.policy);
  field("program_digest", compiled.program_digest);
  field("warnings", compiled.warnings);
  field("cache", compiled.cache);
}

template <class F, FieldsOf<Stepped> S>
void fields(F& field, S& stepped) {
  field("index", stepped.index);
  field("start_ns", stepped.start_ns);
  field("end_ns", stepped.end_ns);
  field("scalars", stepped.scalars);
}

template <class F, FieldsOf<ResultSeen> S>
void fields(F& field, S& seen) {
  field("index", seen.index);
  field("element", seen.element);
  field("shape", seen.shape);
  field("digest", seen.digest);
  field("nans", seen.nans);
  field("infinities", seen.infinities);
}

template <class F, FieldsOf<NonFiniteSeen> S>
void fields(F& field, S& seen) {
  field("op_index", seen.op_index);
  field("step", seen.step);
  field("order", seen.order);
  field("is_nan", seen.is_nan);
  field("is_new", seen.is_new);
  field("from_infinity", seen.from_infinity);
}

template <class F, FieldsOf<CollectiveCount> S>
void fields(F& field, S& count) {
  field("kind", count.kind);
  field("algorithm", count.algorithm);
  field("count", count.count);
  field("calls", count.calls);
  field("bytes", count.bytes);
  field("messages_sent", count.messages_sent);
  field("bytes_sent", count.bytes_sent);
}

template <class F, FieldsOf<LateRank> S>
void fields(F& field, S& late) {
  field("rank", late.rank);
  field("times", late.times);
  field("behind_seconds", late.behind_seconds);
  field("behind_max_seconds", late.behind_max_seconds);
}
template <>
inline constexpr bool kIsOneLine<LateRank> = true;

template <class F, FieldsOf<Arrivals> S>
void fields(F& field, S& seen) {
  field("kind", seen.kind);
  field("op_index", seen.op_index);
  field("members", seen.members);
  field("compared", seen.compared);
  field("times", seen.times);
  field("spread_seconds", seen.spread_seconds);
  field("spread_max_seconds", seen.spread_max_seconds);
  field("last", seen.last);
}

// `call` is left out: it is only compared between the ranks of one run.
template <class F, FieldsOf<FlightSeen> S>
void fields(F& field, S& seen) {
  field("sequence", seen.sequence);
  field("kind", seen.kind);
  field("number", seen.number);
  field("op", seen.op);
  field("bytes", seen.bytes);
  field("members", seen.members);
  field("algorithm", seen.algorithm);
  field("entered_ns", seen.entered_ns);
  field("done_ns", seen.done_ns);
}
template <>
inline constexpr bool kIsOneLine<FlightSeen> = true;

template <class F, FieldsOf<MemorySeen> S>
void fields(F& field, S& seen) {
  field("hbm_predicted", seen.hbm_predicted);
  field("hbm_observed", seen.hbm_observed);
  field("hbm_capacity", seen.hbm_capacity);
  field("hbm_allocated", seen.hbm_allocated);
  field("hbm_conditional", seen.hbm_conditional);
  field("hbm_regions", seen.hbm_regions);
  field("page_bytes", seen.page_bytes);
  field("host_predicted", seen.host_predicted);
  field("host_observed", seen.host_observed);
  field("host_capacity", seen.host_capacity);
}

template <class F, FieldsOf<Totals> S>
void fields(F& field, S& totals) {
  field("compiles", totals.compiles);
  field("executes", totals.executes);
  field("instructions", totals.instructions);
  field("counters", totals.counters);
}

template <class F, FieldsOf<Failed> S>
void fields(F& field, S& failed) {
  field("kind", failed.kind);
  field("message", failed.message);
  field("phase", failed.phase);
  field("op", failed.op);
  field("op_index", failed.op_index);
  field("missing_ranks", failed.missing_ranks);
  field("evidence", failed.evidence);
  field("diagnosis", failed.diagnosis);
}

}  // namespace understudy::configs
