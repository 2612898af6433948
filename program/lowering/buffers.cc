// SPDX-License-Identifier: Apache-2.0
// Buffers and data movement of a Lowering: constants, views, copies.
#include <algorithm>
#include <cstring>
#include <string_view>

#include "program/lowering/lowering.h"
#include "program/passes/copies.h"
#include "program/passes/element_bytes.h"
#include "program/passes/module/attributes.h"
#include "program/passes/moves.h"

namespace understudy::program::passes {

Operand Lowering::make(const TensorType& type) {
  // Inside a body, values live in its frame.
  if (frame_ != nullptr) return slot(type);
  const auto id = static_cast<std::uint32_t>(draft_.bytes.size());
  draft_.bytes.push_back(static_cast<std::uint64_t>(type.bytes()));
  return {{Space::temporary, id, 0}, type};
}

Operand Lowering::constant(const TensorType& type, std::span<const std::byte> bytes) {
  UNDERSTUDY_ASSERT(static_cast<std::int64_t>(bytes.size()) == type.bytes());
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  // Equal constants share bytes: unrolled programs repeat the same literals thousands of times.
  // The hash only finds candidates; the bytes are compared.
  auto& offsets = constants_[std::hash<std::string_view>{}(text)];
  for (const std::uint64_t offset : offsets) {
    // Another constant's bytes may serve as a prefix, hence the check of the end.
    if (offset + bytes.size() <= draft_.constants.size() &&
        std::equal(bytes.begin(), bytes.end(),
                   draft_.constants.begin() + static_cast<std::ptrdiff_t>(offset)))
      return {{Space::constant, 0, offset}, type};
  }
  const std::uint64_t offset = append_constant(draft_, bytes);
  offsets.push_back(offset);
  return {{Space::constant, 0, offset}, type};
}

Operand Lowering::scalar(ElementType element, double value) {
  const std::vector<std::byte> bytes = bytes_of(element, value);
  return into_frame(constant({element, {}}, bytes));
}

Operand Lowering::integers(const TensorType& type, std::span<const std::int64_t> values) {
  std::vector<std::byte> bytes;
  for (const std::int64_t value : values) append_integer(bytes, type.element, value);
  return into_frame(constant(type, bytes));
}

Operand Lowering::fill(const Operand& scalar, const TensorType& type) {
  // The scalar under another shape: no instruction.
  if (type.elements() == 1) return {scalar.at, type};
  return emit(Fill{}, {{scalar.at, {scalar.type.element, {}}}}, type);
}

Operand Lowering::gather_strided(const Operand& x, const TensorType& type, Shape strides,
                                 std::int64_t base) {
  const StridedCopy copy =
      simplified({type.shape, strides, row_major_strides(type.shape), base, 0});
  // A contiguous piece is a view, without any instruction. An empty tensor must not form an
  // address.
  const bool dense = copy.sizes.empty() || (copy.sizes.size() == 1 && copy.in_strides[0] == 1);
  Operand first = x;
  first.at.offset += static_cast<std::uint64_t>(base) * byte_size(x.type.element);
  if (dense && type.elements() > 0) return {first.at, type};
  // Every element reads the same one.
  const bool is_one = std::ranges::all_of(copy.in_strides, [](auto stride) { return stride == 0; });
  const Operand out = is_one ? fill(first, type) : emit(copy, {x}, type);
  // Parts of an array that was broadcast are read from that.
  if (type.elements() > x.type.elements())
    origins_.remember_elements(out, {x, std::move(strides), base});
  return out;
}

// Broadcast dimensions get stride 0.
Operand Lowering::broadcast(const Operand& x, std::span<const std::int64_t> dimensions,
                            const TensorType& type) {
  const Origins::Elements from = origins_.elements_of(x);
  Shape strides(type.shape.size(), 0);
  for (std::size_t d = 0; d < dimensions.size(); ++d)
    if (x.type.shape[d] != 1) strides[static_cast<std::size_t>(dimensions[d])] = from.strides[d];
  return gather_strided(from.of, type, std::move(strides), from.base);
}

void Lowering::emit_copy(StridedCopy copy, const Operand& from, const Operand& to) {
  if (std::ranges::find(copy.sizes, 0) != copy.sizes.end()) return;
  emit(simplified(std::move(copy)), {from}, {to});
}

void Lowering::copy(const Operand& from, const Operand& to) {
  // A copy of one dimension: both sides are dense.
  emit_copy({{to.type.elements()}, {1}, {1}, 0, 0}, from, to);
}

void Lowering::move_all(Parts from, const Parts& to) {
  UNDERSTUDY_ASSERT(from.size() == to.size());
  // Cycles (a swap) need one value put aside; the second function does that.
  order_moves(
      from, to, [&](std::size_t i) { copy(from[i], to[i]); },
      [&](std::size_t i) {
        const Operand aside = make(from[i].type);
        copy(from[i], aside);
        from[i] = aside;
      });
}

}  // namespace understudy::program::passes
