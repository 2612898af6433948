// SPDX-License-Identifier: Apache-2.0
#include "cache/archive.h"

#include <algorithm>
#include <array>
#include <boost/archive/binary_iarchive.hpp>
#include <boost/archive/binary_oarchive.hpp>
#include <boost/serialization/split_free.hpp>
#include <boost/serialization/utility.hpp>
#include <boost/serialization/version.hpp>
#include <boost/version.hpp>
#include <cstdint>
#include <exception>
#include <fmt/format.h>
#include <sstream>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <variant>

#include "cache/archive_fields.h"
#include "configs/base/error.h"

namespace program = understudy::program;

namespace understudy::cache {
namespace {

// Restores the alternative number `wanted` of the variant. A table of functions, because the number
// is known only at run time; a number beyond the table comes from a damaged entry.
template <class Archive, std::size_t... index>
void load_alternative(Archive& archive, program::Work& work, std::size_t wanted,
                      std::index_sequence<index...> /*all*/) {
  using Load = void (*)(Archive&, program::Work&);
  static constexpr std::array<Load, sizeof...(index)> kLoads = {
      +[](Archive& from, program::Work& to) { from >> to.emplace<index>(); }...};
  if (wanted >= kLoads.size()) throw runtime_error("unknown kind of work");
  kLoads[wanted](archive, work);
}

}  // namespace
}  // namespace understudy::cache

// One row per struct: its name, the version, then all fields in order. The structured binding makes
// a forgotten field a compile error. A changed row needs a higher version.
#define UNDERSTUDY_ARCHIVE(type, number, ...)                       \
  BOOST_CLASS_VERSION(type, number)                                 \
  namespace boost::serialization {                                  \
  template <class Archive>                                          \
  void serialize(Archive& archive, type& value, unsigned /*was*/) { \
    auto& [__VA_ARGS__] = value;                                    \
    understudy::cache::visit_fields(archive, __VA_ARGS__);          \
  }                                                                 \
  }
#define UNDERSTUDY_ARCHIVE_EMPTY(type, number)                                              \
  BOOST_CLASS_VERSION(type, number)                                                         \
  static_assert(std::is_empty_v<type>, "this type has fields now: use UNDERSTUDY_ARCHIVE"); \
  namespace boost::serialization {                                                          \
  template <class Archive>                                                                  \
  void serialize(Archive& /*archive*/, type& /*value*/, unsigned /*was*/) {}                \
  }

// clang-format off
UNDERSTUDY_ARCHIVE(program::TensorType, 1, element, shape)
UNDERSTUDY_ARCHIVE(program::Buffer, 1, space, index, offset)
UNDERSTUDY_ARCHIVE(program::Operand, 1, at, type)
UNDERSTUDY_ARCHIVE(program::Body, 1, parameters, results, code, frame_bytes, lanewise)
UNDERSTUDY_ARCHIVE(program::Unary, 1, op)
UNDERSTUDY_ARCHIVE(program::Binary, 1, op)
UNDERSTUDY_ARCHIVE(program::Compare, 1, direction, total_order)
UNDERSTUDY_ARCHIVE_EMPTY(program::Select, 1)
UNDERSTUDY_ARCHIVE_EMPTY(program::Clamp, 1)
UNDERSTUDY_ARCHIVE_EMPTY(program::Convert, 1)
UNDERSTUDY_ARCHIVE(program::ReducePrecision, 1, exponent_bits, mantissa_bits)
UNDERSTUDY_ARCHIVE_EMPTY(program::BitcastConvert, 1)
UNDERSTUDY_ARCHIVE(program::Iota, 1, dimension)
UNDERSTUDY_ARCHIVE(program::ProcessIndex, 1, replica)
UNDERSTUDY_ARCHIVE(program::StridedCopy, 1, sizes, in_strides, out_strides, in_base, out_base)
UNDERSTUDY_ARCHIVE_EMPTY(program::Fill, 1)
UNDERSTUDY_ARCHIVE_EMPTY(program::DynamicSlice, 1)
UNDERSTUDY_ARCHIVE_EMPTY(program::DynamicUpdateSlice, 1)
UNDERSTUDY_ARCHIVE_EMPTY(program::DynamicPad, 1)
UNDERSTUDY_ARCHIVE_EMPTY(program::RealDynamicSlice, 1)
UNDERSTUDY_ARCHIVE(program::Gather, 1, offset_dims, collapsed, batching, starts_batching, map,
                   sizes, vector_dim)
UNDERSTUDY_ARCHIVE(program::Scatter, 1, window_dims, inserted, batching, indices_batching, map,
                   vector_dim, reduction, overwrite, body)
UNDERSTUDY_ARCHIVE(program::Reduce, 1, dimensions, reduction, body)
UNDERSTUDY_ARCHIVE(program::Window, 1, dimensions, strides, base, window, low, high)
UNDERSTUDY_ARCHIVE(program::ReduceWindow, 1, window, reduction, body)
UNDERSTUDY_ARCHIVE(program::SelectAndScatter, 1, window, select, scatter, reduction)
UNDERSTUDY_ARCHIVE(program::Sort, 1, dimension, stable, comparator)
UNDERSTUDY_ARCHIVE(program::Map, 1, body)
UNDERSTUDY_ARCHIVE(program::Fused, 1, steps, rows, columns, frame_bytes)
UNDERSTUDY_ARCHIVE(program::Dot, 1, lhs_batch, rhs_batch, lhs_contracting, rhs_contracting,
                   lhs_precision, rhs_precision)
UNDERSTUDY_ARCHIVE(program::RaggedDot, 1, contracting, rows, lhs_precision, rhs_precision)
UNDERSTUDY_ARCHIVE(program::Convolution, 1, input_batch, input_feature, kernel_input_feature,
                   kernel_output_feature, output_batch, output_feature, input_spatial,
                   kernel_spatial, output_spatial, window, reversal, feature_groups, batch_groups,
                   lhs_precision, rhs_precision)
UNDERSTUDY_ARCHIVE(program::Fft, 1, kind, length)
UNDERSTUDY_ARCHIVE(program::Cholesky, 1, lower)
UNDERSTUDY_ARCHIVE(program::TriangularSolve, 1, left_side, lower, unit_diagonal, transpose,
                   conjugate)
UNDERSTUDY_ARCHIVE(program::Lapack, 1, routine, lower, vectors, left, right, transpose)
UNDERSTUDY_ARCHIVE(program::RngBitGenerator, 1, algorithm)
UNDERSTUDY_ARCHIVE(program::Rng, 1, normal)
UNDERSTUDY_ARCHIVE(program::While, 1, condition, predicate, body)
UNDERSTUDY_ARCHIVE(program::Case, 1, branches)
UNDERSTUDY_ARCHIVE(program::Assert, 1, message)
UNDERSTUDY_ARCHIVE(program::Collective, 1, kind, mode, groups, source_target, channel, dimension,
                   split_dimension, concat_dimension, split_count, reduction, body, ops, lane)
UNDERSTUDY_ARCHIVE(program::CollectiveDone, 1, lane)
UNDERSTUDY_ARCHIVE(program::Transfer, 1, sends, channel, source_target)
UNDERSTUDY_ARCHIVE(program::Expect, 1, demand, tolerance, least_ulps, most_ulps, probe, turn)
UNDERSTUDY_ARCHIVE(program::Probe, 1, name)
UNDERSTUDY_ARCHIVE(program::InfeedTurn, 1, fits)
UNDERSTUDY_ARCHIVE(program::Instruction, 1, work, inputs, outputs, op)
UNDERSTUDY_ARCHIVE(program::Executable, 1, arguments, results, replicas, partitions, numerics,
                   code, constants, temporary_bytes, op_names)
// clang-format on

namespace boost::serialization {

// A Work is stored as the index of its alternative, then the alternative.
template <class Archive>
void save(Archive& archive, const program::Work& work, unsigned /*was*/) {
  const auto index = static_cast<std::uint8_t>(work.index());
  archive << index;
  std::visit([&](const auto& alternative) { archive << alternative; }, work);
}

template <class Archive>
void load(Archive& archive, program::Work& work, unsigned /*was*/) {
  using understudy::cache::kNesting, understudy::cache::Nested, understudy::cache::Nesting;
  // Bodies of loops and branches nest. The depth is counted per archive, so that a crafted entry is
  // refused before the stack overflows.
  const Nested one_deeper(archive.template get_helper<Nesting>(const_cast<char*>(&kNesting)));
  std::uint8_t index = 0;
  archive >> index;
  understudy::cache::load_alternative(
      archive, work, index, std::make_index_sequence<std::variant_size_v<program::Work>>{});
}

template <class Archive>
void serialize(Archive& archive, program::Work& work, unsigned was) {
  split_free(archive, work, was);
}

}  // namespace boost::serialization

namespace understudy::cache {

std::string archive_executable(const program::Executable& executable) {
  std::ostringstream out(std::ios::binary);
  {
    boost::archive::binary_oarchive archive(out);
    archive << executable;
  }
  return std::move(out).str();
}

namespace {

// Boost reads a length at the start of an archive and allocates that much without a check. An
// archive of this build always starts with the same bytes, so anything else is refused first.
void check_start(std::string_view bytes) {
  static const std::string kEmpty = [] {
    std::ostringstream out(std::ios::binary);
    { const boost::archive::binary_oarchive archive(out); }
    return std::move(out).str();
  }();
  if (!bytes.starts_with(kEmpty)) throw std::runtime_error("wrong header");
}

}  // namespace

program::Executable restore_executable(std::string_view bytes) {
  try {
    check_start(bytes);
    std::istringstream in(std::string(bytes), std::ios::binary);
    boost::archive::binary_iarchive archive(in);
    program::Executable executable;
    archive >> executable;
    // Trailing bytes mean that archive_executable() did not write this payload.
    if (in.peek() != std::istringstream::traits_type::eof()) throw runtime_error("trailing bytes");
    return executable;
  } catch (const std::exception& failure) {  // Boost's, ours, and std::bad_alloc
    throw Error(ErrorKind::internal, fmt::format("invalid executable archive: {}", failure.what()));
  }
}

std::string_view archive_library() { return "boost " BOOST_LIB_VERSION; }

}  // namespace understudy::cache
