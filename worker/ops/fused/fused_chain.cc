// SPDX-License-Identifier: Apache-2.0
#include "worker/ops/fused/fused_chain.h"

#include <algorithm>

#include "worker/ops/fused/chain_function.h"

namespace understudy::worker::ops {
namespace {

using program::BinaryOp;
using program::ElementType;
using program::Instruction;
using program::kernels::ChainSource;
using Place = FusedPlace;

bool same_lanes(const Place& a, const Place& b) {
  return a.by_row == b.by_row && a.by_column == b.by_column && a.width == b.width;
}
bool same_memory(const Place& a, const Place& b) {
  return a.space == b.space && a.index == b.index && a.offset == b.offset && a.bytes == b.bytes;
}
ElementType type_of(const Instruction& instruction, std::size_t input) {
  return instruction.inputs[input].type.element;
}

// Values of the tile stay where they are; arguments and results of the loop do not.
bool moves(const ChainLink& link) {
  const auto is_outside = [](const std::optional<Place>& place) {
    return place && place->space != program::Space::frame;
  };
  return is_outside(link.a) || is_outside(link.b) || is_outside(link.out);
}

bool is_shift(const Instruction& instruction, BinaryOp op) {
  const auto* binary = std::get_if<program::Binary>(&instruction.work);
  return binary != nullptr && binary->op == op && !program::is_pred(type_of(instruction, 0));
}

}  // namespace

ChainFinder::ChainFinder(const program::kernels::KernelTable& table,
                         std::span<const ChainCandidate> candidates)
    : table_(table),
      kernels_(table.chains()),
      candidates_(candidates),
      in_chain_(candidates_.size(), false) {}

bool ChainFinder::is_shared(std::size_t s, std::size_t input) const {
  const std::optional<Place>& spread = candidates_[s].spread[input];
  return spread && !spread->by_column;
}
bool ChainFinder::is_result_of(std::size_t before, std::size_t s, std::size_t input) const {
  return !candidates_[s].spread[input] &&
         same_memory(candidates_[s].step->in[input], candidates_[before].step->out);
}
Place ChainFinder::place_of(std::size_t s, std::size_t input) const {
  return candidates_[s].spread[input].value_or(candidates_[s].step->in[input]);
}

bool ChainFinder::fits(std::size_t s) const {
  const FusedStep& step = *candidates_[s].step;
  const Instruction& instruction = *candidates_[s].instruction;
  if (step.kind != FusedStep::Kind::one && step.kind != FusedStep::Kind::two &&
      step.kind != FusedStep::Kind::choose)
    return false;
  std::size_t shared = 0;
  for (std::size_t i = 0; i < step.inputs; ++i) {
    if (!same_lanes(step.in[i], step.out)) return false;
    if (is_shared(s, i)) ++shared;
    if (kernels_.load(type_of(instruction, i), ChainSource::dense) == nullptr) return false;
  }
  if (kernels_.store(instruction.outputs[0].type.element) == nullptr) return false;
  return shared < std::max<std::size_t>(step.inputs, 2) &&
         chain_function_of(table_, kernels_, instruction, ChainSource::dense, ChainSource::dense)
                 .run != nullptr;
}

// Whether a step reads a value of rows or columns. In a loop of one row the former is a value of
// the tile.
bool ChainFinder::spreads_in(std::size_t s) const {
  return std::ranges::any_of(candidates_[s].spread, [](const std::optional<Place>& spread) {
    return spread &&
           (spread->by_row || spread->by_column || spread->space == program::Space::frame);
  });
}

// Whether a chain of this step alone is quicker than its kernel: those of bf16 go through f32 in
// memory.
bool ChainFinder::is_quick(std::size_t s) const {
  const Instruction& instruction = *candidates_[s].instruction;
  const auto is_half = [](const program::Operand& x) {
    return x.type.element == ElementType::bf16;
  };
  return std::ranges::any_of(instruction.inputs, is_half) ||
         std::ranges::any_of(instruction.outputs, is_half);
}

// Whether two steps run over the same lanes.
bool ChainFinder::follows(std::size_t a, std::size_t b) const {
  return same_lanes(candidates_[a].step->out, candidates_[b].step->out);
}

std::vector<ChainRun> ChainFinder::find() {
  std::vector<ChainRun> runs;
  for (std::size_t s = 0; s < candidates_.size();) {
    std::size_t end = s;
    while (end < candidates_.size() && fits(end) && follows(s, end)) ++end;
    if (end - s >= 2 || (end > s && (spreads_in(s) || is_quick(s)))) {
      runs.push_back({s, end - s, {}, {}, false});
      std::fill(in_chain_.begin() + static_cast<std::ptrdiff_t>(s),
                in_chain_.begin() + static_cast<std::ptrdiff_t>(end), true);
    }
    s = std::max(end, s + 1);
  }
  for (ChainRun& run : runs) {
    for (std::size_t s = run.first; s < run.first + run.count;) s += add_links(run, s);
    for (std::size_t l = 0; l < run.links.size(); ++l)
      if (moves(run.links[l])) run.moving.push_back(l);
    for (std::size_t s = run.first; s < run.first + run.count; ++s)
      run.by_rows = run.by_rows || spreads_in(s);
  }
  return runs;
}

// The steps that read what step `s` writes, up to the next one that writes there.
std::vector<std::size_t> ChainFinder::readers_of(std::size_t s) const {
  const Place& out = candidates_[s].step->out;
  std::vector<std::size_t> readers;
  for (std::size_t t = s + 1; t < candidates_.size(); ++t) {
    const FusedStep& step = *candidates_[t].step;
    for (std::size_t i = 0; i < step.inputs; ++i)
      if (!candidates_[t].spread[i] && step.in[i].space == out.space &&
          step.in[i].index == out.index && step.in[i].offset == out.offset) {
        readers.push_back(t);
        break;
      }
    if (same_memory(step.out, out)) break;
  }
  return readers;
}

// Whether step `s` takes the result of the step before it from the accumulator, and from there
// alone.
bool ChainFinder::reads_accumulator(const ChainRun& run, std::size_t s) const {
  if (s == run.first || s >= run.first + run.count) return false;
  const FusedStep& step = *candidates_[s].step;
  const bool selects = step.kind == FusedStep::Kind::choose;
  bool reads = false;
  for (std::size_t i = 0; i < step.inputs; ++i) {
    if (!is_result_of(s - 1, s, i)) continue;
    if (selects && i > 0) return false;
    reads = true;
  }
  return reads;
}

void ChainFinder::add_operation(ChainRun& run, std::size_t s, bool in_accumulator) const {
  const FusedStep& step = *candidates_[s].step;
  const Instruction& instruction = *candidates_[s].instruction;
  const auto source = [&](std::size_t i) {
    if (in_accumulator && is_result_of(s - 1, s, i)) return ChainSource::accumulator;
    return is_shared(s, i) ? ChainSource::shared : ChainSource::dense;
  };
  const auto place = [&](std::size_t i) { return place_of(s, i); };
  // A unary step and the pred of a selection work on the accumulator.
  const bool loads = step.inputs != 2;
  if (loads && source(0) != ChainSource::accumulator) {
    ChainLink load;
    load.run = kernels_.load(type_of(instruction, 0), source(0));
    load.a = place(0);
    run.links.push_back(load);
  }
  ChainLink link;
  const std::size_t first = step.inputs == 3 ? 1 : 0;
  const ChainSource a = source(first);
  const ChainSource b = step.inputs > 1 ? source(first + 1) : a;
  const ChainStepFunction function = chain_function_of(table_, kernels_, instruction, a, b);
  link.run = function.run;
  link.kernel = function.kernel;
  if (step.inputs > 1) {
    if (a != ChainSource::accumulator) link.a = place(first);
    if (b != ChainSource::accumulator) link.b = place(first + 1);
  }
  run.links.push_back(link);
}

// Whether steps s to s + 2 are (x << b) | (x >> c), as programs write rotations, and nobody else
// reads the shifted values.
bool ChainFinder::is_rotation(const ChainRun& run, std::size_t s) const {
  if (s + 3 > run.first + run.count) return false;
  const auto is = [&](std::size_t at, BinaryOp op) {
    return is_shift(*candidates_[at].instruction, op);
  };
  if (!is(s, BinaryOp::shift_left) || !is(s + 1, BinaryOp::shift_right_logical) ||
      !is(s + 2, BinaryOp::logical_or))
    return false;
  const FusedStep& left = *candidates_[s].step;
  const FusedStep& right = *candidates_[s + 1].step;
  const FusedStep& both = *candidates_[s + 2].step;
  const std::vector<std::size_t> reader{s + 2};
  return same_memory(left.in[0], right.in[0]) && !same_memory(left.out, left.in[0]) &&
         !candidates_[s].spread[0] && is_shared(s, 1) && is_shared(s + 1, 1) &&
         same_memory(both.in[0], left.out) && same_memory(both.in[1], right.out) &&
         left.out.space == program::Space::frame && right.out.space == program::Space::frame &&
         readers_of(s) == reader && readers_of(s + 1) == reader;
}

void ChainFinder::add_rotation(ChainRun& run, std::size_t s) const {
  const FusedStep& left = *candidates_[s].step;
  const bool held = reads_accumulator(run, s);
  ChainLink link;
  link.run = kernels_.rotate(held ? ChainSource::accumulator : ChainSource::dense);
  if (!held) link.a = left.in[0];
  link.b = place_of(s, 1);
  link.c = place_of(s + 1, 1);
  run.links.push_back(link);
}

std::size_t ChainFinder::add_links(ChainRun& run, std::size_t s) const {
  const bool rotates = is_rotation(run, s);
  const std::size_t last = rotates ? s + 2 : s;
  if (rotates) {
    add_rotation(run, s);
  } else {
    add_operation(run, s, reads_accumulator(run, s));
  }
  add_stores(run, last);
  return last - s + 1;
}

// The settling of NaN where somebody may see them, and the store where somebody but the next step
// reads the result.
void ChainFinder::add_stores(ChainRun& run, std::size_t s) const {
  const FusedStep& step = *candidates_[s].step;
  const bool is_result = step.out.space == program::Space::result;
  const bool next_takes = reads_accumulator(run, s + 1);
  bool stores = is_result, shows = is_result;
  for (const std::size_t reader : readers_of(s)) {
    const bool inside = reader < run.first + run.count;
    stores |= !(reader == s + 1 && next_takes);
    shows |= !inside || !hides_nan(*candidates_[reader].instruction);
  }
  if (shows && makes_nan(*candidates_[s].instruction)) {
    ChainLink settle;
    settle.run = kernels_.settle;
    run.links.push_back(settle);
  }
  if (!stores) return;
  ChainLink store;
  store.run = kernels_.store(candidates_[s].instruction->outputs[0].type.element);
  store.out = step.out;
  run.links.push_back(store);
}

}  // namespace understudy::worker::ops
