// SPDX-License-Identifier: Apache-2.0
// Kinds of work that are functions of their operands, and the places of operands. Plain values
// (program/executable/executable.h). Control flow and communication:
// program/executable/control_work.h.
// Longer than 300 lines: a new kind of work is to touch one file with its struct and its row.
#pragma once

#include <cstdint>
#include <vector>

#include "program/ir/element_type.h"
#include "program/ir/kinds.h"
#include "program/ir/types.h"

namespace understudy::program {

// The place of a buffer. `index` is the number of the argument or result; `offset` is in bytes.
enum class Space : std::uint8_t {
  argument,   // argument `index`, read only
  result,     // result `index`
  temporary,  // the launch's scratch in HBM, planned by liveness
  constant,   // the executable's constants, read only
  frame,      // inside a Body only: see there
  host,       // the launch's scratch in host memory
  slice,      // the part of an array that LocateSlice `index` found last
};
// For readers of stored executables, as are the others.
constexpr Space last_of(Space /*of*/) { return Space::slice; }

struct Buffer {
  Space space = Space::temporary;
  std::uint32_t index = 0;
  std::uint64_t offset = 0;
  bool operator==(const Buffer&) const = default;
};

// A dense row-major tensor in a buffer.
struct Operand {
  Buffer at;
  TensorType type;
  bool operator==(const Operand&) const = default;
};

struct Instruction;
using Code = std::vector<Instruction>;

// A region that is called element by element: reducers, comparators, map bodies. Its values are in
// a frame. A lanewise body contains only element-wise work on scalars, so it may run on L elements
// at once: a frame buffer at `offset` then starts at frame + offset * L (every offset is a multiple
// of 16, every scalar has at most 16 bytes). Captured values and constants enter it by Fill, so
// every other operand is in the frame. Any other body runs one element at a time in a frame of
// `frame_bytes`; its operands are in the frame or where the captured value is.
struct Body {
  std::vector<Operand> parameters;  // in frame
  std::vector<Operand> results;     // in frame, or where a captured value or constant lies
  Code code;
  std::uint64_t frame_bytes = 0;
  bool lanewise = true;
  bool operator==(const Body&) const = default;
};

// ---- kinds of work. inputs/outputs of the instruction are named in each comment. ---------------

struct Unary {
  UnaryOp op = UnaryOp::abs;
  bool operator==(const Unary&) const = default;
};  // in: x; out: same shape

struct Binary {
  BinaryOp op = BinaryOp::add;
  bool operator==(const Binary&) const = default;
};  // in: a, b; out: same shape

struct Compare {
  Direction direction = Direction::eq;
  bool total_order = false;
  bool operator==(const Compare&) const = default;
};  // out: pred

struct Select {  // in: pred (scalar or full), on_true, on_false
  bool operator==(const Select&) const = default;
};
struct Clamp {  // in: min (scalar or full), x, max
  bool operator==(const Clamp&) const = default;
};
struct Convert {  // element type conversion of equal shapes
  bool operator==(const Convert&) const = default;
};
struct ReducePrecision {
  std::int32_t exponent_bits = 8, mantissa_bits = 23;
  bool operator==(const ReducePrecision&) const = default;
};
struct BitcastConvert {  // in, out: same bytes
  bool operator==(const BitcastConvert&) const = default;
};

struct Iota {
  std::int64_t dimension = 0;
  bool operator==(const Iota&) const = default;
};
struct ProcessIndex {
  bool replica = false;
  bool operator==(const ProcessIndex&) const = default;
};  // out: ui32 scalar replica_id or partition_id

// out[sum i_d*out_strides[d] + out_base] = in[sum i_d*in_strides[d] + in_base] over sizes; strides
// and bases in elements. Serves copy, transpose, broadcast, slice, reverse, concatenate, pad.
struct StridedCopy {
  Shape sizes, in_strides, out_strides;
  std::int64_t in_base = 0, out_base = 0;
  bool operator==(const StridedCopy&) const = default;
};
// An array of parts, as a concatenation or padding makes it: each is copied to its place, over the
// ones before it; together they are all of it.
struct Join {  // in: one operand per part; out
  std::vector<StridedCopy> parts;
  bool operator==(const Join&) const = default;
};
struct Fill {  // in: scalar; out: every element is it
  bool operator==(const Fill&) const = default;
};

// Between a chip and its host over PCIe. in: x; out: x. Opaque to fusion and copy elision, as the
// two memories differ.
struct HostMove {
  bool to_host = false;
  bool operator==(const HostMove&) const = default;
};

// Overwrites a temporary whose life ended with kPoisonByte: only in code that is compiled for that.
struct Poison {  // out: the bytes of the temporary
  bool operator==(const Poison&) const = default;
};
inline constexpr unsigned char kPoisonByte = 0xff;  // NaN in every float type, -1 in integers

struct DynamicSlice {  // in: x, start scalars...; out: the slice (clamped starts)
  bool operator==(const DynamicSlice&) const = default;
};
struct DynamicUpdateSlice {  // in: x, update, start scalars...; out: x updated (may be x's buffer)
  bool operator==(const DynamicUpdateSlice&) const = default;
};

// Finds a dense slice of an array, for instructions that read or write it where it lies.
struct LocateSlice {  // in: x, start scalars...; out: the slice in Space::slice (clamped starts)
  bool operator==(const LocateSlice&) const = default;
};

// Run-time sizes within a static result; both throw Error{check} where the values make another
// shape than the result's, or reach outside of their operand.
struct DynamicPad {  // in: x, value, low, high, interior (integers, one per dimension)
  bool operator==(const DynamicPad&) const = default;
};
struct RealDynamicSlice {  // in: x, starts, limits, strides (integers, one per dimension)
  bool operator==(const RealDynamicSlice&) const = default;
};

struct Gather {  // in: operand, start_indices
  Shape offset_dims, collapsed_slice_dims, operand_batching_dims, start_indices_batching_dims,
      start_index_map, slice_sizes;
  std::int64_t index_vector_dim = 0;
  bool operator==(const Gather&) const = default;
};
// A gather of single elements by one number each (x[i], jnp.take_along_axis). Numbers are clamped
// into 0 .. size - 1. As a step of a Fused it may have one number for each row.
struct TakeElements {                 // in: operand, indices; out: one element per index
  std::int64_t size = 1, stride = 1;  // of the operand's dimension that is indexed, in elements
  // Dimensions of the result, at least one, and how far the operand moves along each.
  Shape sizes, strides;
  bool operator==(const TakeElements&) const = default;
};
struct Scatter {  // in: inputs..., scatter_indices, updates...; out: one per input
  Shape update_window_dims, inserted_window_dims, input_batching_dims,
      scatter_indices_batching_dims, scatter_dims_to_operand_dims;
  std::int64_t index_vector_dim = 0;
  Reduction reduction = Reduction::none;
  bool overwrite = false;  // the body returns the update
  bool apart = false;      // no two windows meet (unique_indices of StableHLO)
  Body body;
  bool operator==(const Scatter&) const = default;
};

struct Reduce {  // in: inputs..., inits...; out: one per input
  Shape dimensions;
  Reduction reduction = Reduction::none;  // only for one input
  Body body;
  bool operator==(const Reduce&) const = default;
};
// The extreme elements along a dimension and their positions: of equal ones the first, and a NaN
// before all others (jnp.argmax).
struct ArgReduce {  // in: x, a value and an i32 position to start from; out: values, positions
  std::int64_t dimension = 0;
  bool largest = true;
  bool operator==(const ArgReduce&) const = default;
};
struct Window {
  Shape dimensions, strides, base_dilations, window_dilations, padding_low, padding_high;
  bool operator==(const Window&) const = default;
};
struct ReduceWindow {  // in: inputs..., inits...; out: one per input
  Window window;
  Reduction reduction = Reduction::none;
  Body body;
  bool operator==(const ReduceWindow&) const = default;
};
struct SelectAndScatter {  // in: operand, source, init; out
  Window window;
  Body select, scatter;
  Reduction reduction = Reduction::none;  // of scatter
  bool operator==(const SelectAndScatter&) const = default;
};
struct Sort {  // in: inputs...; out: one per input, or the first elements of each line of it
  std::int64_t dimension = 0;
  bool stable = true;
  Body comparator;
  bool operator==(const Sort&) const = default;
};
struct Map {
  Body body;
  bool operator==(const Map&) const = default;
};  // in: inputs...; out: same shape

// Element-wise work, broadcasts, iota and reductions of rows, run together tile by tile: values
// that only the steps use stay in the tile. The space of the loop is rows x columns. Operands of
// steps:
// - argument i: input i of the instruction; result i: its output i;
// - frame: a value of the tile; its offset is in bytes per element of the tile;
// - shape {rows, columns}, {rows, 1}, {1, columns} or {1, 1}: how the operand follows the loop.
// All operands of an element-wise step have one shape. A Fill repeats its input along the
// dimensions of size 1. A Reduce is over dimension 1; or it makes one row of each block of rows,
// and its output has the shape {blocks, columns}. Its second input is {1, 1}. A StridedCopy has
// rows of an argument at regular places (a view): its sizes are dimensions of the rows and the
// columns, its input has the shape {elements, 1}, and no other step reads that argument; so does
// the first input of a TakeElements, whose sizes are as those of a view, and all inputs of a Join,
// whose parts are runs of the loop's elements. Each step rounds as its instruction alone would, so
// fusion changes no bits.
constexpr std::size_t kMostRowTerms = 3;       // dimensions of rows that a view follows
constexpr std::int64_t kMostElementStep = 32;  // from element to element of a view's row
struct Fused {
  Code steps;
  std::int64_t rows = 1, columns = 1;
  std::uint64_t frame_bytes = 0;  // per element of the tile
  bool operator==(const Fused&) const = default;
};  // in, out: dense operands with as many elements as in the steps

enum class Precision : std::uint8_t { standard, high, highest };
constexpr Precision last_of(Precision /*of*/) { return Precision::highest; }
struct Dot {  // in: lhs, rhs; out: batch..., lhs free..., rhs free...
  Shape lhs_batch, rhs_batch, lhs_contracting, rhs_contracting;
  Precision lhs_precision = Precision::standard, rhs_precision = Precision::standard;
  bool operator==(const Dot&) const = default;
};
// Groups along the ragged dimension, one after the other; sizes are i64 [B, g], in units of `rows`.
// Not contracting: in: lhs [B, m, k], rhs [g, b, k, n] (b divides B), sizes; out [B, m, n], rows of
// no group are zeros. Contracting: in: lhs [B, m, k], rhs [B, k, n], sizes; out [g, B, m, n].
struct RaggedDot {
  bool contracting = false;
  std::int64_t rows = 1;
  Precision lhs_precision = Precision::standard, rhs_precision = Precision::standard;
  bool operator==(const RaggedDot&) const = default;
};
struct Convolution {  // in: lhs, rhs
  std::int64_t input_batch = 0, input_feature = 1, kernel_input_feature = 1,
               kernel_output_feature = 0, output_batch = 0, output_feature = 1;
  Shape input_spatial, kernel_spatial, output_spatial;
  Window window;  // dimensions = kernel's spatial sizes; base = lhs dilation, window = rhs dilation
  std::vector<bool> reversal;
  std::int64_t feature_groups = 1, batch_groups = 1;
  Precision lhs_precision = Precision::standard, rhs_precision = Precision::standard;
  bool operator==(const Convolution&) const = default;
};

enum class FftKind : std::uint8_t { fft, ifft, rfft, irfft };
constexpr FftKind last_of(FftKind /*of*/) { return FftKind::irfft; }
struct Fft {
  FftKind kind = FftKind::fft;
  Shape length;
  bool operator==(const Fft&) const = default;
};
struct Cholesky {
  bool lower = false;
  bool operator==(const Cholesky&) const = default;
};
struct TriangularSolve {
  bool left_side = true, lower = true, unit_diagonal = false;
  bool transpose = false, conjugate = false;
  bool operator==(const TriangularSolve&) const = default;
};
// A routine of LAPACK on each matrix of a batch: program/executable/lapack.h has a row for each
// one.
enum class Routine : std::uint8_t {
  potrf,
  getrf,
  lu,  // getrf with pivots counted from 0 and the permutation of rows that they make
  geqrf,
  geqp3,
  orgqr,  // ungqr of complex matrices
  ormqr,  // unmqr
  syevd,  // heevd
  eigh,   // syevd without an info: NaN where it fails
  gesdd,
  gesvd,
  geev,
  gees,
  gehrd,
  sytrd,           // hetrd
  gtsv,            // tridiagonal solve
  gtsv_perturbed,  // the same of a nearly singular matrix: pivots are kept away from 0
};
constexpr Routine last_of(Routine /*of*/) { return Routine::gtsv_perturbed; }
// The flags that a routine does not use are false.
struct Lapack {
  Routine routine = Routine::potrf;
  bool lower = false;      // potrf, syevd, eigh, sytrd: the triangle that is read
  bool vectors = false;    // syevd, eigh, gesdd, gesvd, gees: vectors are computed
  bool left = false;       // geev: left eigenvectors; ormqr: the product is q c
  bool right = false;      // geev: right eigenvectors
  bool transpose = false;  // ormqr: q is transposed, and conjugated if complex
  bool operator==(const Lapack&) const = default;
};
enum class RngAlgorithm : std::uint8_t { standard, three_fry, philox };
constexpr RngAlgorithm last_of(RngAlgorithm /*of*/) { return RngAlgorithm::philox; }
struct RngBitGenerator {
  RngAlgorithm algorithm = RngAlgorithm::standard;
  bool operator==(const RngBitGenerator&) const = default;
};  // in: state; out: state, bits
struct Rng {
  bool normal = false;
  bool operator==(const Rng&) const = default;
};  // in: a, b; out

// One row per kind of work above: type, name in listings, version and fields in order, as the cache
// archives them. A changed row needs a higher version. The variant `Work`, the listing, the checks
// of loaded executables (program/passes/check/check_fit.h), the archive (cache/archive.cc) and the
// functions that run it (worker/chip/ops.h) are declared from these rows.
// clang-format off
#define UNDERSTUDY_FUNCTION_WORKS(row)                                                            \
  row(Unary, unary, 1, op)                                                                        \
  row(Binary, binary, 1, op)                                                                      \
  row(Compare, compare, 1, direction, total_order)                                                \
  row(Select, select, 1)                                                                          \
  row(Clamp, clamp, 1)                                                                            \
  row(Convert, convert, 1)                                                                        \
  row(ReducePrecision, reduce_precision, 1, exponent_bits, mantissa_bits)                         \
  row(BitcastConvert, bitcast_convert, 1)                                                         \
  row(Iota, iota, 1, dimension)                                                                   \
  row(ProcessIndex, process_index, 1, replica)                                                    \
  row(StridedCopy, strided_copy, 1, sizes, in_strides, out_strides, in_base, out_base)            \
  row(Join, join, 1, parts)                                                                       \
  row(Fill, fill, 1)                                                                              \
  row(HostMove, host_move, 1, to_host)                                                            \
  row(Poison, poison, 1)                                                                          \
  row(DynamicSlice, dynamic_slice, 1)                                                             \
  row(DynamicUpdateSlice, dynamic_update_slice, 1)                                                \
  row(LocateSlice, locate_slice, 1)                                                               \
  row(DynamicPad, dynamic_pad, 1)                                                                 \
  row(RealDynamicSlice, real_dynamic_slice, 1)                                                    \
  row(Gather, gather, 1, offset_dims, collapsed, batching, starts_batching, map, sizes,           \
      vector_dim)                                                                                 \
  row(TakeElements, take_elements, 1, size, stride, sizes, strides)                               \
  row(Scatter, scatter, 2, window_dims, inserted, batching, indices_batching, map, vector_dim,    \
      reduction, overwrite, apart, body)                                                          \
  row(Reduce, reduce, 1, dimensions, reduction, body)                                             \
  row(ArgReduce, arg_reduce, 1, dimension, largest)                                               \
  row(ReduceWindow, reduce_window, 1, window, reduction, body)                                    \
  row(SelectAndScatter, select_and_scatter, 1, window, select, scatter, reduction)                \
  row(Sort, sort, 1, dimension, stable, comparator)                                               \
  row(Map, map, 1, body)                                                                          \
  row(Fused, fused, 1, steps, rows, columns, frame_bytes)                                         \
  row(Dot, dot, 1, lhs_batch, rhs_batch, lhs_contracting, rhs_contracting, lhs_precision,         \
      rhs_precision)                                                                              \
  row(RaggedDot, ragged_dot, 1, contracting, rows, lhs_precision, rhs_precision)                  \
  row(Convolution, convolution, 1, input_batch, input_feature, kernel_input_feature,              \
      kernel_output_feature, output_batch, output_feature, input_spatial, kernel_spatial,         \
      output_spatial, window, reversal, feature_groups, batch_groups, lhs_precision,              \
      rhs_precision)                                                                              \
  row(Fft, fft, 1, kind, length)                                                                  \
  row(Cholesky, cholesky, 1, lower)                                                               \
  row(TriangularSolve, triangular_solve, 1, left_side, lower, unit_diagonal, transpose,           \
      conjugate)                                                                                  \
  row(RngBitGenerator, rng_bit_generator, 1, algorithm)                                           \
  row(Rng, rng, 1, normal)                                                                        \
  row(Lapack, lapack, 1, routine, lower, vectors, left, right, transpose)
// clang-format on

}  // namespace understudy::program
