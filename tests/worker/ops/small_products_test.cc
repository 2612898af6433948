// SPDX-License-Identifier: Apache-2.0
// Batches of small and narrow products, whose vectors read beyond the rows of one product, but not
// beyond the batch; products of integers. All of them have only one right value: sums in order,
// each product rounded, and sums that wrap.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <fmt/format.h>
#include <random>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

#include "gtest/gtest.h"

#include "configs/base/error.h"
#include "program/kernels/kernels.h"
#include "worker/chip/mxu/mxu.h"
#include "worker/chip/mxu/mxu_tile.h"

namespace understudy::worker::small_products {
namespace {

using program::ElementType;
using Rounds = MxuTile::Rounds;

std::size_t size_of(std::int64_t n) { return static_cast<std::size_t>(n); }

// Numbers that end where memory does: a read or a write beyond them ends the test.
template <class T>
class Guarded {
 public:
  explicit Guarded(std::size_t most) {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    usable_ = (most * sizeof(T) + page - 1) / page * page;
    bytes_ = usable_ + page;
    at_ = static_cast<char*>(
        mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    UNDERSTUDY_ASSERT(at_ != MAP_FAILED);
    UNDERSTUDY_ASSERT(mprotect(at_ + usable_, page, PROT_NONE) == 0);
  }
  ~Guarded() { munmap(at_, bytes_); }
  Guarded(const Guarded&) = delete;
  Guarded& operator=(const Guarded&) = delete;

  // The last `n` numbers.
  T* last(std::int64_t n) const {
    return reinterpret_cast<T*>(at_ + usable_) - static_cast<std::ptrdiff_t>(n);
  }

 private:
  char* at_ = nullptr;
  std::size_t usable_ = 0, bytes_ = 0;
};

// Where the numbers of matrices are. Transposed and between: as dot_batch_test.cc has them; with
// gaps between rows and matrices; one matrix for all products.
enum class Layout : std::uint8_t { plain, transposed, between, gaps, shared };
struct Strides {
  std::int64_t row, column, batch;

  std::int64_t extent(std::int64_t count, std::int64_t rows, std::int64_t columns) const {
    return (count - 1) * batch + (rows - 1) * row + (columns - 1) * column + 1;
  }
};
Strides strides_of(Layout layout, std::int64_t count, std::int64_t rows, std::int64_t columns) {
  switch (layout) {
    case Layout::plain:
      return {columns, 1, rows * columns};
    case Layout::transposed:
      return {1, rows, rows * columns};
    case Layout::between:
      return {count * columns, 1, columns};
    case Layout::gaps:
      return {columns + 2, 1, rows * (columns + 2) + 5};
    default:
      return {columns, 1, 0};
  }
}

template <class T>
T number(std::mt19937& random);
template <>
float number(std::mt19937& random) {
  return std::normal_distribution<float>(0, 1)(random);
}
template <>
std::uint32_t number(std::mt19937& random) {
  return static_cast<std::uint32_t>(random());
}

// To bf16, as docs/numerics.md has it.
float rounded(float x) {
  if (std::isnan(x)) return x;
  const auto bits = std::bit_cast<std::uint32_t>(x);
  return std::bit_cast<float>((bits + 0x7FFF + (bits >> 16 & 1)) & 0xFFFF0000U);
}
std::uint32_t rounded(std::uint32_t x) { return x; }

// The same numbers for every product.
template <class T>
class SmallBatches {
 public:
  explicit SmallBatches(ElementType element) : element_(element), numbers_(kMost) {
    std::mt19937 random(3);
    for (T& x : numbers_) x = number<T>(random);
  }

  void replace(std::size_t first, std::size_t step, T number) {
    for (std::size_t i = first; i < numbers_.size(); i += step) numbers_[i] = number;
  }

  // What multiply_small() rounds, if `rounds`.
  void expect(std::int64_t count, std::int64_t m, std::int64_t n, std::int64_t k, Layout left,
              Layout right, bool rounds = false) {
    const Strides a = strides_of(left, count, m, k), b = strides_of(right, count, k, n);
    MxuTile t;
    t.element = element_;
    t.m = m;
    t.n = n;
    t.k = k;
    t.a_row = a.row;
    t.a_column = a.column;
    t.a_batch = a.batch;
    t.b_row = b.row;
    t.b_column = b.column;
    t.b_batch = b.batch;
    t.c_row = n;
    t.batches = count;
    t.c_batch = m * n;
    if (rounds) t.rounded = rounded_by_small(t);
    const auto factor = [](const T& number, bool is_rounded) {
      return is_rounded ? rounded(number) : number;
    };
    const bool rounds_a = t.rounded == Rounds::a || t.rounded == Rounds::both,
               rounds_b = t.rounded == Rounds::b || t.rounded == Rounds::both;
    const T* const x = filled(a_, a.extent(count, m, k), 0);
    const T* const y = filled(b_, b.extent(count, k, n), 1000);
    T* const z = c_.last(count * m * n);
    std::fill(z - kBefore, z + count * m * n, T{77});
    t.a = x;
    t.b = y;
    t.c = z;
    multiply_small(t);
    for (std::int64_t i = 0; i < count * m * n; ++i) {
      const std::int64_t batch = i / (m * n), row = i / n % m, column = i % n;
      T sum = 0;
      for (std::int64_t j = 0; j < k; ++j)
        sum += factor(x[batch * a.batch + row * a.row + j * a.column], rounds_a) *
               factor(y[batch * b.batch + j * b.row + column * b.column], rounds_b);
      if (sum != sum) {
        ASSERT_NE(z[i], z[i]) << i;
        continue;
      }
      ASSERT_EQ(z[i], sum) << fmt::format("{} of {} x {} x {}, layouts {} {}, element {}", count, m,
                                          n, k, static_cast<int>(left), static_cast<int>(right), i);
    }
    ASSERT_EQ(std::count(z - kBefore, z, T{77}), kBefore);
  }

 private:
  static constexpr std::int64_t kMost = 1 << 14, kBefore = 16;

  T* filled(const Guarded<T>& to, std::int64_t n, std::int64_t first) const {
    UNDERSTUDY_ASSERT(first + n <= kMost);
    T* const at = to.last(n);
    std::memcpy(at, numbers_.data() + first, size_of(n) * sizeof(T));
    return at;
  }

  ElementType element_;
  std::vector<T> numbers_;
  Guarded<T> a_{kMost}, b_{kMost}, c_{kMost};
};

template <class T>
void expect_small_batches(ElementType element) {
  SmallBatches<T> batches(element);
  for (const std::int64_t count : {1, 2, 3, 4, 5, 7, 8, 9, 12, 16, 20})
    for (const std::int64_t m : {1, 2, 3, 4, 5, 6, 7, 8, 9, 33})
      for (std::int64_t n = 1; n <= 9; ++n)
        for (const std::int64_t k : {1, 2, 3, 4, 5, 6, 7, 8, 9, 17}) {
          if (m * k * count > 4000) continue;
          for (const Layout left :
               {Layout::plain, Layout::transposed, Layout::between, Layout::gaps, Layout::shared})
            batches.expect(count, m, n, k, left, Layout::plain);
          for (const Layout right : {Layout::between, Layout::gaps, Layout::shared})
            batches.expect(count, m, n, k, Layout::plain, right);
        }
}

// Some numbers are NaN, which rounded without a look at them would be infinities or zeros.
TEST(SmallProducts, OfFloatsAreRoundedWhereTheyAreRead) {
  SmallBatches<float> batches(ElementType::f32);
  batches.replace(17, 701, std::bit_cast<float>(0x7F800001U));
  batches.replace(401, 701, std::bit_cast<float>(0x7FFFFFFFU));
  for (const std::int64_t count : {1, 2, 7, 8, 20})
    for (const std::int64_t k : {1, 2, 7, 8, 9, 16, 17}) {
      for (const Layout layout : {Layout::plain, Layout::gaps, Layout::between, Layout::shared}) {
        batches.expect(count, 1, 1, k, layout, layout, true);
        for (const std::int64_t n : {8, 9, 16, 17, 24, 40, 64, 91, 130})
          for (const std::int64_t m : {1, 2, 3, 4, 5})
            if (count * n * (k + 2) < 14000)
              batches.expect(count, m, n, k, Layout::plain, layout, true);
      }
      for (const Layout layout : {Layout::plain, Layout::gaps, Layout::transposed})
        for (const std::int64_t m : {7, 8, 9, 16, 33, 40})
          batches.expect(count, m, 1, k, layout, Layout::plain, true);
    }
}
// Of many with few rows each, the matrices are rounded where they are read.
TEST(SmallProducts, OfFewRowsAreRoundedWhereTheyAreRead) {
  SmallBatches<float> batches(ElementType::f32);
  batches.replace(17, 701, std::bit_cast<float>(0x7F800001U));
  batches.replace(401, 701, std::bit_cast<float>(0x7FFFFFFFU));
  for (const std::int64_t count : {64, 65, 66, 73})
    for (const std::int64_t m : {1, 2, 3, 4, 5, 7})
      for (const std::int64_t k : {1, 2, 3, 4, 5, 7, 8, 9, 17})
        for (const Layout layout :
             {Layout::plain, Layout::gaps, Layout::transposed, Layout::between, Layout::shared})
          batches.expect(count, m, 1, k, layout, Layout::plain, true);
}

TEST(SmallProducts, OfFloatsAreSummedInOrder) { expect_small_batches<float>(ElementType::f32); }
TEST(SmallProducts, OfIntegersWrap) { expect_small_batches<std::uint32_t>(ElementType::i32); }

// ---- integers on the matrix unit --------------------------------------------------------------

struct Sizes {
  std::int64_t count, m, n, k;
};

// `In` times `In`, summed in `Sum`, which wraps. Extremes first: their sums need all bits.
template <class In, class Sum>
void expect_integers(ElementType in, ElementType out, const Sizes& s, Layout left, Layout right,
                     std::uint64_t vmem_bytes = 8 << 20) {
  SCOPED_TRACE(fmt::format("{}: {} of {} x {} x {}, layouts {} {}, {} bytes of VMEM",
                           program::mlir_name(in), s.count, s.m, s.n, s.k, static_cast<int>(left),
                           static_cast<int>(right), vmem_bytes));
  const Strides a = strides_of(left, s.count, s.m, s.k), b = strides_of(right, s.count, s.k, s.n);
  std::mt19937_64 random(4);
  const auto some = [&](std::int64_t n) {
    std::vector<In> values(size_of(n));
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = i % 5 == 0   ? std::numeric_limits<In>::min()
                  : i % 5 == 1 ? std::numeric_limits<In>::max()
                               : static_cast<In>(random());
    return values;
  };
  const std::vector<In> x = some(a.extent(s.count, s.m, s.k)),
                        y = some(b.extent(s.count, s.k, s.n));
  std::vector<Sum> want;
  for (std::int64_t i = 0; i < s.count * s.m * s.n; ++i) {
    const std::int64_t batch = i / (s.m * s.n), row = i / s.n % s.m, column = i % s.n;
    Sum sum = 0;
    for (std::int64_t k = 0; k < s.k; ++k)
      sum = static_cast<Sum>(
          sum + static_cast<Sum>(x[size_of(batch * a.batch + row * a.row + k * a.column)]) *
                    static_cast<Sum>(y[size_of(batch * b.batch + k * b.row + column * b.column)]));
    want.push_back(sum);
  }
  Product p;
  p.m = s.m;
  p.n = s.n;
  p.k = s.k;
  p.lhs = {in, a.row, a.column};
  p.rhs = {in, b.row, b.column};
  p.out = out;
  for (const auto make : {Mxu::Make::automatic, Mxu::Make::portable}) {
    Mxu unit(program::kernels::select(""), make);
    Vmem vmem(vmem_bytes);
    std::vector<Sum> got(want.size() + 1, Sum{0xA5});
    unit.multiply(p, {s.count, a.batch, b.batch}, reinterpret_cast<const std::byte*>(x.data()),
                  reinterpret_cast<const std::byte*>(y.data()),
                  reinterpret_cast<std::byte*>(got.data()), vmem);
    EXPECT_EQ(vmem.used(), 0U);
    EXPECT_EQ(got.back(), Sum{0xA5});
    got.pop_back();
    ASSERT_EQ(got, want) << unit.name();
  }
}

void expect_all_types(const Sizes& s, Layout left, Layout right, std::uint64_t vmem_bytes) {
  expect_integers<std::int32_t, std::uint32_t>(ElementType::i32, ElementType::i32, s, left, right,
                                               vmem_bytes);
  expect_integers<std::uint32_t, std::uint32_t>(ElementType::ui32, ElementType::ui32, s, left,
                                                right, vmem_bytes);
  expect_integers<std::int64_t, std::uint64_t>(ElementType::i64, ElementType::i64, s, left, right,
                                               vmem_bytes);
}

// Either way round, dense along the sums and across them, with more results than a block of them;
// where VMEM is small, sums are added to those before.
TEST(IntegerProducts, OfAMatrixAndAVector) {
  for (const std::int64_t k : {1, 2, 3, 4, 5, 7, 8, 33, 700})
    for (const std::int64_t lines : {1, 2, 9, 1025, 2500})
      for (const Layout layout : {Layout::plain, Layout::transposed, Layout::gaps}) {
        if (k == 700 && lines > 1025) continue;
        for (const std::uint64_t vmem_bytes : {8 << 20, 24 << 10}) {
          expect_all_types({1, 1, lines, k}, layout, layout, vmem_bytes);
          expect_all_types({1, lines, 1, k}, layout, layout, vmem_bytes);
        }
      }
}

// A vector that is a column of a matrix, and a matrix that is dense in neither direction.
TEST(IntegerProducts, OfVectorsThatAreApart) {
  for (const Sizes& s :
       {Sizes{1, 37, 1, 50}, Sizes{3, 37, 1, 50}, Sizes{1, 1, 37, 50}, Sizes{3, 1, 37, 50}})
    for (const Layout left : {Layout::plain, Layout::transposed, Layout::between, Layout::gaps})
      for (const Layout right : {Layout::plain, Layout::transposed, Layout::between, Layout::gaps})
        expect_all_types(s, left, right, 8 << 20);
}

TEST(IntegerProducts, OfBatches) {
  for (const Sizes& s :
       {Sizes{2, 3, 4, 5}, Sizes{40, 4, 4, 4}, Sizes{300, 2, 3, 5}, Sizes{21, 1, 1, 37},
        Sizes{5, 16, 16, 16}, Sizes{3, 20, 30, 40}, Sizes{1, 8, 8, 8}, Sizes{9, 7, 1, 3}})
    for (const Layout left : {Layout::plain, Layout::transposed, Layout::between, Layout::gaps})
      for (const Layout right :
           {Layout::plain, Layout::transposed, Layout::between, Layout::shared})
        expect_all_types(s, left, right, 8 << 20);
}

// The library sums 512 products exactly, so that deeper ones must not be given to it whole.
TEST(IntegerProducts, OfBatchesOfBytes) {
  for (const Sizes& s :
       {Sizes{2, 3, 4, 5}, Sizes{40, 4, 4, 4}, Sizes{3, 20, 30, 40}, Sizes{4, 17, 33, 64},
        Sizes{2, 9, 20, 511}, Sizes{2, 9, 20, 512}, Sizes{2, 9, 20, 513}, Sizes{3, 5, 7, 2000},
        Sizes{5, 1, 40, 300}, Sizes{5, 40, 1, 300}, Sizes{70, 16, 16, 32}})
    for (const Layout left : {Layout::plain, Layout::transposed, Layout::between, Layout::gaps})
      for (const Layout right : {Layout::plain, Layout::transposed, Layout::between}) {
        expect_integers<std::int8_t, std::uint32_t>(ElementType::i8, ElementType::i32, s, left,
                                                    right);
        expect_integers<std::int8_t, std::uint8_t>(ElementType::i8, ElementType::i8, s, left,
                                                   right);
        expect_integers<std::uint8_t, std::uint32_t>(ElementType::ui8, ElementType::ui32, s, left,
                                                     right);
      }
}

// The largest sums that a depth can have, and odd: floats would round them.
TEST(IntegerProducts, OfBatchesOfTheLeastBytes) {
  for (const std::int64_t k : {512, 513, 1030, 2000}) {
    const Sizes s{5, 3, 8, k};
    std::vector<std::int8_t> x(size_of(s.count * s.m * k), -128),
        y(size_of(s.count * k * s.n), -128);
    for (std::size_t i = 0; i < x.size(); i += size_of(k)) x[i] = 1;
    for (std::size_t i = 0; i < y.size(); ++i)
      if (i % size_of(k * s.n) < size_of(s.n)) y[i] = 1;
    Product p;
    p.m = s.m;
    p.n = s.n;
    p.k = k;
    p.lhs = {ElementType::i8, k, 1};
    p.rhs = {ElementType::i8, s.n, 1};
    p.out = ElementType::i32;
    const std::vector<std::int32_t> want(size_of(s.count * s.m * s.n),
                                         static_cast<std::int32_t>((k - 1) * 128 * 128 + 1));
    for (const auto make : {Mxu::Make::automatic, Mxu::Make::portable}) {
      Mxu unit(program::kernels::select(""), make);
      Vmem vmem(8 << 20);
      std::vector<std::int32_t> got(want.size());
      unit.multiply(p, {s.count, s.m * k, k * s.n}, reinterpret_cast<const std::byte*>(x.data()),
                    reinterpret_cast<const std::byte*>(y.data()),
                    reinterpret_cast<std::byte*>(got.data()), vmem);
      EXPECT_EQ(got, want) << unit.name();
    }
  }
}

}  // namespace
}  // namespace understudy::worker::small_products
