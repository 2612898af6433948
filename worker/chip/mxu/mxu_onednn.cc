// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>

#include "dnnl.hpp"
#include "fmt/format.h"

#include "configs/base/error.h"
#include "worker/chip/mxu/mxu_tile.h"

namespace understudy::worker {
namespace {

// Everything a primitive depends on: the type, sizes, strides, and whether it adds to c.
using Key = std::array<std::int64_t, 14>;

Key key_of(const MxuTile& t) {
  return {static_cast<std::int64_t>(t.element),
          t.m,
          t.n,
          t.k,
          t.a_row,
          t.a_column,
          t.b_row,
          t.b_column,
          t.c_row,
          t.add ? 1 : 0,
          t.batches,
          t.a_batch,
          t.b_batch,
          t.c_batch};
}

// oneDNN takes matrices with unit stride in one direction and a leading dimension that covers a
// line in the other. The stride along a dimension of size 1 is never used and may have any value:
// set it to one that oneDNN accepts. False where the matrix has no such layout.
bool normalise_strides(std::int64_t rows, std::int64_t columns, std::int64_t& row,
                       std::int64_t& column) {
  if (rows == 1) row = column == 1 ? columns : 1;
  if (columns == 1) column = row == 1 ? rows : 1;
  return (column == 1 && row >= columns) || (row == 1 && column >= rows);
}

// Short names for the receipt and for Mxu::name().
std::string_view name_of(dnnl::cpu_isa isa) {
  switch (isa) {
    case dnnl::cpu_isa::sse41:
      return "sse41";
    case dnnl::cpu_isa::avx:
      return "avx";
    case dnnl::cpu_isa::avx2:
      return "avx2";
    case dnnl::cpu_isa::avx2_vnni:
      return "avx2_vnni";
    case dnnl::cpu_isa::avx512_core:
      return "avx512_core";
    case dnnl::cpu_isa::avx512_core_vnni:
      return "avx512_core_vnni";
    case dnnl::cpu_isa::avx512_core_bf16:
      return "avx512_core_bf16";
    case dnnl::cpu_isa::avx512_core_amx:
      return "avx512_core_amx";
    default:
      return "other";
  }
}

// Without the tiles of AMX, oneDNN converts its sums of int8 products to f32 before it stores them
// as integers. Sums of so many products are exact in f32, also before the 128 that it adds to each
// element of a is subtracted again: 512 * 255 * 128 < 2^24.
constexpr std::int64_t kExactDepth = 512;

}  // namespace

struct OneDnn::State {
  // Calls are synchronous: one stream, waited for after each primitive.
  dnnl::engine engine{dnnl::engine::kind::cpu, 0};
  dnnl::stream stream{engine};
  // A primitive and the memory objects of its operands, which get their addresses at each call:
  // making them costs more than a small product.
  struct Ready {
    dnnl::matmul product;
    dnnl::memory a, b, c;
    bool has_tiles = false;  // of AMX, whose sums are stored as they are
  };
  // nullopt: oneDNN has no implementation.
  std::map<Key, std::optional<Ready>> primitives;

  std::optional<Ready>& primitive(const MxuTile& tile);
};

namespace {

struct Descriptors {
  dnnl::memory::desc a, b, c;
};

Descriptors describe(const MxuTile& t) {
  using Type = dnnl::memory::data_type;
  const bool int8 = t.element == program::ElementType::i8;
  const auto type = int8                                      ? Type::s8
                    : t.element == program::ElementType::bf16 ? Type::bf16
                                                              : Type::f32;
  const auto sum = int8 ? Type::s32 : Type::f32;
  if (t.batches > 1)
    return {{{t.batches, t.m, t.k}, type, {t.a_batch, t.a_row, t.a_column}},
            {{t.batches, t.k, t.n}, type, {t.b_batch, t.b_row, t.b_column}},
            {{t.batches, t.m, t.n}, sum, {t.c_batch, t.c_row, 1}}};
  return {{{t.m, t.k}, type, {t.a_row, t.a_column}},
          {{t.k, t.n}, type, {t.b_row, t.b_column}},
          {{t.m, t.n}, sum, {t.c_row, 1}}};
}

}  // namespace

std::optional<OneDnn::State::Ready>& OneDnn::State::primitive(const MxuTile& tile) {
  // A refusal (nullopt) is remembered as well: asking oneDNN again costs as much as a success.
  const Key key = key_of(tile);
  const auto known = primitives.find(key);
  if (known != primitives.end()) return known->second;
  std::optional<Ready> made;
  try {
    const Descriptors d = describe(tile);
    dnnl::primitive_attr attributes;
    // c += a*b is a post-op in oneDNN: the sum of the product and the old contents times 1.
    if (tile.add) {
      dnnl::post_ops after;
      after.append_sum(1.0F);
      attributes.set_post_ops(after);
    }
    const dnnl::matmul::desc description(d.a, d.b, d.c);
    const auto empty = [&](const dnnl::memory::desc& desc) {
      return dnnl::memory(desc, engine, DNNL_MEMORY_NONE);
    };
    const dnnl::matmul::primitive_desc chosen(description, attributes, engine);
    made = Ready{dnnl::matmul(chosen), empty(d.a), empty(d.b), empty(d.c),
                 std::string_view(chosen.impl_info_str()).find("amx") != std::string_view::npos};
  } catch (const dnnl::error& refusal) {
    if (refusal.status != dnnl_unimplemented) {
      throw Error(ErrorKind::internal, fmt::format("oneDNN: {}", refusal.message));
    }
  }
  return primitives.emplace(key, std::move(made)).first->second;
}

OneDnn::OneDnn() : state_(std::make_unique<State>()) {}
OneDnn::~OneDnn() = default;

std::string OneDnn::isa() const { return std::string(name_of(dnnl::get_effective_cpu_isa())); }

// Intel's instruction without AMX does half as many products as those of f32 (mxu_packed.h); before
// it the library widens as we would.
bool OneDnn::has_quick_bf16() const {
#if defined(__x86_64__)
  return has_amx() || (dnnl::get_effective_cpu_isa() == dnnl::cpu_isa::avx512_core_bf16 &&
                       __builtin_cpu_is("intel") == 0);
#else
  return has_amx();
#endif
}

bool OneDnn::has_avx512() const {
  switch (dnnl::get_effective_cpu_isa()) {
    case dnnl::cpu_isa::avx512_core:
    case dnnl::cpu_isa::avx512_core_vnni:
    case dnnl::cpu_isa::avx512_core_bf16:
    case dnnl::cpu_isa::avx512_core_amx:
      return true;
    default:
      return false;
  }
}

bool OneDnn::has_amx() const {
  return dnnl::get_effective_cpu_isa() == dnnl::cpu_isa::avx512_core_amx;
}

// Without VNNI oneDNN adds pairs of products in 16 bits, which saturates.
bool OneDnn::has_int8() const {
  switch (dnnl::get_effective_cpu_isa()) {
    case dnnl::cpu_isa::avx2_vnni:
    case dnnl::cpu_isa::avx512_core_vnni:
    case dnnl::cpu_isa::avx512_core_bf16:
    case dnnl::cpu_isa::avx512_core_amx:
      return true;
    default:
      return false;
  }
}

std::int64_t OneDnn::int8_batch_depth() const { return has_int8() ? kExactDepth : 0; }

bool OneDnn::has_tiles_for(MxuTile tile) {
  if (!normalise_strides(tile.m, tile.k, tile.a_row, tile.a_column) ||
      !normalise_strides(tile.k, tile.n, tile.b_row, tile.b_column))
    return false;
  const std::optional<State::Ready>& ready = state_->primitive(tile);
  return ready && ready->has_tiles;
}

// The products of at most `depth` columns of a at a time; all but the first are added to c here.
bool OneDnn::multiply_exactly(const MxuTile& tile) {
  if (!has_int8()) return false;
  if (tile.batches > 1) return tile.k <= int8_batch_depth() && !tile.add && multiply_whole(tile);
  MxuTile alone = tile;
  alone.add = false;
  const std::int64_t depth = has_tiles_for(alone) ? tile.k : kExactDepth;
  auto* const c = static_cast<std::int32_t*>(tile.c);
  bool adds = tile.add;
  for (std::int64_t k = 0; k < tile.k; k += depth, adds = true) {
    MxuTile part = tile;
    part.k = std::min(depth, tile.k - k);
    part.a = static_cast<const std::int8_t*>(tile.a) + k * tile.a_column;
    part.b = static_cast<const std::int8_t*>(tile.b) + k * tile.b_row;
    part.add = false;
    if (adds) {
      sums_.resize(static_cast<std::size_t>(tile.m * tile.n));
      part.c = sums_.data();
      part.c_row = tile.n;
    }
    // Parts differ in depth alone: the library takes all of them or none.
    if (!multiply_whole(part)) return false;
    if (!adds) continue;
    for (std::int64_t m = 0; m < tile.m; ++m) {
      const std::int32_t* const from = sums_.data() + m * tile.n;
      std::int32_t* const to = c + m * tile.c_row;
      for (std::int64_t n = 0; n < tile.n; ++n)  // unsigned: it wraps
        to[n] = static_cast<std::int32_t>(static_cast<std::uint32_t>(to[n]) +
                                          static_cast<std::uint32_t>(from[n]));
    }
  }
  return true;
}

bool OneDnn::takes(program::ElementType element) {
  return element == program::ElementType::bf16 || element == program::ElementType::f32 ||
         element == program::ElementType::i8;
}

bool OneDnn::multiply(const MxuTile& tile) {
  if (!takes(tile.element)) return false;
  return tile.element == program::ElementType::i8 ? multiply_exactly(tile) : multiply_whole(tile);
}

bool OneDnn::multiply_whole(const MxuTile& tile) {
  MxuTile t = tile;
  if (!normalise_strides(t.m, t.k, t.a_row, t.a_column) ||
      !normalise_strides(t.k, t.n, t.b_row, t.b_column)) {
    return false;
  }
  std::optional<State::Ready>& ready = state_->primitive(t);
  if (!ready) return false;
  const auto at = [](dnnl::memory& memory, const void* address) {
    // oneDNN's memory takes a mutable pointer; sources are not written.
    memory.set_data_handle(const_cast<void*>(address));
    return memory.get();
  };
  try {
    // The C interface takes the arguments as they are; the C++ one builds two containers of them.
    const dnnl_exec_arg_t arguments[] = {{DNNL_ARG_SRC, at(ready->a, t.a)},
                                         {DNNL_ARG_WEIGHTS, at(ready->b, t.b)},
                                         {DNNL_ARG_DST, at(ready->c, t.c)}};
    dnnl::error::wrap_c_api(
        dnnl_primitive_execute(ready->product.get(), state_->stream.get(), 3, arguments),
        "a matrix product failed");
    state_->stream.wait();
  } catch (const dnnl::error& failure) {
    throw Error(ErrorKind::internal, fmt::format("oneDNN: {}", failure.message));
  }
  return true;
}

}  // namespace understudy::worker
