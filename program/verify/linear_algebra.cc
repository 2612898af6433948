// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <fmt/format.h>

#include "program/verify/rules.h"
#include "program/verify/window.h"

namespace understudy::program::rules {
namespace {

std::size_t at(std::int64_t dimension) { return static_cast<std::size_t>(dimension); }
bool holds(const Shape& list, std::int64_t value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

struct Pairs {
  Shape lhs, rhs;
};

Pairs pairs_of(const Check& check, const DialectAttribute& dims, std::string_view kind) {
  Pairs out{check.field(dims, fmt::format("lhs_{}_dimensions", kind)),
            check.field(dims, fmt::format("rhs_{}_dimensions", kind))};
  const TensorType& lhs = check.operand(0);
  const TensorType& rhs = check.operand(1);
  check.expect_dimensions(fmt::format("lhs_{}_dimensions", kind), out.lhs, lhs.ndims());
  check.expect_dimensions(fmt::format("rhs_{}_dimensions", kind), out.rhs, rhs.ndims());
  check.require(out.lhs.size() == out.rhs.size(),
                fmt::format("{} dimensions {} x {} do not pair up", kind, list_text(out.lhs),
                            list_text(out.rhs)));
  for (std::size_t i = 0; i < out.lhs.size(); ++i) {
    const std::int64_t left = lhs.shape[at(out.lhs[i])];
    const std::int64_t right = rhs.shape[at(out.rhs[i])];
    check.require(left == right,
                  fmt::format("{} dimensions {} of {} and {} of {} have sizes {} and {}", kind,
                              out.lhs[i], text_of(lhs), out.rhs[i], text_of(rhs), left, right));
  }
  return out;
}

void free_dimensions(const Check& check, std::size_t operand, const Shape& batching,
                     const Shape& contracting, Shape& out) {
  const TensorType& type = check.operand(operand);
  for (std::int64_t d = 0; d < type.ndims(); ++d) {
    const bool batch = holds(batching, d);
    const bool contracted = holds(contracting, d);
    check.require(
        !batch || !contracted,
        fmt::format("dimension {} of operand {} is both batching and contracting", d, operand));
    if (!batch && !contracted) out.push_back(type.shape[at(d)]);
  }
}

}  // namespace

void dot_general(const Check& check) {
  const DialectAttribute& dims = check.structure("dot_dimension_numbers");
  const Pairs batching = pairs_of(check, dims, "batching");
  const Pairs contracting = pairs_of(check, dims, "contracting");
  Shape wanted;
  for (const std::int64_t d : batching.lhs) wanted.push_back(check.operand(0).shape[at(d)]);
  free_dimensions(check, 0, batching.lhs, contracting.lhs, wanted);
  free_dimensions(check, 1, batching.rhs, contracting.rhs, wanted);
  check.expect_shape(0, wanted);
}

void convolution(const Check& check) {
  const TensorType& lhs = check.operand(0);
  const TensorType& rhs = check.operand(1);
  const TensorType& out = check.result(0);
  const DialectAttribute& dims = check.structure("dimension_numbers");
  const auto whole = [&](const char* first, const char* second, const char* spatial,
                         const TensorType& type) {
    Shape all = check.field(dims, spatial);
    all.push_back(check.number(dims, first));
    all.push_back(check.number(dims, second));
    check.expect_count(spatial, all, type.shape.size());
    check.expect_dimensions(spatial, all, type.ndims());
    all.resize(all.size() - 2);
    return all;
  };
  const Shape input =
      whole("input_batch_dimension", "input_feature_dimension", "input_spatial_dimensions", lhs);
  const Shape kernel = whole("kernel_input_feature_dimension", "kernel_output_feature_dimension",
                             "kernel_spatial_dimensions", rhs);
  const Shape output =
      whole("output_batch_dimension", "output_feature_dimension", "output_spatial_dimensions", out);
  const std::int64_t features = integer_of(check.op(), "feature_group_count", 1);
  const std::int64_t batches = integer_of(check.op(), "batch_group_count", 1);
  check.require(features > 0 && batches > 0 && (features == 1 || batches == 1),
                "group counts must be positive, and one of them 1");
  const std::int64_t lhs_batch = lhs.shape[at(check.number(dims, "input_batch_dimension"))];
  const std::int64_t lhs_feature = lhs.shape[at(check.number(dims, "input_feature_dimension"))];
  const std::int64_t inputs = rhs.shape[at(check.number(dims, "kernel_input_feature_dimension"))];
  const std::int64_t outputs = rhs.shape[at(check.number(dims, "kernel_output_feature_dimension"))];
  check.require(lhs_feature % features == 0 && lhs_feature / features == inputs,
                fmt::format("{} input features in {} groups for a kernel of {}", lhs_feature,
                            features, inputs));
  check.require(lhs_batch % batches == 0 && outputs % features == 0 && outputs % batches == 0,
                "the groups do not divide batches and output features");
  Shape sizes;
  for (const std::int64_t d : kernel) sizes.push_back(rhs.shape[at(d)]);
  const Window window = convolution_window(check, sizes);
  Shape wanted(out.shape.size(), 0);
  wanted[at(check.number(dims, "output_batch_dimension"))] = lhs_batch / batches;
  wanted[at(check.number(dims, "output_feature_dimension"))] = outputs;
  for (std::size_t d = 0; d < sizes.size(); ++d) {
    wanted[at(output[d])] = places(check, window, d, lhs.shape[at(input[d])]);
  }
  check.expect_shape(0, wanted);
}

void triangular_solve(const Check& check) {
  const TensorType& a = check.operand(0);
  const TensorType& b = check.operand(1);
  const bool left = flag_of(check.op(), "left_side", true);
  bool fits = a.ndims() >= 2 && a.ndims() == b.ndims() && a.element == b.element;
  if (fits) {
    const std::size_t last = a.shape.size() - 1;
    fits = a.shape[last] == a.shape[last - 1] && a.shape[last] == b.shape[left ? last - 1 : last] &&
           std::equal(a.shape.begin(), a.shape.end() - 2, b.shape.begin());
  }
  check.require(fits, fmt::format("{} and {} do not fit", text_of(a), text_of(b)));
  check.expect_result(0, b);
}

void rng_bit_generator(const Check& check) {
  check.expect_result(0, check.operand(0));
  const ElementType bits = check.result(1).element;
  check.require(is_integer(bits) || is_float(bits), "result 1 must hold numbers");
}

}  // namespace understudy::program::rules
