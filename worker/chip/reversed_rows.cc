// SPDX-License-Identifier: Apache-2.0
#include "worker/chip/reversed_rows.h"

#include <array>
#include <cstring>

#include "worker/chip/lanes.h"
#include "worker/chip/vector_code.h"

namespace understudy::worker::ops {
namespace {

constexpr std::size_t kRegister = 16, kMostBytes = 8;
using Order = std::array<std::uint8_t, kRegister>;

// Where each byte of a register comes from whose rows are reversed, by the bytes of a row.
constexpr std::array<Order, kMostBytes + 1> kOrders = [] {
  std::array<Order, kMostBytes + 1> orders{};
  for (std::size_t row = 1; row <= kMostBytes; ++row) {
    const std::size_t group = kRegister / row;
    for (std::size_t i = 0; i < group * row; ++i)
      orders[row][i] = static_cast<std::uint8_t>((group - 1 - i / row) * row + i % row);
  }
  return orders;
}();

}  // namespace

// As many rows at a time as fit into a register. The rest of the register is read from the row
// before, and the next rows overwrite what it writes.
UNDERSTUDY_VECTOR_CODE std::int64_t reverse_dense_rows(std::int64_t count, std::size_t bytes,
                                                       const std::byte* in, std::byte* out) {
  constexpr auto kWhole = static_cast<std::int64_t>(kRegister);
  const auto row = static_cast<std::int64_t>(bytes);
  const std::int64_t group = kWhole / row;
  if (group < 2 || (count - 1) * row < kWhole) return 0;
  Lanes<std::uint8_t> order;
  std::memcpy(&order, kOrders[bytes].data(), sizeof(order));
  copy_short(in, out, bytes);
  std::int64_t r = 1;
  for (; (count - r) * row >= kWhole; r += group) {
    const auto rows = load<Lanes<std::uint8_t>>(in - (r + group - 1) * row);
    store(out + r * row, __builtin_shuffle(rows, order));
  }
  return r;
}

}  // namespace understudy::worker::ops
