// SPDX-License-Identifier: Apache-2.0
#include "program/kernels/kernels.inl.h"

namespace understudy::program::kernels {

ChainKernels avx512_chains() noexcept;
extern const KernelTable kAvx512Table;
const KernelTable kAvx512Table = table_named("avx512", &avx512_chains);

}  // namespace understudy::program::kernels
