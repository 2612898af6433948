// SPDX-License-Identifier: Apache-2.0
// PackedLoops::pack_lines for CPUs with AVX-512, part of mxu_packed_512.cc.
#pragma once

#include "worker/chip/mxu/mxu_packed_loops.h"

namespace understudy::worker {

constexpr std::int64_t kPackedPanel = 16;  // lines

// *Requires* avx512f, avx512bw and avx512vl.
void pack_lines_512(const PackedSource& from, std::int64_t depth, std::int64_t lines,
                    float* panels);

}  // namespace understudy::worker
