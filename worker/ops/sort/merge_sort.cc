// SPDX-License-Identifier: Apache-2.0
#include "worker/ops/sort/merge_sort.h"

#include <algorithm>
#include <cstring>

#include "configs/base/index.h"
#include "worker/ops/element_units.h"

namespace understudy::worker::ops {
namespace {

// A level of merges is cut into about kPieces pieces, one per lane of the widest comparator
// (operands.cc, kMostLanes). Pieces below 16 outputs cost more in searches than they fill lanes;
// above 256 there are enough of them anyway.
constexpr std::int64_t kShortestPiece = 16, kLongestPiece = 256;
constexpr std::int64_t kPieces = 1024;  // wanted on every level

// Gathers elements of one input by place into a dense run: the lanes of a comparator's parameter.
// The size is a template parameter, so that the copies are single moves.
template <std::size_t bytes>
void gather(const std::byte* from, const std::vector<std::int64_t>& places,
            const std::int64_t* positions, std::size_t count, std::byte* out) {
  for (std::size_t i = 0; i < count; ++i) {
    const auto place = static_cast<std::size_t>(places[static_cast<std::size_t>(positions[i])]);
    std::memcpy(out + i * bytes, from + place * bytes, bytes);
  }
}

using Gather = void (*)(const std::byte*, const std::vector<std::int64_t>&, const std::int64_t*,
                        std::size_t, std::byte*);
Gather gather_of(std::size_t bytes) {
  return with_unit(bytes, [](auto unit) -> Gather { return &gather<sizeof(unit)>; });
}

// Whether the comparator reads a parameter: a sort of (key, value) pairs usually compares keys
// only, and values then need no gathering. Unknown, so true, for a body that is not lanewise.
bool reads(const program::Body& body, const Operand& parameter) {
  if (!body.lanewise) return true;
  const auto is = [&](const Operand& operand) { return operand.at == parameter.at; };
  return std::ranges::any_of(body.results, is) ||
         std::ranges::any_of(body.code, [&](const Instruction& instruction) {
           return std::ranges::any_of(instruction.inputs, is);
         });
}

}  // namespace

MergeSort::MergeSort(const program::Sort& work, const Instruction& instruction,
                     Execution& execution)
    : execution_(execution),
      before_(work.comparator, execution,
              static_cast<std::size_t>(instruction.inputs[0].type.elements())) {
  for (std::size_t i = 0; i < instruction.inputs.size(); ++i) {
    const Operand& input = instruction.inputs[i];
    parameters_.push_back({execution.address(input.at), element_bytes(input),
                           reads(work.comparator, work.comparator.parameters[2 * i]) ||
                               reads(work.comparator, work.comparator.parameters[2 * i + 1])});
  }
}

void MergeSort::sort(std::vector<std::int64_t>& places, std::int64_t size) {
  places_.swap(places);
  merged_.resize(places_.size());
  const auto all = static_cast<std::int64_t>(places_.size());
  // With a single lane, pieces would add searches and gain nothing.
  piece_ = before_.lanes() == 1 ? size : std::clamp(all / kPieces, kShortestPiece, kLongestPiece);
  // Bottom-up: after each level, runs of 2 * width places are sorted.
  for (std::int64_t width = 1; width < size; width *= 2) {
    merge_level(all / size, size, width);
    places_.swap(merged_);
  }
  places_.swap(places);
}

// All lines of a block are merged on the same level at once: short lines fill the lanes together.
void MergeSort::merge_level(std::int64_t lines, std::int64_t size, std::int64_t width) {
  merges_.clear();
  for (std::int64_t line = 0; line < lines; ++line) {
    const std::int64_t end = (line + 1) * size;
    for (std::int64_t low = line * size; low < end; low += 2 * width)
      add_merge(low, std::min(low + width, end), std::min(low + 2 * width, end));
  }
  add_pieces();
  run_tasks();
}

void MergeSort::add_merge(std::int64_t low, std::int64_t middle, std::int64_t high) {
  merges_.push_back({low, middle, middle, high, low});
}

// Cuts every merge into tasks of at most `piece_` outputs.
void MergeSort::add_pieces() {
  searches_.clear();
  for (const Task& merge : merges_)
    for (std::int64_t diagonal = piece_; diagonal < merge.right_end - merge.left;
         diagonal += piece_) {
      const std::int64_t left = merge.left_end - merge.left;
      const std::int64_t right = merge.right_end - merge.right;
      searches_.push_back({merge.left, merge.right, diagonal,
                           std::max<std::int64_t>(0, diagonal - right), std::min(diagonal, left)});
    }
  run_searches();
  tasks_.clear();
  auto search = searches_.begin();
  for (Task merge : merges_) {
    const std::int64_t begin = merge.left;
    const std::int64_t left_end = merge.left_end, right_end = merge.right_end;
    const std::int64_t right_begin = merge.right;
    for (; search != searches_.end() && search->left == begin; ++search) {
      // A consistent comparator gives crossing points that never decrease. Clamping keeps the
      // pieces disjoint and complete even where it is inconsistent.
      const std::int64_t done = merge.left - begin;
      const std::int64_t before = merge.out - begin;
      const std::int64_t from_left =
          std::clamp(search->low, done, done + (search->diagonal - before));
      merge.left_end = begin + from_left;
      merge.right_end = right_begin + std::clamp<std::int64_t>(search->diagonal - from_left,
                                                               merge.right - right_begin,
                                                               right_end - right_begin);
      tasks_.push_back(merge);
      // The rest of the merge becomes the next piece.
      merge = {merge.left_end, left_end, merge.right_end, right_end, begin + search->diagonal};
    }
    tasks_.push_back(merge);
  }
}

// All searches advance in step: each round halves every open range with one batch of comparisons.
void MergeSort::run_searches() {
  active_.clear();
  for (std::size_t i = 0; i < searches_.size(); ++i)
    if (searches_[i].low < searches_[i].high) active_.push_back(i);
  while (!active_.empty()) {
    left_.clear();
    right_.clear();
    for (const std::size_t i : active_) {
      const Search& search = searches_[i];
      const std::int64_t middle = (search.low + search.high) / 2;
      left_.push_back(search.left + middle);
      right_.push_back(search.right + search.diagonal - 1 - middle);
    }
    compare();
    std::size_t kept = 0;
    for (std::size_t k = 0; k < active_.size(); ++k) {
      Search& search = searches_[active_[k]];
      const std::int64_t middle = (search.low + search.high) / 2;
      (answers_[k] != std::byte{0} ? search.high : search.low) =
          answers_[k] != std::byte{0} ? middle : middle + 1;
      if (search.low < search.high) active_[kept++] = active_[k];
    }
    active_.resize(kept);
  }
}

void MergeSort::run_tasks() {
  for (std::size_t first = 0; first < tasks_.size(); first += before_.lanes())
    run_tasks(first, std::min(before_.lanes(), tasks_.size() - first));
}

// True: both sides have places left. Otherwise copies the rest of the one that has, and the task is
// done.
bool MergeSort::advance(Task& task) {
  if (task.left < task.left_end && task.right < task.right_end) return true;
  const auto move = [&](std::int64_t from, std::int64_t to) {
    std::copy(places_.begin() + from, places_.begin() + to, merged_.begin() + task.out);
  };
  move(task.left, task.left_end);
  task.out += task.left_end - task.left;
  move(task.right, task.right_end);
  return false;
}

void MergeSort::run_tasks(std::size_t first, std::size_t count) {
  active_.clear();
  for (std::size_t i = first; i < first + count; ++i)
    if (advance(tasks_[i])) active_.push_back(i);
  while (!active_.empty()) {
    left_.clear();
    right_.clear();
    for (const std::size_t i : active_) {
      left_.push_back(tasks_[i].left);
      right_.push_back(tasks_[i].right);
    }
    compare();
    std::size_t kept = 0;
    for (std::size_t k = 0; k < active_.size(); ++k) {
      Task& task = tasks_[active_[k]];
      // The right place is taken only if it is strictly before the left one: equal elements keep
      // their order.
      std::int64_t& taken = answers_[k] != std::byte{0} ? task.right : task.left;
      merged_[at(task.out++)] = places_[at(taken++)];
      if (advance(task)) active_[kept++] = active_[k];
    }
    active_.resize(kept);
  }
}

void MergeSort::compare() {
  const std::size_t all = left_.size();
  answers_.resize(all);
  for (std::size_t first = 0; first < all; first += before_.lanes()) {
    const std::size_t count = std::min(before_.lanes(), all - first);
    for (std::size_t i = 0; i < parameters_.size(); ++i) {
      const Parameter& parameter = parameters_[i];
      // Its lanes keep old values, which the comparator never reads.
      if (!parameter.is_read) continue;
      const Gather gather = gather_of(parameter.bytes);
      gather(parameter.elements, places_, right_.data() + first, count,
             before_.parameter(2 * i, count));
      gather(parameter.elements, places_, left_.data() + first, count,
             before_.parameter(2 * i + 1, count));
    }
    before_.call(count);
    before_.result(0, answers_.data() + first, count);
  }
}

}  // namespace understudy::worker::ops
