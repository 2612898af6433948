// SPDX-License-Identifier: Apache-2.0
// What a member does for one chunk of a direct collective, and the calls that carry it out: at
// once, or entered now and finished later. Internal to the direct path.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
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
  const bool alone_;  // so little that one member does it all
  const Stores stores_;
  std::vector<const std::byte*> ins_;
};

// Copies: `fill(call, member, begin, size, stores)` fills bytes [begin, begin + size) of the
// member's result of `bytes`.
class MoveWork {
 public:
  using Fill = std::function<void(DirectCall&, std::size_t member, std::size_t begin,
                                  std::size_t size, Stores)>;
  MoveWork(DirectCall& call, std::size_t bytes, std::size_t members, Fill fill);
  ChunkCount chunks() const;
  void operator()(std::size_t chunk);

 private:
  void fill_chunk(std::size_t chunk);

  DirectCall& call_;
  const std::size_t members_;
  const ChunkPlan plan_;
  const bool alone_;
  const Stores stores_;
  const Fill fill_;
};

// Fills of an all_gather of blocks of `block` bytes, and of an all_to_all.
MoveWork::Fill gather_fill(std::size_t block);
MoveWork::Fill exchange_fill(std::size_t block);

// A call with its work. What it is made of outlives it.
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
