// SPDX-License-Identifier: Apache-2.0
#include "program/passes/moves.h"

#include <algorithm>
#include <queue>
#include <set>
#include <unordered_map>

#include "program/passes/draft.h"

namespace understudy::program::passes {

namespace {

// The bytes [begin, end) of a buffer.
struct Range {
  std::uint64_t begin = 0, end = 0;
  explicit Range(const Operand& operand)
      : begin(operand.at.offset),
        end(operand.at.offset + static_cast<std::uint64_t>(operand.type.bytes())) {}
};

// The reads of one buffer, sorted by offset. `longest` bounds how far before a written range a read
// that overlaps it can begin, so a binary search finds all overlaps.
struct Reads {
  std::vector<std::pair<Range, std::size_t>> all;
  std::uint64_t longest = 0;
};

class Moves {
 public:
  Moves(const std::vector<Operand>& from, const std::vector<Operand>& to) : blocks_(to.size()) {
    for (std::size_t i = 0; i < to.size(); ++i)
      // A move onto itself does nothing, and would wait for itself.
      if (from[i].at != to[i].at) pending_.insert(i);
    find_reads(from);
    waits_for_.resize(to.size());
    for (const std::size_t i : pending_) find_blockers(i, to[i]);
    for (const std::size_t i : pending_)
      if (waits_for_[i] == 0) free_.push(i);
  }

  void run(const std::function<void(std::size_t)>& move,
           const std::function<void(std::size_t)>& set_aside) {
    while (!pending_.empty()) {
      if (free_.empty()) {  // a circle: a source that is set aside is in nobody's way
        while (!pending_.contains(aside_) || blocks_[aside_].empty()) ++aside_;
        set_aside(aside_);
        release(aside_);
        continue;
      }
      const std::size_t next = free_.top();
      free_.pop();
      move(next);
      pending_.erase(next);
      release(next);
    }
  }

 private:
  void find_reads(const std::vector<Operand>& from) {
    for (const std::size_t i : pending_) {
      Reads& reads = reads_[whole_of(from[i].at)];
      reads.all.emplace_back(Range(from[i]), i);
      reads.longest = std::max(reads.longest, reads.all.back().first.end - from[i].at.offset);
    }
    for (auto& [buffer, reads] : reads_)
      std::ranges::sort(reads.all, {}, [](const auto& read) { return read.first.begin; });
  }

  // Finds the moves that read where move i writes; they must go first. Move i may overlap with
  // itself, as a single copy handles that.
  void find_blockers(std::size_t i, const Operand& to) {
    // Another buffer: nothing is in the way.
    const auto found = reads_.find(whole_of(to.at));
    if (found == reads_.end()) return;
    const Reads& reads = found->second;
    const Range written(to);
    // No read that reaches into the written range begins before this.
    const std::uint64_t earliest =
        written.begin > reads.longest ? written.begin - reads.longest : 0;
    auto read = std::ranges::lower_bound(reads.all, earliest, {},
                                         [](const auto& entry) { return entry.first.begin; });
    for (; read != reads.all.end() && read->first.begin < written.end; ++read) {
      if (read->second == i || read->first.end <= written.begin) continue;
      blocks_[read->second].push_back(i);
      ++waits_for_[i];
    }
  }

  // Move i has read its source (or a copy of it exists), so nothing waits for it any more.
  void release(std::size_t i) {
    for (const std::size_t other : blocks_[i])
      if (--waits_for_[other] == 0) free_.push(other);
    blocks_[i].clear();
  }

  std::set<std::size_t> pending_;
  std::unordered_map<Buffer, Reads, BufferHash> reads_;
  std::vector<std::vector<std::size_t>> blocks_;  // by move: those that wait for it
  std::vector<std::size_t> waits_for_;            // by move: for how many it waits
  // Lowest index first, so that the order depends only on the program.
  std::priority_queue<std::size_t, std::vector<std::size_t>, std::greater<>> free_;
  std::size_t aside_ = 0;  // no move before it is still in anybody's way
};

}  // namespace

void order_moves(const std::vector<Operand>& from, const std::vector<Operand>& to,
                 const std::function<void(std::size_t)>& move,
                 const std::function<void(std::size_t)>& set_aside) {
  Moves(from, to).run(move, set_aside);
}

}  // namespace understudy::program::passes
