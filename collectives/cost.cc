// SPDX-License-Identifier: Apache-2.0
#include "collectives/cost.h"

#include <algorithm>
#include <array>

#include "fmt/format.h"

#include "collectives/algorithms/ring.h"
#include "collectives/collectives.h"
#include "configs/base/error.h"

namespace understudy::collectives {
namespace {

// All chunks but one travel through us: in the fold the one we own, in the gather our right
// neighbour's.
Cost fold(const Shape& shape) {
  const Chunks chunks{shape.elements, shape.members};
  const std::uint64_t steps = shape.members - 1;
  return {steps, steps,
          (shape.elements - chunks.size(shape.self)) * std::uint64_t{shape.accumulator_bytes}};
}

Cost gather(const Shape& shape, const Chunks& chunks) {
  const std::uint64_t steps = shape.members - 1;
  const std::size_t right = (shape.self + 1) % shape.members;
  return {steps, steps,
          (chunks.elements - chunks.size(right)) * std::uint64_t{shape.element_bytes}};
}

Cost all_reduce(const Shape& shape) {
  const Cost first = fold(shape);
  const Cost second = gather(shape, Chunks{shape.elements, shape.members});
  return {first.steps + second.steps, first.messages + second.messages, first.bytes + second.bytes};
}

Cost all_gather(const Shape& shape) {
  return gather(shape, Chunks{shape.elements * shape.members, shape.members});
}

Cost all_to_all(const Shape& shape) {
  const std::uint64_t steps = shape.members - 1;
  return {steps, steps, shape.elements / shape.members * shape.element_bytes * steps};
}

Cost broadcast(const Shape& shape) {
  const std::uint64_t bytes = std::uint64_t{shape.elements} * shape.element_bytes;
  const std::uint64_t segments =
      std::max<std::uint64_t>(1, (bytes + kBroadcastSegmentBytes - 1) / kBroadcastSegmentBytes);
  const std::uint64_t links = shape.members - 1;
  const bool last = (shape.self + shape.members - shape.root) % shape.members == links;
  const std::uint64_t steps = links == 0 ? 0 : links + segments - 1;
  return last ? Cost{steps, 0, 0} : Cost{steps, segments, bytes};
}

constexpr std::array<CostRow, 5> kRows{{
    {"ring", "all_reduce", "2(n-1)", "2(n-1)", "2S(n-1)/n", all_reduce},
    {"ring", "all_gather", "n-1", "n-1", "S(n-1)", all_gather},
    {"ring", "reduce_scatter", "n-1", "n-1", "S(n-1)/n", fold},
    {"ring", "all_to_all", "n-1", "n-1", "S(n-1)/n", all_to_all},
    {"ring", "broadcast", "n-2+k", "k", "S", broadcast},
}};

}  // namespace

std::span<const CostRow> cost_rows() { return kRows; }

Cost cost_of(std::string_view algorithm, std::string_view op, const Shape& shape) {
  const std::string_view name = algorithm_named(algorithm).name();
  for (const CostRow& row : kRows) {
    if (row.algorithm == name && row.op == op) return row.cost(shape);
  }
  throw Error(ErrorKind::usage, fmt::format("no cost is known for {} by {}", op, algorithm));
}

}  // namespace understudy::collectives
