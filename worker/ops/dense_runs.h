// SPDX-License-Identifier: Apache-2.0
// Copies that are one dense run, found without building a plan: most copies of small programs,
// whose time a plan's memory would take. Pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>

#include "program/executable/dense_run.h"
#include "program/ir/types.h"
#include "worker/chip/copy_lines.h"

namespace understudy::worker::ops {

using program::run_of;

// The elements of a strided copy that is one dense run of both arrays; nullopt where it is not.
inline std::optional<std::int64_t> run_of(const program::Shape& sizes,
                                          const program::Shape& in_strides,
                                          const program::Shape& out_strides) {
  std::int64_t run = 1;
  for (std::size_t d = sizes.size(); d-- > 0;) {
    if (sizes[d] != 1 && (in_strides[d] != run || out_strides[d] != run)) return std::nullopt;
    run *= sizes[d];
  }
  return run;
}

// copy_dense(), without a call for one element.
inline void copy_run(const std::byte* from, std::byte* to, std::size_t bytes) {
  if (bytes == 4) {
    std::memcpy(to, from, 4);
  } else if (bytes == 8) {
    std::memcpy(to, from, 8);
  } else {
    copy_dense(from, to, bytes);
  }
}

}  // namespace understudy::worker::ops
