// SPDX-License-Identifier: Apache-2.0
// Dialect mhlo is what StableHLO was split from: as_text(dialect="mhlo") of JAX up to 0.5 writes
// it. Its operations and attributes have the same forms, so its names are read as those of
// StableHLO, or of CHLO where StableHLO has none. Pure functions.
#pragma once

#include <string>

namespace understudy::program {

// "mhlo.add" is "stablehlo.add", "mhlo.erf" is "chlo.erf"; other names stay.
std::string without_mhlo(std::string operation);
// "mhlo" is "stablehlo"; other dialects stay.
std::string dialect_without_mhlo(std::string dialect);

}  // namespace understudy::program
