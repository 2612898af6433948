// SPDX-License-Identifier: Apache-2.0
#include "launcher/preflight/compare_collectives.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace understudy::launcher {
namespace {

using configs::PreflightCollective;
using configs::PreflightComparison;

std::string groups_text(const program::hlo::Rows& rows) {
  std::string text;
  for (const auto& row : rows)
    text += fmt::format("{}{{{}}}", text.empty() ? "" : ",", fmt::join(row, ","));
  return "{" + text + "}";
}

std::string place_text(const program::Location& location) {
  if (location.source == nullptr || location.source->text().empty()) {
    // A user's file that metadata name has no text; a place in the HLO itself is none of the user.
    if (location.source == nullptr) return "";
    const SourcePlace place = location.source->place(location.offset);
    return place.line == 0 ? "" : fmt::format("{}:{}", place.path, place.line);
  }
  return "";
}

bool alone(const program::hlo::ScheduledInstruction& row) {
  return !row.groups.empty() &&
         std::ranges::all_of(row.groups, [](const auto& group) { return group.size() == 1; });
}

const CollectiveSum& in(const CollectiveSums& sums, const std::string& kind) {
  static const CollectiveSum kNone;
  const auto found = sums.find(kind);
  return found == sums.end() ? kNone : found->second;
}

// What the compiler has more (or fewer) of than we have.
std::int64_t surplus(const CollectiveSums& ours, const CollectiveSums& compiler, const char* kind) {
  return in(compiler, kind).count - in(ours, kind).operations;
}

std::string asynchronous_text(const CollectiveSum& sum) {
  return sum.asynchronous == 0 ? ""
                               : fmt::format("{} of {} asynchronous", sum.asynchronous, sum.count);
}

// An all-reduce may become a reduce-scatter and an all-gather, and the reverse.
std::string decomposition(const std::string& kind, const CollectiveSums& ours,
                          const CollectiveSums& compiler) {
  const std::int64_t reduce = surplus(ours, compiler, "all-reduce"),
                     scatter = surplus(ours, compiler, "reduce-scatter"),
                     gather = surplus(ours, compiler, "all-gather"),
                     exchange = surplus(ours, compiler, "all-to-all"),
                     permute = surplus(ours, compiler, "collective-permute"),
                     broadcast = surplus(ours, compiler, "collective-broadcast");
  const bool of_reduction =
      kind == "all-reduce" || kind == "reduce-scatter" || kind == "all-gather";
  if (of_reduction && reduce < 0 && scatter > 0 && gather > 0)
    return "an all-reduce is decomposed into a reduce-scatter and an all-gather";
  if ((of_reduction || kind == "collective-permute") && scatter < 0 && permute > 0)
    return "a reduce-scatter is decomposed into an all-reduce, and permutations that move the "
           "parts "
           "to their chips";
  // The bytes of the missing reduce-scatters are those that the all-reduces have more.
  const std::uint64_t scattered = in(ours, "reduce-scatter").bytes;
  const bool moved = in(compiler, "all-reduce").bytes == in(ours, "all-reduce").bytes + scattered;
  if (of_reduction && scatter < 0 && (reduce > 0 || moved))
    return "a reduce-scatter is decomposed into an all-reduce, of which each chip keeps its part";
  if (of_reduction && reduce > 0 && gather < 0)
    return "an all-gather is decomposed into an all-reduce of zeros and the chip's own part";
  if ((kind == "all-to-all" || kind == "collective-permute") && exchange < 0 && permute > 0)
    return "an all-to-all is decomposed into permutations";
  if ((kind == "all-gather" || kind == "collective-permute") && gather < 0 && permute > 0)
    return "an all-gather is decomposed into permutations that overlap with computation";
  if ((kind == "collective-broadcast" || kind == "all-reduce" || kind == "collective-permute") &&
      broadcast < 0 && (reduce > 0 || permute > 0))
    return "a broadcast is decomposed";
  return "";
}

// Why the numbers of one kind differ; empty: no explanation.
std::string reason(const std::string& kind, const CollectiveSums& ours,
                   const CollectiveSums& compiler, bool partitioned) {
  const CollectiveSum &a = in(ours, kind), &b = in(compiler, kind);
  if (std::string text = decomposition(kind, ours, compiler); !text.empty()) return text;
  if (a.bytes == b.bytes && a.count < b.count && b.count <= a.operations)
    return fmt::format("understudy combines {} operations into {}, the compiler into {}",
                       a.operations, a.count, b.count);
  if (a.bytes == b.bytes && b.count < a.operations)
    return fmt::format("{} operations are combined into {}", a.operations, b.count);
  if (a.count == b.count && (b.bytes == 2 * a.bytes || a.bytes == 2 * b.bytes))
    return fmt::format("the same operations on an element type of {} the width",
                       b.bytes > a.bytes ? "twice" : "half");
  if (a.alone > 0 && b.count + a.alone >= a.operations && b.count < a.operations)
    return "groups of one chip are removed";
  if (a.in_loop > 0 && b.count > a.operations && b.count % std::max<std::int64_t>(a.count, 1) == 0)
    return "the loop around it is unrolled";
  if (partitioned)
    return "the TPU compiler partitions the program itself, and chooses other collectives than "
           "the partitioner of understudy";
  return "";
}

}  // namespace

CollectiveSums sums_of(const std::vector<program::analysis::CollectiveUse>& uses) {
  CollectiveSums sums;
  for (const program::analysis::CollectiveUse& use : uses) {
    std::string kind = use.kind;
    std::ranges::replace(kind, '_', '-');
    CollectiveSum& sum = sums[kind];
    sum.count += use.count;
    sum.operations += use.count * use.operations;
    sum.bytes += static_cast<std::uint64_t>(use.count) * use.bytes;
    sum.in_loop += use.in_loop ? use.count : 0;
    sum.alone += use.group == 1 ? use.count * use.operations : 0;
  }
  return sums;
}

CollectiveSums sums_of(const program::hlo::Schedule& schedule) {
  CollectiveSums sums;
  for (const auto& row : schedule.rows) {
    if (row.collective.empty()) continue;
    CollectiveSum& sum = sums[row.collective];
    ++sum.count;
    ++sum.operations;
    sum.bytes += row.operand_bytes;
    sum.asynchronous += row.partner ? 1 : 0;
    sum.in_loop += row.in_loop ? 1 : 0;
    sum.alone += alone(row) ? 1 : 0;
  }
  return sums;
}

std::vector<PreflightCollective> collectives_in(const program::hlo::Schedule& schedule) {
  std::vector<PreflightCollective> all;
  for (const auto& row : schedule.rows) {
    if (row.collective.empty()) continue;
    PreflightCollective one{row.collective,          1,
                            row.operand_bytes,       groups_text(row.groups),
                            row.algorithm,           place_text(row.location),
                            row.partner.has_value(), row.in_loop};
    const auto same = std::ranges::find_if(all, [&](const PreflightCollective& other) {
      return other.kind == one.kind && other.groups == one.groups &&
             other.algorithm == one.algorithm && other.place == one.place &&
             other.asynchronous == one.asynchronous && other.in_loop == one.in_loop;
    });
    if (same == all.end()) {
      all.push_back(std::move(one));
    } else {
      ++same->count;
      same->bytes += one.bytes;
    }
  }
  return all;
}

std::vector<PreflightComparison> compare_collectives(
    const CollectiveSums& ours, const CollectiveSums& compiler,
    const std::map<std::string, std::int64_t>* partitioner) {
  CollectiveSums kinds = ours;
  kinds.insert(compiler.begin(), compiler.end());
  std::vector<PreflightComparison> rows;
  for (const auto& [kind, any] : kinds) {
    const CollectiveSum &a = in(ours, kind), &b = in(compiler, kind);
    PreflightComparison row;
    row.kind = kind;
    row.ours = a.count;
    row.our_bytes = a.bytes;
    row.compiler = b.count;
    row.compiler_bytes = b.bytes;
    if (partitioner != nullptr) {
      const auto found = partitioner->find(kind);
      row.partitioner = found == partitioner->end() ? 0 : found->second;
    }
    const bool same = a.count == b.count && a.bytes == b.bytes;
    row.why = same ? "" : reason(kind, ours, compiler, partitioner != nullptr);
    row.verdict = same ? "same" : row.why.empty() ? "differs" : "explained";
    if (const std::string text = asynchronous_text(b); !text.empty())
      row.why += (row.why.empty() ? "" : "; ") + text;
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace understudy::launcher
