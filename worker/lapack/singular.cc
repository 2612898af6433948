// SPDX-License-Identifier: Apache-2.0
// Singular value decompositions, by divide and conquer (gesdd) or by QR iterations (gesvd).
#include "worker/lapack/families.h"

namespace understudy::worker::lapack {

namespace {

constexpr int kBadOfGesdd = -4;
constexpr int kBadOfGesvd = -6;

template <class T>
struct Matrices {
  int m, n;
  int columns_of_u, rows_of_vt;
  char job;
  Block<T> a{count(m, n)}, u{count(m, columns_of_u)}, vt{count(rows_of_vt, n)};
  Block<Real<T>> s{count(std::min(m, n))};

  int least() const { return std::min(m, n); }

  // Sizes as the documentation of gesdd asks, for every job.
  std::size_t reals() const {
    const auto small = static_cast<std::size_t>(least());
    const auto large = static_cast<std::size_t>(std::max(m, n));
    return small * std::max({std::size_t{7}, 5 * small + 7, 2 * large + 2 * small + 1}) + 1;
  }

  int divide_and_conquer(T* scratch, int size, Real<T>* real_scratch, int* integers) {
    int info = 0;
    const int lda = leading(m), ldvt = leading(rows_of_vt);
    if constexpr (kComplex<T>) {
      routines<T>().gesdd(&job, &m, &n, a.data(), &lda, s.data(), u.data(), &lda, vt.data(), &ldvt,
                          scratch, &size, real_scratch, integers, &info, 1);
    } else {
      routines<T>().gesdd(&job, &m, &n, a.data(), &lda, s.data(), u.data(), &lda, vt.data(), &ldvt,
                          scratch, &size, integers, &info, 1);
    }
    return info;
  }

  int iterate(T* scratch, int size, Real<T>* real_scratch, int*) {
    int info = 0;
    const int lda = leading(m), ldvt = leading(rows_of_vt);
    if constexpr (kComplex<T>) {
      routines<T>().gesvd(&job, &job, &m, &n, a.data(), &lda, s.data(), u.data(), &lda, vt.data(),
                          &ldvt, scratch, &size, real_scratch, &info, 1, 1);
    } else {
      routines<T>().gesvd(&job, &job, &m, &n, a.data(), &lda, s.data(), u.data(), &lda, vt.data(),
                          &ldvt, scratch, &size, &info, 1, 1);
    }
    return info;
  }

  // An empty matrix has no singular values; its vectors are a unit matrix.
  void make_unit() {
    for (int i = 0; i < std::min(m, columns_of_u); ++i) u[count(i, m) + count(i)] = 1;
    for (int i = 0; i < std::min(rows_of_vt, n); ++i) vt[count(i, rows_of_vt) + count(i)] = 1;
  }
};

template <class T>
void decompose(const program::Lapack& work, Call<T>& call,
               int (Matrices<T>::*solve)(T*, int, Real<T>*, int*), int bad) {
  const int m = call.in_size(0, 1), n = call.in_size(0, 0);
  const int columns_of_u = call.out_size(2, 0), rows_of_vt = call.out_size(3, 1);
  const bool full = columns_of_u == m && rows_of_vt == n;
  const char with_vectors = full ? 'A' : 'S';
  Matrices<T> x{m, n, columns_of_u, rows_of_vt, work.vectors ? with_vectors : 'N'};
  Block<Real<T>> reals(x.reals());
  Block<int> integers(8 * count(x.least()));
  Scratch<T> scratch([&](T* buffer, const int* size, int*) {
    (x.*solve)(buffer, *size, reals.data(), integers.data());
  });
  for (std::size_t i = 0; i < call.batches(); ++i) {
    call.read(0, i, x.a.data(), m, n);
    int info = 0;
    if (x.least() == 0) {
      if (work.vectors) x.make_unit();
    } else if (all_finite(x.a.data(), count(m, n))) {
      info = (x.*solve)(scratch.data(), scratch.size, reals.data(), integers.data());
    } else {
      info = bad;
      fill_nan(x.s.data(), count(x.least()));
      fill_nan(x.u.data(), count(m, columns_of_u));
      fill_nan(x.vt.data(), count(rows_of_vt, n));
    }
    call.write(0, i, x.a.data(), m, n);
    call.write_plain(1, i, x.s.data(), count(x.least()));
    call.write(2, i, x.u.data(), m, columns_of_u);
    call.write(3, i, x.vt.data(), rows_of_vt, n);
    call.write_info(4, i, info);
  }
}

template <class T>
void gesdd(const program::Lapack& work, Call<T>& call) {
  decompose(work, call, &Matrices<T>::divide_and_conquer, kBadOfGesdd);
}

template <class T>
void gesvd(const program::Lapack& work, Call<T>& call) {
  decompose(work, call, &Matrices<T>::iterate, kBadOfGesvd);
}

}  // namespace

template <class T>
Run<T> singular(program::Routine routine) {
  if (routine == program::Routine::gesdd) return gesdd<T>;
  return routine == program::Routine::gesvd ? gesvd<T> : nullptr;
}

UNDERSTUDY_FOR_LAPACK_TYPES(singular)

}  // namespace understudy::worker::lapack
