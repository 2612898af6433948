// SPDX-License-Identifier: Apache-2.0
// The links of a chain as one iteration of machine instructions. Pure function.
#pragma once

#include <optional>
#include <span>

#include "program/kernels/kernel_table.h"
#include "worker/ops/chain_code/body.h"
#include "worker/ops/fused/fused_chain.h"

namespace understudy::worker::ops::chain_code {

struct ChainText {
  std::span<const ChainLink> links;
  // Of the links, with the addresses of the present tile: constants are read from there.
  const program::kernels::ChainStep* steps = nullptr;
  const program::Instruction& instruction;  // the loop
  const program::kernels::KernelTable& table;
  // Of each link: its result bypasses the caches. Or empty.
  std::vector<bool> streams = {};
};

// Vectors of an iteration: they hide the latency of each other's steps, also where some values then
// wait on the stack, and kernels take four at once.
constexpr std::size_t kVectors = 4;
// For any numbers.
Body body_of(const ChainText& text, bool wide, std::size_t vectors = kVectors);
// For those that are far from the borders of functions; nullopt where that makes no difference.
std::optional<Body> usual_body_of(const ChainText& text, bool wide, std::size_t vectors = kVectors);

}  // namespace understudy::worker::ops::chain_code
