// SPDX-License-Identifier: Apache-2.0
// Checks of the numbers in options. Messages give the range as people write it: "expected a whole
// number, at least 1, got 0". Pure functions.
#pragma once

#include <cstdint>
#include <string>

namespace CLI {
class Validator;
}

namespace understudy::launcher {

// Of whole numbers that fit into 64 bits with a sign.
CLI::Validator at_least(std::int64_t least);
CLI::Validator between(std::int64_t least, std::int64_t most);
// Of finite numbers.
CLI::Validator more_than_zero();
CLI::Validator not_negative();

}  // namespace understudy::launcher
