// SPDX-License-Identifier: Apache-2.0
// The targets that are routines of LAPACK, and how their flags are read. Internal to lapack*.cc.
// Pure functions; errors are Error{input} at the operation.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "program/executable/lapack.h"
#include "program/lowering/lowering.h"

namespace understudy::program::passes {

// Where the flags of a target are.
enum class LapackForm : std::uint8_t {
  attributes,  // mhlo.backend_config = {uplo = 76 : ui8}
  operands,    // scalars before the matrices, as before typed calls
  text,        // backend_config = "1,1,100,1e-6"
  none,
};

// `settings`: of attributes "NAME=FLAG", of operands a FLAG for each scalar, in order ("." is a
// size or a count, which the shapes give as well). `results`: the routine's result for each result
// of the call, '-' is scratch memory or an info of a routine that does not fail: zeros. Empty: the
// routine's results in order.
struct LapackTarget {
  std::string_view name;     // '?' is the letter of the element type
  std::string_view letters;  // empty: any float or complex type
  Routine routine;
  LapackForm form;
  std::string_view settings, results;
};

inline constexpr std::string_view kSolveTarget = "lapack_?trsm_ffi";  // a triangular solve
inline constexpr std::string_view kOldSolveTarget = "blas_?trsm";

// The row of a target, and the letter in the place of '?'; nullptr where there is none.
const LapackTarget* find_lapack_target(std::string_view name, char& letter);
// Whether a target is `name` with one of `letters` in the place of '?'.
bool matches_letter(std::string_view name, std::string_view letters, std::string_view target,
                    char& letter);

std::string target_name(const Operation& op);
Error wrong_call(const Operation& op, std::string_view text);
// Throws where the type of the matrices is not that of the letter.
void expect_letter(const Operation& op, char letter, const TensorType& type);
// The number under a name of mhlo.backend_config, or of a typed call's backend_config.
std::int64_t setting_of(const Operation& op, std::string_view name);
// The value of a scalar operand, which must be known.
std::int64_t scalar_setting(Lowering& lowering, const Operation& op, std::size_t index);
// Reads all flags into `work`. Returns the number of operands that are scalars of the older form.
std::size_t read_settings(Lowering& lowering, const Operation& op, const LapackTarget& target,
                          Lapack& work);
// Throws Error{unsupported} unless a value of `ndims` dimensions has matrices in column-major
// order.
void expect_layout(const Operation& op, std::string_view attribute, std::size_t index,
                   std::size_t matrix_dimensions, std::size_t ndims);

// lapack_solve.cc
void lower_lapack_solve(Lowering& lowering, const Operation& op);
void lower_old_lapack_solve(Lowering& lowering, const Operation& op);

}  // namespace understudy::program::passes
