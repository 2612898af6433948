// SPDX-License-Identifier: Apache-2.0
#include "worker/ragged_exchange.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <vector>

#include "configs/base/error.h"

namespace understudy::worker {
namespace {

using Sizes = std::span<const std::int64_t>;

// Bytes of `size` rows from `offset` on.
template <class Byte>
std::span<Byte> rows(std::span<Byte> all, std::int64_t offset, std::int64_t size,
                     std::size_t row_bytes, std::string_view what) {
  const auto count = static_cast<std::int64_t>(row_bytes == 0 ? 0 : all.size() / row_bytes);
  if (size < 0 || offset < 0 || (size > 0 && (offset > count || size > count - offset)))
    throw Error(ErrorKind::check, fmt::format("{} rows from {} on leave the {} rows of the {}",
                                              size, offset, count, what));
  if (size == 0) return {};
  return all.subspan(static_cast<std::size_t>(offset) * row_bytes,
                     static_cast<std::size_t>(size) * row_bytes);
}

// A message: the offsets of its slices at the receiver, then the slices.
std::vector<std::byte> packed(const RaggedSlices& slices, std::size_t first, std::size_t count,
                              std::span<const std::byte> in) {
  std::vector<std::byte> message(count * sizeof(std::int64_t));
  if (count > 0) std::memcpy(message.data(), &slices.output_offsets[first], message.size());
  for (std::size_t i = first; i < first + count; ++i) {
    const auto slice =
        rows(in, slices.input_offsets[i], slices.send_sizes[i], slices.row_bytes, "operand");
    message.insert(message.end(), slice.begin(), slice.end());
  }
  return message;
}

void unpack(const RaggedSlices& slices, std::size_t first, std::size_t count,
            const std::vector<std::byte>& message, std::span<std::byte> out) {
  std::size_t at = count * sizeof(std::int64_t);
  for (std::size_t i = 0; i < count; ++i) {
    std::int64_t offset = 0;
    std::memcpy(&offset, message.data() + i * sizeof(offset), sizeof(offset));
    const auto to = rows(out, offset, slices.recv_sizes[first + i], slices.row_bytes, "output");
    std::copy_n(message.begin() + static_cast<std::ptrdiff_t>(at), to.size(), to.begin());
    at += to.size();
  }
}

std::size_t announced(const RaggedSlices& slices, std::size_t first, std::size_t count) {
  std::size_t bytes = count * sizeof(std::int64_t);
  for (std::size_t i = first; i < first + count; ++i) {
    if (slices.recv_sizes[i] < 0)
      throw Error(ErrorKind::check, fmt::format("a size of {} rows", slices.recv_sizes[i]));
    bytes += static_cast<std::size_t>(slices.recv_sizes[i]) * slices.row_bytes;
  }
  return bytes;
}

}  // namespace

// In step s every member sends to the one s places to its right, as in a pairwise all_to_all.
collectives::CallReport ragged_exchange(const collectives::Algorithm& algorithm,
                                        const collectives::Fabric& fabric,
                                        const collectives::Group& group, const RaggedSlices& slices,
                                        std::span<const std::byte> in, std::span<std::byte> out,
                                        const collectives::CallSite& site) {
  const std::size_t members = group.size();
  const std::size_t each = slices.input_offsets.size() / members;
  collectives::CallReport report;
  report.algorithm = "pairwise";
  for (std::size_t step = 0; step < members; ++step) {
    const std::size_t to = (group.self + step) % members;
    const std::size_t from = (group.self + members - step) % members;
    std::vector<std::byte> sent = packed(slices, to * each, each, in);
    std::vector<std::byte> received;
    if (step == 0) {
      received = std::move(sent);
      received.resize(announced(slices, from * each, each));
    } else {
      received.resize(announced(slices, from * each, each));
      const auto one =
          algorithm.permute(fabric, group.members[to], group.members[from], sent, received, site);
      report.messages += one.messages;
      report.bytes += one.bytes;
      report.emulated_seconds = std::max(report.emulated_seconds, one.emulated_seconds);
    }
    unpack(slices, from * each, each, received, out);
  }
  return report;
}

}  // namespace understudy::worker
