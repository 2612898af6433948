// SPDX-License-Identifier: Apache-2.0
// Where there is no asmjit, chains run by their steps.
#include "worker/ops/chain_code/chain_code.h"

namespace understudy::worker::ops {

class ChainCode::Memory {};

bool has_machine_code() noexcept { return false; }

ChainCode::ChainCode(const program::kernels::KernelTable& table, std::size_t chains,
                     const Runs& runs)
    : table_(table), runs_(runs), vector_(table.chains().vector), states_(chains) {}
ChainCode::~ChainCode() = default;

ChainMachineCode ChainCode::function(std::size_t /*number*/, const ChainRun& /*chain*/,
                                     const program::kernels::ChainStep* /*steps*/,
                                     std::size_t /*n*/, const program::Instruction& /*loop*/,
                                     ChainCompilation& /*counts*/) {
  return nullptr;
}

}  // namespace understudy::worker::ops
