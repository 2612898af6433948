// SPDX-License-Identifier: Apache-2.0
// Dots: dot, dot_general, chlo.ragged_dot.
#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "program/verify/dimensions.h"
#include "program/verify/rules.h"

namespace understudy::program::rules {
namespace {

// Dimension numbers of both sides, matched by position.
struct Pairs {
  Shape lhs, rhs;
};

// Dimensions of the lhs and rhs that are matched with each other must be equally many, and equal in
// size pair by pair.
Pairs pairs_of(const Check& check, const DialectAttribute& dims, std::string_view kind) {
  Pairs out{check.field(dims, fmt::format("lhs_{}_dimensions", kind)),
            check.field(dims, fmt::format("rhs_{}_dimensions", kind))};
  const TensorType& lhs = check.operand(0);
  const TensorType& rhs = check.operand(1);
  check.expect_dimensions(fmt::format("lhs_{}_dimensions", kind), out.lhs, lhs.ndims());
  check.expect_dimensions(fmt::format("rhs_{}_dimensions", kind), out.rhs, rhs.ndims());
  check.require(out.lhs.size() == out.rhs.size(),
                fmt::format("{} dimensions {} and {} differ in number", kind, list_text(out.lhs),
                            list_text(out.rhs)));
  for (std::size_t i = 0; i < out.lhs.size(); ++i) {
    const std::int64_t left = lhs.shape[at(out.lhs[i])];
    const std::int64_t right = rhs.shape[at(out.rhs[i])];
    check.require(fit(left, right),
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

// The dot algorithms of the StableHLO specification (dot_general): operand type, accumulation type,
// number of primitive operations (bf16 x 3 approximates f32 with three products, and so on). All
// have one component per operand.
struct Algorithm {
  std::string_view operand, sum;
  std::int64_t products;
};
constexpr std::array<Algorithm, 12> kAlgorithms = {{{"f8", "f32", 1},
                                                    {"f16", "f16", 1},
                                                    {"f16", "f32", 1},
                                                    {"bf16", "bf16", 1},
                                                    {"bf16", "f32", 1},
                                                    {"bf16", "f32", 3},
                                                    {"bf16", "f32", 6},
                                                    {"bf16", "f32", 9},
                                                    {"tf32", "f32", 1},
                                                    {"tf32", "f32", 3},
                                                    {"f32", "f32", 1},
                                                    {"f64", "f64", 1}}};

// The name of a type inside an algorithm, where "f8" stands for all types of 8 bits.
std::string precision_name(const DialectAttribute& algorithm, std::string_view key) {
  const Attribute* found = algorithm.find(key);
  const auto* type = found == nullptr ? nullptr : found->get<TypeAttribute>();
  if (type == nullptr) return {};
  if (!type->type.is_tensor()) return text_of(type->type);
  const std::string name(mlir_name(type->type.tensor.element));
  // Algorithms do not distinguish the f8 types.
  return name.starts_with("f8") ? "f8" : name;
}

// A combination that no hardware implements is refused, as by the reference: running it in another
// precision would not be what the program asked for.
void expect_algorithm(const Check& check) {
  const Attribute* found = check.op().find("algorithm");
  if (found == nullptr) return;
  const DialectAttribute& given = *found->dialect();
  const std::string lhs = precision_name(given, "lhs_precision_type");
  const std::string rhs = precision_name(given, "rhs_precision_type");
  const std::string sum = precision_name(given, "accumulation_type");
  const std::int64_t products = check.number(given, "num_primitive_operations");
  const bool imprecise = check.number(given, "allow_imprecise_accumulation") != 0;
  const bool known = lhs == rhs && check.number(given, "lhs_component_count") == 1 &&
                     check.number(given, "rhs_component_count") == 1 &&
                     // Only the f8 algorithms have a form with imprecise accumulation.
                     (!imprecise || lhs == "f8") &&
                     std::ranges::any_of(kAlgorithms, [&](const Algorithm& each) {
                       return each.operand == lhs && each.sum == sum && each.products == products;
                     });
  check.require(known,
                fmt::format("unknown algorithm: operands {} x {}, {} products, accumulation in {}",
                            lhs, rhs, products, sum));
}

// ---- ragged -----------------------------------------------------------------------------------

constexpr std::string_view kRagged = "ragged_dot_dimension_numbers";

// Sizes of the lhs dimensions that precede the ragged one in a list.
Shape sizes_before(const Shape& lhs, const Shape& dimensions, std::int64_t ragged) {
  Shape out;
  for (const std::int64_t d : dimensions) {
    if (d == ragged) break;
    out.push_back(lhs[at(d)]);
  }
  return out;
}

// Group sizes are [groups], or have one row for each index of the dimensions that precede the
// ragged one.
void expect_group_sizes(const Check& check, Shape rows) {
  const Shape& sizes = check.operand(2).shape;
  if (sizes.size() == 1) return;
  // The last dimension is the number of groups.
  if (sizes.size() == rows.size() + 1) rows.push_back(sizes.back());
  if (fit(sizes, rows)) return;
  check.fail_operand(2, fmt::format("is {}, but must have one dimension or the shape {}",
                                    text_of(check.operand(2)), list_text(rows)));
}

}  // namespace

void expect_precision(const Check& check) {
  const Attribute* found = check.op().find("precision_config");
  // The specification allows none or one entry per operand.
  const std::size_t count = found == nullptr ? 0 : found->array()->elements.size();
  if (count > 2)
    check.fail(fmt::format("'precision_config' has {} entries, but needs at most 2", count));
}

// The result has the batching dimensions of the lhs, then the free dimensions of the lhs and of the
// rhs.
void dot_general(const Check& check) {
  const DialectAttribute& dims = check.structure("dot_dimension_numbers");
  const Pairs batching = pairs_of(check, dims, "batching");
  const Pairs contracting = pairs_of(check, dims, "contracting");
  Shape wanted;
  for (const std::int64_t d : batching.lhs) wanted.push_back(check.operand(0).shape[at(d)]);
  free_dimensions(check, 0, batching.lhs, contracting.lhs, wanted);
  free_dimensions(check, 1, batching.rhs, contracting.rhs, wanted);
  check.expect_shape(0, wanted);
  expect_precision(check);
  expect_algorithm(check);
}

// A vector or matrix times a vector or matrix, over the last dimension of one and the first of the
// other.
void dot(const Check& check) {
  const TensorType& lhs = check.operand(0);
  const TensorType& rhs = check.operand(1);
  for (std::size_t i = 0; i < 2; ++i)
    if (check.operand(i).ndims() < 1 || check.operand(i).ndims() > 2)
      check.fail_operand(
          i, fmt::format("is {}, but must have 1 or 2 dimensions", text_of(check.operand(i))));
  check.require(fit(lhs.shape.back(), rhs.shape.front()),
                fmt::format("{} and {} do not fit", text_of(lhs), text_of(rhs)));
  // The contracted dimension is the last of the lhs and the first of the rhs, also for vectors.
  Shape wanted(lhs.shape.begin(), lhs.shape.end() - 1);
  wanted.insert(wanted.end(), rhs.shape.begin() + 1, rhs.shape.end());
  check.expect_shape(0, wanted);
  expect_precision(check);
}

namespace {

// The dimensions that the sizes of groups have: those before the ragged one, of its kind, and the
// batching ones of the lhs.
Shape rows_of_groups(const Check& check, const Pairs& batching, const Pairs& contracting,
                     std::int64_t ragged) {
  const Shape& lhs = check.operand(0).shape;
  if (holds(batching.lhs, ragged)) return sizes_before(lhs, batching.lhs, ragged);
  Shape rows, free;
  for (const std::int64_t d : batching.lhs) rows.push_back(lhs[at(d)]);
  for (std::int64_t d = 0; d < check.operand(0).ndims(); ++d)
    if (!holds(batching.lhs, d) && !holds(contracting.lhs, d)) free.push_back(d);
  const bool contracts = holds(contracting.lhs, ragged);
  for (const std::int64_t size : sizes_before(lhs, contracts ? contracting.lhs : free, ragged))
    rows.push_back(size);
  return rows;
}

}  // namespace

void ragged_dot(const Check& check) {
  const DialectAttribute& dims = check.structure(kRagged);
  const Pairs batching = pairs_of(check, dims, "batching");
  const Pairs contracting = pairs_of(check, dims, "contracting");
  const Shape raggeds = check.field(dims, "lhs_ragged_dimensions");
  const Shape groups = check.field(dims, "rhs_group_dimensions");
  const Shape& lhs = check.operand(0).shape;
  const Shape& rhs = check.operand(1).shape;
  check.expect_count("lhs_ragged_dimensions", raggeds, 1);
  check.expect_dimensions("lhs_ragged_dimensions", raggeds, check.operand(0).ndims());
  check.expect_dimensions("rhs_group_dimensions", groups, check.operand(1).ndims());
  const std::int64_t ragged = raggeds[0];
  // The ragged dimension of the lhs is a batching, contracting or free one. Only the last case
  // needs a group dimension in the rhs.
  const bool batches = holds(batching.lhs, ragged);
  const bool contracts = holds(contracting.lhs, ragged);
  check.expect_count("rhs_group_dimensions", groups, batches || contracts ? 0 : 1);
  for (const std::int64_t d : groups)
    check.require(
        !holds(batching.rhs, d) && !holds(contracting.rhs, d),
        fmt::format("dimension {} of operand 1 is both a group dimension and another kind", d));
  if (check.operand(2).ndims() == 0)
    check.fail_operand(
        2, fmt::format("is {}, but must have a group dimension", text_of(check.operand(2))));
  const std::int64_t count = check.operand(2).shape.back();
  Shape wanted;
  // A ragged contraction gives one product per group, stacked along a new first dimension.
  if (contracts) wanted.push_back(count);
  for (const std::int64_t d : batching.lhs) wanted.push_back(lhs[at(d)]);
  free_dimensions(check, 0, batching.lhs, contracting.lhs, wanted);
  // The group dimension selects a matrix of the rhs, so it is not in the result.
  Shape taken = contracting.rhs;
  taken.insert(taken.end(), groups.begin(), groups.end());
  free_dimensions(check, 1, batching.rhs, taken, wanted);
  if (!groups.empty() && !fit(rhs[at(groups[0])], count))
    check.fail_operand(
        1, fmt::format("is {}, but there are {} groups", text_of(check.operand(1)), count));
  expect_group_sizes(check, rows_of_groups(check, batching, contracting, ragged));
  check.expect_shape(0, wanted);
  expect_precision(check);
}

}  // namespace understudy::program::rules
