// SPDX-License-Identifier: Apache-2.0
// Constant folding for shapes. Programs with dynamic dimensions compute sizes at run time
// (products, quotients, selections). Sizes that depend on constants only become numbers here,
// computed by the same kernels that a run would use, so folding never changes a value.
#include <algorithm>
#include <variant>

#include "program/kernels/kernels.h"
#include "program/lowering/lowering.h"
#include "program/passes/element_bytes.h"
#include "program/passes/module/attributes.h"

namespace understudy::program::passes {

namespace {

using Values = std::vector<std::int64_t>;

// Integers beyond this many are never tracked: they are data, not shapes.
constexpr std::int64_t kMaxKnown = 64;

// Floats are never sizes.
bool is_tracked(const TensorType& type) {
  return (is_integer(type.element) || is_pred(type.element)) && type.elements() <= kMaxKnown;
}

struct KnownInput {
  TensorType type;
  Values values;

  std::vector<std::byte> bytes(std::size_t count) const {  // a scalar is spread
    std::vector<std::byte> all;
    for (std::size_t i = 0; i < count; ++i)
      // A scalar operand of an element-wise operation stands for all elements.
      append_integer(all, type.element, values[values.size() == 1 ? 0 : i]);
    return all;
  }
};

// One kind of work on known inputs; nullopt where it is not followed.
struct Fold {
  const std::vector<KnownInput>& in;
  const TensorType& out;

  std::size_t count() const { return static_cast<std::size_t>(out.elements()); }
  // The portable kernels: all instruction sets give the same bits, and folding must not depend on
  // the host that compiles.
  const kernels::KernelTable& table() const { return kernels::select("portable"); }
  // At most 8 bytes per element, and 8 more so that a kernel may write a whole word.
  std::vector<std::byte> room() const { return std::vector<std::byte>(count() * 8 + 8); }
  Values read(const std::vector<std::byte>& bytes) const { return integers_at(out, bytes); }

  std::optional<Values> apply(kernels::UnaryKernel kernel) const {
    // The table has no such kernel: the value is merely not known.
    if (kernel == nullptr) return std::nullopt;
    auto to = room();
    kernel(in[0].bytes(count()).data(), to.data(), count());
    return read(to);
  }
  std::optional<Values> apply(kernels::BinaryKernel kernel) const {
    if (kernel == nullptr) return std::nullopt;
    auto to = room();
    kernel(in[0].bytes(count()).data(), in[1].bytes(count()).data(), to.data(), count());
    return read(to);
  }

  std::optional<Values> operator()(const Unary& work) const {
    return apply(table().unary(work.op, in[0].type.element));
  }
  std::optional<Values> operator()(const Binary& work) const {
    return apply(table().binary(work.op, in[0].type.element));
  }
  std::optional<Values> operator()(const Compare& work) const {
    return apply(table().compare(work.direction, work.total_order, in[0].type.element));
  }
  std::optional<Values> operator()(const Convert&) const {
    return apply(table().convert(in[0].type.element, out.element));
  }
  std::optional<Values> operator()(const Select&) const {
    Values values;
    for (std::size_t i = 0; i < count(); ++i)
      // A predicate may be one scalar for all elements; the branches have the result's shape.
      values.push_back(in[in[0].values[in[0].values.size() == 1 ? 0 : i] != 0 ? 1 : 2].values[i]);
    return values;
  }
  std::optional<Values> operator()(const Clamp&) const {
    const auto least = table().binary(BinaryOp::maximum, out.element);
    const auto most = table().binary(BinaryOp::minimum, out.element);
    if (least == nullptr || most == nullptr) return std::nullopt;
    auto to = room();
    // min(max(x, low), high), in the order of the specification.
    least(in[1].bytes(count()).data(), in[0].bytes(count()).data(), to.data(), count());
    most(to.data(), in[2].bytes(count()).data(), to.data(), count());
    return read(to);
  }
  std::optional<Values> operator()(const Fill&) const { return Values(count(), in[0].values[0]); }
  std::optional<Values> operator()(const Iota& work) const {
    const Shape strides = row_major_strides(out.shape);
    const auto d = static_cast<std::size_t>(work.dimension);
    Values values;
    for (std::int64_t i = 0; i < out.elements(); ++i)
      values.push_back(i / strides[d] % out.shape[d]);
    return values;
  }
  // Only copies that fill their whole output in order: partial ones would need the previous
  // content.
  std::optional<Values> operator()(const StridedCopy& work) const {
    if (work.out_base != 0) return std::nullopt;
    const Shape dense = row_major_strides(work.sizes);
    if (work.out_strides != dense) return std::nullopt;
    Values values;
    for (std::int64_t i = 0; i < out.elements(); ++i) {
      std::int64_t from = work.in_base;
      for (std::size_t d = 0; d < dense.size(); ++d)
        from += i / dense[d] % work.sizes[d] * work.in_strides[d];
      values.push_back(in[0].values.at(static_cast<std::size_t>(from)));
    }
    return values;
  }
  // Full reductions only, to one element: the number of elements of a tensor, or its largest
  // dimension.
  std::optional<Values> operator()(const Reduce& work) const {
    const auto kernel = table().accumulate(work.reduction, out.element);
    if (work.reduction == Reduction::none || out.elements() != 1 || kernel == nullptr ||
        in[0].type.element != out.element)
      return std::nullopt;
    auto sum = in[1].bytes(1);
    // Scalars are accumulated one by one: a kernel adds arrays, not along them.
    const auto all = in[0].bytes(in[0].values.size());
    for (std::size_t at = 0; at < all.size(); at += byte_size(out.element))
      kernel(sum.data(), all.data() + at, sum.data(), 1);
    return read(sum);
  }
  // Any other work is not followed; the value is then unknown, which is always safe.
  template <class Other>
  std::optional<Values> operator()(const Other&) const {
    return std::nullopt;
  }
};

}  // namespace

bool Lowering::is_zero(const Operand& scalar) const {
  return scalar.at.space == Space::constant &&
         are_zero(std::span(draft_.constants)
                      .subspan(scalar.at.offset, static_cast<std::size_t>(scalar.type.bytes())));
}

std::optional<Values> Lowering::known_integers(const Operand& operand) const {
  if (!is_tracked(operand.type)) return std::nullopt;
  if (operand.type.elements() == 0) return Values();
  if (operand.at.space == Space::constant)
    // Reads only as many elements as the type has.
    return integers_at(operand.type, std::span(draft_.constants).subspan(operand.at.offset));
  if (operand.at.space != Space::temporary) return std::nullopt;
  // A view may read the same buffer as another element type; the recorded values are then
  // meaningless.
  const auto found = known_.find(operand.at.index);
  if (found == known_.end() || found->second.element != operand.type.element) return std::nullopt;
  const std::size_t first = operand.at.offset / byte_size(operand.type.element);
  const auto count = static_cast<std::size_t>(operand.type.elements());
  const Values& all = found->second.values;
  if (first + count > all.size()) return std::nullopt;
  const auto begin = all.begin() + static_cast<std::ptrdiff_t>(first);
  return Values(begin, begin + static_cast<std::ptrdiff_t>(count));
}

std::optional<Values> Lowering::known_operand(const Operation& op, std::size_t index) const {
  const Parts& found = parts_of(*op.operands.at(index), op);
  return found.size() == 1 ? known_integers(found[0]) : std::nullopt;
}

std::optional<Numbers> Lowering::numbers(const Operand& operand) const {
  const TensorType& type = operand.type;
  if (!is_integer(type.element) && !is_pred(type.element)) return std::nullopt;
  const auto found = counted_.find(operand.at.index);
  // Dimensions of other sizes count in the same order.
  if (operand.at.space == Space::temporary && operand.at.offset == 0 && found != counted_.end() &&
      found->second.type.element == type.element &&
      found->second.type.elements() == type.elements())
    return found->second.numbers;
  const auto values = known_integers(operand);
  return values ? numbers_from(*values) : std::nullopt;
}

// Empty where nothing is asked: inside a body values change from element to element.
std::vector<NumbersIn> Lowering::numbers_in(const Work& work, const Parts& inputs,
                                            const TensorType& out) const {
  std::vector<NumbersIn> in;
  const bool counts = is_integer(out.element) || is_pred(out.element);
  if (frame_ != nullptr || !origins_.is_asked() ||
      (!counts && !std::holds_alternative<Select>(work)))
    return in;
  for (const Operand& input : inputs) {
    const auto known = numbers(input);
    in.push_back({input.type, known ? known : numbers_of_type(input.type.element)});
  }
  return in;
}

void Lowering::remember(const Operand& operand, Values values) {
  // Of a part of a buffer, the rest would not be known.
  if (operand.at.space == Space::temporary && operand.at.offset == 0)
    known_[operand.at.index] = {operand.type.element, std::move(values)};
}

std::optional<Values> Lowering::folded(const Work& work, const Parts& inputs,
                                       const TensorType& out) const {
  // Inside a body values change from element to element.
  if (frame_ != nullptr || !is_tracked(out)) return std::nullopt;
  std::vector<KnownInput> known;
  for (const Operand& input : inputs) {
    auto values = known_integers(input);
    if (!values) return std::nullopt;
    known.push_back({input.type, std::move(*values)});
  }
  return std::visit(Fold{known, out}, work);
}

}  // namespace understudy::program::passes
