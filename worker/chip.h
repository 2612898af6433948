// SPDX-License-Identifier: Apache-2.0
// One emulated chip: its HBM over somebody's arena, its VMEM, its matrix and vector units. Call
// from the executor thread only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "program/kernels/kernels.h"
#include "worker/hbm.h"
#include "worker/mxu.h"
#include "worker/vmem.h"

namespace understudy::worker {

struct Chip {
  // `isa`: which kernels (UNDERSTUDY_ISA), empty for the widest. *Throws* what select() throws.
  Chip(std::span<std::byte> arena, std::uint64_t vmem_bytes, std::string_view isa)
      : hbm(arena), vmem(vmem_bytes), kernels(program::kernels::select(isa)) {}

  Hbm hbm;
  Vmem vmem;
  Mxu mxu;
  const program::kernels::KernelTable& kernels;
};

}  // namespace understudy::worker
