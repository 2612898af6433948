// SPDX-License-Identifier: Apache-2.0
#include "program/kernels/kernels.inl.h"

namespace understudy::program::kernels {

extern const KernelTable kAvx2Table;
const KernelTable kAvx2Table = table_named("avx2");

}  // namespace understudy::program::kernels
