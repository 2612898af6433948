// SPDX-License-Identifier: Apache-2.0
// Functions for single elements: the counters, conditions and carried scalars of loops. A kernel
// takes several times as long for one element, as it prepares for runs of them.
#include <bit>
#include <functional>
#include <type_traits>

#include "worker/chip/lanes.h"
#include "worker/chip/numbers.h"
#include "worker/ops/binder.h"
#include "worker/ops/element_units.h"

namespace understudy::worker::ops {
namespace {

using program::BinaryOp;
using program::Direction;
using program::ElementType;

// As the kernels: integers wrap (the caller gives unsigned types).
template <class T, class Operation>
void two(const LinkedStep& step, Execution& /*execution*/) {
  const T a = load<T>(step.in[0]), b = load<T>(step.in[1]);
  store<T>(step.out, settled(static_cast<T>(Operation()(a, b))));
}

template <class T, class Relation>
void compare(const LinkedStep& step, Execution& /*execution*/) {
  const T a = load<T>(step.in[0]), b = load<T>(step.in[1]);
  store<std::uint8_t>(step.out, Relation()(a, b) ? 1 : 0);
}

template <class T>
void choose(const LinkedStep& step, Execution& /*execution*/) {
  const bool first = *step.in[0] != std::byte{0};
  store<T>(step.out, load<T>(step.in[first ? 1 : 2]));
}

template <class T>
void copy(const LinkedStep& step, Execution& /*execution*/) {
  store<T>(step.out, load<T>(step.in[0]));
}
void copy_bytes(const LinkedStep& step, Execution& /*execution*/) {
  std::byte* const to = step.out;
  const std::byte* const from = step.in[0];
  if (from != to) std::memcpy(to, from, step.count);
}

template <class T>
BoundFunction arithmetic(BinaryOp op) {
  switch (op) {
    case BinaryOp::add:
      return &two<T, std::plus<T>>;
    case BinaryOp::subtract:
      return &two<T, std::minus<T>>;
    case BinaryOp::multiply:
      return &two<T, std::multiplies<T>>;
    default:
      return nullptr;
  }
}

template <class T>
BoundFunction relation(Direction direction) {
  switch (direction) {
    case Direction::eq:
      return &compare<T, std::equal_to<T>>;
    case Direction::ne:
      return &compare<T, std::not_equal_to<T>>;
    case Direction::lt:
      return &compare<T, std::less<T>>;
    case Direction::le:
      return &compare<T, std::less_equal<T>>;
    case Direction::gt:
      return &compare<T, std::greater<T>>;
    case Direction::ge:
      return &compare<T, std::greater_equal<T>>;
  }
  return nullptr;
}

}  // namespace

BoundFunction scalar_function(BinaryOp op, ElementType type) {
  switch (type) {
    case ElementType::i32:
    case ElementType::ui32:
      return arithmetic<std::uint32_t>(op);
    case ElementType::i64:
    case ElementType::ui64:
      return arithmetic<std::uint64_t>(op);
    case ElementType::f32:
      return arithmetic<float>(op);
    case ElementType::f64:
      return arithmetic<double>(op);
    default:
      return nullptr;
  }
}

BoundFunction scalar_compare(Direction direction, ElementType type) {
  switch (type) {
    case ElementType::i32:
      return relation<std::int32_t>(direction);
    case ElementType::ui32:
      return relation<std::uint32_t>(direction);
    case ElementType::i64:
      return relation<std::int64_t>(direction);
    case ElementType::ui64:
      return relation<std::uint64_t>(direction);
    case ElementType::f32:
      return relation<float>(direction);
    case ElementType::f64:
      return relation<double>(direction);
    default:
      return nullptr;
  }
}

BoundFunction scalar_select(std::size_t element_bytes) {
  if (element_bytes > sizeof(std::uint64_t)) return nullptr;
  return with_unsigned(element_bytes,
                       [](auto unit) -> BoundFunction { return &choose<decltype(unit)>; });
}

BoundFunction copy_function(std::size_t bytes) {
  if (!std::has_single_bit(bytes) || bytes > sizeof(std::uint64_t)) return &copy_bytes;
  return with_unsigned(bytes, [](auto unit) -> BoundFunction { return &copy<decltype(unit)>; });
}

}  // namespace understudy::worker::ops
