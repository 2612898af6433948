// SPDX-License-Identifier: Apache-2.0
// What the attributes of @main ask for the memory of its arguments and results: memory kinds and
// donation. Indices count tensors; tokens have no memory. Pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "program/ir/ir.h"

namespace understudy::program::passes {

struct MemoryKinds {
  std::vector<std::uint32_t> host_arguments, host_results;  // ascending
  struct Donor {
    std::uint32_t argument = 0;
    std::optional<std::uint32_t> result = {};  // tf.aliasing_output; none: jax.buffer_donor
  };
  std::vector<Donor> donors;
};

// *Throws* Error{unsupported} for an unknown memory kind, Error{input} for an alias of a result
// that does not exist.
MemoryKinds memory_kinds_of(const Function& main);

}  // namespace understudy::program::passes
