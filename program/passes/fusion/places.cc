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
 public:
  TilePlacer(Fused& work, std::uint64_t values)
      : work_(work), constant_(values, false), last_(values, 0), place_(values, 0) {}

  void run() {
    for (std::size_t s = 0; s < work_.steps.size(); ++s) look_at(work_.steps[s], s);
    for (std::size_t s = 0; s < work_.steps.size(); ++s) place(work_.steps[s], s);
    work_.frame_bytes = places_.end();
  }

 private:
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
    std::vector<std::pair<std::uint64_t, std::uint64_t>> dying;  // place, bytes
    for (Operand& input : step.inputs) {
      if (input.at.space != Space::frame) continue;
      const std::uint64_t value = input.at.offset;
      input.at.offset = place_[value];
      const std::pair here{place_[value], std::uint64_t{byte_size(input.type.element)}};
      if (last_[value] == s && !constant_[value] && std::ranges::find(dying, here) == dying.end())
        dying.push_back(here);
    }
    const auto give = [&] {
      for (const auto& [at, bytes] : dying) places_.give(at, bytes);
    };
    const bool moves =
        std::holds_alternative<Fill>(step.work) || std::holds_alternative<Reduce>(step.work) ||
        std::holds_alternative<StridedCopy>(step.work) || std::holds_alternative<Join>(step.work) ||
        std::holds_alternative<Iota>(step.work) || std::holds_alternative<TakeElements>(step.work);
    if (!moves) give();
    place_output(step.outputs[0], s);
    if (moves) give();
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
  std::vector<bool> constant_;     // by value
  std::vector<std::size_t> last_;  // step that uses it last
  std::vector<std::uint64_t> place_;
  TilePlaces places_;
};

}  // namespace

void place_tile_values(Fused& work, std::uint64_t values) { TilePlacer(work, values).run(); }

}  // namespace understudy::program::passes
