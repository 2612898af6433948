// SPDX-License-Identifier: Apache-2.0
#include "worker/lapack/routines.h"

#include <string>

#include "worker/lapack/library.h"

namespace understudy::worker::lapack {

namespace {

template <class T>
constexpr char kLetter = ' ';
template <>
constexpr char kLetter<float> = 's';
template <>
constexpr char kLetter<double> = 'd';
template <>
constexpr char kLetter<std::complex<float>> = 'c';
template <>
constexpr char kLetter<std::complex<double>> = 'z';

// Sets a function from its name without the letter of the type: "potrf" is spotrf_.
template <class T, class Function>
void load(Function*& function, const std::string& name) {
  function = reinterpret_cast<Function*>(symbol(kLetter<T> + name + '_'));
}

template <class T>
Routines<T> load_all() {
  Routines<T> r;
  load<T>(r.potrf, "potrf");
  load<T>(r.getrf, "getrf");
  load<T>(r.geqrf, "geqrf");
  load<T>(r.geqp3, "geqp3");
  load<T>(r.orgqr, kComplex<T> ? "ungqr" : "orgqr");
  load<T>(r.ormqr, kComplex<T> ? "unmqr" : "ormqr");
  load<T>(r.syevd, kComplex<T> ? "heevd" : "syevd");
  load<T>(r.gesdd, "gesdd");
  load<T>(r.gesvd, "gesvd");
  load<T>(r.geev, "geev");
  load<T>(r.gees, "gees");
  load<T>(r.gehrd, "gehrd");
  load<T>(r.sytrd, kComplex<T> ? "hetrd" : "sytrd");
  load<T>(r.gtsv, "gtsv");
  load<T>(r.trsm, "trsm");
  return r;
}

}  // namespace

template <class T>
const Routines<T>& routines() {
  static const Routines<T> loaded = load_all<T>();
  return loaded;
}

template const Routines<float>& routines();
template const Routines<double>& routines();
template const Routines<std::complex<float>>& routines();
template const Routines<std::complex<double>>& routines();

}  // namespace understudy::worker::lapack
