// SPDX-License-Identifier: Apache-2.0
#include "worker/ops/chain_code/chain_code.h"

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <utility>

#include "worker/ops/chain_code/chain_tables.h"
#include "worker/ops/chain_code/chain_text.h"
#include "worker/ops/chain_code/function_writer.h"
#include "worker/ops/chain_code/narrow_text.h"
#include "worker/ops/chain_code/registers.h"

namespace understudy::worker::ops {
namespace {

// A chain of more links would compile for milliseconds.
constexpr std::size_t kMostLinks = 512;

// The links whose addresses the code of the bodies reads.
ChainAddresses addresses_of(std::initializer_list<const chain_code::Body*> bodies,
                            const ChainRun& chain) {
  std::vector<bool> is_read(chain.links.size(), false);
  const auto read = [&](std::size_t pointer) {
    is_read[pointer / sizeof(program::kernels::ChainStep)] = true;
  };
  for (const chain_code::Body* const body : bodies) {
    if (body == nullptr) continue;
    for (const std::size_t pointer : body->addresses()) read(pointer);
    for (const chain_code::Shared& shared : body->all_shared())
      if (shared.has_address()) read(shared.pointer);
  }
  ChainAddresses found = chain.moving;
  found.links.clear();
  for (std::size_t l = 0; l < is_read.size(); ++l)
    if (is_read[l]) found.links.push_back(l);
  const auto is_unread = [&](const auto& address) { return !is_read[address.link]; };
  std::erase_if(found.row_inputs, is_unread);
  std::erase_if(found.row_outputs, is_unread);
  return found;
}

bool asks_ahead(const ChainLink& link) {
  return std::ranges::any_of(link.ahead, [](std::size_t bytes) { return bytes > 0; });
}

// The addresses among these that follow the rows.
std::vector<chain_code::RowStep> row_steps(const ChainAddresses& addresses, std::size_t columns) {
  using program::kernels::ChainStep;
  std::vector<chain_code::RowStep> steps;
  const auto add = [&](const auto& address, std::size_t member) {
    steps.push_back({address.link * sizeof(ChainStep) + member, address.stride(columns)});
  };
  for (const auto& x : addresses.row_inputs)
    add(x, x.member == &ChainStep::a   ? offsetof(ChainStep, a)
           : x.member == &ChainStep::b ? offsetof(ChainStep, b)
                                       : offsetof(ChainStep, c));
  for (const auto& y : addresses.row_outputs) add(y, offsetof(ChainStep, out));
  return steps;
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

ChainCode::ChainCode(const program::kernels::KernelTable& table, std::size_t chains,
                     const Runs& runs)
    : table_(table), runs_(runs), vector_(table.chains().vector), states_(chains) {}
ChainCode::~ChainCode() = default;

ChainMachineCode ChainCode::function(std::size_t number, const ChainRun& chain,
                                     const program::kernels::ChainStep* steps, std::size_t n,
                                     const program::Instruction& loop, ChainCompilation& counts) {
  State& state = states_[number];
  if (state.is_decided) return present(state, steps);
  // A short run takes as long as one over a piece.
  state.elements += runs_.are_short ? table_.chains().piece : n;
  if (state.elements < counts.hot_elements) return nullptr;
  state.is_decided = true;
  compile(state, chain, steps, n, loop, counts);
  return present(state, steps);
}

// Stores past the caches have to be aligned.
ChainMachineCode ChainCode::present(const State& state,
                                    const program::kernels::ChainStep* steps) const {
  constexpr std::uintptr_t kLine = 64;
  const auto is_aligned = [&](std::size_t link) {
    return reinterpret_cast<std::uintptr_t>(steps[link].out) % kLine == 0;
  };
  const bool streams =
      state.streaming != nullptr && std::ranges::all_of(state.streamed, is_aligned);
  return streams ? state.streaming : state.code;
}

// Whether what it runs over ends within an iteration, and is short enough for that to matter.
bool ChainCode::ends_within(const ChainRun& chain, std::size_t n) const {
  constexpr std::size_t kMost = 8192;
  const std::size_t length = chain.by_rows ? runs_.columns : n;
  return length % lanes(chain) != 0 && length <= kMost;
}

ChainCode::Memory& ChainCode::memory() {
  if (memory_ == nullptr) memory_ = std::make_unique<Memory>();
  return *memory_;
}

void ChainCode::compile(State& state, const ChainRun& chain,
                        const program::kernels::ChainStep* steps, std::size_t n,
                        const program::Instruction& loop, ChainCompilation& counts) {
  const std::string_view isa = table_.isa;
  const bool wide = isa == "avx512";
  if (chain.links.size() > kMostLinks || (!wide && isa != "avx2")) {
    ++counts.refused;
    return;
  }
  chain_code::ChainText text{chain.links, steps, loop, table_};
  if (chain.is_narrow()) return compile_narrow(state, chain, text, counts);
  auto tables = std::make_shared<std::vector<chain_code::ChainTable>>();
  if (wide) *tables = chain_code::tables_of(text);
  text.tables = *tables;
  const std::size_t vectors = this->vectors(chain);
  chain_code::Body body = body_of(text, wide, vectors);
  const std::optional<chain_code::Body> usual_body = usual_body_of(text, wide, vectors);
  const chain_code::Body* const usual = usual_body ? &*usual_body : nullptr;
  const std::size_t calls = usual != nullptr ? usual->calls() : body.calls();
  if (calls * counts.links_per_call > chain.links.size()) {
    ++counts.stay;
    return;
  }
  state.addresses = addresses_of({&body, usual}, chain);
  if (ends_within(chain, n) && usual == nullptr && overlaps_ends(body) &&
      overwrites(chain, state.addresses, steps))
    body.mask_stores();
  const std::vector<chain_code::RowStep> rows = row_steps(state.addresses, runs_.columns);
  state.code = write_function(body, usual, rows, memory().runtime);
  state.overlaps = usual == nullptr && overlaps_ends(body);
  ++(state.code != nullptr ? counts.compiled : counts.refused);
  if (state.code == nullptr) return;
  state.masks_stores = body.masks_stores();
  chain_code::fill(text, *tables);
  state.tables = std::move(tables);
  counts.asking += std::ranges::any_of(chain.links, asks_ahead) ? 1 : 0;
  counts.tables += text.tables.size();
  compile_streaming(state, text, wide, vectors);
  if (state.streaming != nullptr) ++counts.streaming;
}

// Its stores are masked, so that a run may have any number of elements from those of an iteration
// on, whatever it overwrites.
void ChainCode::compile_narrow(State& state, const ChainRun& chain,
                               const chain_code::ChainText& text, ChainCompilation& counts) {
  std::optional<chain_code::Body> body = chain_code::narrow_body_of(text, chain.lane_bytes);
  if (body && body->mask_stores()) {
    state.addresses = addresses_of({&*body}, chain);
    state.code =
        write_function(*body, nullptr, row_steps(state.addresses, runs_.columns), memory().runtime);
  }
  state.overlaps = state.masks_stores = state.code != nullptr;
  ++(state.code != nullptr ? counts.compiled : counts.refused);
}

// What is written over an operand is in the caches already.
void ChainCode::compile_streaming(State& state, chain_code::ChainText& text, bool wide,
                                  std::size_t vectors) {
  const auto is_over_operand = [&](const std::byte* out) {
    for (std::size_t l = 0; l < text.links.size(); ++l)
      if (text.steps[l].a == out || text.steps[l].b == out || text.steps[l].c == out) return true;
    return false;
  };
  text.streams.assign(text.links.size(), false);
  for (std::size_t l = 0; l < text.links.size(); ++l) {
    if (!text.links[l].may_stream || is_over_operand(text.steps[l].out)) continue;
    text.streams[l] = true;
    state.streamed.push_back(l);
  }
  if (state.streamed.empty()) return;
  const std::optional<chain_code::Body> usual = usual_body_of(text, wide, vectors);
  state.streaming = write_function(body_of(text, wide, vectors), usual ? &*usual : nullptr,
                                   row_steps(state.addresses, runs_.columns), memory().runtime);
  streams_ = streams_ || state.streaming != nullptr;
}

}  // namespace understudy::worker::ops
