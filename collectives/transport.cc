// SPDX-License-Identifier: Apache-2.0
#include "collectives/transport.h"

#include <algorithm>

#include "fmt/format.h"

#include "configs/base/error.h"

namespace understudy::collectives {

std::string_view call_of(const MessageHeader& header) {
  const auto end = std::find(header.call.begin(), header.call.end(), '\0');
  return {header.call.data(), static_cast<std::size_t>(end - header.call.begin())};
}

void check_header(const MessageHeader& expected, std::size_t expected_bytes, Rank self,
                  const MessageHeader& received, Rank from) {
  if (received.signature == expected.signature && received.bytes == expected_bytes) return;
  std::string text = fmt::format("rank {}: {}; rank {}: {}", self.value, call_of(expected),
                                 from.value, call_of(received));
  if (received.signature == expected.signature) {
    text += fmt::format(" (expected {} bytes, got {})", expected_bytes, received.bytes);
  } else if (call_of(expected) == call_of(received)) {
    text += " (their groups differ)";
  }
  throw Error(ErrorKind::protocol, "collectives do not match: " + text);
}

}  // namespace understudy::collectives
