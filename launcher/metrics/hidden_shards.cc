// SPDX-License-Identifier: Apache-2.0
#include "launcher/metrics/hidden_shards.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

namespace understudy::launcher {
namespace {

using program::analysis::ArgumentGroup;

// Shards of a group that are examined in depth where they show no influence: each costs up to 13
// runs, and chips that a program leaves out are alike.
constexpr std::size_t kMostInDepth = 16;

class HiddenShards {
 public:
  HiddenShards(ProbeRuns& runs, std::span<Influence> of_group, const ResultValues& base)
      : runs_(runs), of_group_(of_group), base_(base) {}

  void examine() {
    const std::optional<std::size_t> counting = counting_shard();
    if (!counting) return;
    for (Influence& one : of_group_) {
      if (!hides(one) || examined_.size() == kMostInDepth) continue;
      one.in_depth = true;
      examined_.push_back(&one);
      for (const Change change : {Change::shifted, Change::larger, Change::smaller})
        attempt(one, *counting, change);
      // NaN spreads through almost every operation, so it shows whether the value is read at all.
      attempt(one, one.shard, Change::poisoned);
    }
    reference_ = Influence{of_group_.front().group, *counting, {}, false};
    // Last, because it costs most: 3 changes and 3 worlds, each with a run per shard that is still
    // open.
    examine_alike(*counting);
  }

 private:
  void attempt(Influence& one, std::size_t from, Change change) {
    const ResultValues values = runs_.run_changed(one, runs_.task().tiles, from, change);
    for (std::size_t i = 0; i < values.size(); ++i) runs_.look(i, base_, values, one.results[i]);
  }

  // Results that should agree, that this shard does not influence, and another one does. Of a
  // result that only an exchange makes equal, also one that no shard influences: all may be at a
  // bound, and an influence of every shard is what its verdict needs.
  bool hides(const Influence& one, std::size_t result) const {
    if (!runs_.is_shared(result) || one.results[result].moved > 0) return false;
    return runs_.task().only_exchanged[result] ||
           std::ranges::any_of(
               of_group_, [&](const Influence& other) { return other.results[result].moved > 0; });
  }
  bool hides(const Influence& one) const {
    for (std::size_t i = 0; i < one.results.size(); ++i)
      if (hides(one, i)) return true;
    return false;
  }

  // A shard that shows in a result which another shard does not show in. Where no shard shows, the
  // first one.
  std::optional<std::size_t> counting_shard() const {
    std::optional<std::size_t> found;
    for (const Influence& hidden : of_group_)
      for (std::size_t i = 0; i < hidden.results.size(); ++i) {
        if (!hides(hidden, i)) continue;
        if (!found) found = of_group_.front().shard;
        for (const Influence& one : of_group_)
          if (one.results[i].moved > 0) return one.shard;
      }
    return found;
  }

  using Run = std::function<ResultValues(const Influence&)>;

  // One change, of a shard that counts and then of each hidden shard. Only a change that shows in
  // the shard that counts could have shown in a hidden one.
  void compare(const ResultValues& start, const Run& run) {
    const ResultValues known = run(reference_);
    std::vector<bool> can_show;
    for (std::size_t i = 0; i < known.size(); ++i)
      can_show.push_back(runs_.chips_that_show(i, start, known) > 0);
    for (Influence* one : examined_) {
      bool open = false;  // some result for which this is worth a run
      for (std::size_t i = 0; i < known.size(); ++i)
        open = open || (hides(*one, i) && one->results[i].elsewhere < runs_.processes());
      if (!open) continue;
      const ResultValues values = run(*one);
      for (std::size_t i = 0; i < values.size(); ++i) {
        Influence::Seen& seen = one->results[i];
        seen.elsewhere = std::max(seen.elsewhere, runs_.chips_that_show(i, start, values));
        seen.could_show = seen.could_show || can_show[i];
      }
    }
  }

  // All chips get the data of a chip whose data count, so that no mask, label or rare value makes
  // the difference; then each hidden shard is changed again. The same with equal numbers
  // everywhere: where tanh is at its lowest on all chips, any chip that counts can raise a maximum.
  void examine_alike(std::size_t counting) {
    const ArgumentTiles alike = all_alike(counting);
    const ResultValues start = runs_.run(alike);
    for (const Change change : {Change::shifted, Change::larger, Change::smaller})
      compare(start, [&](const Influence& one) {
        return runs_.run_changed(one, alike, counting, change);
      });
    struct World {
      Change everywhere, instead;
    };
    // `three` is near pi: a minimum of cosines, and an ordinary number for other functions.
    for (const World world : {World{Change::low, Change::high},
                              {Change::high, Change::low},
                              {Change::three, Change::zero}}) {
      ArgumentTiles tiles = alike;
      for (const std::size_t argument : group().arguments)
        for (Bytes& bytes : tiles[argument])
          bytes =
              changed(runs_.task().interface.arguments[argument].local, bytes, world.everywhere);
      const ResultValues equal = runs_.run(tiles);
      compare(equal, [&](const Influence& one) {
        return runs_.run_changed(one, tiles, counting, world.instead);
      });
      compare(equal, [&](const Influence& one) {
        return runs_.run_replaced(one, tiles, alike, counting);
      });
    }
  }

  // The task's data with those of a chip that holds the shard on every chip.
  ArgumentTiles all_alike(std::size_t shard) const {
    const ProbeTask& task = runs_.task();
    const auto& shard_of = group().shard_of;
    const auto rank = static_cast<std::size_t>(
        std::ranges::find(shard_of, static_cast<std::int64_t>(shard)) - shard_of.begin());
    ArgumentTiles alike = task.tiles;
    for (const ArgumentGroup& group : task.groups)
      for (const std::size_t argument : group.arguments) {
        const auto own =
            static_cast<std::size_t>(task.interface.arguments[argument].sharding.tile_of[rank]);
        for (Bytes& bytes : alike[argument]) bytes = task.tiles[argument][own];
      }
    return alike;
  }

  const ArgumentGroup& group() const { return runs_.task().groups[of_group_.front().group]; }

  ProbeRuns& runs_;
  std::span<Influence> of_group_;
  const ResultValues& base_;
  std::vector<Influence*> examined_;
  Influence reference_;
};

}  // namespace

void examine_hidden(ProbeRuns& runs, std::span<Influence> of_group, const ResultValues& base) {
  if (!of_group.empty()) HiddenShards(runs, of_group, base).examine();
}

}  // namespace understudy::launcher
