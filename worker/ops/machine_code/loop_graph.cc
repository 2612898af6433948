// SPDX-License-Identifier: Apache-2.0
#include "worker/ops/machine_code/loop_graph.h"

namespace understudy::worker::ops::machine {

std::optional<Kind> kind_of(program::ElementType type) {
  using program::ElementType;
  switch (type) {
    case ElementType::pred:
    case ElementType::i8:
    case ElementType::ui8:
      return Kind::byte;
    case ElementType::i16:
    case ElementType::ui16:
    case ElementType::bf16:
    case ElementType::f16:
      return Kind::half;
    case ElementType::i32:
    case ElementType::ui32:
      return Kind::word;
    case ElementType::i64:
    case ElementType::ui64:
      return Kind::quad;
    case ElementType::f32:
      return Kind::f32;
    case ElementType::f64:
      return Kind::f64;
    default:
      return std::nullopt;
  }
}

std::size_t bytes_of(Kind kind) {
  constexpr std::array<std::size_t, 6> kBytes{1, 2, 4, 8, 4, 8};
  return kBytes[static_cast<std::size_t>(kind)];
}

}  // namespace understudy::worker::ops::machine
