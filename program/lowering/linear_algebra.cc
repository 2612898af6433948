// SPDX-License-Identifier: Apache-2.0
// Dots, decompositions, transforms, random bits. Precision words become an enumeration here; the
// worker decides by Numerics how many bf16 passes each one takes.
#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "program/lowering/exported_calls.h"
#include "program/passes/module/attributes.h"

namespace understudy::program::passes {

namespace {

// The value of an enumeration attribute by its word.
template <class Value, std::size_t N>
Value word_in(const Operation& op, std::string_view attribute, std::string_view fallback,
              const std::array<std::pair<std::string_view, Value>, N>& words) {
  const std::string word = word_of(op, attribute, fallback);
  for (const auto& [name, value] : words)
    if (name == word) return value;
  throw error_at(op.location, ErrorKind::input,
                 fmt::format("{}: {}: unknown value '{}'", op.name, attribute, word));
}

void lower_dot_general(Lowering& lowering, const Operation& op) {
  constexpr std::string_view kNumbers = "dot_dimension_numbers";
  Dot work;
  work.lhs_batch = dimensions_of(op, kNumbers, "lhs_batching_dimensions");
  work.rhs_batch = dimensions_of(op, kNumbers, "rhs_batching_dimensions");
  work.lhs_contracting = dimensions_of(op, kNumbers, "lhs_contracting_dimensions");
  work.rhs_contracting = dimensions_of(op, kNumbers, "rhs_contracting_dimensions");
  std::tie(work.lhs_precision, work.rhs_precision) = precisions_of(op);
  lowering.emit_result(op, std::move(work), {lowering.operand(op, 0), lowering.operand(op, 1)});
}

// An operand of a product without sums, spread over the dimensions of the transposed result. Those
// of the result are the batch, then those that are free in the lhs, then in the rhs; `first`: the
// first free one of the operand. It is transposed before it is spread, which moves less.
Operand factor_of(Lowering& lowering, const Operand& x, const Shape& batch, std::size_t first,
                  const Shape& permutation, const TensorType& out) {
  const Shape strides = row_major_strides(x.type.shape);
  Shape of_result(out.shape.size(), 0);
  for (std::size_t i = 0; i < batch.size(); ++i)
    of_result[i] = strides[static_cast<std::size_t>(batch[i])];
  for (std::size_t d = 0; d < strides.size(); ++d)
    if (std::ranges::find(batch, static_cast<std::int64_t>(d)) == batch.end())
      of_result[first++] = strides[d];
  TensorType ordered{x.type.element, {}};
  Shape steps;
  for (std::size_t d = 0; d < permutation.size(); ++d) {
    const std::int64_t step = of_result[static_cast<std::size_t>(permutation[d])];
    if (step == 0) continue;
    ordered.shape.push_back(out.shape[d]);
    steps.push_back(step);
  }
  const Operand in_order = lowering.gather_strided(x, ordered, std::move(steps), 0);
  const Shape dense = row_major_strides(ordered.shape);
  Shape spread;
  auto next = dense.begin();
  for (const std::int64_t d : permutation)
    spread.push_back(of_result[static_cast<std::size_t>(d)] == 0 ? 0 : *next++);
  return lowering.gather_strided(in_order, out, std::move(spread), 0);
}

// Deprecated: contracts the last dimension of the lhs with the first of the rhs.
void lower_dot(Lowering& lowering, const Operation& op) {
  const Operand lhs = lowering.operand(op, 0);
  Dot work;
  work.lhs_contracting = {lhs.type.ndims() - 1};
  work.rhs_contracting = {0};
  std::tie(work.lhs_precision, work.rhs_precision) = precisions_of(op);
  lowering.emit_result(op, std::move(work), {lhs, lowering.operand(op, 1)});
}

void lower_cholesky(Lowering& lowering, const Operation& op) {
  lowering.emit_result(op, Cholesky{flag_of(op, "lower", false)}, {lowering.operand(op, 0)});
}

void lower_triangular_solve(Lowering& lowering, const Operation& op) {
  TriangularSolve work;
  work.left_side = flag_of(op, "left_side", true);
  work.lower = flag_of(op, "lower", true);
  work.unit_diagonal = flag_of(op, "unit_diagonal", false);
  const std::string transpose = word_of(op, "transpose_a", "NO_TRANSPOSE");
  // ADJOINT is the transpose of the conjugate.
  work.transpose = transpose == "TRANSPOSE" || transpose == "ADJOINT";
  work.conjugate = transpose == "ADJOINT";
  lowering.emit_result(op, work, {lowering.operand(op, 0), lowering.operand(op, 1)});
}

void lower_fft(Lowering& lowering, const Operation& op) {
  constexpr std::array<std::pair<std::string_view, FftKind>, 4> kKinds = {
      {{"FFT", FftKind::fft},
       {"IFFT", FftKind::ifft},
       {"RFFT", FftKind::rfft},
       {"IRFFT", FftKind::irfft}}};
  Fft work{word_in(op, "fft_type", "FFT", kKinds), integers_of(op, "fft_length")};
  lowering.emit_result(op, std::move(work), {lowering.operand(op, 0)});
}

// The third operand is the shape of the result, which is static already.
void lower_rng(Lowering& lowering, const Operation& op) {
  const std::string distribution = word_of(op, "rng_distribution", "UNIFORM");
  lowering.emit_result(op, Rng{distribution == "NORMAL"},
                       {lowering.operand(op, 0), lowering.operand(op, 1)});
}

}  // namespace

std::optional<Operand> transposed_product(Lowering& lowering, const Operation& product,
                                          const Shape& permutation, const TensorType& out) {
  constexpr std::string_view kNumbers = "dot_dimension_numbers";
  const Shape lhs_batch = dimensions_of(product, kNumbers, "lhs_batching_dimensions");
  const Shape rhs_batch = dimensions_of(product, kNumbers, "rhs_batching_dimensions");
  if (!dimensions_of(product, kNumbers, "lhs_contracting_dimensions").empty() ||
      lhs_batch.empty() || lowering.in_body())
    return std::nullopt;
  const Operand lhs = lowering.operand(product, 0), rhs = lowering.operand(product, 1);
  Dot work;
  std::tie(work.lhs_precision, work.rhs_precision) = precisions_of(product);
  const Precision precision = std::max(work.lhs_precision, work.rhs_precision);
  if (lhs.type.element != out.element || rhs.type.element != out.element ||
      (precision != Precision::standard && precision != Precision::highest))
    return std::nullopt;
  for (std::int64_t d = 0; d < out.ndims(); ++d) work.lhs_batch.push_back(d);
  work.rhs_batch = work.lhs_batch;
  Parts factors{factor_of(lowering, lhs, lhs_batch, lhs_batch.size(), permutation, out),
                factor_of(lowering, rhs, rhs_batch, lhs.type.shape.size(), permutation, out)};
  return lowering.emit(std::move(work), std::move(factors), out);
}

void lower_rng_bit_generator(Lowering& lowering, const Operation& op) {
  constexpr std::array<std::pair<std::string_view, RngAlgorithm>, 3> kAlgorithms = {
      {{"DEFAULT", RngAlgorithm::standard},
       {"THREE_FRY", RngAlgorithm::three_fry},
       {"PHILOX", RngAlgorithm::philox}}};
  const Parts outputs = {lowering.make(lowering.result_type(op, 0)),
                         lowering.make(lowering.result_type(op, 1))};
  lowering.emit(RngBitGenerator{word_in(op, "rng_algorithm", "DEFAULT", kAlgorithms)},
                {lowering.operand(op, 0)}, outputs);
  lowering.bind_all(op.results, outputs);
}

void add_linear_algebra(LowerTable& table) {
  table.emplace("stablehlo.dot_general", lower_dot_general);
  table.emplace("stablehlo.dot", lower_dot);
  table.emplace("stablehlo.cholesky", lower_cholesky);
  table.emplace("stablehlo.triangular_solve", lower_triangular_solve);
  table.emplace("stablehlo.fft", lower_fft);
  table.emplace("stablehlo.rng_bit_generator", lower_rng_bit_generator);
  table.emplace("stablehlo.rng", lower_rng);
}

}  // namespace understudy::program::passes
