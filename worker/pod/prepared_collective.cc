// SPDX-License-Identifier: Apache-2.0
#include "worker/pod/prepared_collective.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "collectives/call.h"
#include "program/executable/listing.h"
#include "worker/chip/reducers.h"
#include "worker/pod/process_ranks.h"

namespace understudy::worker {
namespace {

using program::CollectiveKind;
using program::Reduction;

// Part of a call's signature, which all members compare.
std::string_view name_in_signature(Reduction reduction) {
  return reduction == Reduction::none ? "a region" : program::name_of(reduction);
}

bool reduces(CollectiveKind kind) {
  return kind == CollectiveKind::all_reduce || kind == CollectiveKind::reduce_scatter;
}

// The others talk to some members at a time, and name those in their headers.
bool has_one_header(CollectiveKind kind) {
  return kind != CollectiveKind::collective_permute && kind != CollectiveKind::ragged_all_to_all;
}

}  // namespace

PreparedCollective::PreparedCollective(const program::Instruction& of, Bucket operands,
                                       const Execution& execution, Rank rank)
    : instruction(of),
      collective(std::get<program::Collective>(of.work)),
      bucket(std::move(operands)),
      ops(ops_of(collective, of, bucket)),
      input(of.inputs[bucket[0]]),
      output(of.outputs[bucket[0]]),
      place_(fmt::format("op {}", ops.front())) {
  if (is_together()) input.type = output.type = packing().type();
  in_bytes = static_cast<std::size_t>(input.type.bytes());
  out_bytes = static_cast<std::size_t>(output.type.bytes());
  site = {.op = program::name_of(collective.kind),
          .channel = collective.channel,
          .element = program::mlir_name(input.type.element),
          .elements = static_cast<std::uint64_t>(input.type.elements()),
          .place = place_};
  // What members must agree on is in the call site, from which the signature is made.
  if (reduces(collective.kind)) find_reducer(execution);
  join_group(execution.process, rank);
}

void PreparedCollective::find_reducer(const Execution& execution) {
  const program::ElementType element = input.type.element;
  site.reduction = name_in_signature(collective.reduction);
  has_own_reduction = collective.reduction == Reduction::none ||
                      execution.kernels->accumulate(collective.reduction, element) == nullptr;
  if (!has_own_reduction)
    reducer = std::make_unique<KernelReducer>(*execution.kernels, collective.reduction, element);
}

void PreparedCollective::join_group(const ProcessPlace& process, Rank rank) {
  takes_part = collective.kind == CollectiveKind::collective_permute;
  if (takes_part) return;
  for (const program::ProcessGroup& ids : collective.groups) {
    const auto place = std::ranges::find(ids, process.id());
    if (place == ids.end()) continue;
    takes_part = true;
    group.self = static_cast<std::size_t>(place - ids.begin());
    for (const program::ProcessId member : ids)
      group.members.push_back(rank_of(member, process, rank));
    return;
  }
}

void PreparedCollective::sign(collectives::CallSite& call) {
  if (!has_one_header(collective.kind)) return;
  if (!has_header_ || !(call == signed_)) {
    header_ = collectives::header_of(call, group.members);
    signed_ = call;
    has_header_ = true;
  }
  call.header = &header_;
}

}  // namespace understudy::worker
