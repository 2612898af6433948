// SPDX-License-Identifier: Apache-2.0
// The exact functions, nearly: in long double, by the C library or by series whose errors are far
// below a last place of f64. Pure functions.
#pragma once

#include <complex>
#include <string_view>

namespace understudy::numerics {

using Real = long double;
using RealFunction = Real (*)(Real);
using RealFunction2 = Real (*)(Real, Real);
using ComplexFunction = std::complex<Real> (*)(const std::complex<Real>&);

// Names are those of docs/numerics.md; nullptr: there is no such function.
RealFunction real_function(std::string_view name);
RealFunction2 real_function2(std::string_view name);
ComplexFunction complex_function(std::string_view name);

// Arguments to try a function on.
struct Range {
  double low, high;
};
Range range_of(std::string_view name);

}  // namespace understudy::numerics
