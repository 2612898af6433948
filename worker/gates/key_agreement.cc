// SPDX-License-Identifier: Apache-2.0
#include "worker/gates/key_agreement.h"

#include <fmt/format.h>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "configs/base/diagnosis_id.h"
#include "configs/base/error.h"
#include "configs/launch/fault.h"

namespace understudy::worker {
namespace {

// The first pair of ranks that run the same program with different keys: the lowest rank of that
// program, and the first that differs from it.
std::optional<std::pair<std::int64_t, std::int64_t>> divergent_pair(
    const configs::RunPlan& plan, const std::vector<std::string>& keys) {
  std::map<const configs::PlannedProgram*, std::int64_t> lowest;
  for (std::int64_t rank = 0; rank < std::ssize(keys); ++rank) {
    // Inserts this rank where its program has none yet: ranks are visited in ascending order.
    const auto& [program, first] =
        *lowest.try_emplace(configs::other_program_of(plan, Rank(rank)), rank).first;
    if (keys[static_cast<std::size_t>(rank)] != keys[static_cast<std::size_t>(first)])
      return std::pair(first, rank);
  }
  return std::nullopt;
}

// Of two ranks with different keys, the one whose key fewer ranks of the program have; in a tie the
// higher rank, because the lower one usually compiles for the others.
std::int64_t odd_one(const configs::RunPlan& plan, const std::vector<std::string>& keys,
                     std::int64_t rank, std::int64_t other) {
  const auto count = [&](std::int64_t one) {
    // Quadratic, but only after a difference was found.
    std::int64_t same = 0;
    for (std::int64_t peer = 0; peer < std::ssize(keys); ++peer)
      same += configs::other_program_of(plan, Rank(peer)) ==
                          configs::other_program_of(plan, Rank(one)) &&
                      keys[static_cast<std::size_t>(peer)] == keys[static_cast<std::size_t>(one)]
                  ? 1
                  : 0;
    return same;
  };
  return count(rank) < count(other) ? rank : other;
}

std::vector<std::string> texts_of(const std::vector<Bytes>& all) {
  std::vector<std::string> texts;
  for (const Bytes& one : all) texts.push_back(text_of(one));
  return texts;
}

}  // namespace

std::map<std::string, std::string> code_values(const configs::RunPlan& plan,
                                               const configs::LaunchInputs* inputs, Rank rank) {
  std::map<std::string, std::string> values;
  if (inputs != nullptr) values = configs::code_values(inputs->profile);
  // Whatever changes the compiled code must be in the key, or a cache would serve code of another
  // setting.
  if (plan.poison) values["poison"] = "yes";
  if (!plan.disabled_passes.empty())
    values["disabled_passes"] = fmt::format("{}", fmt::join(plan.disabled_passes, ","));
  for (const std::string& text : plan.faults) {
    const configs::Fault fault = configs::parse_fault(text);
    // The fault adds a part to the key of one rank only.
    if (fault.kind == configs::FaultKind::cache_key && fault.target == rank.value)
      values["fault"] = fmt::format("of rank {}", rank.value);
  }
  return values;
}

void agree_on_key(ControlChannel& control_channel, const configs::RunPlan& plan,
                  const cache::NamedParts& parts, std::optional<Rank>& culprit) {
  const std::vector<std::string> keys =
      // Keys first, parts only where they differ: a key is short, its parts take kilobytes.
      texts_of(control_channel.all_gather(bytes_of(cache::key_of(parts)), "cache keys"));
  const auto two = divergent_pair(plan, keys);
  if (!two) return;
  // All ranks reach this second exchange or none: they compare the same keys.
  const auto all =
      texts_of(control_channel.all_gather(bytes_of(cache::text_of(parts)), "parts of cache keys"));
  const auto parts_at = [&](std::int64_t one) {
    return cache::parse_parts(all[static_cast<std::size_t>(one)]).value_or(cache::NamedParts());
  };
  const auto [rank, other] = *two;
  // The first difference is enough: later ones usually follow from it.
  // Different keys have at least one different part.
  const cache::PartDifference first = cache::differences(parts_at(rank), parts_at(other)).front();
  if (const Rank odd(odd_one(plan, keys, rank, other)); odd != control_channel.rank())
    culprit = odd;
  throw Error(ErrorKind::protocol,
              fmt::format("the cache key differs between ranks: its part {} is {} on rank "
                          "{}, {} on rank {}",
                          first.part, first.here.value_or("missing"), rank,
                          first.there.value_or("missing"), other))
      .note(fmt::format("under the cache policy {} one chip compiles for others, so all of them "
                        "must run the same program, build and options",
                        plan.cache_policy))
      .diagnosed(name_of(DiagnosisId::cache_keys_differ));
}

}  // namespace understudy::worker
