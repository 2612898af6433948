// SPDX-License-Identifier: Apache-2.0
// send and recv of a launch, as point-to-point messages of the ring algorithm's permute(): it goes
// through the transport on every machine, whatever algorithm the run chose.
#include <cstring>
#include <fmt/format.h>

#include "configs/base/error.h"
#include "program/executable/host_messages.h"
#include "program/executable/narrow_integers.h"
#include "worker/pod/collectives.h"
#include "worker/pod/process_ranks.h"

namespace understudy::worker {

// Callbacks of a framework: the host process takes the operands, or gives the results.
void PodCollectives::exchange_with_host(const program::Transfer& transfer,
                                        const program::Instruction& instruction,
                                        Execution& execution) {
  if (host_ == nullptr)
    throw Error(
        ErrorKind::unsupported,
        fmt::format("channel {} connects to a host process, but there is none", transfer.channel));
  for (const program::Operand& operand :
       transfer.sends ? instruction.inputs : instruction.outputs) {
    const auto bytes = static_cast<std::size_t>(operand.type.bytes());
    if (transfer.sends) {
      host_->send(transfer.channel, {execution.address(operand.at), bytes});
      continue;
    }
    const std::span values(execution.writable(operand.at), bytes);
    host_->receive(transfer.channel, values);
    if (program::is_narrow_integer(operand.type.element))
      program::widen(operand.type.element, values);
  }
}

void PodCollectives::run(const program::Transfer& transfer, const program::Instruction& instruction,
                         Execution& execution) {
  last_op_ = instruction.op;
  // The only pair of such a transfer is {kHostPeer, kHostPeer}.
  if (!transfer.source_target.empty() && transfer.source_target[0].source == program::kHostPeer)
    return exchange_with_host(transfer, instruction, execution);
  const std::string place = fmt::format("op {}", instruction.op);
  const program::ProcessId self = execution.process.id();
  const auto rank = [&](program::ProcessId process) {
    return rank_of(process, execution.process, transport_.rank());
  };
  // Point-to-point messages leave the shared board alone. A short message waits in the transport,
  // so two processes may both send before they receive; a long one needs its receiver
  // (Transport::exchange_all).
  // "ring" sends through the transport alone; direct algorithms would meet on boards, which needs
  // both sides at once.
  const collectives::Algorithm& messages = collectives::algorithm_named("ring");
  for (const program::Operand& operand :
       transfer.sends ? instruction.inputs : instruction.outputs) {
    const auto bytes = static_cast<std::size_t>(operand.type.bytes());
    const std::string_view kind = transfer.sends ? "send" : "recv";
    collectives::CallSite site{.op = "send and recv",
                               .channel = transfer.channel,
                               .element = program::mlir_name(operand.type.element),
                               .elements = static_cast<std::uint64_t>(operand.type.elements()),
                               .place = place};
    // StableHLO: the result of a recv with no source for this process is zeros.
    // Zeros first: a source writes over them.
    if (!transfer.sends) std::memset(execution.writable(operand.at), 0, bytes);
    for (const auto& [source, target] : transfer.source_target) {
      if ((transfer.sends ? source : target) != self) continue;
      // No member list: the operation names pairs of processes, not a group.
      const std::uint64_t ticket = enter(kind, {&instruction.op, 1}, bytes, {}, site);
      const auto report = transfer.sends
                              ? messages.permute(fabric_, rank(target), collectives::kNobody,
                                                 {execution.address(operand.at), bytes}, {}, site)
                              : messages.permute(fabric_, collectives::kNobody, rank(source), {},
                                                 {execution.writable(operand.at), bytes}, site);
      leave(ticket, kind, 1, bytes, report);
    }
  }
}

}  // namespace understudy::worker
