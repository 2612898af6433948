// SPDX-License-Identifier: Apache-2.0
// One function per routine: reads a batch of matrices, calls LAPACK on each, writes the results.
// A matrix with a NaN or an infinity makes iterations meaningless, and searches for pivots among
// NaN may leave the matrix: routines that iterate or pivot whole columns are not called for one;
// their results are NaN and their info says which argument was wrong. *Throws* Error{system} where
// the library is missing.
#pragma once

#include <cstdint>

#include "program/executable/work.h"
#include "worker/lapack/call.h"

namespace understudy::worker::lapack {

template <class T>
using Run = void (*)(const program::Lapack& work, Call<T>& call);

// The function of a routine, by family; nullptr where the family does not have it.
template <class T>
Run<T> factorization(program::Routine routine);  // factor.cc
template <class T>
Run<T> eigen(program::Routine routine);  // eigen.cc
template <class T>
Run<T> singular(program::Routine routine);  // singular.cc
template <class T>
Run<T> tridiagonal(program::Routine routine);  // tridiagonal.cc

#define UNDERSTUDY_FOR_LAPACK_TYPES(family)                                        \
  template Run<float> family<float>(program::Routine);                             \
  template Run<double> family<double>(program::Routine);                           \
  template Run<std::complex<float>> family<std::complex<float>>(program::Routine); \
  template Run<std::complex<double>> family<std::complex<double>>(program::Routine);

// ---- shared by the families -------------------------------------------------------------------

inline std::size_t count(int rows, int columns = 1) {
  return static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
}
// A leading dimension: at least 1 (LAPACK's rule for empty matrices).
inline int leading(int rows) { return rows > 1 ? rows : 1; }
// The answer to a query for the size of scratch memory; floats may be rounded down.
// *Throws* Error{capacity} where it is no integer of LAPACK.
template <class T>
int scratch_size(const T& answer) {
  const double exact = static_cast<double>(std::real(answer));
  const double size = exact * (1 + std::numeric_limits<Real<T>>::epsilon());
  if (!(size <= INT32_MAX))
    throw Error(ErrorKind::capacity,
                "the matrix is too large: LAPACK needs more than 2^31 elements of scratch memory");
  return std::max(1, static_cast<int>(size));
}
// Scratch memory by LAPACK's protocol: a call with size -1 answers how much is best, in the first
// element of the scratch; the next call computes. `query` makes the first call. The sizes depend on
// the shape only, so one scratch serves a batch.
template <class T>
class Scratch {
 public:
  template <class Query>
  explicit Scratch(const Query& query) : size(size_from(query)), block_(count(size)) {}
  T* data() { return block_.data(); }

  const int size;  // elements

 private:
  template <class Query>
  static int size_from(const Query& query) {
    T answer{};
    constexpr int kQuery = -1;
    int info = 0;
    query(&answer, &kQuery, &info);
    return scratch_size(answer);
  }

  Block<T> block_;
};

template <class T>
bool all_finite(const T* values, std::size_t n) {
  return std::all_of(values, values + n, [](const T& x) { return is_finite(x); });
}
template <class T>
void fill_nan(T* values, std::size_t n) {
  std::fill(values, values + n, not_a_number<T>());
}

}  // namespace understudy::worker::lapack
