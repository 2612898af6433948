// SPDX-License-Identifier: Apache-2.0
#include "worker/ops/select_windows.h"

#include <array>
#include <cstring>
#include <limits>
#include <variant>

#include "worker/chip/vector_code.h"

namespace understudy::worker::ops {
namespace {

using program::Direction;
using program::ElementType;

[[gnu::always_inline]] inline float load(const float* at) { return *at; }
[[gnu::always_inline]] inline float load(const std::uint16_t* bf16) {
  const std::uint32_t bits = static_cast<std::uint32_t>(*bf16) << 16;
  float value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

template <Direction kDirection>
[[gnu::always_inline]] inline bool stays(float kept, float met) {
  if constexpr (kDirection == Direction::ge) return kept >= met;
  if constexpr (kDirection == Direction::gt) return kept > met;
  if constexpr (kDirection == Direction::le) return kept <= met;
  return kept < met;
}

// `n` neighbouring windows, which meet elements that are `step` apart. Both sides are chosen
// without a branch.
template <Direction kDirection, class T>
[[gnu::always_inline]] inline void meet_some(const T* x, std::int32_t element, std::int64_t step,
                                             std::int64_t n, float* values, std::int32_t* places) {
  UNDERSTUDY_INDEPENDENT
  for (std::int64_t i = 0; i < n; ++i) {
    const float met = load(x + i * step), kept = values[i];
    const std::int32_t place = places[i];
    const bool keeps = (place >= 0) & stays<kDirection>(kept, met);
    values[i] = keeps ? kept : met;
    places[i] = keeps ? place : element + static_cast<std::int32_t>(i * step);
  }
}

template <Direction kDirection, class T>
[[gnu::always_inline]] inline void meet(const std::byte* operand, const Run& run,
                                        std::int64_t block, const KeptRow& kept) {
  const T* const x = reinterpret_cast<const T*>(operand);
  if (block == 1 && run.period == 1) {
    meet_some<kDirection>(x + run.element, static_cast<std::int32_t>(run.element), run.step,
                          run.count, kept.values + run.first, kept.places + run.first);
    return;
  }
  for (std::int64_t i = 0; i < run.count; ++i) {
    const std::int64_t window = (run.first + i * run.period) * block;
    const std::int64_t element = run.element + i * run.step;
    meet_some<kDirection>(x + element, static_cast<std::int32_t>(element), 1, block,
                          kept.values + window, kept.places + window);
  }
}

#define UNDERSTUDY_MEET(direction)                                                             \
  UNDERSTUDY_VECTOR_CODE void meet_f32_##direction(const std::byte* operand, const Run& run,   \
                                                   std::int64_t block, const KeptRow& kept) {  \
    meet<Direction::direction, float>(operand, run, block, kept);                              \
  }                                                                                            \
  UNDERSTUDY_VECTOR_CODE void meet_bf16_##direction(const std::byte* operand, const Run& run,  \
                                                    std::int64_t block, const KeptRow& kept) { \
    meet<Direction::direction, std::uint16_t>(operand, run, block, kept);                      \
  }
UNDERSTUDY_MEET(ge)
UNDERSTUDY_MEET(gt)
UNDERSTUDY_MEET(le)
UNDERSTUDY_MEET(lt)
#undef UNDERSTUDY_MEET

}  // namespace

MeetKernel meet_kernel(const program::Body& select, const program::TensorType& operand) {
  if (select.code.size() != 1 || select.parameters.size() != 2 || select.results.size() != 1 ||
      operand.elements() > std::numeric_limits<std::int32_t>::max())
    return nullptr;
  const program::Instruction& only = select.code[0];
  const auto* compare = std::get_if<program::Compare>(&only.work);
  if (compare == nullptr || compare->total_order || only.inputs != select.parameters ||
      only.outputs != select.results)
    return nullptr;
  struct Kernels {
    Direction direction;
    MeetKernel f32, bf16;
  };
  static constexpr std::array kRows{Kernels{Direction::ge, &meet_f32_ge, &meet_bf16_ge},
                                    Kernels{Direction::gt, &meet_f32_gt, &meet_bf16_gt},
                                    Kernels{Direction::le, &meet_f32_le, &meet_bf16_le},
                                    Kernels{Direction::lt, &meet_f32_lt, &meet_bf16_lt}};
  for (const Kernels& row : kRows) {
    if (row.direction != compare->direction) continue;
    if (operand.element == ElementType::f32) return row.f32;
    if (operand.element == ElementType::bf16) return row.bf16;
  }
  return nullptr;
}

}  // namespace understudy::worker::ops
