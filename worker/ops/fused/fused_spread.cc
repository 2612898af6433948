// SPDX-License-Identifier: Apache-2.0
#include "worker/ops/fused/fused_spread.h"

#include <algorithm>

namespace understudy::worker::ops {
namespace {

bool is_place(const FusedPlace& a, const FusedPlace& b) {
  return a.space == b.space && a.index == b.index && a.offset == b.offset && a.bytes == b.bytes;
}

bool is_fill(const FusedStep& step) {
  if (step.kind == FusedStep::Kind::view)
    return step.in[0].row_step != 0 && step.out.space == program::Space::frame;
  return step.kind == FusedStep::Kind::fill && step.out.space == program::Space::frame &&
         (step.in[0].by_row != step.out.by_row || step.in[0].by_column != step.out.by_column);
}

bool reads(const std::vector<FusedStep>& steps, const FusedPlace& place) {
  return std::ranges::any_of(steps, [&](const FusedStep& step) {
    for (std::size_t i = 0; i < step.inputs; ++i)
      if (is_place(step.in[i], place)) return true;
    return false;
  });
}

// The readers of what was written at `place` before step `first`, up to the next write there.
void add_readers(const std::vector<FusedStep>& each, std::size_t first, const FusedPlace& place,
                 std::vector<Spread::Reader>& readers) {
  for (std::size_t s = first; s < each.size(); ++s) {
    for (std::size_t i = 0; i < each[s].inputs; ++i)
      if (is_place(each[s].in[i], place)) readers.push_back({s, i});
    if (is_place(each[s].out, place)) return;
  }
}

// Whether a result of these sizes is written: its buffer may be that of the source, which was free
// to be overwritten once the fill had run (may_run_in_place() of program/passes/draft.h).
bool may_overwrite(const std::vector<FusedStep>& each, const FusedPlace& source) {
  return std::ranges::any_of(each, [&](const FusedStep& step) {
    return step.out.space == program::Space::result && step.out.by_row == source.by_row &&
           step.out.by_column == source.by_column;
  });
}

}  // namespace

std::vector<Spread> find_spreads(const std::vector<FusedStep>& once,
                                 const std::vector<FusedStep>& each, bool by_rows, bool one_row) {
  const auto fills_tile = [&](const FusedPlace& out) {
    return by_rows && out.by_column && (out.by_row || one_row);
  };
  std::vector<Spread> found;
  // Places of steps that run once are no other's.
  for (std::size_t f = 0; f < once.size(); ++f) {
    const FusedPlace& from = once[f].in[0];
    if (!is_fill(once[f]) || from.space != program::Space::argument || may_overwrite(each, from))
      continue;
    const bool is_constant = !from.by_row && !from.by_column;
    if (!is_constant && (!fills_tile(once[f].out) || reads(once, once[f].out))) continue;
    Spread spread{f, true, from, is_constant, false, 0, {}};
    add_readers(each, 0, once[f].out, spread.readers);
    found.push_back(std::move(spread));
  }
  for (std::size_t f = 0; f < each.size(); ++f) {
    const FusedPlace& from = each[f].in[0];
    if (!is_fill(each[f]) || !fills_tile(each[f].out)) continue;
    const bool copies =
        from.space != program::Space::argument || (!from.is_view && may_overwrite(each, from));
    Spread spread{f, false, from, false, copies, 0, {}};
    for (std::size_t s = 0; s < f; ++s)
      if (is_place(each[s].out, from)) spread.after = s + 1;
    // A row that is made anew for each tile stays dense.
    if (spread.copies && from.by_column) continue;
    add_readers(each, f + 1, each[f].out, spread.readers);
    found.push_back(std::move(spread));
  }
  return found;
}

Arranged arranged(const std::vector<FusedStep>& each, const std::vector<Spread>& spreads) {
  // Step s has the key 2 s + 1; a copy that follows it the next even one.
  std::vector<std::size_t> keys(each.size());
  for (std::size_t s = 0; s < each.size(); ++s) keys[s] = 2 * s + 1;
  std::vector<bool> gone(each.size(), false);
  std::vector<ChainCandidate> changed(each.size());
  std::vector<FusedStep> steps = each;
  for (const Spread& spread : spreads) {
    for (const Spread::Reader& reader : spread.readers)
      changed[reader.step].spread[reader.input] = spread.place;
    if (spread.once) continue;
    gone[spread.fill] = !spread.copies;
    if (spread.copies) {
      steps[spread.fill].out = spread.place;
      keys[spread.fill] = 2 * spread.after;
    }
  }
  Arranged all;
  for (std::size_t s = 0; s < each.size(); ++s)
    if (!gone[s]) all.number.push_back(s);
  std::ranges::stable_sort(all.number, {}, [&](std::size_t s) { return keys[s]; });
  for (const std::size_t s : all.number) {
    all.steps.push_back(steps[s]);
    all.candidates.push_back(changed[s]);
  }
  for (std::size_t i = 0; i < all.steps.size(); ++i) all.candidates[i].step = &all.steps[i];
  return all;
}

}  // namespace understudy::worker::ops
