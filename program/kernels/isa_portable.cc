// SPDX-License-Identifier: Apache-2.0
#include "program/kernels/kernels.inl.h"

namespace understudy::program::kernels {

ChainKernels portable_chains() noexcept;
extern const KernelTable kPortableTable;
const KernelTable kPortableTable = table_named("portable", &portable_chains);

}  // namespace understudy::program::kernels
