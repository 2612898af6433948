// SPDX-License-Identifier: Apache-2.0
// Kinds of work that are more than functions of their operands: control flow, what passes between
// processes, what self-checking programs demand. Plain values (program/executable/executable.h).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "program/executable/process_groups.h"
#include "program/executable/work.h"

namespace understudy::program {

// Control. Bodies run in the launch's own spaces. Carried values lie in `outputs`; the lowering
// puts copies of the inputs before and of the new values at the end of the body.
struct While {
  Code condition;
  Operand predicate;
  Code body;
  bool operator==(const While&) const = default;
};
struct Case {
  std::vector<Code> branches;
  bool operator==(const Case&) const = default;
};  // in: i32 index (clamped to the last) or pred (true = 0)

// Throws Error{check} with `message` where the predicate is false; {0}, {1}, ... in it stand for
// the other inputs.
struct Assert {
  std::string message;
  bool operator==(const Assert&) const = default;
};  // in: pred, integer scalars...; out: nothing

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
constexpr CollectiveKind last_of(CollectiveKind /*of*/) {
  return CollectiveKind::ragged_all_to_all;
}
// Up to here operands of one all_reduce travel together; a larger one gains less from a bucket than
// it costs to copy it there and back (docs/collectives.md).
inline constexpr std::uint64_t kMaxCombinableOperandBytes = 16 << 10;
struct Collective {  // in: operands...; out: one per operand
  CollectiveKind kind = CollectiveKind::all_reduce;
  std::vector<ProcessGroup> groups;        // disjoint; a process in none takes no part
  std::vector<ProcessPair> source_target;  // collective_permute
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
  bool operator==(const Collective&) const = default;
};
inline constexpr std::uint32_t kAsyncLanes = 3;  // 1 to 3
struct CollectiveDone {                          // in: operands, then results of what it ends
  std::uint32_t lane = 1;
  bool operator==(const CollectiveDone&) const = default;
};

// Values between two processes (stablehlo.send, stablehlo.recv): to every target of this process,
// or from its source; without one, recv gives zeros.
struct Transfer {  // send, in: values...; recv, out: values...
  bool sends = false;
  std::int64_t channel = 0;
  std::vector<ProcessPair> source_target;
  bool operator==(const Transfer&) const = default;
};

// What a self-checking program demands (StableHLO's check dialect). A launch goes on after a
// violation, so that no chip waits for another; it fails at its end.
enum class Demand : std::uint8_t {
  equal,         // element by element; NaN never, -0 is 0
  within_ulps,   // [least_ulps, most_ulps] apart
  within,        // |actual - expected| <= tolerance; NaN is NaN
  equal_probed,  // to the value `turn` of probe `probe`
};
constexpr Demand last_of(Demand /*of*/) { return Demand::equal_probed; }
struct Expect {  // in: actual, expected (none where it was probed); out: none, or a true pred
  Demand demand = Demand::equal;
  double tolerance = 0;
  std::int64_t least_ulps = 0, most_ulps = 0;
  std::string probe;
  std::int64_t turn = 0;
  bool operator==(const Expect&) const = default;
};
struct Probe {  // in: x, which is kept under that name
  std::string name;
  bool operator==(const Probe&) const = default;
};
struct InfeedTurn {        // out: i32 scalar: how many infeeds any process of the launch did before
  std::vector<bool> fits;  // which entries of the queue this infeed can take; others are an error
  bool operator==(const InfeedTurn&) const = default;
};

// As UNDERSTUDY_FUNCTION_WORKS (program/executable/work.h).
// clang-format off
#define UNDERSTUDY_CONTROL_WORKS(row)                                                             \
  row(While, while, 1, condition, predicate, body)                                                \
  row(Case, case, 1, branches)                                                                    \
  row(Assert, assert, 1, message)                                                                 \
  row(Collective, collective, 2, kind, groups, source_target, channel, dimension,                 \
      split_dimension, concat_dimension, split_count, reduction, body, ops, lane)                 \
  row(CollectiveDone, collective_done, 1, lane)                                                   \
  row(Transfer, transfer, 2, sends, channel, source_target)                                       \
  row(Expect, expect, 1, demand, tolerance, least_ulps, most_ulps, probe, turn)                   \
  row(Probe, probe, 1, name)                                                                      \
  row(InfeedTurn, infeed_turn, 1, fits)
// clang-format on

}  // namespace understudy::program
