// SPDX-License-Identifier: Apache-2.0
// The ranks of a receipt, each from the observations of its record.
#include <algorithm>
#include <fmt/format.h>

#include "configs/receipt/parts.h"

namespace understudy::configs {
namespace {

// Sorts one rank's observations into their places.
struct RankBuilder {
  RankSeen& chip;
  std::vector<Stepped>& steps;
  std::int64_t late_programs = 0, late_compiles = 0;

  void operator()(const ProcessSeen& /*seen*/) {}  // the launcher's watch
  void operator()(const SignalSeen& seen) {
    if (!chip.signal) chip.signal = seen;
  }
  void operator()(const Started& seen) {
    chip.started = seen;
    chip.worker_id = seen.worker_id;
    chip.lib_version = fmt::format("{} ({})", seen.version, seen.revision);
  }
  void operator()(const ClocksSeen& /*seen*/) {}  // add_clock_skew()
  void operator()(const GateSeen& seen) { chip.gates.push_back(seen); }
  void operator()(const Probed& seen) {
    chip.coord = seen.coord;
    if (!seen.device_kind.empty()) chip.device_kind = seen.device_kind;
  }
  void operator()(const Compiled& seen) {
    if (!chip.compiled) chip.compiled = seen;
    // A program that is loaded after the first step is late: a training loop would pay for it again
    // and again.
    if (steps.empty()) return;
    ++late_programs;
    late_compiles += seen.cached ? 0 : 1;
  }
  void operator()(const Stepped& seen) { steps.push_back(seen); }
  void operator()(const ResultSeen& seen) {
    std::erase_if(chip.results, [&](const ResultSeen& old) { return old.index == seen.index; });
    chip.results.push_back(seen);
  }
  void operator()(const CollectiveCount& seen) {
    if (!chip.collectives) chip.collectives.emplace();
    std::erase_if(*chip.collectives, [&](const CollectiveCount& old) {
      return old.kind == seen.kind && old.algorithm == seen.algorithm;
    });
    chip.collectives->push_back(seen);
  }
  void operator()(const Arrivals& /*seen*/) {}       // stragglers_in()
  void operator()(const NonFiniteSeen& /*seen*/) {}  // the launcher's search
  void operator()(const MemorySeen& seen) { chip.memory = seen; }
  void operator()(const Totals& seen) {
    chip.totals = seen;
    if (!chip.collectives) chip.collectives.emplace();
    chip.late_programs = late_programs;
    chip.late_compiles = late_compiles;
  }
  void operator()(const Failed& seen) {
    if (!chip.failed) chip.failed = seen;
  }
};

}  // namespace

std::vector<RankSeen> chips_seen(const RunPlan& plan,
                                 const std::vector<std::optional<RecordContent>>& records,
                                 std::vector<StepsOfChip>& steps) {
  std::vector<RankSeen> chips(records.size());
  steps.resize(records.size());
  for (std::size_t rank = 0; rank < records.size(); ++rank) {
    RankSeen& chip = chips[rank];
    chip.rank = static_cast<std::int64_t>(rank);
    chip.host = plan.host_of[rank].value;
    if (!records[rank]) continue;
    const RecordContent& record = *records[rank];
    chip.last_stage = name_of(record.phase);
    chip.instructions = record.instructions;
    chip.dropped = record.dropped;
    RankBuilder builder{chip, steps[rank], 0, 0};
    for (const Observation& seen : record.observations) std::visit(builder, seen);
  }
  return chips;
}

}  // namespace understudy::configs
