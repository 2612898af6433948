// SPDX-License-Identifier: Apache-2.0
// Routines of LAPACK over batches of matrices: chooses the type of the computation and the routine.
#include "program/executable/lapack.h"

#include <complex>

#include "worker/chip/ops.h"
#include "worker/lapack/families.h"

namespace understudy::worker::ops {
namespace {

template <class T>
lapack::Run<T> function_of(program::Routine routine) {
  for (const auto family :
       {lapack::factorization<T>, lapack::eigen<T>, lapack::singular<T>, lapack::tridiagonal<T>})
    if (const lapack::Run<T> found = family(routine)) return found;
  return nullptr;
}

template <class T>
void run_as(const program::Lapack& work, const Instruction& instruction, Execution& execution) {
  const std::string_view first = program::words_of(program::row_of(work.routine).inputs)[0];
  lapack::Call<T> call(instruction, execution, first.size() - 2);
  const lapack::Run<T> function = function_of<T>(work.routine);
  UNDERSTUDY_ASSERT(function != nullptr);
  function(work, call);
}

}  // namespace

void run(const program::Lapack& work, const Instruction& instruction, Execution& execution) {
  using program::ElementType;
  switch (instruction.inputs[0].type.element) {
    case ElementType::f64:
      return run_as<double>(work, instruction, execution);
    case ElementType::c64:
      return run_as<std::complex<float>>(work, instruction, execution);
    case ElementType::c128:
      return run_as<std::complex<double>>(work, instruction, execution);
    default:  // f32 and narrower floats
      return run_as<float>(work, instruction, execution);
  }
}

}  // namespace understudy::worker::ops
