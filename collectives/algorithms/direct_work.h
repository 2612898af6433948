// SPDX-License-Identifier: Apache-2.0
// The work for one chunk of each direct collective, and the calls that carry it out: at once, or
// entered now and finished later. Internal to the direct path.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "collectives/algorithms/direct.h"

namespace understudy::collectives {

// all_reduce of `bytes` into the first `results` members' buffers.
class ReduceWork {
 public:
  ReduceWork(DirectCall& call, FoldOrder folds, const Reducer& reducer, std::size_t bytes,
             std::size_t members, std::size_t results);
  ChunkCount chunks() const;
  void operator()(std::size_t chunk);

 private:
  DirectCall& call_;
  const FoldOrder folds_;
  const Reducer& reducer_;
  const std::size_t weight_, results_;
  const ChunkPlan plan_;
  const Stores stores_;
  std::vector<const std::byte*> ins_;
  std::vector<std::byte*> outs_;
};

// reduce_scatter of blocks of `block` bytes.
class ScatterWork {
 public:
  ScatterWork(DirectCall& call, FoldOrder folds, const Reducer& reducer, std::size_t block,
              std::size_t members);
  ChunkCount chunks() const;
  void operator()(std::size_t chunk);

 private:
  void fold_chunk(std::size_t chunk);

  DirectCall& call_;
  const FoldOrder folds_;
  const Reducer& reducer_;
  const std::size_t block_, members_;
  const ChunkPlan plan_;
  const bool alone_;  // so little work that one member does it all
  const Stores stores_;
  std::vector<const std::byte*> ins_;
};

// all_to_all of blocks of `block` bytes.
class ExchangeWork {
 public:
  ExchangeWork(DirectCall& call, std::size_t block, std::size_t members);
  ChunkCount chunks() const;
  void operator()(std::size_t chunk);

 private:
  void exchange_chunk(std::size_t chunk);

  DirectCall& call_;
  const std::size_t block_, members_;
  const ChunkPlan plan_;  // of one member's result
  const bool alone_;
  const Stores stores_;
};

// Every member's result gets the blocks of `block` bytes of all sources, side by side: the members
// from `first_source` on. Each piece is read once and written to all results while it is in the
// cache.
class SpreadWork {
 public:
  SpreadWork(DirectCall& call, std::size_t block, std::size_t members, std::size_t first_source,
             std::size_t sources);
  ChunkCount chunks() const;
  void operator()(std::size_t chunk);

 private:
  void spread_chunk(std::size_t chunk);

  DirectCall& call_;
  const std::size_t block_, members_, first_source_, sources_;
  const ChunkPlan plan_;  // of one block
  const bool alone_;
  const Stores stores_;
};

// A call with its work. The arguments of the constructor must outlive it.
template <class Work>
class DirectUnderWay final : public UnderWay {
 public:
  template <class... Arguments>
  DirectUnderWay(const Fabric& fabric, const Group& group, const CallSite& site,
                 std::string_view algorithm, Arguments&&... arguments)
      : call_(fabric, group, site, Role::member, algorithm),
        work_(call_, std::forward<Arguments>(arguments)...) {}

  // `bytes`: equal on all members.
  void enter(std::span<const std::byte> in, std::span<std::byte> out, std::size_t bytes) {
    call_.arrive(in, out, bytes, work_.chunks(), work_);
  }
  CallReport finish() override { return call_.finish(); }
  const std::byte* first_out() const { return call_.first_out(); }

 private:
  DirectCall call_;
  Work work_;
};

}  // namespace understudy::collectives
