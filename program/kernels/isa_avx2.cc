// SPDX-License-Identifier: Apache-2.0
#include "program/kernels/kernels.inl.h"

namespace understudy::program::kernels {

ChainKernels avx2_chains() noexcept;
extern const KernelTable kAvx2Table;
const KernelTable kAvx2Table = table_named("avx2", &avx2_chains);

}  // namespace understudy::program::kernels
