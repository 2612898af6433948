// SPDX-License-Identifier: Apache-2.0
#include "collectives/transport.h"

#include <algorithm>

#include "fmt/format.h"

#include "configs/base/diagnosis_id.h"
#include "configs/base/error.h"

namespace understudy::collectives {

std::string_view call_of(const MessageHeader& header) {
  const auto end = std::find(header.call.begin(), header.call.end(), '\0');
  return {header.call.data(), static_cast<std::size_t>(end - header.call.begin())};
}

int lane_of(std::span<const Outbound> out, std::size_t i) {
  return static_cast<int>(
      std::count_if(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(i),
                    [&](const Outbound& earlier) { return earlier.to == out[i].to; }));
}

int lane_of(std::span<const Inbound> in, std::size_t i) {
  return static_cast<int>(
      std::count_if(in.begin(), in.begin() + static_cast<std::ptrdiff_t>(i),
                    [&](const Inbound& earlier) { return earlier.from == in[i].from; }));
}

MessageHeader Transport::exchange(std::span<const std::byte> out, Rank to, std::span<std::byte> in,
                                  Rank from, Stream stream, const MessageHeader& header,
                                  const Waiting& waiting) {
  const Outbound sent{out, to};
  Inbound received{in, from};
  exchange_all(std::span(&sent, to == kNobody ? 0 : 1),
               std::span(&received, from == kNobody ? 0 : 1), stream, header, waiting);
  return received.received;
}

// Calls that differ only by the layout constraint have a diagnosis of their own: it is the usual
// result of pin_layout set on some ranks only.
Error mismatch_of(std::string_view ours, std::string_view theirs, const std::string& text) {
  const auto is_constrained = [](std::string_view call) {
    return call.find(kLayoutConstrained) != std::string_view::npos;
  };
  Error error(ErrorKind::protocol, "collectives do not match: " + text);
  error.diagnosed(is_constrained(ours) == is_constrained(theirs)
                      ? name_of(DiagnosisId::collectives_differ)
                      : name_of(DiagnosisId::layout_constraint_differs));
  return error;
}

void check_header(const MessageHeader& expected, std::size_t expected_bytes, Rank self,
                  const MessageHeader& received, Rank from) {
  if (received.signature == expected.signature && received.bytes == expected_bytes) return;
  std::string text = fmt::format("rank {}: {}; rank {}: {}", self.value, call_of(expected),
                                 from.value, call_of(received));
  // Equal text with different signatures: the text abbreviates long groups and leaves nothing else
  // out.
  if (received.signature == expected.signature) {
    text += fmt::format(" (expected {} bytes, got {})", expected_bytes, received.bytes);
  } else if (call_of(expected) == call_of(received)) {
    text += " (their groups differ)";
  }
  throw mismatch_of(call_of(expected), call_of(received), text);
}

}  // namespace understudy::collectives
