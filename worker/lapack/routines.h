// SPDX-License-Identifier: Apache-2.0
// The routines of LAPACK and BLAS that are used, as tables of functions for float, double and their
// complex types. Arguments are those of the Fortran routines: pointers, column-major matrices with
// a leading dimension, info = 0 on success, and after all others the length of each string.
// Reference: LAPACK 3.11. Thread-safe.
#pragma once

#include <complex>
#include <cstddef>
#include <type_traits>

namespace understudy::worker::lapack {

template <class T>
struct RealOf {
  using type = T;
};
template <class R>
struct RealOf<std::complex<R>> {
  using type = R;
};
template <class T>
using Real = typename RealOf<T>::type;
template <class T>
inline constexpr bool kComplex = !std::is_same_v<T, Real<T>>;

// Signatures that differ between real and complex matrices.
template <class T>
struct Shaped {
  using Int = const int*;
  using Char = const char*;
  using Geqp3 = void(Int m, Int n, T* a, Int lda, int* pivots, T* tau, T* work, Int lwork,
                     int* info);
  using Syevd = void(Char jobz, Char uplo, Int n, T* a, Int lda, T* w, T* work, Int lwork,
                     int* iwork, Int liwork, int* info, std::size_t, std::size_t);
  using Gesdd = void(Char jobz, Int m, Int n, T* a, Int lda, T* s, T* u, Int ldu, T* vt, Int ldvt,
                     T* work, Int lwork, int* iwork, int* info, std::size_t);
  using Gesvd = void(Char jobu, Char jobvt, Int m, Int n, T* a, Int lda, T* s, T* u, Int ldu, T* vt,
                     Int ldvt, T* work, Int lwork, int* info, std::size_t, std::size_t);
  using Geev = void(Char jobvl, Char jobvr, Int n, T* a, Int lda, T* wr, T* wi, T* vl, Int ldvl,
                    T* vr, Int ldvr, T* work, Int lwork, int* info, std::size_t, std::size_t);
  using Gees = void(Char jobvs, Char sort, void* select, Int n, T* a, Int lda, int* sdim, T* wr,
                    T* wi, T* vs, Int ldvs, T* work, Int lwork, int* bwork, int* info, std::size_t,
                    std::size_t);
};
template <class R>
struct Shaped<std::complex<R>> {
  using T = std::complex<R>;
  using Int = const int*;
  using Char = const char*;
  using Geqp3 = void(Int m, Int n, T* a, Int lda, int* pivots, T* tau, T* work, Int lwork, R* rwork,
                     int* info);
  using Syevd = void(Char jobz, Char uplo, Int n, T* a, Int lda, R* w, T* work, Int lwork, R* rwork,
                     Int lrwork, int* iwork, Int liwork, int* info, std::size_t, std::size_t);
  using Gesdd = void(Char jobz, Int m, Int n, T* a, Int lda, R* s, T* u, Int ldu, T* vt, Int ldvt,
                     T* work, Int lwork, R* rwork, int* iwork, int* info, std::size_t);
  using Gesvd = void(Char jobu, Char jobvt, Int m, Int n, T* a, Int lda, R* s, T* u, Int ldu, T* vt,
                     Int ldvt, T* work, Int lwork, R* rwork, int* info, std::size_t, std::size_t);
  using Geev = void(Char jobvl, Char jobvr, Int n, T* a, Int lda, T* w, T* vl, Int ldvl, T* vr,
                    Int ldvr, T* work, Int lwork, R* rwork, int* info, std::size_t, std::size_t);
  using Gees = void(Char jobvs, Char sort, void* select, Int n, T* a, Int lda, int* sdim, T* w,
                    T* vs, Int ldvs, T* work, Int lwork, R* rwork, int* bwork, int* info,
                    std::size_t, std::size_t);
};

template <class T>
struct Routines : Shaped<T> {
  using Int = const int*;
  using Char = const char*;
  using R = Real<T>;
  void (*potrf)(Char uplo, Int n, T* a, Int lda, int* info, std::size_t);
  void (*getrf)(Int m, Int n, T* a, Int lda, int* pivots, int* info);
  void (*geqrf)(Int m, Int n, T* a, Int lda, T* tau, T* work, Int lwork, int* info);
  typename Shaped<T>::Geqp3* geqp3;
  void (*orgqr)(Int m, Int n, Int k, T* a, Int lda, const T* tau, T* work, Int lwork, int* info);
  void (*ormqr)(Char side, Char trans, Int m, Int n, Int k, T* a, Int lda, const T* tau, T* c,
                Int ldc, T* work, Int lwork, int* info, std::size_t, std::size_t);
  typename Shaped<T>::Syevd* syevd;
  typename Shaped<T>::Gesdd* gesdd;
  typename Shaped<T>::Gesvd* gesvd;
  typename Shaped<T>::Geev* geev;
  typename Shaped<T>::Gees* gees;
  void (*gehrd)(Int n, Int low, Int high, T* a, Int lda, T* tau, T* work, Int lwork, int* info);
  void (*sytrd)(Char uplo, Int n, T* a, Int lda, R* d, R* e, T* tau, T* work, Int lwork, int* info,
                std::size_t);
  void (*gtsv)(Int n, Int nrhs, T* dl, T* d, T* du, T* b, Int ldb, int* info);
  void (*trsm)(Char side, Char uplo, Char trans, Char diag, Int m, Int n, const T* alpha,
               const T* a, Int lda, T* b, Int ldb, std::size_t, std::size_t, std::size_t,
               std::size_t);
};

// Loads the library at the first call. T: float, double, std::complex of either.
// *Throws* Error{system}.
template <class T>
const Routines<T>& routines();

}  // namespace understudy::worker::lapack
