// SPDX-License-Identifier: Apache-2.0
// Batch normalisation in primitives, in the order of operations of the StableHLO specification:
// each step rounds, so another order (a fused scale, a one-pass variance) would give other bits.
#include <fmt/format.h>

#include "program/lowering/lowering.h"
#include "program/passes/module/attributes.h"

namespace understudy::program::passes {

namespace {

// One batch norm: its operand, its feature dimension, and the building blocks of the formulas.
class BatchNorm {
 public:
  BatchNorm(Lowering& lowering, const Operation& op)
      : lowering_(lowering), x_(lowering.operand(op, 0)) {
    // The verifier requires the attribute; the fallbacks keep an unverified module from a crash.
    feature_ = integer_of(op, "feature_index", 0);
    const Attribute* epsilon = op.find("epsilon");
    const auto* number = epsilon == nullptr ? nullptr : epsilon->get<FloatAttribute>();
    epsilon_ = number == nullptr ? 0 : number->value;
    for (std::int64_t d = 0; d < x_.type.ndims(); ++d)
      if (d != feature_) others_.push_back(d);
  }

  const Operand& x() const { return x_; }

  // One value per feature, broadcast over all other dimensions.
  Operand spread(const Operand& per_feature) {
    const std::int64_t dimensions[] = {feature_};
    return lowering_.broadcast(per_feature, dimensions, x_.type);
  }
  Operand sum(const Operand& full) {
    const ElementType element = x_.type.element;
    Reduce work;
    // All dimensions but the feature dimension are summed, so one number per feature is left.
    work.dimensions = others_;
    work.body = lowering_.binary_body(BinaryOp::add, element);
    work.reduction = recognise(work.body);
    return lowering_.emit(std::move(work), {full, lowering_.scalar(element, 0)}, feature_type());
  }
  Operand mean(const Operand& full) {
    return div(sum(full), lowering_.splat(feature_type(), count()));
  }
  // sqrt(variance + epsilon); epsilon keeps a constant feature from dividing by zero.
  Operand stddev(const Operand& variance) {
    return lowering_.unary(UnaryOp::sqrt, add(variance, lowering_.splat(variance.type, epsilon_)));
  }
  // (x - mean) / sqrt(variance + epsilon): a division, not a multiplication by rsqrt, as the
  // specification has it.
  Operand normalised(const Operand& mean, const Operand& variance) {
    return div(sub(x_, spread(mean)), spread(stddev(variance)));
  }
  // Elements per feature. A double is exact for up to 2^53 elements.
  double count() const {
    double elements = 1;
    for (const std::int64_t d : others_)
      elements *= static_cast<double>(x_.type.shape[static_cast<std::size_t>(d)]);
    return elements;
  }

  Operand add(const Operand& a, const Operand& b) { return lowering_.binary(BinaryOp::add, a, b); }
  Operand sub(const Operand& a, const Operand& b) {
    return lowering_.binary(BinaryOp::subtract, a, b);
  }
  Operand mul(const Operand& a, const Operand& b) {
    return lowering_.binary(BinaryOp::multiply, a, b);
  }
  Operand div(const Operand& a, const Operand& b) {
    return lowering_.binary(BinaryOp::divide, a, b);
  }

 private:
  TensorType feature_type() const {
    return {x_.type.element, {x_.type.shape[static_cast<std::size_t>(feature_)]}};
  }

  Lowering& lowering_;
  Operand x_;
  std::int64_t feature_ = 0;
  double epsilon_ = 0;
  Shape others_;
};

void lower_inference(Lowering& lowering, const Operation& op) {
  BatchNorm norm(lowering, op);
  // Operands: x, scale, offset, mean, variance.
  const Operand scaled = norm.mul(norm.normalised(lowering.operand(op, 3), lowering.operand(op, 4)),
                                  norm.spread(lowering.operand(op, 1)));
  lowering.bind(*op.results[0], norm.add(scaled, norm.spread(lowering.operand(op, 2))));
}

void lower_training(Lowering& lowering, const Operation& op) {
  BatchNorm norm(lowering, op);
  const Operand mean = norm.mean(norm.x());
  const Operand centred = norm.sub(norm.x(), norm.spread(mean));
  // Two passes, mean((x - mean)^2): the form E[x^2] - E[x]^2 cancels.
  const Operand variance = norm.mean(norm.mul(centred, centred));
  const Operand scaled =
      norm.mul(norm.normalised(mean, variance), norm.spread(lowering.operand(op, 1)));
  lowering.bind(*op.results[0], norm.add(scaled, norm.spread(lowering.operand(op, 2))));
  lowering.bind(*op.results[1], mean);
  lowering.bind(*op.results[2], variance);
}

// batch_norm_grad of the specification, with its names i1 to i6.
void lower_gradient(Lowering& lowering, const Operation& op) {
  BatchNorm norm(lowering, op);
  const Operand scale = lowering.operand(op, 1);
  const Operand mean = lowering.operand(op, 2);
  const Operand variance = lowering.operand(op, 3);
  const Operand gradient = lowering.operand(op, 4);
  const Operand centred = norm.sub(norm.x(), norm.spread(mean));
  const Operand stddev = norm.spread(norm.stddev(variance));
  const Operand grad_scale = norm.sum(norm.div(norm.mul(gradient, centred), stddev));
  const Operand grad_offset = norm.sum(gradient);
  // The count is an operand of the formulas, so it is rounded to the element type like the rest.
  const Operand count = lowering.splat(norm.x().type, norm.count());
  const Operand i1 = norm.mul(gradient, count);
  const Operand i2 = norm.spread(norm.sum(gradient));
  const Operand i3 = norm.spread(norm.sum(norm.mul(gradient, centred)));
  const Operand i4 = norm.mul(i3, centred);
  // The square of the rounded root, not variance + epsilon: the specification has it so.
  const Operand epsilon_variance = norm.mul(stddev, stddev);
  const Operand i5 = norm.div(i4, epsilon_variance);
  const Operand i6 = norm.sub(norm.sub(i1, i2), i5);
  const Operand factor = norm.div(norm.div(norm.spread(scale), stddev), count);
  lowering.bind(*op.results[0], norm.mul(factor, i6));
  lowering.bind(*op.results[1], grad_scale);
  lowering.bind(*op.results[2], grad_offset);
}

}  // namespace

void add_batch_norm(LowerTable& table) {
  table.emplace("stablehlo.batch_norm_inference", lower_inference);
  table.emplace("stablehlo.batch_norm_training", lower_training);
  table.emplace("stablehlo.batch_norm_grad", lower_gradient);
}

}  // namespace understudy::program::passes
