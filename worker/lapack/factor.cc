// SPDX-License-Identifier: Apache-2.0
// Factorizations by Cholesky, LU and QR, and products with the q of a QR factorization.
#include <numeric>

#include "worker/lapack/cholesky.h"
#include "worker/lapack/families.h"
#include "worker/lapack/side_by_side.h"

namespace understudy::worker::lapack {

namespace {

template <class T>
void potrf(const program::Lapack& work, Call<T>& call) {
  CholeskyFactor<T> one(call.in_size(0, 0), work.lower);
  for (std::size_t i = 0; i < call.batches(); ++i) {
    const int info = one.factor(call, i);
    one.write(call, i);
    call.write_info(1, i, info);
  }
}

// Factors in place. Pivots count from 1 and are in range even where the matrix has NaN.
template <class T>
int factor_one_lu(int m, int n, Block<T>& a, Block<int>& pivots) {
  int info = 0;
  const int lda = leading(m);
  const int k = std::min(m, n);
  if (k > 0) routines<T>().getrf(&m, &n, a.data(), &lda, pivots.data(), &info);
  for (int i = 0; i < k; ++i) {
    int& pivot = pivots[count(i)];
    pivot = std::clamp(pivot, i + 1, m);
  }
  return info;
}

// Side by side: the pivots and infos of all matrices, which are written to the first result. False,
// with nothing done, where one after the other is quicker.
template <class T>
bool factor_small_lu(int m, int n, Call<T>& call, Block<int>& pivots, Block<int>& infos) {
  if constexpr (!kComplex<T>) {
    const T* const in = call.template all_of<T>(0);
    if (in == nullptr || !fits_side_by_side(call.batches(), m, n)) return false;
    pivots = Block<int>(call.batches() * count(std::min(m, n)));
    infos = Block<int>(call.batches());
    factor_lu(in, call.batches(), m, n, call.template all_of_result<T>(0), pivots.data(),
              infos.data());
    return true;
  }
  return false;
}

template <class T>
void getrf(const program::Lapack&, Call<T>& call) {
  const int m = call.in_size(0, 1), n = call.in_size(0, 0);
  Block<int> all_pivots(0), infos(0);
  if (factor_small_lu(m, n, call, all_pivots, infos)) {
    const std::size_t k = count(std::min(m, n));
    for (std::size_t i = 0; i < call.batches(); ++i) {
      int* const first = all_pivots.data() + i * k;
      for (std::size_t p = 0; p < k; ++p) ++first[p];
      call.write_plain(1, i, first, k);
      call.write_info(2, i, infos[i]);
    }
    return;
  }
  Block<T> a(count(m, n));
  Block<int> pivots(count(std::min(m, n)));
  for (std::size_t i = 0; i < call.batches(); ++i) {
    call.read(0, i, a.data(), m, n);
    const int info = factor_one_lu(m, n, a, pivots);
    call.write(0, i, a.data(), m, n);
    call.write_plain(1, i, pivots.data(), count(std::min(m, n)));
    call.write_info(2, i, info);
  }
}

// Rows are swapped in order; the permutation says which row of the operand each row is. Pivots
// count from 0.
template <class T>
void write_order(Call<T>& call, std::size_t batch, int m, const int* pivots, std::size_t k,
                 Block<int>& rows) {
  std::iota(rows.data(), rows.data() + m, 0);
  for (std::size_t p = 0; p < k; ++p) std::swap(rows[p], rows[count(pivots[p])]);
  call.write_plain(1, batch, pivots, k);
  call.write_plain(2, batch, rows.data(), count(m));
}

template <class T>
void lu(const program::Lapack&, Call<T>& call) {
  const int m = call.in_size(0, 1), n = call.in_size(0, 0);
  const std::size_t k = count(std::min(m, n));
  Block<int> all_pivots(0), infos(0), rows(count(m));
  if (factor_small_lu(m, n, call, all_pivots, infos)) {
    for (std::size_t i = 0; i < call.batches(); ++i)
      write_order(call, i, m, all_pivots.data() + i * k, k, rows);
    return;
  }
  Block<T> a(count(m, n));
  Block<int> pivots(k);
  for (std::size_t i = 0; i < call.batches(); ++i) {
    call.read(0, i, a.data(), m, n);
    factor_one_lu(m, n, a, pivots);
    for (std::size_t p = 0; p < k; ++p) --pivots[p];
    call.write(0, i, a.data(), m, n);
    write_order(call, i, m, pivots.data(), k, rows);
  }
}

// An empty matrix is not given to LAPACK: its leading dimension would be an error.
template <class T>
void geqrf(const program::Lapack&, Call<T>& call) {
  const int m = call.in_size(0, 1), n = call.in_size(0, 0);
  const int lda = leading(m);
  const std::size_t k = count(std::min(m, n));
  const auto& qr = routines<T>().geqrf;
  Block<T> a(count(m, n)), tau(k);
  Scratch<T> scratch([&](T* work, const int* size, int* info) {
    qr(&m, &n, a.data(), &lda, tau.data(), work, size, info);
  });
  int info = 0;
  for (std::size_t i = 0; i < call.batches(); ++i) {
    call.read(0, i, a.data(), m, n);
    if (k > 0) qr(&m, &n, a.data(), &lda, tau.data(), scratch.data(), &scratch.size, &info);
    call.write(0, i, a.data(), m, n);
    call.write_plain(1, i, tau.data(), k);
  }
}

// Complex matrices need real scratch as well, of a size that LAPACK fixes: 2 n.
template <class T>
void call_geqp3(int m, int n, T* a, int* pivots, T* tau, T* scratch, int size) {
  const int lda = leading(m);
  int info = 0;
  if constexpr (kComplex<T>) {
    Block<Real<T>> reals(2 * count(n));
    routines<T>().geqp3(&m, &n, a, &lda, pivots, tau, scratch, &size, reals.data(), &info);
  } else {
    routines<T>().geqp3(&m, &n, a, &lda, pivots, tau, scratch, &size, &info);
  }
}

// A column whose given pivot is not 0 is moved to the front; the results count columns from 1.
template <class T>
void geqp3(const program::Lapack&, Call<T>& call) {
  const int m = call.in_size(0, 1), n = call.in_size(0, 0);
  const std::size_t k = count(std::min(m, n));
  Block<T> a(count(m, n), count(m)), tau(k);
  Block<int> pivots(count(n));
  Scratch<T> scratch([&](T* work, const int* size, int*) {
    call_geqp3(m, n, a.data(), pivots.data(), tau.data(), work, *size);
  });
  for (std::size_t i = 0; i < call.batches(); ++i) {
    call.read(0, i, a.data(), m, n);
    call.read_plain(1, i, pivots.data(), count(n));
    if (!all_finite(a.data(), count(m, n))) {
      fill_nan(a.data(), count(m, n));
      fill_nan(tau.data(), k);
      std::iota(pivots.data(), pivots.data() + n, 1);
    } else if (k > 0) {
      call_geqp3(m, n, a.data(), pivots.data(), tau.data(), scratch.data(), scratch.size);
    } else {
      std::iota(pivots.data(), pivots.data() + n, 1);
    }
    call.write(0, i, a.data(), m, n);
    call.write_plain(1, i, pivots.data(), count(n));
    call.write_plain(2, i, tau.data(), k);
  }
}

// The m x n matrix with orthonormal columns that k reflectors of geqrf stand for.
template <class T>
void orgqr(const program::Lapack&, Call<T>& call) {
  const int m = call.in_size(0, 1), n = call.in_size(0, 0), k = call.in_size(1, 0);
  const int lda = leading(m);
  const auto& product = routines<T>().orgqr;
  Block<T> a(count(m, n)), tau(count(k));
  Scratch<T> scratch([&](T* work, const int* size, int* info) {
    product(&m, &n, &k, a.data(), &lda, tau.data(), work, size, info);
  });
  int info = 0;
  for (std::size_t i = 0; i < call.batches(); ++i) {
    call.read(0, i, a.data(), m, n);
    call.read_plain(1, i, tau.data(), count(k));
    product(&m, &n, &k, a.data(), &lda, tau.data(), scratch.data(), &scratch.size, &info);
    call.write(0, i, a.data(), m, n);
  }
}

// c times q or its (conjugate) transpose, from one side, without forming q. The transpose of a
// complex q is taken as its conjugate transpose: LAPACK has no other.
template <class T>
void ormqr(const program::Lapack& work, Call<T>& call) {
  const int rows = call.in_size(0, 1), columns = call.in_size(0, 0), k = call.in_size(1, 0);
  const int m = call.in_size(2, 1), n = call.in_size(2, 0);
  const int lda = leading(rows), ldc = leading(m);
  const char side = work.left ? 'L' : 'R';
  const char transposed = kComplex<T> ? 'C' : 'T';
  const char trans = work.transpose ? transposed : 'N';
  const auto& multiply = routines<T>().ormqr;
  Block<T> a(count(rows, columns)), tau(count(k)), c(count(m, n));
  Scratch<T> scratch([&](T* buffer, const int* size, int* info) {
    multiply(&side, &trans, &m, &n, &k, a.data(), &lda, tau.data(), c.data(), &ldc, buffer, size,
             info, 1, 1);
  });
  int info = 0;
  for (std::size_t i = 0; i < call.batches(); ++i) {
    call.read(0, i, a.data(), rows, columns);
    call.read_plain(1, i, tau.data(), count(k));
    call.read(2, i, c.data(), m, n);
    multiply(&side, &trans, &m, &n, &k, a.data(), &lda, tau.data(), c.data(), &ldc, scratch.data(),
             &scratch.size, &info, 1, 1);
    call.write(0, i, c.data(), m, n);
  }
}

}  // namespace

template <class T>
Run<T> factorization(program::Routine routine) {
  using program::Routine;
  constexpr std::pair<Routine, Run<T>> kRows[] = {
      {Routine::potrf, potrf<T>}, {Routine::getrf, getrf<T>}, {Routine::lu, lu<T>},
      {Routine::geqrf, geqrf<T>}, {Routine::geqp3, geqp3<T>}, {Routine::orgqr, orgqr<T>},
      {Routine::ormqr, ormqr<T>}};
  for (const auto& [name, run] : kRows)
    if (name == routine) return run;
  return nullptr;
}

UNDERSTUDY_FOR_LAPACK_TYPES(factorization)

}  // namespace understudy::worker::lapack
