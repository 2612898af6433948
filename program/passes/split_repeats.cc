// SPDX-License-Identifier: Apache-2.0
// Values that are repeated along outer and inner dimensions with others between them, as those of
// groups of channels are (group norm), and the factors of jnp.kron: one row is made first, and then
// repeated as a whole, which a fused loop does without a copy. The bits stay.
#include <cstddef>

#include "program/passes/draft.h"
#include "program/passes/nested.h"

namespace understudy::program::passes {

namespace {

// Longer groups are copied at full speed; fewer repetitions are not worth two steps.
constexpr std::int64_t kLongestGroup = 32, kFewestRows = 8, kLeastRow = 8;

class Splitter {
 public:
  explicit Splitter(Draft& draft) : draft_(draft) {}

  void append(Instruction&& instruction, Code& code) {
    if (std::holds_alternative<StridedCopy>(instruction.work)) split(instruction, code);
    code.push_back(std::move(instruction));
  }

 private:
  // Leaves the repetition of the row in `instruction`.
  void split(Instruction& instruction, Code& all) {
    auto& copy = std::get<StridedCopy>(instruction.work);
    const std::size_t rank = copy.sizes.size();
    if (rank < 3 || copy.sizes.back() > kLongestGroup || copy.out_base != 0) return;
    // The innermost dimension that repeats whole rows, with repeated elements or groups in them.
    std::size_t repeats = rank - 1;
    std::int64_t row = copy.sizes.back(), out = 1;
    bool has_groups = copy.in_strides.back() == 0;
    while (repeats-- > 0 && (copy.in_strides[repeats] != 0 || !has_groups)) {
      if (copy.in_strides[repeats] == 0 && row > kLongestGroup) return;
      has_groups = has_groups || copy.in_strides[repeats] == 0;
      row *= copy.sizes[repeats];
    }
    if (repeats >= rank || repeats + 2 >= rank || copy.sizes[repeats] < kFewestRows ||
        row < kLeastRow)
      return;
    for (std::size_t d = rank; d-- > 0; out *= copy.sizes[d])
      if (copy.out_strides[d] != out) return;
    const Operand& to = instruction.outputs[0];
    if (out != to.type.elements()) return;
    const std::int64_t times = copy.sizes[repeats], before = out / times / row;
    Instruction first = instruction;
    auto& rows = std::get<StridedCopy>(first.work);
    const auto place = static_cast<std::ptrdiff_t>(repeats);
    rows.sizes.erase(rows.sizes.begin() + place);
    rows.in_strides.erase(rows.in_strides.begin() + place);
    rows.out_strides.assign(rank - 1, 1);
    for (std::size_t d = rank - 1; d-- > 1;)
      rows.out_strides[d - 1] = rows.out_strides[d] * rows.sizes[d];
    first.outputs[0] = new_temporary(draft_, {to.type.element, {before, row}});
    instruction.inputs[0] = first.outputs[0];
    all.push_back(std::move(first));
    copy = {{before, times, row}, {row, 0, 1}, {times * row, row, 1}, 0, 0};
    if (before > 1) return;
    copy = {{times, row}, {0, 1}, {row, 1}, 0, 0};
  }

  Draft& draft_;
};

}  // namespace

void split_repeats(Draft& draft) {
  Splitter splitter(draft);
  rebuild(draft.code, [&](Instruction&& instruction, Code& code) {
    splitter.append(std::move(instruction), code);
  });
}

}  // namespace understudy::program::passes
