// SPDX-License-Identifier: Apache-2.0
// Matrix products without a library. Each element of c is summed over k in order with one rounding
// per product and sum (-ffp-contract=off), so tiling and instruction set do not change a bit.
#include <cstddef>
#include <cstring>
#include <type_traits>
#include <vector>

#include "configs/base/error.h"
#include "worker/chip/mxu/mxu_tile.h"
#include "worker/chip/numbers.h"
#include "worker/chip/vector_code.h"

namespace understudy::worker {
namespace {

struct Bf16 {
  std::uint16_t bits;
};
template <class T>
// std::complex multiplies with checks for infinities; the plain formula vectorises.
struct Pair {
  T re, im;
};

inline float value_of(Bf16 x) { return float_of_bf16(x.bits); }
// i32 sums wrap.
inline std::uint32_t value_of(std::int8_t x) { return static_cast<std::uint32_t>(std::int32_t{x}); }
template <class T>
T value_of(T x) {
  return x;
}

// A block of c of kRows x 2 vectors stays in registers while k passes: 8 accumulators hide the
// latency of an addition. Compilers spill vectors that are wider than the machine's registers.
constexpr std::int64_t kRows = 4;
constexpr std::int64_t kDepth = 256;  // of a packed panel: 16 KiB
template <class T>
using Vector [[gnu::vector_size(32)]] = T;
// A block's row, not aligned. Copied by memcpy instead, g++ would keep the sums in memory, in
// halves that stall the loads.
template <class T>
struct [[gnu::packed, gnu::may_alias]] RowOfBlock {
  Vector<T> first, second;
};
template <class T>
constexpr std::int64_t kWidth = 2 * 32 / static_cast<std::int64_t>(sizeof(T));

// kTall rows of c, up to a vector of columns wide, += a * panel; the panel has real parts, then
// imaginary parts for each k. Each product is two products and a sum, then added.
template <class T, std::int64_t kTall>
[[gnu::always_inline]] inline void complex_block(const MxuTile& t, const Pair<T>* a, const T* panel,
                                                 Pair<T>* c, std::int64_t count) {
  using V = Vector<T>;
  V re[kTall] = {}, im[kTall] = {};
  for (std::int64_t i = 0; t.add && i < kTall; ++i)
    for (std::int64_t n = 0; n < count; ++n) {
      re[i][n] = c[i * t.c_row + n].re;
      im[i][n] = c[i * t.c_row + n].im;
    }
  for (std::int64_t k = 0; k < t.k; ++k) {
    const auto& right = *reinterpret_cast<const RowOfBlock<T>*>(panel + k * kWidth<T>);
    const V right_re = right.first, right_im = right.second;
    for (std::int64_t i = 0; i < kTall; ++i) {
      const Pair<T> left = a[i * t.a_row + k * t.a_column];
      re[i] += left.re * right_re - left.im * right_im;
      im[i] += left.re * right_im + left.im * right_re;
    }
  }
  for (std::int64_t i = 0; i < kTall; ++i)
    for (std::int64_t n = 0; n < count; ++n) c[i * t.c_row + n] = {re[i][n], im[i][n]};
}

template <class T>
[[gnu::always_inline]] inline void complex_panel(const MxuTile& t, const T* panel, Pair<T>* c,
                                                 std::int64_t count) {
  const auto* const a = static_cast<const Pair<T>*>(t.a);
  std::int64_t m = 0;
  for (; m + kRows <= t.m; m += kRows)
    complex_block<T, kRows>(t, a + m * t.a_row, panel, c + m * t.c_row, count);
  for (; m < t.m; ++m) complex_block<T, 1>(t, a + m * t.a_row, panel, c + m * t.c_row, count);
}
UNDERSTUDY_VECTOR_CODE void complex_panel_of(const MxuTile& t, const float* panel, Pair<float>* c,
                                             std::int64_t count) {
  complex_panel(t, panel, c, count);
}
UNDERSTUDY_VECTOR_CODE void complex_panel_of(const MxuTile& t, const double* panel, Pair<double>* c,
                                             std::int64_t count) {
  complex_panel(t, panel, c, count);
}

template <class T>
void multiply_complex(const MxuTile& t) {
  constexpr std::int64_t kColumns = kWidth<T> / 2;
  const auto* const b = static_cast<const Pair<T>*>(t.b);
  std::vector<T> panel(static_cast<std::size_t>(t.k * kWidth<T>));
  for (std::int64_t first = 0; first < t.n; first += kColumns) {
    const std::int64_t count = std::min(kColumns, t.n - first);
    for (std::int64_t k = 0; k < t.k; ++k)
      for (std::int64_t n = 0; n < count; ++n) {
        const Pair<T> one = b[k * t.b_row + (first + n) * t.b_column];
        panel[static_cast<std::size_t>(k * kWidth<T> + n)] = one.re;
        panel[static_cast<std::size_t>(k * kWidth<T> + kColumns + n)] = one.im;
      }
    complex_panel_of(t, panel.data(), static_cast<Pair<T>*>(t.c) + first, count);
  }
}

// c[rows x kWidth] (+)= a[rows x depth] * panel[depth x kWidth]; a's elements are `row` and
// `column` apart, c's rows `c_row`.
template <class T, std::int64_t kTall>
[[gnu::always_inline]] inline void multiply_block(const T* a, std::int64_t row, std::int64_t column,
                                                  const T* panel, std::int64_t depth, T* c,
                                                  std::int64_t c_row) {
  using V = Vector<T>;
  V sums[kTall][2];
  for (std::int64_t i = 0; i < kTall; ++i) {
    const auto& from = *reinterpret_cast<const RowOfBlock<T>*>(c + i * c_row);
    sums[i][0] = from.first;
    sums[i][1] = from.second;
  }
  for (std::int64_t k = 0; k < depth; ++k) {
    const auto& right = *reinterpret_cast<const RowOfBlock<T>*>(panel + k * kWidth<T>);
    const V first = right.first, second = right.second;
    for (std::int64_t i = 0; i < kTall; ++i) {
      const T left = a[i * row + k * column];
      sums[i][0] += left * first;
      sums[i][1] += left * second;
    }
  }
  for (std::int64_t i = 0; i < kTall; ++i) {
    auto& to = *reinterpret_cast<RowOfBlock<T>*>(c + i * c_row);
    to.first = sums[i][0];
    to.second = sums[i][1];
  }
}

// Rows [0, m) of a panel's columns. `c` has whole vectors in each row.
template <class T>
[[gnu::always_inline]] inline void multiply_panel(const T* a, std::int64_t row, std::int64_t column,
                                                  const T* panel, std::int64_t depth, T* c,
                                                  std::int64_t c_row, std::int64_t m) {
  std::int64_t i = 0;
  for (; i + kRows <= m; i += kRows)
    multiply_block<T, kRows>(a + i * row, row, column, panel, depth, c + i * c_row, c_row);
  for (; i < m; ++i)
    multiply_block<T, 1>(a + i * row, row, column, panel, depth, c + i * c_row, c_row);
}

#define UNDERSTUDY_PANEL(type, name)                                                     \
  UNDERSTUDY_VECTOR_CODE void name(const type* a, std::int64_t row, std::int64_t column, \
                                   const type* panel, std::int64_t depth, type* c,       \
                                   std::int64_t c_row, std::int64_t m) {                 \
    multiply_panel<type>(a, row, column, panel, depth, c, c_row, m);                     \
  }
UNDERSTUDY_PANEL(float, multiply_panel_f32)
UNDERSTUDY_PANEL(double, multiply_panel_f64)
UNDERSTUDY_PANEL(std::uint32_t, multiply_panel_u32)
UNDERSTUDY_PANEL(std::uint64_t, multiply_panel_u64)
#undef UNDERSTUDY_PANEL

template <class T>
constexpr auto panel_function() {
  if constexpr (std::is_same_v<T, float>) return &multiply_panel_f32;
  if constexpr (std::is_same_v<T, double>) return &multiply_panel_f64;
  if constexpr (std::is_same_v<T, std::uint32_t>) return &multiply_panel_u32;
  if constexpr (std::is_same_v<T, std::uint64_t>) return &multiply_panel_u64;
}

// Columns of the product in panels of kWidth: the operand b of a panel is packed densely, with
// zeros beyond its last column, and the sums of a panel are kept beside until all of k is added.
template <class In, class Out>
class PanelProduct {
 public:
  explicit PanelProduct(const MxuTile& tile) : t_(tile) {}

  void run() {
    panel_.resize(static_cast<std::size_t>(std::min(t_.k, kDepth) * kWidth<Out>));
    sums_.resize(static_cast<std::size_t>(t_.m * kWidth<Out>));
    if constexpr (!std::is_same_v<In, Out>) {
      left_.resize(static_cast<std::size_t>(t_.m * t_.k));
      for (std::int64_t m = 0; m < t_.m; ++m)
        for (std::int64_t k = 0; k < t_.k; ++k)
          left_[static_cast<std::size_t>(m * t_.k + k)] =
              value_of(a()[m * t_.a_row + k * t_.a_column]);
    }
    for (std::int64_t n = 0; n < t_.n; n += kWidth<Out>)
      columns(n, std::min(kWidth<Out>, t_.n - n));
  }

 private:
  const In* a() const { return static_cast<const In*>(t_.a); }

  void columns(std::int64_t first, std::int64_t count) {
    Out* const c = static_cast<Out*>(t_.c) + first;
    const auto bytes = static_cast<std::size_t>(count) * sizeof(Out);
    std::fill(sums_.begin(), sums_.end(), Out{});
    if (t_.add)
      for (std::int64_t m = 0; m < t_.m; ++m)
        std::memcpy(&sums_[static_cast<std::size_t>(m * kWidth<Out>)], c + m * t_.c_row, bytes);
    for (std::int64_t k = 0; k < t_.k; k += kDepth) {
      const std::int64_t depth = std::min(kDepth, t_.k - k);
      pack(k, depth, first, count);
      if constexpr (std::is_same_v<In, Out>) {
        panel_function<Out>()(a() + k * t_.a_column, t_.a_row, t_.a_column, panel_.data(), depth,
                              sums_.data(), kWidth<Out>, t_.m);
      } else {
        panel_function<Out>()(left_.data() + k, t_.k, 1, panel_.data(), depth, sums_.data(),
                              kWidth<Out>, t_.m);
      }
    }
    for (std::int64_t m = 0; m < t_.m; ++m)
      std::memcpy(c + m * t_.c_row, &sums_[static_cast<std::size_t>(m * kWidth<Out>)], bytes);
  }

  void pack(std::int64_t k, std::int64_t depth, std::int64_t first, std::int64_t count) {
    const In* const b = static_cast<const In*>(t_.b) + k * t_.b_row + first * t_.b_column;
    for (std::int64_t i = 0; i < depth; ++i) {
      Out* const to = panel_.data() + i * kWidth<Out>;
      const In* const from = b + i * t_.b_row;
      for (std::int64_t n = 0; n < count; ++n) to[n] = value_of(from[n * t_.b_column]);
      std::fill(to + count, to + kWidth<Out>, Out{});
    }
  }

  const MxuTile& t_;
  std::vector<Out> panel_, sums_, left_;
};

template <class In, class Out = In>
void multiply_in_panels(const MxuTile& tile) {
  PanelProduct<In, Out>(tile).run();
}

}  // namespace

void multiply_portably(const MxuTile& tile) {
  using program::ElementType;
  switch (tile.element) {
    case ElementType::bf16:
      return multiply_in_panels<Bf16, float>(tile);
    case ElementType::f32:
      return multiply_in_panels<float>(tile);
    case ElementType::f64:
      return multiply_in_panels<double>(tile);
    case ElementType::i8:
      if (multiply_int8(tile)) return;
      return multiply_in_panels<std::int8_t, std::uint32_t>(tile);
    case ElementType::i32:  // unsigned: it wraps
      return multiply_in_panels<std::uint32_t>(tile);
    case ElementType::i64:
      return multiply_in_panels<std::uint64_t>(tile);
    case ElementType::c64:
      return multiply_complex<float>(tile);
    default:
      UNDERSTUDY_ASSERT(tile.element == ElementType::c128);
      return multiply_complex<double>(tile);
  }
}

}  // namespace understudy::worker
