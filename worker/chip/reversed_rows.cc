// SPDX-License-Identifier: Apache-2.0
#include "worker/chip/reversed_rows.h"

#include "worker/chip/lanes.h"
#include "worker/chip/vector_code.h"

namespace understudy::worker::ops {

// As many rows at a time as fit into a register. The rest of the register is read from the row
// before, and the next rows overwrite what it writes.
UNDERSTUDY_VECTOR_CODE std::int64_t reverse_dense_rows(std::int64_t count, std::size_t bytes,
                                                       const std::byte* in, std::byte* out) {
  constexpr std::int64_t kRegister = 16;
  const auto row = static_cast<std::int64_t>(bytes);
  const std::int64_t group = kRegister / row;
  if (group < 2 || (count - 1) * row < kRegister) return 0;
  Lanes<std::uint8_t> order{};
  for (std::int64_t i = 0; i < group * row; ++i)
    order[i] = static_cast<std::uint8_t>((group - 1 - i / row) * row + i % row);
  copy_short(in, out, bytes);
  std::int64_t r = 1;
  for (; (count - r) * row >= kRegister; r += group) {
    const auto rows = load<Lanes<std::uint8_t>>(in - (r + group - 1) * row);
    store(out + r * row, __builtin_shuffle(rows, order));
  }
  return r;
}

}  // namespace understudy::worker::ops
