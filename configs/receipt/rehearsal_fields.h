// SPDX-License-Identifier: Apache-2.0
// The fields of configs/receipt/rehearsal.h. Internal to configs.
#pragma once

#include "configs/json/fields.h"
#include "configs/receipt/rehearsal.h"

namespace understudy::configs {

template <class F, FieldsOf<RungCheck> T>
void fields(F& field, T& check) {
  field("name", check.name);
  field("holds", check.holds);
  field("seen", check.seen);
}
template <>
inline constexpr bool kIsOneLine<RungCheck> = true;

template <class F, FieldsOf<RungWarning> T>
void fields(F& field, T& warning) {
  field("diagnosis", warning.diagnosis);
  field("layer", warning.layer);
  field("why", warning.why);
  field("advice", warning.advice);
  field("host", warning.host);
  field("rank", warning.rank);
}

template <class F, FieldsOf<RungSeen> T>
void fields(F& field, T& seen) {
  field("rung", seen.rung);
  field("added_feature", seen.added_feature);
  field("status", seen.status);
  field("seconds", seen.seconds);
  field("layer_of_failure", seen.layer_of_failure);
  field("code", seen.code);
  field("diagnosis", seen.diagnosis);
  field("why", seen.why);
  field("advice", seen.advice);
  field("host", seen.host);
  field("rank", seen.rank);
  field("chips", seen.chips);
  field("steps", seen.steps);
  field("compiles", seen.compiles);
  field("loads", seen.loads);
  field("late_programs", seen.late_programs);
  field("fallbacks", seen.fallbacks);
  field("hbm_predicted", seen.hbm_predicted);
  field("hbm_observed", seen.hbm_observed);
  field("checks", seen.checks);
  field("warnings", seen.warnings);
  field("retries", seen.retries);
  field("receipts", seen.receipts);
}

template <class F, FieldsOf<AttemptSeen> T>
void fields(F& field, T& seen) {
  field("setting", seen.setting);
  field("launch_class", seen.launch_class);
  field("predicted_hbm", seen.predicted_hbm);
  field("outcome", seen.outcome);
  field("why", seen.why);
}

template <class F, FieldsOf<PinSeen> T>
void fields(F& field, T& seen) {
  field("name", seen.name);
  field("then", seen.then);
  field("now", seen.now);
  field("same", seen.same);
  field("must", seen.must);
}
template <>
inline constexpr bool kIsOneLine<PinSeen> = true;

template <class F, FieldsOf<LadderSeen> T>
void fields(F& field, T& seen) {
  field("name", seen.name);
  field("rungs", seen.rungs);
  field("first_passing", seen.first_passing);
  field("next_failing", seen.next_failing);
  field("attempts", seen.attempts);
}

template <class F, FieldsOf<Claims> T>
void fields(F& field, T& claims) {
  field("installation", claims.installation);
  field("runtime", claims.runtime);
  field("compile", claims.compile);
  field("model", claims.model);
  field("tpu_compiler", claims.tpu_compiler);
}

template <class F, FieldsOf<RestoreSeen> T>
void fields(F& field, T& seen) {
  field("verdict", seen.verdict);
  field("reasons", seen.reasons);
  field("cold", seen.cold);
  field("restored", seen.restored);
  field("cold_receipt", seen.cold_receipt);
  field("restored_receipt", seen.restored_receipt);
  field("pins", seen.pins);
  field("compared", seen.compared);
}

template <class F, FieldsOf<MetricSeen> T>
void fields(F& field, T& seen) {
  field("rung", seen.rung);
  field("name", seen.name);
  field("index", seen.index);
  field("axes", seen.axes);
  field("probes", seen.probes);
  field("verdict", seen.verdict);
}

}  // namespace understudy::configs
