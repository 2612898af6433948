// SPDX-License-Identifier: Apache-2.0
// The links of a chain as one iteration of machine instructions. Pure function.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "program/kernels/kernel_table.h"
#include "worker/ops/chain_code/body.h"
#include "worker/ops/chain_code/chain_code.h"
#include "worker/ops/fused/fused_chain.h"

namespace understudy::worker::ops::chain_code {

struct ChainTable;

struct ChainText {
  std::span<const ChainLink> links;
  // Of the links, with the addresses of the present tile: constants are read from there.
  const program::kernels::ChainStep* steps = nullptr;
  const program::Instruction& instruction;  // the loop
  const program::kernels::KernelTable& table;
  // Of each link: its result bypasses the caches. Or empty.
  std::vector<bool> streams = {};
  std::span<const ChainTable> tables = {};
};

// Of an iteration, at most: some values may wait on the stack, and kernels take as many at once.
constexpr std::size_t kVectors = ChainCode::kVectors;
// For any numbers. `vectors`: of an iteration; of bf16 an even number.
Body body_of(const ChainText& text, bool wide, std::size_t vectors);
// For those that are far from the borders of functions; nullopt where that makes no difference.
std::optional<Body> usual_body_of(const ChainText& text, bool wide, std::size_t vectors);

}  // namespace understudy::worker::ops::chain_code
