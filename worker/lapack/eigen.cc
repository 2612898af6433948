// SPDX-License-Identifier: Apache-2.0
// Eigenvalues, Schur forms, and the reductions that come before them.
#include <array>

#include "worker/lapack/families.h"

namespace understudy::worker::lapack {

namespace {

// The info of a matrix that is not finite: minus the place of the matrix among the arguments.
constexpr int kBadOfSyevd = -4;
constexpr int kBadOfGeev = -4;
constexpr int kBadOfGees = -5;

// ---- symmetric and Hermitian matrices ----------------------------------------------------------

template <class T>
struct SymmetricScratch {
  int n, lda;
  char jobz, uplo;
  int work_size = -1, reals_size = -1, integers_size = -1;

  int run(T* a, Real<T>* w, T* work, Real<T>* reals, int* integers) const {
    int info = 0;
    if constexpr (kComplex<T>) {
      routines<T>().syevd(&jobz, &uplo, &n, a, &lda, w, work, &work_size, reals, &reals_size,
                          integers, &integers_size, &info, 1, 1);
    } else {
      routines<T>().syevd(&jobz, &uplo, &n, a, &lda, w, work, &work_size, integers, &integers_size,
                          &info, 1, 1);
    }
    return info;
  }
};

// Only the triangle that is read has to be finite.
template <class T>
bool finite_triangle(const Block<T>& a, int n, bool lower) {
  for (int c = 0; c < n; ++c)
    for (int r = lower ? c : 0; r < (lower ? n : c + 1); ++r)
      if (!is_finite(a[count(c, n) + count(r)])) return false;
  return true;
}

// with_info: a failure is in the info; else the results are NaN.
template <class T>
void symmetric(const program::Lapack& work, Call<T>& call, bool with_info) {
  const int n = call.in_size(0, 0);
  const char jobz = work.vectors ? 'V' : 'N', uplo = work.lower ? 'L' : 'U';
  SymmetricScratch<T> solver{n, leading(n), jobz, uplo};
  Block<T> a(count(n, n));
  Block<Real<T>> w(count(n));
  T size{};
  Real<T> reals_size{};
  int integers_size = 0;
  solver.run(a.data(), w.data(), &size, &reals_size, &integers_size);
  solver.work_size = scratch_size(size);
  solver.reals_size = scratch_size(reals_size);
  solver.integers_size = std::max(1, integers_size);
  Block<T> scratch(count(solver.work_size));
  Block<Real<T>> reals(count(solver.reals_size));
  Block<int> integers(count(solver.integers_size));
  for (std::size_t i = 0; i < call.batches(); ++i) {
    int info = 0;
    call.read(0, i, a.data(), n, n);
    if (!finite_triangle(a, n, work.lower)) info = kBadOfSyevd;
    if (info == 0)
      info = solver.run(a.data(), w.data(), scratch.data(), reals.data(), integers.data());
    if (info < 0 || (info != 0 && !with_info)) {
      fill_nan(a.data(), count(n, n));
      fill_nan(w.data(), count(n));
    }
    call.write(0, i, a.data(), n, n);
    call.write_plain(1, i, w.data(), count(n));
    if (with_info) call.write_info(2, i, info);
  }
}

template <class T>
void syevd(const program::Lapack& work, Call<T>& call) {
  symmetric(work, call, true);
}

template <class T>
void eigh(const program::Lapack& work, Call<T>& call) {
  symmetric(work, call, false);
}

// ---- general matrices --------------------------------------------------------------------------

// Eigenvalues and vectors of one matrix. Of real matrices `values` has the real parts, then the
// imaginary parts, and a conjugate pair of vectors has its real part in one column and its
// imaginary part in the next.
template <class T>
struct General {
  int n;
  char left, right;
  Block<T> a{count(n, n)}, values{2 * count(n)}, vl{count(n, n)}, vr{count(n, n)};
  Block<Real<T>> reals{2 * count(n)};

  int run(T* scratch, int size) {
    int info = 0;
    const int ld = leading(n);
    if constexpr (kComplex<T>) {
      routines<T>().geev(&left, &right, &n, a.data(), &ld, values.data(), vl.data(), &ld, vr.data(),
                         &ld, scratch, &size, reals.data(), &info, 1, 1);
    } else {
      routines<T>().geev(&left, &right, &n, a.data(), &ld, values.data(), values.data() + n,
                         vl.data(), &ld, vr.data(), &ld, scratch, &size, &info, 1, 1);
    }
    return info;
  }

  // Writes the vectors as complex numbers.
  void write_vectors(Call<T>& call, std::size_t output, std::size_t batch, const Block<T>& v) {
    using C = std::complex<Real<T>>;
    if constexpr (kComplex<T>) {
      call.write(output, batch, v.data(), n, n);
    } else {
      Block<C> unpacked(count(n, n));
      for (int c = 0; c < n; ++c) {
        const T* const column = v.data() + count(c, n);
        C* const to = unpacked.data() + count(c, n);
        const T imaginary = values[count(n) + count(c)];
        const bool pair = imaginary != 0 && !std::isnan(imaginary) && c + 1 < n;
        for (int r = 0; r < n; ++r) {
          to[r] = pair ? C(column[r], column[n + r]) : C(column[r]);
          if (pair) to[n + r] = std::conj(to[r]);
        }
        if (pair) ++c;
      }
      call.write(output, batch, unpacked.data(), n, n);
    }
  }
};

template <class T>
void geev(const program::Lapack& work, Call<T>& call) {
  const int n = call.in_size(0, 0);
  constexpr std::size_t kParts = kComplex<T> ? 1 : 2;  // results that hold the eigenvalues
  General<T> matrix{n, work.left ? 'V' : 'N', work.right ? 'V' : 'N'};
  Scratch<T> scratch([&](T* buffer, const int* size, int*) { matrix.run(buffer, *size); });
  for (std::size_t i = 0; i < call.batches(); ++i) {
    call.read(0, i, matrix.a.data(), n, n);
    int info = kBadOfGeev;
    if (all_finite(matrix.a.data(), count(n, n))) {
      info = n == 0 ? 0 : matrix.run(scratch.data(), scratch.size);
    } else {
      fill_nan(matrix.values.data(), 2 * count(n));
      fill_nan(matrix.vl.data(), count(n, n));
      fill_nan(matrix.vr.data(), count(n, n));
    }
    for (std::size_t part = 0; part < kParts; ++part)
      call.write_plain(part, i, matrix.values.data() + part * count(n), count(n));
    matrix.write_vectors(call, kParts, i, matrix.vl);
    matrix.write_vectors(call, kParts + 1, i, matrix.vr);
    call.write_info(kParts + 2, i, info);
  }
}

template <class T>
int call_gees(char job, int n, T* a, T* values, T* vectors, T* scratch, int size) {
  int info = 0, sorted = 0;
  const int ld = leading(n);
  const char unsorted = 'N';
  Block<int> flags(count(n));
  if constexpr (kComplex<T>) {
    Block<Real<T>> reals(count(n));
    routines<T>().gees(&job, &unsorted, nullptr, &n, a, &ld, &sorted, values, vectors, &ld, scratch,
                       &size, reals.data(), flags.data(), &info, 1, 1);
  } else {
    routines<T>().gees(&job, &unsorted, nullptr, &n, a, &ld, &sorted, values, values + n, vectors,
                       &ld, scratch, &size, flags.data(), &info, 1, 1);
  }
  return info;
}

// The count of sorted eigenvalues is 0: none is sorted.
template <class T>
void gees(const program::Lapack& work, Call<T>& call) {
  const int n = call.in_size(0, 0);
  const char job = work.vectors ? 'V' : 'N';
  constexpr std::size_t kParts = kComplex<T> ? 1 : 2;
  Block<T> a(count(n, n)), values(2 * count(n)), vectors(count(n, n));
  Scratch<T> scratch([&](T* buffer, const int* size, int*) {
    call_gees(job, n, a.data(), values.data(), vectors.data(), buffer, *size);
  });
  for (std::size_t i = 0; i < call.batches(); ++i) {
    call.read(0, i, a.data(), n, n);
    int info = kBadOfGees;
    if (all_finite(a.data(), count(n, n))) {
      info = n == 0 ? 0
                    : call_gees(job, n, a.data(), values.data(), vectors.data(), scratch.data(),
                                scratch.size);
    } else {
      fill_nan(a.data(), count(n, n));
      fill_nan(values.data(), 2 * count(n));
      fill_nan(vectors.data(), count(n, n));
    }
    call.write(0, i, a.data(), n, n);
    call.write(1, i, vectors.data(), n, n);
    for (std::size_t part = 0; part < kParts; ++part)
      call.write_plain(2 + part, i, values.data() + part * count(n), count(n));
    call.write_info(2 + kParts, i, 0);
    call.write_info(3 + kParts, i, info);
  }
}

// ---- reductions --------------------------------------------------------------------------------

template <class T>
void gehrd(const program::Lapack&, Call<T>& call) {
  const int n = call.in_size(0, 0);
  const int first = 1, ld = leading(n);
  const auto& reduce = routines<T>().gehrd;
  Block<T> a(count(n, n)), tau(count(n));
  Scratch<T> scratch([&](T* work, const int* size, int* info) {
    reduce(&n, &first, &n, a.data(), &ld, tau.data(), work, size, info);
  });
  int info = 0;
  for (std::size_t i = 0; i < call.batches(); ++i) {
    call.read(0, i, a.data(), n, n);
    if (n > 0)
      reduce(&n, &first, &n, a.data(), &ld, tau.data(), scratch.data(), &scratch.size, &info);
    call.write(0, i, a.data(), n, n);
    call.write_plain(1, i, tau.data(), count(std::max(n - 1, 0)));
    call.write_info(2, i, info);
  }
}

template <class T>
void sytrd(const program::Lapack& work, Call<T>& call) {
  const int n = call.in_size(0, 0);
  const int ld = leading(n);
  const char uplo = work.lower ? 'L' : 'U';
  const auto& reduce = routines<T>().sytrd;
  Block<T> a(count(n, n)), tau(count(n));
  Block<Real<T>> d(count(n)), e(count(n));
  Scratch<T> scratch([&](T* buffer, const int* size, int* info) {
    reduce(&uplo, &n, a.data(), &ld, d.data(), e.data(), tau.data(), buffer, size, info, 1);
  });
  int info = 0;
  const std::size_t off = count(std::max(n - 1, 0));
  for (std::size_t i = 0; i < call.batches(); ++i) {
    call.read(0, i, a.data(), n, n);
    if (n > 0)
      reduce(&uplo, &n, a.data(), &ld, d.data(), e.data(), tau.data(), scratch.data(),
             &scratch.size, &info, 1);
    call.write(0, i, a.data(), n, n);
    call.write_plain(1, i, d.data(), count(n));
    call.write_plain(2, i, e.data(), off);
    call.write_plain(3, i, tau.data(), off);
    call.write_info(4, i, info);
  }
}

}  // namespace

template <class T>
Run<T> eigen(program::Routine routine) {
  using program::Routine;
  constexpr std::pair<Routine, Run<T>> kRows[] = {
      {Routine::syevd, syevd<T>}, {Routine::eigh, eigh<T>},   {Routine::geev, geev<T>},
      {Routine::gees, gees<T>},   {Routine::gehrd, gehrd<T>}, {Routine::sytrd, sytrd<T>}};
  for (const auto& [name, run] : kRows)
    if (name == routine) return run;
  return nullptr;
}

UNDERSTUDY_FOR_LAPACK_TYPES(eigen)

}  // namespace understudy::worker::lapack
