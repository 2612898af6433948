// SPDX-License-Identifier: Apache-2.0
// One emulated chip: its HBM over an arena that it does not own, its VMEM, its matrix and vector
// units. Call from the executor thread only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "program/kernels/kernels.h"
#include "worker/chip/mxu/mxu.h"
#include "worker/chip/vmem.h"
#include "worker/hbm/hbm.h"

namespace understudy::worker {

namespace ops {
class FftPlans;
}

struct Chip {
  Chip(std::span<std::byte> arena, std::uint64_t vmem_bytes, std::unique_ptr<Mxu> unit,
       const program::kernels::KernelTable& table)
      : hbm(arena), vmem(vmem_bytes), mxu(std::move(unit)), kernels(table) {}

  Hbm hbm;
  Vmem vmem;
  std::unique_ptr<Mxu> mxu;
  const program::kernels::KernelTable& kernels;
  std::shared_ptr<ops::FftPlans> fft_plans;  // made at the first transform
};

}  // namespace understudy::worker
