// SPDX-License-Identifier: Apache-2.0
#include "launcher/preflight/compare_collectives.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "launcher/preflight/match_collectives.h"

namespace understudy::launcher {
namespace {

using configs::PreflightCollective;
using configs::PreflightComparison;

// The user's file of an instruction's metadata, which has no text here. A place in the HLO itself
// is none of the user's.
std::string place_text(const program::Location& location) {
  if (location.source == nullptr || !location.source->text().empty()) return "";
  const SourcePlace place = location.source->place(location.offset);
  return place.line == 0 ? "" : fmt::format("{}:{}", place.path, place.line);
}

const CollectiveSum& in(const CollectiveSums& sums, const std::string& kind) {
  // A kind that one side lacks counts as zero.
  static const CollectiveSum kNone;
  const auto found = sums.find(kind);
  return found == sums.end() ? kNone : found->second;
}

std::int64_t parts_of(const CollectiveSide& side, const std::string& kind) {
  return std::ranges::count(side.parts, kind, &CollectivePart::kind);
}

// Instructions are fewer than the arrays that they move.
std::string combined_text(const std::string& kind, const CollectiveSide& ours,
                          const CollectiveSide& compiler) {
  const std::int64_t here = in(ours.sums, kind).count, there = in(compiler.sums, kind).count;
  const std::int64_t our_parts = parts_of(ours, kind), their_parts = parts_of(compiler, kind);
  if (here == there) return "";
  if (here < there && here < our_parts)
    return fmt::format("understudy combines {} operations into {}, the compiler into {}", our_parts,
                       here, there);
  return there < their_parts ? fmt::format("{} operations are combined into {}", their_parts, there)
                             : "";
}

// "2 x f32[512] over {0,1}": what no rule accounts for.
std::string left_text(const std::vector<CollectivePart>& left, const std::string& kind) {
  constexpr std::size_t kMost = 3;
  std::map<std::string, std::int64_t> counts;
  for (const CollectivePart& one : left)
    if (one.kind == kind) ++counts[text_of(one)];
  std::vector<std::string> texts;
  for (const auto& [text, count] : counts)
    texts.push_back(count == 1 ? text : fmt::format("{} x {}", count, text));
  const std::size_t more = texts.size() > kMost ? texts.size() - kMost : 0;
  texts.resize(texts.size() - more);
  return fmt::format("{}{}", fmt::join(texts, ", "),
                     more == 0 ? "" : fmt::format(" and {} more", more));
}

void judge(PreflightComparison& row, const CollectiveSide& ours, const CollectiveSide& compiler,
           const MatchedCollectives& matched) {
  std::vector<std::string> reasons;
  if (const auto known = matched.reasons.find(row.kind); known != matched.reasons.end())
    reasons = known->second;
  if (std::string text = combined_text(row.kind, ours, compiler); !text.empty())
    reasons.push_back(std::move(text));
  const std::string here = left_text(matched.ours, row.kind),
                    there = left_text(matched.compiler, row.kind);
  if (!here.empty()) reasons.push_back("only here: " + here);
  if (!there.empty()) reasons.push_back("only by the compiler: " + there);
  // The verdict rests on what no rule accounts for; a known reason makes a difference "explained".
  const bool differs = !here.empty() || !there.empty();
  row.verdict = differs ? "differs" : reasons.empty() ? "same" : "explained";
  if (differs && row.partitioner)
    reasons.emplace_back("the TPU compiler partitions the program itself");
  const CollectiveSum& sum = in(compiler.sums, row.kind);
  if (sum.asynchronous > 0)
    // After the verdict: asynchronous execution alone is no difference.
    reasons.push_back(fmt::format("{} of {} asynchronous", sum.asynchronous, sum.count));
  row.why = fmt::format("{}", fmt::join(reasons, "; "));
}

}  // namespace

std::vector<PreflightCollective> collectives_in(const program::hlo::Schedule& schedule) {
  std::vector<PreflightCollective> all;
  for (const auto& row : schedule.rows) {
    if (row.collective.empty()) continue;
    PreflightCollective one{
        row.collective,          1,
        row.operand_bytes,       "{" + groups_text(row.groups, row.groups.size()) + "}",
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

std::vector<PreflightComparison> compare_collectives(const CollectiveSide& ours,
                                                     const CollectiveSide& compiler,
                                                     const ComparisonFacts& facts) {
  const MatchedCollectives matched = match_collectives(ours, compiler, facts.chips_per_slice);
  CollectiveSums kinds = ours.sums;
  kinds.insert(compiler.sums.begin(), compiler.sums.end());
  std::vector<PreflightComparison> rows;
  for (const auto& [kind, any] : kinds) {
    PreflightComparison row;
    row.kind = kind;
    row.ours = in(ours.sums, kind).count;
    row.our_bytes = in(ours.sums, kind).bytes;
    row.compiler = in(compiler.sums, kind).count;
    row.compiler_bytes = in(compiler.sums, kind).bytes;
    if (facts.partitioner != nullptr) {
      const auto found = facts.partitioner->find(kind);
      row.partitioner = found == facts.partitioner->end() ? 0 : found->second;
    }
    judge(row, ours, compiler, matched);
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace understudy::launcher
