// SPDX-License-Identifier: Apache-2.0
// The fields of hosts, ranks and stragglers in configs/receipt/receipt_sections.h. Internal to
// configs.
#pragma once

#include "configs/receipt/receipt_sections.h"
#include "configs/receipt/record/record_fields.h"

namespace understudy::configs {

template <class F, FieldsOf<HostSeen> T>
void fields(F& field, T& host) {
  field("host", host.host);
  field("ranks", host.ranks);
  field("machines", host.machines);
  field("contract_digests", host.contract_digests);
  field("compiles", host.compiles);
  field("slice", host.slice);
}

template <class F, FieldsOf<RankSeen> T>
void fields(F& field, T& chip) {
  field("rank", chip.rank);
  field("host", chip.host);
  field("worker_id", chip.worker_id);
  field("coord", chip.coord);
  field("device_kind", chip.device_kind);
  field("lib_version", chip.lib_version);
  field("clock_skew_ms", chip.clock_skew_ms);
  field("last_stage", chip.last_stage);
  field("instructions", chip.instructions);
  field("dropped", chip.dropped);
  field("started", chip.started);
  field("gates", chip.gates);
  field("compiled", chip.compiled);
  field("late_programs", chip.late_programs);
  field("late_compiles", chip.late_compiles);
  field("memory", chip.memory);
  field("totals", chip.totals);
  field("collectives", chip.collectives);
  field("results", chip.results);
  field("signal", chip.signal);
  field("failed", chip.failed);
  field("flight", chip.flight);
}

template <class F, FieldsOf<ArrivalsSeen> T>
void fields(F& field, T& seen) {
  field("kind", seen.kind);
  field("op_index", seen.op_index);
  field("place", seen.place);
  field("members", seen.members);
  field("compared", seen.compared);
  field("times", seen.times);
  field("spread_seconds", seen.spread_seconds);
  field("spread_max_seconds", seen.spread_max_seconds);
  field("last", seen.last);
}

template <class F, FieldsOf<Stragglers> T>
void fields(F& field, T& stragglers) {
  field("clock", stragglers.clock);
  field("sites", stragglers.sites);
  field("ranks", stragglers.ranks);
}

}  // namespace understudy::configs
