// SPDX-License-Identifier: Apache-2.0
#include "program/kernels/chain/chain.inl.h"

namespace understudy::program::kernels {

ChainKernels avx512_chains() noexcept;
ChainKernels avx512_chains() noexcept { return chain_kernels(); }

}  // namespace understudy::program::kernels
