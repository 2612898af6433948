// SPDX-License-Identifier: Apache-2.0
// Concatenations and padding as steps of fused loops: the copies that make one array become one
// instruction, which a loop runs tile by tile, so that the array needs no HBM (jnp.roll and jnp.pad
// before element-wise operations).
#include <algorithm>
#include <utility>
#include <vector>

#include "program/executable/tile.h"
#include "program/passes/copies.h"
#include "program/passes/fusion/groups.h"
#include "program/passes/nested.h"
#include "program/passes/values.h"

namespace understudy::program::passes {

namespace {

// Smaller arrays stay in the first-level cache between the copies and their readers. Copies of
// shorter runs take longer in a loop than alone; those of small elements, which run at the speed of
// their bytes, most of all.
constexpr std::int64_t kLeastBytes = 32 << 10, kShortestRun = 128, kShortestRunOfSmall = 512;
// More parts are not worth their tests in each tile.
constexpr std::size_t kMostParts = 8;
constexpr std::size_t kFarthestPart = 64;  // of the first part from the last one

// The copy that an instruction is, with at least one dimension and runs in the last one; nullopt
// where it is none that a loop can run in parts.
std::optional<StridedCopy> part_of(const Instruction& instruction) {
  if (std::holds_alternative<Fill>(instruction.work))
    return StridedCopy{{instruction.outputs[0].type.elements()}, {0}, {1}, 0, 0};
  const auto* const copy = std::get_if<StridedCopy>(&instruction.work);
  if (copy == nullptr) return std::nullopt;
  StridedCopy part = *copy;
  if (part.sizes.empty() || part.out_strides.back() != 1) {
    part.sizes.push_back(1);
    part.in_strides.push_back(1);
    part.out_strides.push_back(1);
  }
  if (!is_in_runs(part)) return std::nullopt;
  return part;
}

class Joiner {
 public:
  explicit Joiner(Draft& draft) : draft_(draft), writes_(draft) {}

  void run(Code& code) {
    for (Instruction& instruction : code)
      for_each_nested(instruction, [this](Code& nested) { run(nested); });
    join(code);
  }

 private:
  void join(Code& code) {
    std::vector<bool> gone(code.size(), false);
    for (const auto& [temporary, accesses] : accesses_in(code)) {
      if (!writes_.are_all(temporary, accesses) || !is_worth(code, accesses)) continue;
      join(code, temporary, accesses.writes, gone);
    }
    remove_marked(code, gone);
  }

  // Several parts, then readers, of which one at least takes element after element.
  static bool is_worth(const Code& code, const Accesses& accesses) {
    const auto& [writes, reads] = accesses;
    if (writes.size() < 2 || writes.size() > kMostParts || reads.empty() ||
        writes.back() - writes.front() > kFarthestPart || reads.front() <= writes.back())
      return false;
    return std::ranges::any_of(reads, [&](std::size_t r) {
      const Instruction& reader = code[r];
      if (!loop_space_of(reader)) return false;
      const Buffer& made = code[writes.back()].outputs[0].at;
      for (std::size_t i = 0; i < reader.inputs.size(); ++i)
        if (reader.inputs[i].at == made && follows(reader, i) == Follows::loop) return true;
      return false;
    });
  }

  // Leaves the Join at the place of the last part.
  void join(Code& code, std::uint32_t temporary, const std::vector<std::size_t>& writes,
            std::vector<bool>& gone) {
    Instruction& last = code[writes.back()];
    if (last.outputs.size() != 1) return;
    const Operand out = last.outputs[0];
    const std::int64_t elements = out.type.elements();
    if (draft_.bytes[temporary] != static_cast<std::uint64_t>(out.type.bytes()) ||
        out.type.bytes() < kLeastBytes)
      return;
    Join work;
    std::vector<Operand> inputs;
    std::int64_t written = 0, runs = 0;
    bool has_array = false;  // else all tiles may be equal
    for (const std::size_t w : writes) {
      const Instruction& part = code[w];
      auto copy = part.outputs.size() == 1 && part.outputs[0] == out ? part_of(part) : std::nullopt;
      if (!copy || keeps_larger(part.inputs[0], out) ||
          is_written(part.inputs[0].at, code, w, writes.back()))
        return;
      written += elements_of(*copy);
      runs += elements_of(*copy) / copy->sizes.back();
      has_array = has_array || part.inputs[0].type.elements() > 1;
      work.parts.push_back(std::move(*copy));
      inputs.push_back(part.inputs[0]);
    }
    const auto bytes = static_cast<std::int64_t>(byte_size(out.type.element));
    const std::int64_t shortest = bytes < 4 ? kShortestRunOfSmall : kShortestRun;
    if (written < elements || runs * shortest > elements * bytes || !has_array) return;
    for (const std::size_t w : writes) gone[w] = true;
    gone[writes.back()] = false;
    last.work = std::move(work);
    last.inputs = std::move(inputs);
  }

  // Whether a larger temporary would be kept for the part that is read of it.
  static bool keeps_larger(const Operand& source, const Operand& out) {
    return source.at.space != Space::argument && source.at.space != Space::constant &&
           source.type.bytes() > out.type.bytes();
  }

  Draft& draft_;
  const Writes writes_;
};

void split(Code& code) {
  Code all;
  for (Instruction& instruction : code) {
    for_each_nested(instruction, [](Code& nested) { split(nested); });
    auto* const join = std::get_if<Join>(&instruction.work);
    if (join == nullptr) {
      all.push_back(std::move(instruction));
      continue;
    }
    for (std::size_t i = 0; i < join->parts.size(); ++i)
      all.push_back({std::move(join->parts[i]),
                     {instruction.inputs[i]},
                     instruction.outputs,
                     instruction.op});
  }
  code = std::move(all);
}

}  // namespace

void join_copies(Draft& draft) { Joiner(draft).run(draft.code); }

void split_joins(Draft& draft) { split(draft.code); }

}  // namespace understudy::program::passes
