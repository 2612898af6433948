// SPDX-License-Identifier: Apache-2.0
#include "worker/ops/window/select_windows.h"

#include <array>
#include <limits>
#include <variant>

#include "worker/chip/numbers.h"
#include "worker/chip/vector_code.h"

namespace understudy::worker::ops {
namespace {

using program::Direction;
using program::ElementType;

[[gnu::always_inline]] inline float load(const float* at) { return *at; }
[[gnu::always_inline]] inline float load(const std::uint16_t* bf16) { return float_of_bf16(*bf16); }

template <Direction kDirection>
[[gnu::always_inline]] inline bool stays(float kept, float candidate) {
  if constexpr (kDirection == Direction::ge) return kept >= candidate;
  if constexpr (kDirection == Direction::gt) return kept > candidate;
  if constexpr (kDirection == Direction::le) return kept <= candidate;
  return kept < candidate;
}

// `n` neighbouring windows, compared with elements that are `step` apart. Both sides are chosen
// without a branch.
template <Direction kDirection, class T>
[[gnu::always_inline]] inline void select_some(const T* x, std::int32_t element, std::int64_t step,
                                               std::int64_t n, float* values,
                                               std::int32_t* places) {
  UNDERSTUDY_INDEPENDENT
  for (std::int64_t i = 0; i < n; ++i) {
    const float candidate = load(x + i * step), kept = values[i];
    const std::int32_t place = places[i];
    const bool keeps = (place >= 0) & stays<kDirection>(kept, candidate);
    values[i] = keeps ? kept : candidate;
    places[i] = keeps ? place : element + static_cast<std::int32_t>(i * step);
  }
}

template <Direction kDirection, class T>
[[gnu::always_inline]] inline void select_run(const std::byte* operand, const Run& run,
                                              std::int64_t block, const SelectedRow& kept) {
  const T* const x = reinterpret_cast<const T*>(operand);
  if (block == 1 && run.period == 1) {
    select_some<kDirection>(x + run.element, static_cast<std::int32_t>(run.element), run.step,
                            run.count, kept.values + run.first, kept.places + run.first);
    return;
  }
  for (std::int64_t i = 0; i < run.count; ++i) {
    const std::int64_t window = (run.first + i * run.period) * block;
    const std::int64_t element = run.element + i * run.step;
    select_some<kDirection>(x + element, static_cast<std::int32_t>(element), 1, block,
                            kept.values + window, kept.places + window);
  }
}

#define UNDERSTUDY_SELECT_WINDOWS(direction)                                                   \
  UNDERSTUDY_VECTOR_CODE void select_f32_##direction(                                          \
      const std::byte* operand, const Run& run, std::int64_t block, const SelectedRow& kept) { \
    select_run<Direction::direction, float>(operand, run, block, kept);                        \
  }                                                                                            \
  UNDERSTUDY_VECTOR_CODE void select_bf16_##direction(                                         \
      const std::byte* operand, const Run& run, std::int64_t block, const SelectedRow& kept) { \
    select_run<Direction::direction, std::uint16_t>(operand, run, block, kept);                \
  }
UNDERSTUDY_SELECT_WINDOWS(ge)
UNDERSTUDY_SELECT_WINDOWS(gt)
UNDERSTUDY_SELECT_WINDOWS(le)
UNDERSTUDY_SELECT_WINDOWS(lt)
#undef UNDERSTUDY_SELECT_WINDOWS

}  // namespace

SelectWindowsKernel select_windows_kernel(const program::Body& select,
                                          const program::TensorType& operand) {
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
    SelectWindowsKernel f32, bf16;
  };
  static constexpr std::array kRows{Kernels{Direction::ge, &select_f32_ge, &select_bf16_ge},
                                    Kernels{Direction::gt, &select_f32_gt, &select_bf16_gt},
                                    Kernels{Direction::le, &select_f32_le, &select_bf16_le},
                                    Kernels{Direction::lt, &select_f32_lt, &select_bf16_lt}};
  for (const Kernels& row : kRows) {
    if (row.direction != compare->direction) continue;
    if (operand.element == ElementType::f32) return row.f32;
    if (operand.element == ElementType::bf16) return row.bf16;
  }
  return nullptr;
}

}  // namespace understudy::worker::ops
