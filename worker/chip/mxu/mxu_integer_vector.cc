// SPDX-License-Identifier: Apache-2.0
// Products of a matrix of integers and a vector: the matrix is read once, in place. Integer sums
// wrap, so their order has no influence.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include "worker/chip/mxu/mxu_tile.h"
#include "worker/chip/vector_code.h"

namespace understudy::worker {
namespace {

// The vector is multiplied with `count` lines of the matrix, which are `line` elements apart.
template <class T>
struct IntegerLines {
  const T* matrix;
  std::int64_t count, line;
  const T* vector;
  std::int64_t k;
};

// out[i] = the sum over k of line i; dense along k.
template <class T>
[[gnu::always_inline]] inline void integers_along(const IntegerLines<T>& of, T* out,
                                                  std::int64_t step, bool add) {
  for (std::int64_t i = 0; i < of.count; ++i) {
    const T* const line = of.matrix + i * of.line;
    T sum = add ? out[i * step] : T{};
    for (std::int64_t k = 0; k < of.k; ++k) sum += line[k] * of.vector[k];
    out[i * step] = sum;
  }
}

// out[j] = the sum over the lines of element j of each; dense across k. Four lines at a time, in
// blocks of results that stay in the first-level cache.
template <class T>
[[gnu::always_inline]] inline void integers_across(const IntegerLines<T>& of, T* out, bool add) {
  constexpr std::int64_t kBlock = 1024;
  if (!add) std::fill(out, out + of.count, T{});
  for (std::int64_t first = 0; first < of.count; first += kBlock) {
    const std::int64_t n = std::min(kBlock, of.count - first);
    T* const to = out + first;
    std::int64_t k = 0;
    for (; k + 4 <= of.k; k += 4) {
      const T* const a = of.matrix + k * of.line + first;
      const T *const b = a + of.line, *const c = b + of.line, *const d = c + of.line;
      const T* const x = of.vector + k;
      UNDERSTUDY_INDEPENDENT
      for (std::int64_t j = 0; j < n; ++j)
        to[j] += a[j] * x[0] + b[j] * x[1] + c[j] * x[2] + d[j] * x[3];
    }
    for (; k < of.k; ++k) {
      const T* const a = of.matrix + k * of.line + first;
      UNDERSTUDY_INDEPENDENT
      for (std::int64_t j = 0; j < n; ++j) to[j] += a[j] * of.vector[k];
    }
  }
}

UNDERSTUDY_VECTOR_CODE void integers_along_of(const IntegerLines<std::uint32_t>& of,
                                              std::uint32_t* out, std::int64_t step, bool add) {
  integers_along(of, out, step, add);
}
UNDERSTUDY_VECTOR_CODE void integers_along_of(const IntegerLines<std::uint64_t>& of,
                                              std::uint64_t* out, std::int64_t step, bool add) {
  integers_along(of, out, step, add);
}
UNDERSTUDY_VECTOR_CODE void integers_across_of(const IntegerLines<std::uint32_t>& of,
                                               std::uint32_t* out, bool add) {
  integers_across(of, out, add);
}
UNDERSTUDY_VECTOR_CODE void integers_across_of(const IntegerLines<std::uint64_t>& of,
                                               std::uint64_t* out, bool add) {
  integers_across(of, out, add);
}

// `matrix` is a, or b with the roles of rows and columns exchanged.
template <class T>
bool multiply_integers(const MxuTile& t) {
  const bool is_left = t.n == 1;
  const std::int64_t step = is_left ? t.a_column : t.b_row;  // along k
  const std::int64_t line = is_left ? t.a_row : t.b_column;  // across
  const std::int64_t count = is_left ? t.m : t.n;
  const std::int64_t c_step = is_left ? t.c_row : 1;
  const std::int64_t vector_step = is_left ? t.b_row : t.a_column;
  const bool goes_along = step == 1 || t.k == 1;
  if (!goes_along && (line != 1 || (c_step != 1 && count > 1))) return false;
  const auto* const source = static_cast<const T*>(is_left ? t.b : t.a);
  std::vector<T> dense;
  if (vector_step != 1) {
    dense.resize(static_cast<std::size_t>(t.k));
    for (std::int64_t k = 0; k < t.k; ++k)
      dense[static_cast<std::size_t>(k)] = source[k * vector_step];
  }
  const IntegerLines<T> lines{static_cast<const T*>(is_left ? t.a : t.b), count,
                              goes_along ? line : step, dense.empty() ? source : dense.data(), t.k};
  auto* const out = static_cast<T*>(t.c);
  if (goes_along) {
    integers_along_of(lines, out, c_step, t.add);
  } else {
    integers_across_of(lines, out, t.add);
  }
  return true;
}

}  // namespace

bool multiply_integer_vector(const MxuTile& tile) {
  if ((tile.m != 1 && tile.n != 1) || tile.k == 0) return false;
  if (tile.element == program::ElementType::i32) return multiply_integers<std::uint32_t>(tile);
  if (tile.element == program::ElementType::i64) return multiply_integers<std::uint64_t>(tile);
  return false;
}

}  // namespace understudy::worker
