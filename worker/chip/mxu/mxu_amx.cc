// SPDX-License-Identifier: Apache-2.0
#include "worker/chip/mxu/mxu_amx.h"

#include <algorithm>
#include <cstdint>

#if defined(__x86_64__)
#include <sys/syscall.h>
#include <unistd.h>

#include "worker/chip/mxu/mxu_amx_division.h"
#include "worker/chip/mxu/mxu_amx_pack.h"
#include "worker/chip/mxu/mxu_amx_results.h"
#else
#include "configs/base/error.h"
#endif

namespace understudy::worker {

#if defined(__x86_64__)
namespace amx {
namespace {

using program::ElementType;

// Fewer products than these are sooner done without packing.
constexpr std::int64_t kLeastProducts = 1 << 18;

// What runs between the tile products.
struct Aside {
  Packer left, right;
  Results results;
};

// One square of the sums: `deep` squares of the depth, of packed operands, added to `sums` if it
// `adds`, and stored at `to`, whose rows are `row` bytes apart. Tiles 0 to 3 have the sums, 4 and 5
// rows of the left operand, 6 and 7 columns of the right one.
UNDERSTUDY_AMX void multiply_square(const std::uint16_t* left, const std::uint16_t* right,
                                    std::int64_t deep, const float* sums, bool adds, std::byte* to,
                                    std::int64_t row, Aside& aside) {
  // For GCC 12 the load of a tile does not read memory: these blocks must be stored before. What is
  // packed meanwhile is for later squares.
  asm volatile("" ::: "memory");
  constexpr std::int64_t kRow = 4 * kSquare;  // bytes, of sums
  const float* const below = sums + kSumsOfSquare / 2;
  if (adds) {
    _tile_loadd(0, sums, kRow);
    _tile_loadd(1, sums + 16, kRow);
    _tile_loadd(2, below, kRow);
    _tile_loadd(3, below + 16, kRow);
  } else {
    _tile_zero(0);
    _tile_zero(1);
    _tile_zero(2);
    _tile_zero(3);
  }
  const std::int64_t rows = (kSquare + deep - 1) / deep;
  for (std::int64_t k = 0; k < deep; ++k, left += kSquareElements, right += kSquareElements) {
    _tile_loadd(4, left, 64);
    _tile_loadd(6, right, 64);
    _tile_dpbf16ps(0, 4, 6);
    _tile_loadd(7, right + kTileElements, 64);
    _tile_dpbf16ps(1, 4, 7);
    _tile_loadd(5, left + kTileElements, 64);
    _tile_dpbf16ps(2, 5, 6);
    _tile_dpbf16ps(3, 5, 7);
    aside.left.step();
    aside.right.step();
    aside.results.step(rows);
  }
  std::byte* const to_below = to + kSquare / 2 * row;
  _tile_stored(0, to, row);
  _tile_stored(1, to + 64, row);
  _tile_stored(2, to_below, row);
  _tile_stored(3, to_below + 64, row);
}

// The operand of ldtilecfg: all eight tiles with 16 rows of 64 bytes. In constant memory, because
// GCC 12 takes the instruction for one that reads 8 bytes, and leaves out what is stored behind.
struct TileShapes {
  std::uint8_t palette, start_row, unused[14];
  std::uint16_t row_bytes[16];
  std::uint8_t rows[16];
};
alignas(64) constexpr TileShapes kShapes = {
    1, 0, {}, {64, 64, 64, 64, 64, 64, 64, 64}, {16, 16, 16, 16, 16, 16, 16, 16}};

// The tiles are in use while it lives.
class Tiles {
 public:
  Tiles() { load(); }
  ~Tiles() { release(); }
  Tiles(const Tiles&) = delete;
  Tiles& operator=(const Tiles&) = delete;

 private:
  UNDERSTUDY_AMX static void load() { _tile_loadconfig(&kShapes); }
  UNDERSTUDY_AMX static void release() { _tile_release(); }
};

class Multiplication {
 public:
  Multiplication(const Product& p, const Division& division, const std::byte* lhs,
                 const std::byte* rhs, std::byte* out, Vmem& vmem)
      : p_(p),
        d_(division),
        lhs_(lhs),
        rhs_(rhs),
        aside_{Packer(false, p.lhs.column_stride == 1, p.lhs.element),
               Packer(true, p.rhs.row_stride == 1, p.rhs.element), Results(p, out)},
        left_{vmem.take_as<std::uint16_t>(static_cast<std::uint64_t>(d_.left_room())),
              vmem.take_as<std::uint16_t>(static_cast<std::uint64_t>(d_.left_room()))},
        right_{vmem.take_as<std::uint16_t>(static_cast<std::uint64_t>(d_.right_room())),
               vmem.take_as<std::uint16_t>(static_cast<std::uint64_t>(d_.right_room()))},
        sums_(vmem.take_as<float>(static_cast<std::uint64_t>(d_.sums_room()))) {}

  void run() {
    const std::int64_t groups = d_.deep * d_.tall * d_.wide;
    const Tiles tiles;
    for (std::int64_t g = 0; g < groups; ++g) {
      const Group now = group_at(d_, p_, g);
      const bool is_last = g + 1 == groups;
      const Group next = is_last ? now : group_at(d_, p_, g + 1);
      const std::int64_t deep = squares(now.rows) * squares(now.depth);
      for (std::int64_t column = 0; column < now.columns; column += d_.block, ++blocks_) {
        const std::int64_t columns = std::min(d_.block, now.columns - column);
        const std::int64_t following = (blocks_ + 1) % 2, steps = deep * squares(columns);
        if (blocks_ == 0) {
          // The first blocks; the rows of the left one just before they are multiplied.
          pack_left(now, 0, steps);
          pack_right(now, 0, 0, 1);
          aside_.right.finish();
        } else if (!is_last && column == (g == 0 ? d_.block : 0)) {
          pack_left(next, (g + 1) % 2, deep * squares(now.columns - column));
        }
        if (column + d_.block < now.columns)
          pack_right(now, column + d_.block, following, steps);
        else if (!is_last)
          pack_right(next, 0, following, steps);
        multiply(now, g % 2, column, columns);
        aside_.right.finish();
        if (blocks_ == 0) aside_.left.finish();
      }
      if (!is_last && g == 0 && now.columns <= d_.block) pack_left(next, 1, 1);
      aside_.left.finish();
    }
    aside_.results.finish();
  }

 private:
  void pack_left(const Group& g, std::int64_t which, std::int64_t steps) {
    const std::int64_t at = g.row * p_.lhs.row_stride + g.k * p_.lhs.column_stride;
    aside_.left.start(
        {lhs_ + at * bytes(p_.lhs), g.rows, g.depth, p_.lhs.row_stride, p_.lhs.column_stride},
        left_[which], steps);
  }
  void pack_right(const Group& g, std::int64_t column, std::int64_t which, std::int64_t steps) {
    const std::int64_t at = g.k * p_.rhs.row_stride + (g.column + column) * p_.rhs.column_stride;
    aside_.right.start({rhs_ + at * bytes(p_.rhs), std::min(d_.block, g.columns - column), g.depth,
                        p_.rhs.column_stride, p_.rhs.row_stride},
                       right_[which], steps);
  }
  static std::int64_t bytes(const MatrixView& view) {
    return static_cast<std::int64_t>(program::byte_size(view.element));
  }

  // The packed blocks: rows of the group times `columns` from `column` of the group.
  void multiply(const Group& g, std::int64_t which, std::int64_t column, std::int64_t columns) {
    const std::int64_t deep = squares(g.depth), wide = squares(d_.columns);
    const bool completes = g.k + g.depth >= p_.k, is_first = blocks_ == 0;
    for (std::int64_t i = 0; i < squares(g.rows); ++i)
      for (std::int64_t j = 0; j < squares(columns); ++j) {
        const std::int64_t place = d_.deep == 1 ? done_++ % 2 : i * wide + column / kSquare + j;
        float* const sums = sums_ + place * kSumsOfSquare;
        const std::int64_t row = g.row + i * kSquare, rows = g.rows - i * kSquare;
        const std::int64_t first = g.column + column + j * kSquare;
        std::byte* const result = completes ? aside_.results.place_of(row, rows, first) : nullptr;
        if (completes) aside_.results.prepare(row, rows, first);
        if (is_first) aside_.left.finish_lines((i + 1) * kSquare);
        multiply_square(left_[which] + i * deep * kSquareElements,
                        right_[blocks_ % 2] + j * deep * kSquareElements, deep, sums, g.k > 0,
                        result ? result : reinterpret_cast<std::byte*>(sums),
                        result ? aside_.results.row_bytes() : 4 * kSquare, aside_);
        aside_.results.finish();
        if (completes && !result) aside_.results.start(sums, row, rows, first);
      }
  }

  const Product& p_;
  const Division& d_;
  const std::byte *lhs_, *rhs_;
  Aside aside_;
  std::uint16_t *left_[2], *right_[2];
  float* sums_;
  std::int64_t blocks_ = 0, done_ = 0;
};

// oneDNN reads rows of the left operand without packing them, which is worth more than anything
// else where they are multiplied by few columns.
bool reads_left_once(const Product& p) {
  return p.lhs.column_stride == 1 && p.n <= kRightColumns && p.n < p.m;
}

bool is_taken(const MatrixView& view) {
  return (view.element == ElementType::bf16 || view.element == ElementType::f32) &&
         (view.row_stride == 1 || view.column_stride == 1);
}

}  // namespace
}  // namespace amx

bool multiplies_amx() {
  // The state of the tiles is large, so that Linux wants to be asked for it (ARCH_REQ_XCOMP_PERM).
  constexpr long kRequest = 0x1023, kTileData = 18;
  static const bool allowed = __builtin_cpu_supports("amx-bf16") != 0 &&
                              __builtin_cpu_supports("avx512bf16") != 0 &&
                              syscall(SYS_arch_prctl, kRequest, kTileData) == 0;
  return allowed;
}

bool multiply_amx(const Product& p, const std::byte* lhs, const std::byte* rhs, std::byte* out,
                  Vmem& vmem) {
  using program::ElementType;
  if (!amx::is_taken(p.lhs) || !amx::is_taken(p.rhs) || amx::reads_left_once(p) ||
      p.m * p.n * p.k < amx::kLeastProducts ||
      (p.out != ElementType::bf16 && p.out != ElementType::f32))
    return false;
  const amx::Division division(p);
  if (division.bytes() > vmem.left()) return false;
  const Vmem::Scope scope(vmem);
  amx::Multiplication(p, division, lhs, rhs, out, vmem).run();
  return true;
}
#else
bool multiplies_amx() { return false; }
bool multiply_amx(const Product&, const std::byte*, const std::byte*, std::byte*, Vmem&) {
  UNDERSTUDY_ASSERT(false);
  return false;
}
#endif

}  // namespace understudy::worker
