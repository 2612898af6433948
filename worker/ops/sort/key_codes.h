// SPDX-License-Identifier: Apache-2.0
// Elements as unsigned integers of the same order (a "code"), and back. Floats: the sign-magnitude
// pattern becomes two's complement, which is -NaN < -inf < ... < -0 < 0 < ... < NaN; then the sign
// bit is flipped. Pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "worker/ops/sort/sort_keys.h"

namespace understudy::worker::ops {

template <class U>
struct Codes {
  static constexpr int kBits = 8 * sizeof(U);
  static constexpr U kSign = static_cast<U>(U{1} << (kBits - 1));

  bool is_float = false;
  bool merges = false;  // zeros or NaNs have one code
  U mask = 0;           // what every code is finally xored with: signs, and direction
  U infinity = 0, zero_mask = 0;
  U nan = 0;  // the one NaN

  explicit Codes(const SortKey& key);

  static U without_sign(U x) { return static_cast<U>(x & static_cast<U>(~kSign)); }
  static U ordered(U x) {
    using S = std::make_signed_t<U>;
    return static_cast<U>(x ^
                          static_cast<U>(static_cast<U>(static_cast<S>(x) >> (kBits - 1)) >> 1));
  }
  U of_integer(U x) const { return static_cast<U>(x ^ mask); }
  U of_float(U x) const { return static_cast<U>(ordered(x) ^ mask); }
  U of_merged(U x) const {
    const U size = without_sign(x);
    if (size > infinity) x = nan_or(x);
    if (size == 0) x = static_cast<U>(x & zero_mask);
    return of_float(x);
  }
  U nan_or(U x) const { return nan != 0 ? nan : x; }

  bool is_nan(U x) const { return is_float && without_sign(x) > infinity; }
  bool is_zero(U x) const { return is_float && without_sign(x) == 0; }

  // The element of a code; of merged ones +0 and the one NaN.
  U element(U code) const {
    const U x = static_cast<U>(code ^ mask);
    return is_float ? ordered(x) : x;
  }

  // Calls `use` with the function from an element to its code: one loop for each kind.
  template <class Use>
  auto with(const Use& use) const {
    if (merges) return use([this](U x) { return of_merged(x); });
    if (is_float) return use([this](U x) { return of_float(x); });
    return use([this](U x) { return of_integer(x); });
  }
};

template <class U>
Codes<U>::Codes(const SortKey& key) {
  is_float = program::is_float(key.element);
  merges = key.zeros_equal || key.nans_equal;
  const bool is_signed = is_float || program::is_signed_integer(key.element);
  mask =
      static_cast<U>((is_signed ? kSign : U{0}) ^ (key.descending ? static_cast<U>(~U{0}) : U{0}));
  zero_mask = key.zeros_equal ? U{0} : static_cast<U>(~U{0});
  if (!is_float) return;
  const int mantissa = key.element == program::ElementType::f64    ? 52
                       : key.element == program::ElementType::f32  ? 23
                       : key.element == program::ElementType::bf16 ? 7
                                                                   : 10;
  infinity = without_sign(static_cast<U>(~U{0} << mantissa));
  if (key.nans_equal) nan = static_cast<U>(infinity | static_cast<U>(U{1} << (mantissa - 1)));
}

}  // namespace understudy::worker::ops
