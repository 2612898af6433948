// SPDX-License-Identifier: Apache-2.0
// Dots, decompositions, transforms, random bits. Precision words become an enumeration here; the
// worker decides by Numerics how many bf16 passes each one takes.
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
