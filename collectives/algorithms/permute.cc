// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "collectives/algorithms/scheduled_algorithm.h"
#include "collectives/call.h"
#include "configs/base/error.h"

namespace understudy::collectives {

CallReport permute_by_messages(Transport& transport, Rank to, Rank from,
                               std::span<const std::byte> in, std::span<std::byte> out,
                               const CallSite& site) {
  CallReport report{.algorithm = "messages", .emulated_seconds = site.emulated_seconds};
  if (to == transport.rank()) {
    UNDERSTUDY_ASSERT(from == to && in.size() == out.size());
    std::copy(in.begin(), in.end(), out.begin());
    return report;
  }
  // A rank in no pair takes no part and exchanges no header.
  // Its peers do not expect one either: a permute names pairs.
  if (to == kNobody && from == kNobody) return report;
  // Without members: the pairs of a permute may differ between ranks that do not talk to each
  // other.
  const MessageHeader header = header_of(site, {});
  const MessageHeader received =
      transport.exchange(to == kNobody ? std::span<const std::byte>{} : in, to,
                         from == kNobody ? std::span<std::byte>{} : out, from, Stream::permute,
                         header, Waiting{std::string(call_of(header))});
  if (to != kNobody) {
    report.messages = 1;
    report.bytes = in.size();
  }
  if (from != kNobody) {
    report.emulated_seconds = std::max(report.emulated_seconds, received.emulated_seconds);
  }
  return report;
}

}  // namespace understudy::collectives
