// SPDX-License-Identifier: Apache-2.0
#include "program/passes/parts.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <span>
#include <utility>

#include "program/passes/copies.h"
#include "program/passes/module/attributes.h"

namespace understudy::program::passes {

namespace {

// What `part` reads through `earlier`, both of one array, as one copy; nullopt where it reads
// elements that `earlier` does not write, or the strides differ.
std::optional<StridedCopy> through(const StridedCopy& earlier, const StridedCopy& part) {
  if (earlier.out_strides != part.in_strides) return std::nullopt;
  StridedCopy both = part;
  both.in_strides = earlier.in_strides;
  both.in_base = earlier.in_base;
  std::int64_t rest = part.in_base - earlier.out_base;
  if (rest < 0) return std::nullopt;
  // The outermost dimension has the largest stride.
  for (std::size_t d = 0; d < part.sizes.size(); ++d) {
    const std::int64_t stride = part.in_strides[d];
    if (stride <= 0) return std::nullopt;
    const std::int64_t skipped = rest / stride;
    rest -= skipped * stride;
    if (skipped + part.sizes[d] > earlier.sizes[d]) return std::nullopt;
    both.in_base += skipped * earlier.in_strides[d];
  }
  if (rest != 0) return std::nullopt;
  return both;
}

std::int64_t count_of(const StridedCopy& copy) {
  return std::accumulate(copy.sizes.begin(), copy.sizes.end(), std::int64_t{1},
                         std::multiplies<>());
}

}  // namespace

std::optional<Part> box_of(const Instruction& slice) {
  const bool is_dynamic = std::holds_alternative<DynamicSlice>(slice.work);
  const auto* const copy = std::get_if<StridedCopy>(&slice.work);
  if (!is_dynamic && copy == nullptr) return std::nullopt;
  Part part{slice.inputs[0].type, slice.outputs[0].type, {}, {}, is_dynamic};
  if (copy != nullptr && !fills_in_order(slice)) part.type.shape = copy->sizes;
  if (part.type.elements() == 0 || part.type.elements() >= part.array.elements() ||
      part.type.element != part.array.element)
    return std::nullopt;
  if (is_dynamic) {
    part.starts.assign(slice.inputs.begin() + 1, slice.inputs.end());
    return part;
  }
  part.copy = *copy;
  part.copy.out_strides = row_major_strides(copy->sizes);
  part.copy.out_base = 0;
  // Transposes and broadcasts of parts are no boxes.
  const Shape& strides = part.copy.in_strides;
  for (std::size_t d = 0; d < strides.size(); ++d)
    if (strides[d] <= 0 || (d > 0 && strides[d] >= strides[d - 1])) return std::nullopt;
  return part;
}

const Instruction* PartFinder::writer_of(const Operand& read) const {
  if (read.at.space != Space::temporary || read.at.offset != 0) return nullptr;
  const auto found = writers_.find(read.at.index);
  if (found == writers_.end() || found->second.size() != 1) return nullptr;
  const Instruction& writer = code_[found->second[0]];
  const bool is_whole = writer.outputs.size() == 1 && writes_.is_value(writer.outputs[0]) &&
                        writer.outputs[0].type.elements() == read.type.elements();
  return is_whole ? &writer : nullptr;
}

bool PartFinder::stays(const Buffer& read, std::size_t position) const {
  if (writes_.is_stable(read)) return true;
  if (read.space != Space::temporary) return false;
  const auto found = writers_.find(read.index);
  return found != writers_.end() && found->second.size() == writes_.writes(read.index) &&
         found->second.back() < position;
}

std::optional<Operand> PartFinder::find(const Operand& array, const Part& part,
                                        std::size_t position, std::uint32_t op, Code& to) const {
  if (part.is_dynamic) return find_dynamic(array, part, op, to);
  StridedCopy copy = part.copy;
  const bool is_whole = array.at.space == Space::temporary && array.at.offset == 0 &&
                        writers_.contains(array.at.index);
  if (is_whole && writers_.at(array.at.index).size() > 1) {
    const Instruction* const piece = piece_with(array, part, position, copy);
    if (piece == nullptr) return std::nullopt;
    return read(piece->inputs[0], copy, part, op, to);
  }
  if (!stays(array.at, position)) return std::nullopt;
  const Instruction* const writer = is_whole ? writer_of(array) : nullptr;
  if (writer != nullptr && std::holds_alternative<StridedCopy>(writer->work)) {
    const auto both = through(std::get<StridedCopy>(writer->work), copy);
    if (!both || !stays(writer->inputs[0].at, place_of(*writer))) return std::nullopt;
    return read(writer->inputs[0], *both, part, op, to);
  }
  if (writer != nullptr && std::holds_alternative<Iota>(writer->work)) return std::nullopt;
  return read(array, copy, part, op, to);
}

std::optional<Operand> PartFinder::find_dynamic(const Operand& array, const Part& part,
                                                std::uint32_t op, Code& to) const {
  if (!writes_.is_stable(array.at)) return std::nullopt;
  const Instruction* const writer = writer_of(array);
  if (writer != nullptr) {
    if (std::holds_alternative<StridedCopy>(writer->work) ||
        std::holds_alternative<Iota>(writer->work))
      return std::nullopt;
    const bool is_update = std::holds_alternative<DynamicUpdateSlice>(writer->work) &&
                           writer->outputs[0].type.shape == part.array.shape &&
                           writer->inputs[1].type.shape == part.type.shape &&
                           std::ranges::equal(std::span(writer->inputs).subspan(2), part.starts);
    const bool stays = is_update && writes_.is_stable(writer->inputs[1].at) &&
                       std::ranges::all_of(part.starts, [&](const Operand& start) {
                         return writes_.is_stable(start.at);
                       });
    // Both are clamped in the same way.
    if (stays) return writer->inputs[1];
  }
  const Operand out = new_temporary(draft_, {array.type.element, part.type.shape});
  Instruction slice{
      DynamicSlice{}, {{array.at, {array.type.element, part.array.shape}}}, {out}, op};
  slice.inputs.insert(slice.inputs.end(), part.starts.begin(), part.starts.end());
  to.push_back(std::move(slice));
  return out;
}

// The copy that wrote all of the part to an array that several copies make, and what the part is of
// the copied array; nullptr where there is none.
const Instruction* PartFinder::piece_with(const Operand& array, const Part& part,
                                          std::size_t position, StridedCopy& copy) const {
  const std::vector<std::size_t>& writers = writers_.at(array.at.index);
  if (!stays(array.at, position)) return nullptr;
  std::int64_t written = 0;
  const Instruction* piece = nullptr;
  for (const std::size_t w : writers) {
    const Instruction& writer = code_[w];
    const auto* const one = std::get_if<StridedCopy>(&writer.work);
    if (writer.outputs.size() != 1 || writer.outputs[0].at != array.at ||
        writer.outputs[0].type.elements() != array.type.elements())
      return nullptr;
    written += one != nullptr ? count_of(*one) : array.type.elements();
    const auto found = one != nullptr ? through(*one, part.copy) : std::nullopt;
    // Later copies are over earlier ones.
    if (!found || writer.inputs[0].type.element != array.type.element) continue;
    piece = &writer;
    copy = *found;
  }
  const bool is_last = piece == &code_[writers.back()];
  const bool holds = piece != nullptr && (is_last || written == array.type.elements()) &&
                     stays(piece->inputs[0].at, place_of(*piece));
  return holds ? piece : nullptr;
}

// A view where the part is contiguous.
Operand PartFinder::read(const Operand& from, const StridedCopy& copy, const Part& part,
                         std::uint32_t op, Code& to) const {
  const TensorType type{from.type.element, part.type.shape};
  const StridedCopy simple = simplified(copy);
  if (simple.sizes.empty() || (simple.sizes.size() == 1 && simple.in_strides[0] == 1)) {
    Operand view{from.at, type};
    view.at.offset += static_cast<std::uint64_t>(simple.in_base) * byte_size(type.element);
    return view;
  }
  const Operand out = new_temporary(draft_, type);
  to.push_back({.work = simple, .inputs = {from}, .outputs = {out}, .op = op});
  return out;
}

}  // namespace understudy::program::passes
