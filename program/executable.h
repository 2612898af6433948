// SPDX-License-Identifier: Apache-2.0
// What workers run and caches keep: flat instructions over planned buffers. The same bytes for
// every chip: it holds no rank, no path and no absolute address; partition_id and replica_id are
// run-time inputs. Plain values: the cache archives them field by field (cache/archive.cc lists
// every field; a new one goes there too). Equivalents: xla::BufferAssignment + thunks.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "program/element_type.h"
#include "program/kinds.h"
#include "program/types.h"

namespace understudy::program {

// Where a buffer lies. `index` says which argument or result; `offset` is in bytes.
enum class Space : std::uint8_t {
  argument,   // argument `index`, read only
  result,     // result `index`
  temporary,  // the launch's scratch in HBM, planned by liveness
  constant,   // the executable's constants, read only
  frame,      // inside a Body only: see there
};

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
};

struct Instruction;
using Code = std::vector<Instruction>;

// A region that is called element by element: reducers, comparators, map bodies. Its values lie in
// a frame. A lanewise body holds only element-wise work on scalars: it may run on L elements at
// once, a frame buffer at `offset` then starts at frame + offset * L (every offset is a multiple of
// 16 and every scalar has at most 16 bytes); values from outside the region and constants enter it
// by Fill, so every other operand lies in the frame. Any other body runs one element at a time in
// a frame of `frame_bytes`; its operands lie in the frame or where the captured value lies.
struct Body {
  std::vector<Operand> parameters;  // in frame
  std::vector<Operand> results;     // in frame, or where a captured value or constant lies
  Code code;
  std::uint64_t frame_bytes = 0;
  bool lanewise = true;
};

// ---- kinds of work. inputs/outputs of the instruction are named in each comment. ---------------

struct Unary {
  UnaryOp op = UnaryOp::abs;
};  // in: x; out: same shape

struct Binary {
  BinaryOp op = BinaryOp::add;
};  // in: a, b; out: same shape

struct Compare {
  Direction direction = Direction::eq;
  bool total_order = false;
};  // out: pred

struct Select {};   // in: pred (scalar or full), on_true, on_false
struct Clamp {};    // in: min (scalar or full), x, max
struct Convert {};  // element type conversion of equal shapes
struct ReducePrecision {
  std::int32_t exponent_bits = 8, mantissa_bits = 23;
};
struct BitcastConvert {};  // in, out: same bytes

struct Iota {
  std::int64_t dimension = 0;
};
struct ProcessIndex {
  bool replica = false;
};  // out: ui32 scalar replica_id or partition_id

// out[sum i_d*out_strides[d] + out_base] = in[sum i_d*in_strides[d] + in_base] over sizes; strides
// and bases in elements. Serves copy, transpose, broadcast, slice, reverse, concatenate, pad.
struct StridedCopy {
  Shape sizes, in_strides, out_strides;
  std::int64_t in_base = 0, out_base = 0;
};
struct Fill {};  // in: scalar; out: every element is it

struct DynamicSlice {};  // in: x, start scalars...; out: the slice (clamped starts)
struct DynamicUpdateSlice {
};  // in: x, update, start scalars...; out: x updated (may be x's buffer)

// Run-time sizes within a static result; both throw Error{check} where the values make another
// shape than the result's, or reach outside of their operand.
struct DynamicPad {};        // in: x, value, low, high, interior (integers, one per dimension)
struct RealDynamicSlice {};  // in: x, starts, limits, strides (integers, one per dimension)

struct Gather {  // in: operand, start_indices
  Shape offset_dims, collapsed_slice_dims, operand_batching_dims, start_indices_batching_dims,
      start_index_map, slice_sizes;
  std::int64_t index_vector_dim = 0;
};
struct Scatter {  // in: inputs..., scatter_indices, updates...; out: one per input
  Shape update_window_dims, inserted_window_dims, input_batching_dims,
      scatter_indices_batching_dims, scatter_dims_to_operand_dims;
  std::int64_t index_vector_dim = 0;
  Reduction reduction = Reduction::none;
  bool overwrite = false;  // the body returns the update
  Body body;
};

struct Reduce {  // in: inputs..., inits...; out: one per input
  Shape dimensions;
  Reduction reduction = Reduction::none;  // only for one input
  Body body;
};
struct Window {
  Shape dimensions, strides, base_dilations, window_dilations, padding_low, padding_high;
};
struct ReduceWindow {  // in: inputs..., inits...; out: one per input
  Window window;
  Reduction reduction = Reduction::none;
  Body body;
};
struct SelectAndScatter {  // in: operand, source, init; out
  Window window;
  Body select, scatter;
  Reduction reduction = Reduction::none;  // of scatter
};
struct Sort {  // in: inputs...; out: one per input
  std::int64_t dimension = 0;
  bool stable = true;
  Body comparator;
};
struct Map {
  Body body;
};  // in: inputs...; out: same shape

enum class Precision : std::uint8_t { standard, high, highest };
struct Dot {  // in: lhs, rhs; out: batch..., lhs free..., rhs free...
  Shape lhs_batch, rhs_batch, lhs_contracting, rhs_contracting;
  Precision lhs_precision = Precision::standard, rhs_precision = Precision::standard;
};
// Groups along the ragged dimension, one after the other; sizes are i64 [B, g], in units of `rows`.
// Not contracting: in: lhs [B, m, k], rhs [g, b, k, n] (b divides B), sizes; out [B, m, n], rows of
// no group are zeros. Contracting: in: lhs [B, m, k], rhs [B, k, n], sizes; out [g, B, m, n].
struct RaggedDot {
  bool contracting = false;
  std::int64_t rows = 1;
  Precision lhs_precision = Precision::standard, rhs_precision = Precision::standard;
};
struct Convolution {  // in: lhs, rhs
  std::int64_t input_batch = 0, input_feature = 1, kernel_input_feature = 1,
               kernel_output_feature = 0, output_batch = 0, output_feature = 1;
  Shape input_spatial, kernel_spatial, output_spatial;
  Window window;  // dimensions = kernel's spatial sizes; base = lhs dilation, window = rhs dilation
  std::vector<bool> reversal;
  std::int64_t feature_groups = 1, batch_groups = 1;
  Precision lhs_precision = Precision::standard, rhs_precision = Precision::standard;
};

enum class FftKind : std::uint8_t { fft, ifft, rfft, irfft };
struct Fft {
  FftKind kind = FftKind::fft;
  Shape length;
};
struct Cholesky {
  bool lower = false;
};
struct TriangularSolve {
  bool left_side = true, lower = true, unit_diagonal = false;
  bool transpose = false, conjugate = false;
};
enum class RngAlgorithm : std::uint8_t { standard, three_fry, philox };
struct RngBitGenerator {
  RngAlgorithm algorithm = RngAlgorithm::standard;
};  // in: state; out: state, bits
struct Rng {
  bool normal = false;
};  // in: a, b; out

// Control. Bodies run in the launch's own spaces. Carried values lie in `outputs`; the lowering
// puts copies of the inputs before and of the new values at the end of the body.
struct While {
  Code condition;
  Operand predicate;
  Code body;
};
struct Case {
  std::vector<Code> branches;
};  // in: i32 index (clamped to the last) or pred (true = 0)

// Throws Error{check} with `message` where the predicate is false; {0}, {1}, ... in it stand for
// the other inputs.
struct Assert {
  std::string message;
};  // in: pred, integer scalars...; out: nothing

enum class GroupMode : std::uint8_t {
  cross_replica,
  cross_partition,
  cross_replica_and_partition,
  flattened_ids
};
enum class CollectiveKind : std::uint8_t {
  all_reduce,
  all_gather,
  reduce_scatter,
  all_to_all,
  collective_permute,
  collective_broadcast,
  // in: operand, output, input_offsets, send_sizes, output_offsets, recv_sizes (i64 vectors); out:
  // `output` with the rows that came in (jax.lax.ragged_all_to_all)
  ragged_all_to_all
};
// Up to here operands of one all_reduce travel together; a larger one gains less from company than
// it costs to copy it there and back (docs/collectives.md).
inline constexpr std::uint64_t kMostCombinedBytes = 16 << 10;
struct Collective {  // in: operands...; out: one per operand
  CollectiveKind kind = CollectiveKind::all_reduce;
  GroupMode mode = GroupMode::cross_replica;
  std::vector<std::vector<std::int64_t>> groups;  // as written, -1 padding removed
  std::vector<std::pair<std::int64_t, std::int64_t>> source_target;  // collective_permute
  std::int64_t channel = 0;
  std::int64_t dimension = 0;  // all_gather, reduce_scatter
  std::int64_t split_dimension = 0, concat_dimension = 0, split_count = 1;  // all_to_all
  Reduction reduction = Reduction::none;
  Body body;
  // Of combined ones, by operand; empty: all are the instruction's.
  std::vector<std::uint32_t> ops = {};
  // 0: done when the instruction is. Else it may only be entered, and a CollectiveDone of the same
  // lane ends it.
  std::uint32_t lane = 0;
};
inline constexpr std::uint32_t kAsyncLanes = 3;  // 1 to 3
struct CollectiveDone {                          // in: operands, then results of what it ends
  std::uint32_t lane = 1;
};

// Values between two processes (stablehlo.send, stablehlo.recv): to every target of this process,
// or from its source; without one, recv gives zeros.
struct Transfer {  // send, in: values...; recv, out: values...
  bool sends = false;
  std::int64_t channel = 0;
  std::vector<std::pair<std::int64_t, std::int64_t>> source_target;  // processes
};

// What a self-checking program demands (StableHLO's check dialect). A launch goes on after a
// violation, so that no chip waits for another; it fails at its end.
enum class Demand : std::uint8_t {
  equal,         // element by element; NaN never, -0 is 0
  within_ulps,   // [least_ulps, most_ulps] apart
  within,        // |actual - expected| <= tolerance; NaN is NaN
  equal_probed,  // to the value `turn` of probe `probe`
};
struct Expect {  // in: actual, expected (none where it was probed); out: none, or a true pred
  Demand demand = Demand::equal;
  double tolerance = 0;
  std::int64_t least_ulps = 0, most_ulps = 0;
  std::string probe;
  std::int64_t turn = 0;
};
struct Probe {
  std::string name;
};                         // in: x, which is kept under that name
struct InfeedTurn {        // out: i32 scalar: how many infeeds any process of the launch did before
  std::vector<bool> fits;  // which entries of the queue this infeed can take; others are an error
};

using Work = std::variant<Unary, Binary, Compare, Select, Clamp, Convert, ReducePrecision,
                          BitcastConvert, Iota, ProcessIndex, StridedCopy, Fill, DynamicSlice,
                          DynamicUpdateSlice, DynamicPad, RealDynamicSlice, Gather, Scatter, Reduce,
                          ReduceWindow, SelectAndScatter, Sort, Map, Dot, RaggedDot, Convolution,
                          Fft, Cholesky, TriangularSolve, RngBitGenerator, Rng, While, Case, Assert,
                          Collective, CollectiveDone, Transfer, Expect, Probe, InfeedTurn>;

struct Instruction {
  Work work;
  std::vector<Operand> inputs;
  std::vector<Operand> outputs;
  std::uint32_t op = 0;  // ordinal of the operation in the module: see operations_in_order()
};

enum class Numerics : std::uint8_t { tpu, ieee };

struct Executable {
  std::vector<TensorType> arguments;  // per chip
  std::vector<TensorType> results;    // per chip
  std::int64_t replicas = 1;
  std::int64_t partitions = 1;
  Numerics numerics = Numerics::tpu;
  Code code;
  std::vector<std::byte> constants;
  std::uint64_t temporary_bytes = 0;
  std::vector<std::string> op_names;  // by Instruction::op
  // arguments + results + temporaries + constants: what one launch needs, in bytes.
  std::uint64_t hbm_bytes() const;
};

// Throws Error{internal} where a buffer leaves its space, an index is out of range or work and
// operands do not fit; called whenever an executable is loaded, so the executor need not check.
void check_bounds(const Executable& executable);

}  // namespace understudy::program
