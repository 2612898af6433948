// SPDX-License-Identifier: Apache-2.0
// Which shards of the arguments may influence a value: for each process a set of shards. A shard
// that is missing surely has no influence, whatever finite numbers it holds; one that is there may
// have some. Arguments that are sharded alike are one group; an argument that every process holds
// whole has no shards, so it never counts. Thread-compatible. Equivalent: a taint analysis.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "program/compile.h"

namespace understudy::program::analysis {

// Arguments that lie on the processes in the same way, in at least two different shards.
struct ArgumentGroup {
  std::vector<std::size_t> arguments;
  std::vector<std::int64_t> shard_of;  // by process, from 0
  std::size_t shards = 0;
};
std::vector<ArgumentGroup> argument_groups(const Interface& interface);

// All influences of one analysis. Each is stored once and named by its number, as a program has
// many values and few ways to mix shards; unions are remembered.
class Influences {
 public:
  using Id = std::uint32_t;
  static constexpr Id kNone = 0;  // of constants
  static constexpr Id kAll = 1;   // every shard may influence every process

  explicit Influences(const Interface& interface);

  const std::vector<ArgumentGroup>& groups() const { return groups_; }
  Id of_argument(std::size_t argument) const { return of_argument_.at(argument); }
  Id unite(Id a, Id b);
  // By process: the influence that `sources[process]` has at that process. Used where processes
  // take different values.
  Id assemble(std::span<const Id> sources);
  // Process p gets what any of `from[p]` has.
  Id moved(Id id, const std::vector<std::vector<std::size_t>>& from);
  // Whether this shard may influence the value on any process.
  bool has(Id id, std::size_t group, std::size_t shard) const;

 private:
  using Words = std::vector<std::uint64_t>;  // processes_ x words_
  Id keep(Words words);

  std::vector<ArgumentGroup> groups_;
  std::vector<std::size_t> first_bit_;  // by group
  std::vector<Id> of_argument_;
  std::size_t processes_, words_ = 0;
  std::vector<Words> all_;
  std::unordered_multimap<std::uint64_t, Id> by_hash_;
  std::unordered_map<std::uint64_t, Id> unions_;
};

}  // namespace understudy::program::analysis
