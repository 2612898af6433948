// SPDX-License-Identifier: Apache-2.0
#include "program/kernels/kernels.inl.h"

namespace understudy::program::kernels {

extern const KernelTable kPortableTable;
const KernelTable kPortableTable = table_named("portable");

}  // namespace understudy::program::kernels
