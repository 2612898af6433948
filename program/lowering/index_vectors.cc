// SPDX-License-Identifier: Apache-2.0
#include "program/lowering/index_vectors.h"

#include <cstdint>
#include <limits>
#include <numeric>
#include <utility>

#include "program/passes/module/attributes.h"

namespace understudy::program::passes {

namespace {

constexpr std::int64_t kLeastElements = 64;

// Numbers whose type holds the places in `x`.
bool can_count(const Lowering& lowering, const TensorType& numbers, const TensorType& x) {
  const bool has_type = numbers.element == ElementType::i32 ||
                        numbers.element == ElementType::i64 || numbers.element == ElementType::ui32;
  return has_type && x.elements() > 0 && x.elements() <= std::numeric_limits<std::int32_t>::max() &&
         !lowering.in_body();
}

// Number `k` of each index vector, operand 1 of `op`; `dimension` is that of the vectors. Where
// these are joined of parts, as JAX joins them, from the part: no step needs the joined array then.
Operand index_column(Lowering& lowering, const Operation& op, std::int64_t dimension,
                     std::int64_t k) {
  const auto d = static_cast<std::size_t>(dimension);
  Operand from = lowering.operand(op, 1);
  const Operation* const owner = op.operands[1]->owner;
  if (owner != nullptr && owner->name == "stablehlo.concatenate" &&
      integer_of(*owner, "dimension", -1) == dimension) {
    std::size_t part = 0;
    for (from = lowering.operand(*owner, 0); k >= from.type.shape[d];
         from = lowering.operand(*owner, ++part))
      k -= from.type.shape[d];
  }
  TensorType type = from.type;
  type.shape.erase(type.shape.begin() + dimension);
  Shape strides = row_major_strides(from.type.shape);
  const std::int64_t base = k * strides[d];
  strides.erase(strides.begin() + dimension);
  return lowering.gather_strided(from, type, strides, base);
}

// Places of the elements, or rows, that index vectors name.
class ElementPlaces {
 public:
  // `shape`: the dimensions of the operand whose places are counted, from the first on.
  ElementPlaces(Lowering& lowering, const Operation& op, std::int64_t vector_dimension, Shape shape)
      : lowering_(lowering),
        op_(op),
        dimension_(vector_dimension),
        shape_(std::move(shape)),
        strides_(row_major_strides(shape_)) {}
  ElementPlaces(Lowering& lowering, const Operation& op, std::int64_t vector_dimension)
      : ElementPlaces(lowering, op, vector_dimension, lowering.operand_type(op, 0).shape) {}

  // Dimension d of the operand is indexed by number k of each vector; `clamps`: into it; else
  // places_inside() leaves out the numbers that are not in it.
  void add(std::int64_t d, std::int64_t k, bool clamps) {
    const auto at = static_cast<std::size_t>(d);
    Operand number = index_column(lowering_, op_, dimension_, k);
    const double last = static_cast<double>(shape_[at] - 1);
    const ElementType element = number.type.element;
    if (clamps) {
      number = lowering_.emit(
          Clamp{}, {lowering_.scalar(element, 0), number, lowering_.scalar(element, last)},
          number.type);
    } else {
      require(Direction::ge, number, 0);
      require(Direction::le, number, last);
    }
    Operand place = lowering_.convert(number, ElementType::i32);
    if (strides_[at] != 1)
      place = lowering_.binary(BinaryOp::multiply, place,
                               lowering_.splat(place.type, static_cast<double>(strides_[at])));
    places_ = places_ ? lowering_.binary(BinaryOp::add, *places_, place) : place;
    count_ += (shape_[at] - 1) * strides_[at];
  }

  const Operand& places() const { return *places_; }
  // The places, or -1, which is outside of every operand.
  Operand places_inside() const {
    return lowering_.emit(Select{}, {*inside_, *places_, lowering_.splat(places_->type, -1)},
                          places_->type);
  }
  // From the first place to the last.
  std::int64_t count() const { return count_; }
  const Shape& strides() const { return strides_; }

 private:
  void require(Direction direction, const Operand& number, double limit) {
    const Operand holds =
        lowering_.emit(Compare{direction}, {number, lowering_.splat(number.type, limit)},
                       {ElementType::pred, number.type.shape});
    inside_ = inside_ ? lowering_.binary(BinaryOp::logical_and, *inside_, holds) : holds;
  }

  Lowering& lowering_;
  const Operation& op_;
  std::int64_t dimension_;
  Shape shape_, strides_;
  std::optional<Operand> places_, inside_;
  std::int64_t count_ = 1;
};

}  // namespace

void merge_lines(TakeElements& take) {
  Shape sizes, strides;
  for (std::size_t d = 0; d < take.sizes.size(); ++d) {
    if (take.sizes[d] == 1) continue;
    if (!sizes.empty() && strides.back() == take.strides[d] * take.sizes[d]) {
      sizes.back() *= take.sizes[d];
      strides.back() = take.strides[d];
    } else {
      sizes.push_back(take.sizes[d]);
      strides.push_back(take.strides[d]);
    }
  }
  if (sizes.empty()) sizes = {1}, strides = {0};
  take.sizes = std::move(sizes);
  take.strides = std::move(strides);
}

std::optional<Operand> take_by_vectors(Lowering& lowering, const Operation& op,
                                       const Gather& work) {
  const TensorType numbers = lowering.operand_type(op, 1);
  const TensorType& out = lowering.result_type(op);
  const std::size_t rank = work.start_index_map.size();
  if (rank < 2 || !work.offset_dims.empty() || work.index_vector_dim + 1 != numbers.ndims() ||
      out.elements() < kLeastElements ||
      !can_count(lowering, numbers, lowering.operand_type(op, 0)))
    return std::nullopt;
  ElementPlaces places(lowering, op, work.index_vector_dim);
  for (std::size_t k = 0; k < rank; ++k)
    places.add(work.start_index_map[k], static_cast<std::int64_t>(k), true);
  TakeElements take{places.count(), 1, out.shape, Shape(out.shape.size(), 0)};
  for (std::size_t i = 0; i < work.operand_batching_dims.size(); ++i)
    take.strides[static_cast<std::size_t>(work.start_indices_batching_dims[i])] =
        places.strides()[static_cast<std::size_t>(work.operand_batching_dims[i])];
  merge_lines(take);
  return lowering.emit(std::move(take), {lowering.operand(op, 0), places.places()}, out);
}

std::optional<Operand> gather_by_numbers(Lowering& lowering, const Operation& op,
                                         const Gather& work) {
  const TensorType numbers = lowering.operand_type(op, 1), &x = lowering.operand_type(op, 0);
  const auto rank = static_cast<std::int64_t>(work.start_index_map.size());
  Shape leading(static_cast<std::size_t>(rank));
  std::iota(leading.begin(), leading.end(), std::int64_t{0});
  if (rank < 2 || work.start_index_map != leading || work.collapsed_slice_dims != leading ||
      work.offset_dims.empty() || !work.operand_batching_dims.empty() ||
      work.index_vector_dim + 1 != numbers.ndims() || numbers.elements() < kLeastElements * rank ||
      !can_count(lowering, numbers, x))
    return std::nullopt;
  ElementPlaces places(lowering, op, work.index_vector_dim,
                       Shape(x.shape.begin(), x.shape.begin() + rank));
  for (std::int64_t k = 0; k < rank; ++k) places.add(k, k, true);
  Gather flattened = work;
  flattened.start_index_map = flattened.collapsed_slice_dims = {0};
  flattened.slice_sizes.erase(flattened.slice_sizes.begin(),
                              flattened.slice_sizes.begin() + rank - 1);
  Operand rows = lowering.operand(op, 0), row_numbers = places.places();
  rows.type.shape.erase(rows.type.shape.begin(), rows.type.shape.begin() + rank - 1);
  rows.type.shape[0] = places.count();
  row_numbers.type.shape.push_back(1);
  return lowering.emit(std::move(flattened), {rows, row_numbers}, lowering.result_type(op));
}

std::optional<Operand> scatter_by_numbers(Lowering& lowering, const Operation& op,
                                          const Scatter& work, const Parts& inputs) {
  if (inputs.size() != 3) return std::nullopt;
  const Operand &x = inputs[0], &updates = inputs[2];
  const TensorType& numbers = inputs[1].type;
  const std::size_t rank = work.scatter_dims_to_operand_dims.size();
  if (rank < 2 || !work.update_window_dims.empty() || !work.input_batching_dims.empty() ||
      static_cast<std::int64_t>(rank) != x.type.ndims() ||
      work.index_vector_dim + 1 != numbers.ndims() || updates.type.elements() < kLeastElements ||
      !can_count(lowering, numbers, x.type))
    return std::nullopt;
  ElementPlaces places(lowering, op, work.index_vector_dim);
  for (std::size_t k = 0; k < rank; ++k)
    places.add(work.scatter_dims_to_operand_dims[k], static_cast<std::int64_t>(k), false);
  const auto flat = [](const Operand& operand) {
    return Operand{operand.at, {operand.type.element, {operand.type.elements()}}};
  };
  Scatter flattened = work;
  flattened.inserted_window_dims = flattened.scatter_dims_to_operand_dims = {0};
  flattened.index_vector_dim = 1;
  const Operand line = flat(x);
  const Operand out = lowering.emit(std::move(flattened),
                                    {line, flat(places.places_inside()), flat(updates)}, line.type);
  return Operand{out.at, x.type};
}

}  // namespace understudy::program::passes
