// SPDX-License-Identifier: Apache-2.0
#include "worker/ops/fused/fused_chain.h"

#include <algorithm>

#include "worker/ops/chain_code/chain_code.h"
#include "worker/ops/fused/chain_function.h"
#include "worker/ops/fused/chain_links.h"
#include "worker/ops/fused/fused_apart.h"
#include "worker/ops/fused/narrow_steps.h"

namespace understudy::worker::ops {
namespace {

using program::ElementType;
using program::Instruction;
using program::kernels::ChainSource;
using Place = FusedPlace;

bool same_lanes(const Place& a, const Place& b) {
  return a.by_row == b.by_row && a.by_column == b.by_column && a.width == b.width;
}
ElementType type_of(const Instruction& instruction, std::size_t input) {
  return instruction.inputs[input].type.element;
}

bool is_elementwise(const FusedStep& step) {
  return step.kind == FusedStep::Kind::one || step.kind == FusedStep::Kind::two ||
         step.kind == FusedStep::Kind::choose;
}

// Whether machine code multiplies by the reciprocal of a constant divisor.
bool is_whole_division(const Instruction& instruction) {
  const auto* const binary = std::get_if<program::Binary>(&instruction.work);
  return binary != nullptr &&
         (binary->op == program::BinaryOp::divide || binary->op == program::BinaryOp::remainder) &&
         program::kernels::is_word(type_of(instruction, 0)) &&
         !program::kernels::is_chain_float(type_of(instruction, 0));
}

// Values of the tile stay where they are, but for those of joins, and so does what all lanes share;
// other arguments and results of the loop do not.
bool moves(const ChainLink& link) {
  const auto follows_tile = [](const std::optional<Place>& place) {
    if (!place || place->space == program::Space::frame) return place && place->join != 0;
    return place->by_row || place->by_column || place->is_view;
  };
  return follows_tile(link.a) || follows_tile(link.b) || follows_tile(link.c) ||
         follows_tile(link.out);
}

bool reads(const ChainLink& link, const Place& place) {
  const std::optional<Place>* const operands[] = {&link.a, &link.b, &link.c};
  for (std::size_t i = 0; i < std::size(operands); ++i)
    if (link.from[i] == ChainSource::dense && *operands[i] && **operands[i] == place) return true;
  return false;
}
bool overwrites(const std::vector<ChainLink>& links) {
  return std::ranges::any_of(links, [&](const ChainLink& store) {
    return store.operation.kind == ChainOperation::Kind::store &&
           std::ranges::any_of(links,
                               [&](const ChainLink& link) { return reads(link, *store.out); });
  });
}

}  // namespace

bool overwrites(const ChainRun& chain, const ChainAddresses& used,
                const program::kernels::ChainStep* steps) {
  const auto reads = [&](std::size_t l, const std::byte* out) {
    const ChainLink& link = chain.links[l];
    return (link.a && steps[l].a == out) || (link.b && steps[l].b == out) ||
           (link.c && steps[l].c == out);
  };
  return chain.overwrites || std::ranges::any_of(used.links, [&](std::size_t s) {
           return chain.links[s].operation.kind == ChainOperation::Kind::store &&
                  std::ranges::any_of(used.links,
                                      [&](std::size_t l) { return reads(l, steps[s].out); });
         });
}

void run_by_rows(ChainRun& run) {
  using program::kernels::ChainStep;
  run.by_rows = true;
  // Rows advance addresses in the tile as well.
  run.moving = {};
  for (std::size_t l = 0; l < run.links.size(); ++l) run.moving.links.push_back(l);
  for (std::size_t l = 0; l < run.links.size(); ++l) {
    const auto add = [&](const std::optional<Place>& place, auto member, auto& to) {
      if (place && place->by_row) to.push_back({l, member, *place});
    };
    add(run.links[l].a, &ChainStep::a, run.moving.row_inputs);
    add(run.links[l].b, &ChainStep::b, run.moving.row_inputs);
    add(run.links[l].c, &ChainStep::c, run.moving.row_inputs);
    add(run.links[l].out, &ChainStep::out, run.moving.row_outputs);
  }
}

ChainFinder::ChainFinder(const program::kernels::KernelTable& table,
                         std::span<const ChainCandidate> candidates, const FusedPlace& held)
    : table_(table),
      kernels_(table.chains()),
      candidates_(candidates),
      held_(held),
      in_chain_(candidates_.size(), false) {}

bool ChainFinder::is_shared(std::size_t s, std::size_t input) const {
  const std::optional<Place>& spread = candidates_[s].spread[input];
  return spread && !spread->by_column;
}

bool ChainFinder::fits(std::size_t s) const {
  const FusedStep& step = *candidates_[s].step;
  const Instruction& instruction = *candidates_[s].instruction;
  if (step.kind == FusedStep::Kind::strided || step.kind == FusedStep::Kind::apart)
    return fits_strided(s);
  if (!is_elementwise(step)) return false;
  std::size_t shared = 0;
  const bool has_pair = loads_part(instruction) || stores_pair(instruction);
  for (std::size_t i = 0; i < step.inputs; ++i) {
    if (!same_lanes(step.in[i], step.out)) return false;
    if (is_shared(s, i)) ++shared;
    if (loads_part(instruction) && is_shared(s, i)) return false;
    if (!has_pair && kernels_.load(type_of(instruction, i), ChainSource::dense) == nullptr)
      return false;
  }
  if (!has_pair && kernels_.store(instruction.outputs[0].type.element) == nullptr) return false;
  return shared < std::max<std::size_t>(step.inputs, 2) &&
         chain_function_of(table_, kernels_, instruction,
                           {ChainSource::dense, ChainSource::dense, ChainSource::dense})
                 .run != nullptr;
}

// Of a load or a store of elements that are apart.
bool ChainFinder::fits_strided(std::size_t s) const {
  const FusedStep& step = *candidates_[s].step;
  if (!program::kernels::is_word(type_of(*candidates_[s].instruction, 0))) return false;
  bool is_all_shared = true;
  for (std::size_t i = 0; i < step.inputs; ++i) {
    if (!same_lanes(step.in[i], step.out)) return false;
    is_all_shared = is_all_shared && is_shared(s, i);
  }
  if (step.kind == FusedStep::Kind::strided)
    return program::kernels::is_chain_stride(step.in[0].element_step);
  return !is_all_shared && writes_all(step) &&
         program::kernels::is_chain_stride(step.out.element_step);
}

// Whether a step reads a value of rows or columns. In a loop of one row the former is a value of
// the tile.
bool ChainFinder::spreads_in(std::size_t s) const {
  const FusedStep& step = *candidates_[s].step;
  const auto has_apart = [](const Place& place) { return place.row_step != 0; };
  if (std::any_of(step.in, step.in + step.inputs, has_apart)) return true;
  return std::ranges::any_of(candidates_[s].spread, [](const std::optional<Place>& spread) {
    return spread && (spread->by_row || spread->by_column || spread->is_view ||
                      spread->space == program::Space::frame);
  });
}

// Whether a chain of this step alone is quicker than its kernel: those of bf16 and f16 go
// through f32 in memory; machine code has instructions that count bits.
bool ChainFinder::is_quick(std::size_t s) const {
  const Instruction& instruction = *candidates_[s].instruction;
  if (const auto* const unary = std::get_if<program::Unary>(&instruction.work);
      unary != nullptr && unary->op == program::UnaryOp::popcnt)
    return has_machine_code(table_);
  const auto is_half = [](const program::Operand& x) {
    return program::kernels::is_half(x.type.element);
  };
  return std::ranges::any_of(instruction.inputs, is_half) ||
         std::ranges::any_of(instruction.outputs, is_half);
}

// Whether machine code of this step alone is quicker than its kernel: that reads constants from all
// lanes of a tile, and a reduction its result.
bool ChainFinder::is_quick_code(std::size_t s) const {
  const Instruction& instruction = *candidates_[s].instruction;
  const ChainStepFunction function = chain_function_of(
      table_, kernels_, instruction, {ChainSource::dense, ChainSource::dense, ChainSource::dense});
  if (!has_machine_code(table_)) return false;
  if (is_whole_division(instruction)) return candidates_[s].has_constant_second;
  if (function.kernel != nullptr) return false;
  for (std::size_t i = 0; i < candidates_[s].step->inputs; ++i)
    if (is_shared(s, i)) return true;
  if (s + 1 == candidates_.size()) return false;
  const FusedStep& next = *candidates_[s + 1].step;
  return next.fold_lanes > 0 && next.in[0].space == candidates_[s].step->out.space &&
         next.in[0].offset == candidates_[s].step->out.offset;
}

// Whether two steps run over the same lanes.
bool ChainFinder::follows(std::size_t a, std::size_t b) const {
  return same_lanes(candidates_[a].step->out, candidates_[b].step->out);
}

// Whether step `s` loads a part of what one from `first` on stores: a chain has no such values.
bool ChainFinder::reads_pair_of(std::size_t first, std::size_t s) const {
  if (!loads_part(*candidates_[s].instruction)) return false;
  const Place& in = candidates_[s].step->in[0];
  for (std::size_t t = first; t < s; ++t) {
    const Place& out = candidates_[t].step->out;
    if (out.space == in.space && out.index == in.index && out.offset == in.offset) return true;
  }
  return false;
}

// As many steps from `s` on as a chain in words can have.
ChainRun ChainFinder::wide_run(std::size_t s) const {
  ChainRun run{s};
  for (std::size_t end = s;
       end < candidates_.size() && fits(end) && follows(s, end) && !reads_pair_of(s, end); ++end)
    ++run.count;
  return run;
}
// The same of a narrow chain.
ChainRun ChainFinder::narrow_run(std::size_t s) const {
  ChainRun run{s, 0, 1};
  for (std::size_t end = s; end < candidates_.size() && follows(s, end); ++end) {
    const std::size_t bytes = narrow_bytes(end);
    if (bytes == 0) break;
    run.lane_bytes = std::max(run.lane_bytes, bytes);
    ++run.count;
  }
  return run;
}

// Of the widest number of a step that a narrow chain can have; 0 where none can.
std::size_t ChainFinder::narrow_bytes(std::size_t s) const {
  const ChainCandidate& candidate = candidates_[s];
  const FusedStep& step = *candidate.step;
  if (!has_machine_code(table_) || !is_elementwise(step)) return 0;
  std::size_t shared = 0;
  for (std::size_t i = 0; i < step.inputs; ++i) {
    const Place& in = step.in[i];
    if (!same_lanes(in, step.out) || in.element_step > 1) return 0;
    const std::optional<Place>& spread = candidate.spread[i];
    if (spread && (spread->space == program::Space::frame || spread->element_step > 1)) return 0;
    if (is_shared(s, i)) ++shared;
  }
  if (shared >= std::max<std::size_t>(step.inputs, 2)) return 0;
  return narrow_lane_bytes(*candidate.instruction, candidate.has_constant_second);
}

std::vector<ChainRun> ChainFinder::find() {
  std::vector<ChainRun> runs;
  for (std::size_t s = 0; s < candidates_.size();) {
    const ChainRun wide = wide_run(s), narrow = narrow_run(s);
    const ChainRun& run = narrow.count > wide.count ? narrow : wide;
    const bool is_quick_alone =
        !run.is_narrow() && run.count > 0 && (spreads_in(s) || is_quick(s) || is_quick_code(s));
    if (run.count >= 2 || is_quick_alone) {
      runs.push_back(run);
      std::fill_n(in_chain_.begin() + static_cast<std::ptrdiff_t>(s), run.count, !run.is_narrow());
    }
    s += std::max<std::size_t>(run.count, 1);
  }
  for (ChainRun& run : runs) {
    held_bytes_ =
        std::max(held_bytes_, kernels_.held_bytes * add_links(table_, candidates_, held_, run));
    run.overwrites = overwrites(run.links);
    for (std::size_t s = run.first; s < run.first + run.count; ++s)
      run.by_rows = run.by_rows || spreads_in(s);
    if (run.by_rows) {
      run_by_rows(run);
      continue;
    }
    for (std::size_t l = 0; l < run.links.size(); ++l)
      if (moves(run.links[l])) run.moving.links.push_back(l);
  }
  return runs;
}

}  // namespace understudy::worker::ops
