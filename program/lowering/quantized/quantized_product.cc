// SPDX-License-Identifier: Apache-2.0
// Dots and convolutions of quantized tensors. With l, r the stored integers and z their zero points
//
//   sum (l - zl)(r - zr) = sum l r - offset,   offset = sum (zl r + zr l - zl zr)
//
// so the sum of products runs on integers as they are stored. It and the offset are scaled by
// scale(lhs) scale(rhs) / scale(result) and cut off to integers, each by itself, as the reference
// does; a factor that is nearly 1 is taken as 1.
#include <algorithm>
#include <cmath>

#include "program/lowering/pad.h"
#include "program/lowering/quantized/quantized.h"
#include "program/passes/module/attributes.h"

namespace understudy::program::passes {

namespace {

// The reference's threshold: accumulators that a producer meant to keep as they are have scales
// that differ from the product of the operands' scales by rounding only.
constexpr double kNearlyOne = 1e-3;

constexpr std::int64_t kSummed = -1;

// The dimension of the result that each dimension of the rhs becomes; kSummed if it is summed. Dots
// give batch, lhs free, rhs free dimensions in this order.
Shape places_of_rhs(const Operation& op, std::int64_t lhs_ndims, std::int64_t rhs_ndims) {
  Shape places(static_cast<std::size_t>(rhs_ndims), kSummed);
  const auto at = [](std::int64_t d) { return static_cast<std::size_t>(d); };
  if (op.name == "stablehlo.convolution") {
    constexpr std::string_view kNumbers = "dimension_numbers";
    places.at(at(number_of(op, kNumbers, "kernel_output_feature_dimension"))) =
        number_of(op, kNumbers, "output_feature_dimension");
    return places;
  }
  constexpr std::string_view kNumbers = "dot_dimension_numbers";
  const bool plain = op.name == "stablehlo.dot";
  const Shape batch = plain ? Shape() : dimensions_of(op, kNumbers, "rhs_batching_dimensions");
  const Shape contracting =
      plain ? Shape{0} : dimensions_of(op, kNumbers, "rhs_contracting_dimensions");
  // The free dimensions of the rhs come after those of the batch and of the lhs.
  std::int64_t next = lhs_ndims - static_cast<std::int64_t>(contracting.size());
  for (std::int64_t d = 0; d < rhs_ndims; ++d) {
    const auto batching = std::ranges::find(batch, d);
    if (batching != batch.end()) {
      places[at(d)] = batching - batch.begin();
    } else if (std::ranges::find(contracting, d) == contracting.end()) {
      places[at(d)] = next++;
    }
  }
  return places;
}

// One product of integers, and how its result is scaled.
class Product {
 public:
  Product(Lowering& lowering, const Operation& op)
      : lowering_(lowering),
        op_(op),
        lhs_(*op.operands[0]->type.quantization),
        rhs_(*op.operands[1]->type.quantization),
        to_(*op.results[0]->type.quantization),
        l_(lowering.operand(op, 0)),
        r_(lowering.operand(op, 1)),
        shape_(lowering.result_type(op).shape),
        places_(places_of_rhs(op, l_.type.ndims(), r_.type.ndims())) {
    // Products of two 16-bit integers fit 32 bits; 32-bit operands need 64.
    const bool wide = bit_width(lhs_.storage) == 32 || bit_width(rhs_.storage) == 32;
    sums_ = wide ? ElementType::i64 : ElementType::i32;
  }

  // Computes one scale per result channel. False if the scale varies along a summed dimension or
  // along two dimensions of the result: it can then not be factored out of the sum, and the
  // operation runs on real numbers.
  bool combine_scales() {
    axis_ = to_.axis;
    if (lhs_.is_per_axis()) return false;
    if (rhs_.is_per_axis()) {
      const std::int64_t place = places_.at(static_cast<std::size_t>(*rhs_.axis));
      if (place == kSummed || (to_.is_per_axis() && *to_.axis != place)) return false;
      axis_ = place;
    }
    // One entry where both are per tensor.
    const std::size_t count = std::max(rhs_.scales.size(), to_.scales.size());
    for (std::size_t i = 0; i < count; ++i)
      scales_.push_back(lhs_.scales[0] * rhs_.scales[rhs_.is_per_axis() ? i : 0] /
                        to_.scales[to_.is_per_axis() ? i : 0]);
    return true;
  }

  // The product of stored integers and the offset are scaled and truncated separately, as the
  // reference does: scaling their difference would round differently.
  Operand run() {
    if (op_.name == "stablehlo.convolution") widen();
    Operand all = multiplied(l_, r_);
    std::optional<Operand> offset = offset_of(all);
    const bool scaled =
        std::ranges::any_of(scales_, [](double scale) { return std::abs(scale - 1) > kNearlyOne; });
    if (scaled) {
      all = cut(all);
      if (offset) offset = cut(*offset);
    }
    if (offset) all = lowering_.binary(BinaryOp::subtract, all, *offset);
    if (to_.has_zero_points())
      all = lowering_.binary(BinaryOp::add, all,
                             spread(lowering_, to_.zero_points, to_.axis, all.type));
    return bounded(lowering_, all, to_);
  }

 private:
  Operand multiplied(const Operand& l, const Operand& r) {
    const TensorType type{sums_, shape_};
    // The attributes of the operation still hold.
    if (!widened_) return run_as(lowering_, op_, {l, r}, std::span(&type, 1))[0];
    // Without the attributes that widen() has applied.
    return run_as(lowering_, op_, {l, r}, std::span(&type, 1), {"padding", "lhs_dilation"})[0];
  }

  // A convolution pads and dilates with stored 0. Padding must add real 0, which is the zero
  // point, so the lhs is padded explicitly and the product runs without padding.
  void widen() {
    // Stored 0 is real 0 then.
    if (lhs_.zero_points[0] == 0) return;
    const Shape spatial = dimensions_of(op_, "dimension_numbers", "input_spatial_dimensions");
    const auto [low, high] = pairs_or(op_, "padding", spatial.size(), 0);
    const Shape dilations = integers_or(op_, "lhs_dilation", spatial.size(), 1);
    const Shape none(l_.type.shape.size(), 0);
    Padding padding{none, none, none};
    TensorType wide = l_.type;
    for (std::size_t i = 0; i < spatial.size(); ++i) {
      const auto d = static_cast<std::size_t>(spatial[i]);
      padding.low[d] = low[i];
      padding.high[d] = high[i];
      padding.interior[d] = dilations[i] - 1;
      const std::int64_t gaps = std::max<std::int64_t>(wide.shape[d] - 1, 0);
      wide.shape[d] =
          std::max<std::int64_t>(wide.shape[d] + low[i] + high[i] + gaps * padding.interior[d], 0);
    }
    widened_ = true;
    // Nothing to add; the product still leaves out the attributes, which are neutral.
    if (wide == l_.type) return;
    const Operand zero =
        // The lhs is per tensor here, so it has one zero point.
        lowering_.integers({l_.type.element, {}}, std::span(lhs_.zero_points).first(1));
    l_ = pad(lowering_, l_, zero, padding, wide);
  }

  // The offset to subtract from the product of stored integers; nullopt if there is none. With a
  // zero point on the rhs it is found as the difference to the exact (centred) product; with one
  // on the lhs only, it is zl times the sums of the rhs, which needs no second product.
  std::optional<Operand> offset_of(const Operand& all) {
    if (rhs_.has_zero_points()) {
      const auto centred = [&](const Operand& x, const Quantization& from) {
        const Operand wide = lowering_.convert(x, sums_);
        return lowering_.binary(BinaryOp::subtract, wide,
                                spread(lowering_, from.zero_points, from.axis, wide.type));
      };
      const Operand exact = multiplied(centred(l_, lhs_), centred(r_, rhs_));
      return lowering_.binary(BinaryOp::subtract, all, exact);
    }
    if (!lhs_.has_zero_points()) return std::nullopt;
    return rhs_sums();
  }

  // zl times the sums of the rhs, at every place of the result.
  Operand rhs_sums() {
    Reduce work;
    Shape kept, sizes;
    for (std::size_t d = 0; d < places_.size(); ++d) {
      if (places_[d] == kSummed) {
        work.dimensions.push_back(static_cast<std::int64_t>(d));
      } else {
        kept.push_back(places_[d]);
        sizes.push_back(r_.type.shape[d]);
      }
    }
    work.body = lowering_.binary_body(BinaryOp::add, sums_);
    work.reduction = recognise(work.body);
    const TensorType type{sums_, sizes};
    const Operand sums = lowering_.emit(
        std::move(work), {lowering_.convert(r_, sums_), lowering_.scalar(sums_, 0)}, type);
    const Operand offset = lowering_.binary(
        BinaryOp::multiply, sums, spread(lowering_, lhs_.zero_points, std::nullopt, type));
    return lowering_.broadcast(offset, kept, {sums_, shape_});
  }

  // Scales integers and truncates towards zero, as the reference does; rounding to nearest would
  // differ from it in the last stored digit.
  Operand cut(const Operand& integers) {
    const Operand x = lowering_.convert(integers, scaling_type(to_));
    const Operand scales =
        // One scale is for the whole tensor and has no axis.
        spread(lowering_, scales_, scales_.size() == 1 ? std::nullopt : axis_, x.type);
    return lowering_.convert(lowering_.binary(BinaryOp::multiply, x, scales), sums_);
  }

  Lowering& lowering_;
  const Operation& op_;
  const Quantization &lhs_, &rhs_, &to_;
  Operand l_, r_;
  Shape shape_, places_;
  ElementType sums_ = ElementType::i32;
  std::vector<double> scales_;
  std::optional<std::int64_t> axis_;
  bool widened_ = false;
};

bool is_plain(const Operation& op, std::size_t operand) {
  return !op.operands[operand]->type.is_quantized();
}

}  // namespace

void lower_quantized_product(Lowering& lowering, const Operation& op) {
  // Only one side is quantized, or the result is not: there is no pair of integers to multiply.
  if (is_plain(op, 0) || is_plain(op, 1) || !op.results[0]->type.is_quantized())
    return lower_expressed(lowering, op);
  Product product(lowering, op);
  if (!product.combine_scales()) return lower_expressed(lowering, op);
  lowering.bind(*op.results[0], product.run());
}

}  // namespace understudy::program::passes
