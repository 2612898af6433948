// SPDX-License-Identifier: Apache-2.0
#include "worker/pod/ragged_exchange.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <vector>

#include "configs/base/error.h"

namespace understudy::worker {
namespace {

using Sizes = std::span<const std::int64_t>;

// The bytes of `size` rows from row `offset` on. Offsets and sizes come from the program's data, so
// the check is written without sums that could overflow.
template <class Byte>
std::span<Byte> rows(std::span<Byte> all, std::int64_t offset, std::int64_t size,
                     std::size_t row_bytes, std::string_view what) {
  const auto count = static_cast<std::int64_t>(row_bytes == 0 ? 0 : all.size() / row_bytes);
  // An empty slice needs no valid offset.
  const bool counts = size > 0 && row_bytes > 0;
  if (size < 0 || offset < 0 || (counts && (offset > count || size > count - offset)))
    throw Error(ErrorKind::check, fmt::format("{} rows from row {} on exceed the {} rows of the {}",
                                              size, offset, count, what));
  if (!counts) return {};
  return all.subspan(static_cast<std::size_t>(offset) * row_bytes,
                     static_cast<std::size_t>(size) * row_bytes);
}

// One head per slice at the front of a message; the slices' bytes follow in the same order. The
// sender knows where a slice goes at the receiver (output_offsets), the receiver does not.
struct SliceHead {
  std::int64_t offset = 0;  // at the receiver
  std::int64_t size = 0;
};

std::vector<std::byte> packed(const RaggedSlices& slices, std::size_t first, std::size_t count,
                              std::span<const std::byte> in) {
  // Two loops: all heads come first, so the receiver finds them at a fixed place.
  std::vector<std::byte> message(count * sizeof(SliceHead));
  for (std::size_t i = 0; i < count; ++i) {
    const SliceHead head{slices.output_offsets[first + i], slices.send_sizes[first + i]};
    std::memcpy(message.data() + i * sizeof(head), &head, sizeof(head));
  }
  for (std::size_t i = first; i < first + count; ++i) {
    const auto slice =
        rows(in, slices.input_offsets[i], slices.send_sizes[i], slices.row_bytes, "operand");
    message.insert(message.end(), slice.begin(), slice.end());
  }
  return message;
}

void check_announced(std::int64_t sent, std::int64_t announced) {
  if (sent == announced) return;
  throw Error(ErrorKind::protocol,
              fmt::format("a peer sent {} rows, recv_sizes expects {}", sent, announced));
}

void unpack(const RaggedSlices& slices, std::size_t first, std::size_t count,
            const std::vector<std::byte>& message, std::span<std::byte> out) {
  std::size_t at = count * sizeof(SliceHead);
  for (std::size_t i = 0; i < count; ++i) {
    SliceHead head;
    std::memcpy(&head, message.data() + i * sizeof(head), sizeof(head));
    // The message may have the expected length in all while two of its slices have other sizes.
    // Both sides agree on the number of slices, so heads are where they are expected.
    check_announced(head.size, slices.recv_sizes[first + i]);
    const auto to = rows(out, head.offset, head.size, slices.row_bytes, "output");
    std::copy_n(message.begin() + static_cast<std::ptrdiff_t>(at), to.size(), to.begin());
    at += to.size();
  }
}

// The length of the message that recv_sizes expects. rows() bounds each slice by `out`, so a
// negative or absurd size fails here, before a receive buffer is allocated.
std::size_t announced(const RaggedSlices& slices, std::size_t first, std::size_t count,
                      std::span<const std::byte> out) {
  std::uint64_t bytes = count * sizeof(SliceHead);
  for (std::size_t i = first; i < first + count; ++i) {
    const auto slice = rows(out, 0, slices.recv_sizes[i], slices.row_bytes, "output");
    if (__builtin_add_overflow(bytes, slice.size(), &bytes))
      throw Error(ErrorKind::check, "the bytes of the slices in recv_sizes overflow 64 bits");
  }
  return bytes;
}

}  // namespace

// Pairwise exchange: in step s every member sends to the one s places to its right and receives
// from the one s places to its left. Every step is a permutation, so no member receives from two
// peers at once. Step 0 is the member's own part and takes no message.
collectives::CallReport ragged_exchange(const collectives::Algorithm& algorithm,
                                        const collectives::Fabric& fabric,
                                        const collectives::Group& group, const RaggedSlices& slices,
                                        std::span<const std::byte> in, std::span<std::byte> out,
                                        const collectives::CallSite& site) {
  const std::size_t members = group.size();
  // Slices per member: the program has this many offsets for each of them.
  const std::size_t each = slices.input_offsets.size() / members;
  collectives::CallReport report;
  report.algorithm = "pairwise";
  for (std::size_t step = 0; step < members; ++step) {
    const std::size_t to = (group.self + step) % members;
    const std::size_t from = (group.self + members - step) % members;
    // Checked before the send: a member with bad sizes fails without writing anything.
    const std::size_t expected = announced(slices, from * each, each, out);
    std::vector<std::byte> sent = packed(slices, to * each, each, in);
    std::vector<std::byte> received;
    // The own part takes the same way as all others: packed, checked, unpacked.
    if (step == 0) {
      received = std::move(sent);
    } else {
      received.resize(expected);
      const auto one =
          algorithm.permute(fabric, group.members[to], group.members[from], sent, received, site);
      report.messages += one.messages;
      report.bytes += one.bytes;
      // The steps run one after the other on each rank; permute() reports the clock after each.
      report.emulated_seconds = std::max(report.emulated_seconds, one.emulated_seconds);
    }
    unpack(slices, from * each, each, received, out);
  }
  return report;
}

}  // namespace understudy::worker
