// SPDX-License-Identifier: Apache-2.0
// Products of f32 on CPUs with AVX-512 that take less time than the library's call, which packs its
// operands: the left one may have any strides and is read where it lies. Fused multiply-adds in the
// order of k, as in the library. Stateless.
#pragma once

#include "worker/chip/mxu/mxu_tile.h"

namespace understudy::worker {

// Whether this machine is one of those CPUs.
bool multiplies_wide();
// *Requires* multiplies_wide(), f32 and dense columns of b; overwrites c.
void multiply_wide(const MxuTile& tile);

}  // namespace understudy::worker
