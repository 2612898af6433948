// SPDX-License-Identifier: Apache-2.0
// Collectives that are entered now and end later, each in a lane of its own.
#include <cstring>
#include <fmt/format.h>
#include <utility>

#include "configs/base/error.h"
#include "worker/blocks.h"
#include "worker/collective_work.h"

namespace understudy::worker {
namespace {

using collectives::CallReport;
using collectives::Staging;
using program::CollectiveKind;

static_assert(program::kAsyncLanes + 1 == collectives::kLanes);

bool overlap(std::span<const std::byte> a, std::span<const std::byte> b) {
  return a.data() < b.data() + b.size() && b.data() < a.data() + a.size();
}

}  // namespace

PodCollectives::PodCollectives(const collectives::Fabric& fabric, CollectiveHooks* hooks)
    : fabric_(fabric), transport_(fabric.transport), hooks_(hooks) {
  for (std::size_t lane = 0; lane < collectives::kLanes; ++lane) {
    collectives::Fabric one = fabric;
    one.lane = lane;
    lanes_.push_back(one);
  }
}

PodCollectives::~PodCollectives() = default;

void PodCollectives::enter_in_lane(const program::Collective& collective,
                                   const program::Instruction& instruction, const Company& company,
                                   Execution& execution) {
  const std::size_t lane = collective.lane;
  UNDERSTUDY_ASSERT(entered_.at(lane) == nullptr);
  const bool together = company.size() > 1;
  const Packing packing(instruction, company);
  auto entered = std::unique_ptr<Entered>(new Entered{.company = company,
                                                      .instruction = instruction,
                                                      .execution = execution,
                                                      .input = instruction.inputs[company[0]],
                                                      .output = instruction.outputs[company[0]]});
  program::Operand& input = entered->input;
  program::Operand& output = entered->output;
  std::span<const std::byte> in{execution.address(input.at),
                                static_cast<std::size_t>(input.type.bytes())};
  std::span<std::byte> out{execution.writable(output.at),
                           static_cast<std::size_t>(output.type.bytes())};
  if (!together && overlap(in, out)) return run_operand(collective, instruction, 0, execution);
  if (together) {
    input.type = output.type = packing.type();
    const auto bytes = static_cast<std::size_t>(input.type.bytes());
    const auto packed = scratch(Staging::packed, bytes, lane);
    packing.pack(execution, packed);
    in = packed;
    out = scratch(Staging::unpacked, bytes, lane);
  }
  const std::vector<std::uint32_t> ops = ops_of(collective, instruction, company);
  const std::string place = fmt::format("op {}", ops.front());
  Work& work = entered->work.emplace(work_of(collective, place, input, output, execution));
  work.in = in;
  work.out = out;
  if (together) entered->received = out;
  if (!join_group(work)) return complete(*entered);
  entered->ticket = enter(work.site.op, ops, in.size(), work.group.members, work.site);
  entered->call = start(*entered, lane);
  entered_[lane] = std::move(entered);
  if (entered_[lane]->call == nullptr) run(program::CollectiveDone{collective.lane});
}

// What is cut into blocks goes through memory of the lane.
std::unique_ptr<collectives::UnderWay> PodCollectives::start(Entered& entered, std::size_t lane) {
  Work& work = *entered.work;
  const collectives::Fabric& fabric = lanes_[lane];
  if (work.collective.kind == CollectiveKind::all_reduce)
    return algorithm_->start_all_reduce(fabric, work.group, *work.reducer, work.in, work.out,
                                        work.site);
  const bool gathers = work.collective.kind == CollectiveKind::all_gather;
  const program::Operand& whole = gathers ? entered.output : entered.input;
  const Cut cut(whole.type, work.collective.dimension, work.group.size());
  if (gathers) {
    if (!cut.is_trivial()) entered.received = scratch(Staging::unpacked, work.out.size(), lane);
    return algorithm_->start_all_gather(fabric, work.group, work.in,
                                        cut.is_trivial() ? work.out : entered.received, work.site);
  }
  std::span<const std::byte> in = work.in;
  if (!cut.is_trivial()) {
    const auto blocks = scratch(Staging::packed, in.size(), lane);
    cut_into_blocks(cut, in, blocks);
    in = blocks;
  }
  return algorithm_->start_reduce_scatter(fabric, work.group, *work.reducer, in, work.out,
                                          work.site);
}

void PodCollectives::run(const program::CollectiveDone& done) {
  const std::unique_ptr<Entered> entered = std::exchange(entered_.at(done.lane), nullptr);
  if (entered == nullptr) return;
  Work& work = *entered->work;
  CallReport report;
  if (entered->call != nullptr) {
    report = entered->call->finish();
    complete(*entered);
  } else {
    report = run_now(work);
    if (entered->company.size() > 1) complete(*entered);
  }
  leave(entered->ticket, work.site.op, entered->company.size(), work.in.size(), report);
}

// From where it was received to where the program wants it.
void PodCollectives::complete(const Entered& entered) const {
  if (entered.received.empty()) return;
  const Work& work = *entered.work;
  if (entered.company.size() > 1)
    return Packing(entered.instruction, entered.company)
        .unpack(entered.received, entered.execution);
  join_blocks(Cut(entered.output.type, work.collective.dimension, work.group.size()),
              entered.received, work.out);
}

}  // namespace understudy::worker
