// SPDX-License-Identifier: Apache-2.0
#include "program/analysis/influence.h"

#include <algorithm>
#include <map>
#include <utility>

namespace understudy::program::analysis {
namespace {

// More than this is not stored: further influences become kAll, which is always sound.
constexpr std::size_t kMostBytes = std::size_t{64} << 20;
constexpr std::size_t kWordBits = 64;

// Shards numbered by first appearance: several tiles may be known to hold equal data.
// Numbers by first appearance make equal divisions equal vectors, so arguments can share a group.
ArgumentGroup numbered(const std::vector<std::int64_t>& tile_of) {
  ArgumentGroup group;
  std::map<std::int64_t, std::int64_t> numbers;
  for (const std::int64_t tile : tile_of)
    group.shard_of.push_back(
        numbers.try_emplace(tile, static_cast<std::int64_t>(numbers.size())).first->second);
  group.shards = numbers.size();
  return group;
}

}  // namespace

std::vector<ArgumentGroup> argument_groups(const Interface& interface) {
  std::vector<ArgumentGroup> groups;
  for (std::size_t i = 0; i < interface.arguments.size(); ++i) {
    ArgumentGroup group = numbered(interface.arguments[i].sharding.tile_of);
    // One shard has every value on each process: there is nothing that could be left out.
    if (group.shards < 2) continue;
    auto same = std::ranges::find(groups, group.shard_of, &ArgumentGroup::shard_of);
    if (same == groups.end()) same = groups.insert(groups.end(), std::move(group));
    same->arguments.push_back(i);
  }
  return groups;
}

// A word row per process, a bit per shard of each group: bit (p, s) says that shard s may influence
// the value on process p.
Influences::Influences(const Interface& interface)
    : groups_(argument_groups(interface)),
      of_argument_(interface.arguments.size(), kNone),
      processes_(static_cast<std::size_t>(interface.processes())) {
  std::size_t bits = 0;
  for (const ArgumentGroup& group : groups_) {
    first_bit_.push_back(bits);
    bits += group.shards;
  }
  words_ = (bits + kWordBits - 1) / kWordBits;
  // The first one kept is kNone, all zeros.
  keep(Words(processes_ * words_, 0));
  // kAll has a number of its own even where nothing is sharded and it equals kNone.
  all_.emplace_back(processes_ * words_, ~std::uint64_t{0});
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    Words words(processes_ * words_, 0);
    for (std::size_t p = 0; p < processes_; ++p) {
      const std::size_t bit = first_bit_[g] + static_cast<std::size_t>(groups_[g].shard_of[p]);
      words[p * words_ + bit / kWordBits] |= std::uint64_t{1} << bit % kWordBits;
    }
    const Id id = keep(std::move(words));
    for (const std::size_t argument : groups_[g].arguments) of_argument_[argument] = id;
  }
}

// FNV-1a over the words; equal influences get one number.
Influences::Id Influences::keep(Words words) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const std::uint64_t word : words) hash = (hash ^ word) * 0x100000001b3U;
  const auto [first, last] = by_hash_.equal_range(hash);
  for (auto at = first; at != last; ++at)
    if (all_[at->second] == words) return at->second;
  // Sound: "anything may influence it" only loses warnings.
  if ((all_.size() + 1) * words.size() * sizeof(std::uint64_t) > kMostBytes) return kAll;
  const Id id = static_cast<Id>(all_.size());
  all_.push_back(std::move(words));
  by_hash_.emplace(hash, id);
  return id;
}

Influences::Id Influences::unite(Id a, Id b) {
  if (a == b || b == kNone || a == kAll) return a;
  if (a == kNone || b == kAll) return b;
  // Unions are remembered under both orders of their numbers: loops ask for the same ones in every
  // round.
  const std::uint64_t key = std::uint64_t{std::min(a, b)} << 32 | std::max(a, b);
  if (const auto known = unions_.find(key); known != unions_.end()) return known->second;
  Words words = all_[a];
  for (std::size_t i = 0; i < words.size(); ++i) words[i] |= all_[b][i];
  return unions_[key] = keep(std::move(words));
}

Influences::Id Influences::assemble(std::span<const Id> sources) {
  if (std::ranges::all_of(sources, [&](Id id) { return id == sources.front(); }))
    return sources.front();
  Words words(processes_ * words_, 0);
  for (std::size_t p = 0; p < processes_; ++p)
    std::copy_n(all_[sources[p]].begin() + static_cast<std::ptrdiff_t>(p * words_), words_,
                words.begin() + static_cast<std::ptrdiff_t>(p * words_));
  return keep(std::move(words));
}

Influences::Id Influences::moved(Id id, const std::vector<std::vector<std::size_t>>& from) {
  if (id == kNone || id == kAll) return id;
  const Words& old = all_[id];
  Words words(processes_ * words_, 0);
  for (std::size_t p = 0; p < processes_; ++p)
    for (const std::size_t source : from[p])
      for (std::size_t w = 0; w < words_; ++w) words[p * words_ + w] |= old[source * words_ + w];
  return keep(std::move(words));
}

bool Influences::has(Id id, std::size_t group, std::size_t shard) const {
  const std::size_t bit = first_bit_[group] + shard;
  for (std::size_t p = 0; p < processes_; ++p)
    if ((all_[id][p * words_ + bit / kWordBits] >> bit % kWordBits & 1) != 0) return true;
  return false;
}

}  // namespace understudy::program::analysis
