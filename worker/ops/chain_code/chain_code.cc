// SPDX-License-Identifier: Apache-2.0
#include "worker/ops/chain_code/chain_code.h"

#include <string_view>

#include "worker/ops/chain_code/chain_text.h"
#include "worker/ops/chain_code/function_writer.h"
#include "worker/ops/chain_code/registers.h"

namespace understudy::worker::ops {
namespace {

// A chain of more links would compile for milliseconds.
constexpr std::size_t kMostLinks = 512;

// Several vectors hide the latency of each other's steps as long as all have registers. Kernels
// take four at once.
chain_code::Body unrolled(const chain_code::ChainText& text, bool wide) {
  const chain_code::Body one = body_of(text, wide, 1);
  const std::size_t registers = wide ? 32 : 16;
  const std::size_t alive = most_alive(one);
  for (std::size_t unroll = chain_code::kMostVectors; unroll > 1; unroll /= 2)
    if (one.calls() || unroll * alive + 4 <= registers) return body_of(text, wide, unroll);
  return one;
}

}  // namespace

// Pages that are never writable and executable at one address.
class ChainCode::Memory {
 public:
  asmjit::JitRuntime runtime{&params()};

 private:
  static const asmjit::JitAllocator::CreateParams& params() {
    static const asmjit::JitAllocator::CreateParams dual = [] {
      asmjit::JitAllocator::CreateParams made;
      made.options = asmjit::JitAllocatorOptions::kUseDualMapping;
      return made;
    }();
    return dual;
  }
};

bool has_machine_code() noexcept { return true; }

ChainCode::ChainCode(const program::kernels::KernelTable& table, std::size_t chains)
    : table_(table), states_(chains) {}
ChainCode::~ChainCode() = default;

ChainMachineCode ChainCode::function(std::size_t number, const ChainRun& chain,
                                     const program::kernels::ChainStep* steps, std::size_t n,
                                     const program::Instruction& loop, ChainCounts& counts) {
  State& state = states_[number];
  if (state.is_decided) return state.code;
  state.elements += n;
  if (state.elements < counts.hot) return nullptr;
  state.is_decided = true;
  const std::string_view isa = table_.isa;
  const bool wide = isa == "avx512";
  if (chain.links.size() <= kMostLinks && (wide || isa == "avx2")) {
    if (memory_ == nullptr) memory_ = std::make_unique<Memory>();
    state.code =
        write_function(unrolled({chain.links, steps, loop, table_}, wide), memory_->runtime);
  }
  ++(state.code != nullptr ? counts.compiled : counts.refused);
  return state.code;
}

}  // namespace understudy::worker::ops
