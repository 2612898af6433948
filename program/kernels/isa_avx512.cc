// SPDX-License-Identifier: Apache-2.0
#include "program/kernels/kernels.inl.h"

namespace understudy::program::kernels {

extern const KernelTable kAvx512Table;
const KernelTable kAvx512Table = table_named("avx512");

}  // namespace understudy::program::kernels
