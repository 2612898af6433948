// SPDX-License-Identifier: Apache-2.0
#include "configs/launch/stress_plan.h"

#include <fmt/format.h>

#include "configs/json/fields.h"

namespace understudy::configs {

constexpr std::string_view kStressPlanSchema = "understudy/stress-plan/1";

template <class F, FieldsOf<StressDiscipline> D>
void fields(F& field, D& discipline) {
  field("policy", discipline.policy);
  field("lock", discipline.lock);
}

template <class F, FieldsOf<StressPlan> P>
void fields(F& field, P& plan) {
  field("disciplines", plan.disciplines);
  field("processes", plan.processes);
  field("hosts", plan.hosts);
  field("keys", plan.keys);
  field("rounds", plan.rounds);
  field("compile_seconds", plan.compile_seconds);
  field("file_delay_seconds", plan.file_delay_seconds);
  field("entry_bytes", plan.entry_bytes);
  field("max_bytes", plan.max_bytes);
  field("patience_seconds", plan.patience_seconds);
  field("lock_timeout_seconds", plan.lock_timeout_seconds);
  field("for_seconds", plan.for_seconds);
  field("faults", plan.faults);
  field("on_small_disk", plan.on_small_disk);
  field("directory", plan.directory);
  field("result", plan.result);
  field("seed", plan.seed);
}

std::string to_json(const StressPlan& plan) {
  return document_of(plan, kStressPlanSchema, JsonWriter::Layout::compact);
}

StressPlan read_stress_plan(const std::string& text, const std::string& path) {
  const JsonReader in = JsonReader::parse(text, path);
  const auto plan = read_document<StressPlan>(in, kStressPlanSchema);
  // Counts of 0 would divide by zero or measure nothing.
  const auto need_positive = [&](const char* name, std::int64_t value) {
    if (value < 1) in.at(name).fail("expected a positive whole number");
  };
  need_positive("processes", plan.processes);
  need_positive("hosts", plan.hosts);
  need_positive("keys", plan.keys);
  need_positive("rounds", plan.rounds);
  if (plan.hosts > plan.processes)
    in.at("hosts").fail(fmt::format("expected at most {} hosts, one per process", plan.processes));
  return plan;
}

}  // namespace understudy::configs
