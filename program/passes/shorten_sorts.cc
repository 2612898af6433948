// SPDX-License-Identifier: Apache-2.0
// Shortens the outputs of sorts along the last dimension to the elements that are read: top_k and
// the slice of a sort become selections. A line of the outputs then has `kept` elements instead of
// all; copies that read it are rewritten for the shorter lines.
#include <algorithm>
#include <map>
#include <optional>

#include "program/passes/draft.h"

namespace understudy::program::passes {

namespace {

// The uses of one temporary in the whole program.
struct Uses {
  std::vector<Instruction*> copies;  // that read it
  std::vector<Operand> views;        // other operands that are elements of it in a row
  std::size_t writes = 0;
  bool other = false;  // a use that is neither the sort nor a copy
};

class Shortener {
 public:
  explicit Shortener(Draft& draft) : draft_(draft) {}

  void run() {
    collect(draft_.code);
    for (Instruction* const sort : sorts_) shorten(*sort);
  }

 private:
  void collect(Code& code) {
    for (Instruction& instruction : code) {
      if (auto* loop = std::get_if<While>(&instruction.work)) {
        collect(loop->condition);
        collect(loop->body);
        // The predicate is read by the loop itself.
        note(loop->predicate);
      } else if (auto* branch = std::get_if<Case>(&instruction.work)) {
        for (Code& one : branch->branches) collect(one);
      }
      collect(instruction);
    }
  }
  void collect(Instruction& instruction) {
    // Only copies and the sort itself can be rewritten for shorter lines; any other use forbids it.
    const bool sorts = std::holds_alternative<Sort>(instruction.work);
    if (sorts) sorts_.push_back(&instruction);
    const bool copies = std::holds_alternative<StridedCopy>(instruction.work);
    for (Operand& input : instruction.inputs) {
      if (copies && input.at.space == Space::temporary) {
        uses_[input.at.index].copies.push_back(&instruction);
      } else if (!has_nested_code(instruction) && input.at.space == Space::temporary) {
        uses_[input.at.index].views.push_back(input);
      } else {
        note(input);
      }
    }
    for (Operand& output : instruction.outputs) {
      if (output.at.space == Space::temporary) ++uses_[output.at.index].writes;
      if (!sorts) note(output);
    }
    // A reducer that reads the array needs it whole.
    for (Body* body : bodies_of(instruction))
      for (Instruction& inner : body->code)
        visit_operands(inner, [&](Operand& operand, Access) { note(operand); });
  }
  static bool has_nested_code(const Instruction& instruction) {
    return std::holds_alternative<While>(instruction.work) ||
           std::holds_alternative<Case>(instruction.work);
  }
  void note(const Operand& operand) {
    if (operand.at.space == Space::temporary) uses_[operand.at.index].other = true;
  }

  void shorten(Instruction& sort) {
    const auto last = sort.inputs[0].type.ndims() - 1;
    if (last < 0 || std::get<Sort>(sort.work).dimension != last) return;
    const std::int64_t size = sort.inputs[0].type.shape.back();
    // One element at least: an empty line would be no sort. Outputs that nobody reads keep this
    // one.
    std::int64_t kept = 1;
    for (const Operand& output : sort.outputs) {
      if (output.at.space != Space::temporary || output.at.offset != 0) return;
      const Uses& uses = uses_[output.at.index];
      if (uses.other || uses.writes != 1) return;
      for (const Instruction* const copy : uses.copies) {
        const auto read = elements_read(*copy, output, size);
        if (!read) return;
        kept = std::max(kept, *read);
      }
      for (const Operand& view : uses.views) {
        const auto read = elements_viewed(view, output);
        if (!read) return;
        kept = std::max(kept, *read);
      }
    }
    // All elements are read.
    if (kept >= size) return;
    for (Operand& output : sort.outputs) {
      output.type.shape.back() = kept;
      for (Instruction* const copy : uses_[output.at.index].copies)
        rewrite(*copy, size, kept, output.type.elements());
      // The buffer shrinks with the type, which saves memory, too.
      draft_.bytes[output.at.index] = static_cast<std::uint64_t>(output.type.bytes());
    }
  }

  // How many elements of each line, from its first on, a copy reads; nullopt where it does not read
  // line by line.
  static std::optional<std::int64_t> elements_read(const Instruction& copy, const Operand& sorted,
                                                   std::int64_t size) {
    const auto& work = std::get<StridedCopy>(copy.work);
    if (copy.inputs[0].at.offset != 0 || copy.inputs[0].type.element != sorted.type.element ||
        work.in_base < 0)
      return std::nullopt;
    // The furthest position in a line that any step reaches.
    std::int64_t last = work.in_base % size;
    for (std::size_t d = 0; d < work.sizes.size(); ++d) {
      // Whole lines: the position in the line stays the same.
      if (work.sizes[d] == 1 || work.in_strides[d] % size == 0) continue;
      if (work.in_strides[d] < 0 || work.in_strides[d] >= size) return std::nullopt;
      last += (work.sizes[d] - 1) * work.in_strides[d];
    }
    return last < size ? std::optional(last + 1) : std::nullopt;
  }

  // The end of the elements that an operand is of a single line.
  static std::optional<std::int64_t> elements_viewed(const Operand& view, const Operand& sorted) {
    const std::size_t bytes = byte_size(sorted.type.element);
    if (view.type.element != sorted.type.element ||
        sorted.type.elements() != sorted.type.shape.back() || view.at.offset % bytes != 0 ||
        static_cast<std::uint64_t>(sorted.type.bytes()) !=
            bytes * static_cast<std::uint64_t>(sorted.type.elements()))
      return std::nullopt;
    return static_cast<std::int64_t>(view.at.offset / bytes) + view.type.elements();
  }

  // `elements`: of the shortened output.
  static void rewrite(Instruction& copy, std::int64_t size, std::int64_t kept,
                      std::int64_t elements) {
    auto& work = std::get<StridedCopy>(copy.work);
    // Lines before the base are counted in the new length; the position in the line stays.
    work.in_base = work.in_base / size * kept + work.in_base % size;
    for (std::int64_t& stride : work.in_strides)
      if (stride % size == 0) stride = stride / size * kept;
    // The operand's shape may be a view of the lines, or a part: only the whole matters.
    copy.inputs[0].type.shape = {elements};
    if (is_dense(work, elements)) {  // the form that coalesce_copies() removes
      work.sizes = {elements};
      work.in_strides = work.out_strides = {1};
    }
  }

  // Whether a copy moves all `elements`, in order.
  static bool is_dense(const StridedCopy& work, std::int64_t elements) {
    std::int64_t run = 1;
    for (std::size_t d = work.sizes.size(); d-- > 0; run *= work.sizes[d])
      if (work.sizes[d] != 1 && (work.in_strides[d] != run || work.out_strides[d] != run))
        return false;
    return run == elements && work.in_base == 0 && work.out_base == 0;
  }

  Draft& draft_;
  std::map<std::uint32_t, Uses> uses_;
  std::vector<Instruction*> sorts_;
};

}  // namespace

void shorten_sorts(Draft& draft) { Shortener(draft).run(); }

}  // namespace understudy::program::passes
