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

// What `part` reads through a copy that makes all of a dense array, whose indices are the digits of
// an element's number: a dimension of the part moves along one of its dimensions, or passes the end
// of one and goes on along the next outer one, as columns of all rows do. nullopt of others.
std::optional<StridedCopy> through_dense(const StridedCopy& earlier, const StridedCopy& part) {
  if (earlier.out_base != 0 || earlier.out_strides != row_major_strides(earlier.sizes))
    return std::nullopt;
  const std::size_t rank = earlier.sizes.size();
  StridedCopy both{{}, {}, {}, earlier.in_base, 0};
  Shape last(rank);  // of each dimension: the index that the part reaches
  std::int64_t rest = part.in_base;
  for (std::size_t d = 0; d < rank; ++d) {
    last[d] = rest / earlier.out_strides[d];
    rest %= earlier.out_strides[d];
    both.in_base += last[d] * earlier.in_strides[d];
  }
  const auto add = [&](std::size_t d, std::int64_t size, std::int64_t step, std::size_t place) {
    const auto at = static_cast<std::ptrdiff_t>(place);
    both.sizes.insert(both.sizes.begin() + at, size);
    both.in_strides.insert(both.in_strides.begin() + at, step * earlier.in_strides[d]);
    last[d] += (size - 1) * step;
  };
  for (std::size_t p = 0; p < part.sizes.size(); ++p) {
    const std::size_t place = both.sizes.size();
    std::int64_t size = part.sizes[p];
    std::size_t d = 0;
    while (d < rank && (earlier.out_strides[d] > part.in_strides[p] ||
                        part.in_strides[p] % earlier.out_strides[d] != 0))
      ++d;
    if (d == rank) return std::nullopt;
    for (std::int64_t step = part.in_strides[p] / earlier.out_strides[d];; step = 1, --d) {
      const std::int64_t whole = earlier.sizes[d] / step;  // steps until the next outer dimension
      if (size <= whole) {
        add(d, size, step, place);
        break;
      }
      if (d == 0 || earlier.sizes[d] % step != 0 || size % whole != 0) return std::nullopt;
      add(d, whole, step, place);
      size /= whole;
    }
  }
  for (std::size_t d = 0; d < rank; ++d)
    if (last[d] >= earlier.sizes[d]) return std::nullopt;
  both.out_strides = row_major_strides(both.sizes);
  return both;
}

// What `part` reads through `earlier`, both of one array, as one copy; nullopt where it reads
// elements that `earlier` does not write, or the strides differ.
std::optional<StridedCopy> through(const StridedCopy& earlier, const StridedCopy& part) {
  if (earlier.out_strides != part.in_strides) return through_dense(earlier, part);
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

// The elements that a broadcast reads, where they are apart in their array: a copy of these alone,
// which `copy` then reads.
std::optional<StridedCopy> gathered(StridedCopy& copy) {
  StridedCopy some{{}, {}, {}, copy.in_base, 0};
  for (std::size_t d = 0; d < copy.sizes.size(); ++d) {
    if (copy.in_strides[d] == 0) continue;
    some.sizes.push_back(copy.sizes[d]);
    some.in_strides.push_back(copy.in_strides[d]);
  }
  some.out_strides = row_major_strides(some.sizes);
  if (some.sizes.size() == copy.sizes.size() || some.in_strides == some.out_strides)
    return std::nullopt;
  std::size_t kept = 0;
  for (std::int64_t& stride : copy.in_strides)
    if (stride != 0) stride = some.out_strides[kept++];
  copy.in_base = 0;
  return some;
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
  StridedCopy all = simple;
  Operand source = from;
  if (const auto some = gathered(all)) {
    source = new_temporary(draft_, {type.element, some->sizes});
    to.push_back({.work = *some, .inputs = {from}, .outputs = {source}, .op = op});
  }
  to.push_back({.work = simplified(all), .inputs = {source}, .outputs = {out}, .op = op});
  return out;
}

}  // namespace understudy::program::passes
