// SPDX-License-Identifier: Apache-2.0
// Places of the values of a fused loop's tile, by liveness over its steps.
#include <algorithm>
#include <map>

#include "program/passes/fusion/groups.h"

namespace understudy::program::passes {

namespace {

// Hands out places in the tile, in bytes per element of it; times the tile's length, a multiple of
// 64, they are aligned. A place is free again after the last
// step that reads it.
class TilePlaces {
 public:
  std::uint64_t take(std::uint64_t bytes) {
    auto& free = free_[bytes];
    if (free.empty()) return take_new(bytes);
    const std::uint64_t place = free.back();
    free.pop_back();
    return place;
  }
  // A place that no other value had or will have.
  std::uint64_t take_new(std::uint64_t bytes) {
    end_ += bytes;
    return end_ - bytes;
  }
  void give(std::uint64_t place, std::uint64_t bytes) { free_[bytes].push_back(place); }
  std::uint64_t end() const { return end_; }

 private:
  std::map<std::uint64_t, std::vector<std::uint64_t>> free_;
  std::uint64_t end_ = 0;
};

class TilePlacer {
  // Elements that chains compute at once, or a multiple of them.
  static constexpr std::int64_t kPiece = 64;

 public:
  TilePlacer(Fused& work, std::uint64_t values)
      : work_(work),
        keeps_(work.rows > 1 && work.columns > 1 && work.columns % kPiece != 0),
        constant_(values, false),
        last_(values, 0),
        place_(values, 0) {}

  void run() {
    for (std::size_t s = 0; s < work_.steps.size(); ++s) look_at(work_.steps[s], s);
    for (std::size_t s = 0; s < work_.steps.size(); ++s) place(work_.steps[s], s);
    work_.frame_bytes = places_.end();
  }

 private:
  using Places = std::vector<std::pair<std::uint64_t, std::uint64_t>>;  // place, bytes

  // Values that are equal in all tiles are computed once, so nothing may overwrite them.
  bool is_constant(const Operand& operand) const {
    if (operand.at.space == Space::frame) return constant_[operand.at.offset];
    const Shape& shape = operand.type.shape;
    return operand.at.space == Space::argument && shape[0] == 1 &&
           (work_.rows > 1 || shape[1] == 1);
  }

  void look_at(const Instruction& step, std::size_t s) {
    for (const Operand& input : step.inputs)
      if (input.at.space == Space::frame) last_[input.at.offset] = s;
    const Operand& out = step.outputs[0];
    if (out.at.space != Space::frame) return;
    last_[out.at.offset] = s;
    const bool counts =
        std::holds_alternative<Iota>(step.work) && (out.type.shape[0] != 1 || work_.rows == 1);
    constant_[out.at.offset] = !counts && std::ranges::all_of(step.inputs, [&](const Operand& in) {
      return is_constant(in);
    });
  }

  // An element-wise step may write where an input dies; one that moves elements may not.
  void place(Instruction& step, std::size_t s) {
    Places dying;
    for (Operand& input : step.inputs) {
      if (input.at.space != Space::frame) continue;
      const std::uint64_t value = input.at.offset;
      input.at.offset = place_[value];
      const std::pair here{place_[value], std::uint64_t{byte_size(input.type.element)}};
      if (last_[value] == s && !constant_[value] && std::ranges::find(dying, here) == dying.end())
        dying.push_back(here);
    }
    const bool fills = std::holds_alternative<Fill>(step.work);
    const bool moves =
        fills || std::holds_alternative<Reduce>(step.work) ||
        std::holds_alternative<StridedCopy>(step.work) || std::holds_alternative<Join>(step.work) ||
        std::holds_alternative<Iota>(step.work) || std::holds_alternative<TakeElements>(step.work);
    const bool ends_run = moves && !fills;
    if (ends_run) begin_run();
    if (!moves) give(dying);
    place_output(step.outputs[0], s);
    // What such a step makes is in memory.
    if (step.outputs[0].at.space == Space::frame)
      made_in_[step.outputs[0].at.offset] = ends_run ? SIZE_MAX : run_;
    if (moves) give(dying);
  }

  // Element-wise steps up to the next step of another kind can become a chain. Where rows end
  // within a piece, it computes their last elements twice, so that it may not overwrite what it
  // reads.
  void begin_run() {
    ++run_;
    for (const auto& [at, bytes] : kept_) places_.give(at, bytes);
    kept_.clear();
  }
  void give(const Places& dying) {
    for (const auto& [at, bytes] : dying) {
      if (keeps_ && made_in_[at] != run_) {
        kept_.emplace_back(at, bytes);
      } else {
        places_.give(at, bytes);
      }
    }
  }

  void place_output(Operand& out, std::size_t s) {
    if (out.at.space != Space::frame) return;
    const std::uint64_t value = out.at.offset;
    const std::uint64_t bytes = byte_size(out.type.element);
    place_[value] = constant_[value] ? places_.take_new(bytes) : places_.take(bytes);
    out.at.offset = place_[value];
    if (last_[value] == s && !constant_[value]) places_.give(place_[value], bytes);
  }

  Fused& work_;
  const bool keeps_;               // places of values that a chain reads, while it runs
  std::vector<bool> constant_;     // by value
  std::vector<std::size_t> last_;  // step that uses it last
  std::vector<std::uint64_t> place_;
  TilePlaces places_;
  std::size_t run_ = 0;
  std::map<std::uint64_t, std::size_t> made_in_;  // the run of what is at a place
  Places kept_;                                   // free after the present run
};

}  // namespace

void place_tile_values(Fused& work, std::uint64_t values) { TilePlacer(work, values).run(); }

}  // namespace understudy::program::passes
