// SPDX-License-Identifier: Apache-2.0
#include "collectives/algorithms/direct_work.h"

namespace understudy::collectives {
namespace {

// Half of a usual first-level cache.
constexpr std::size_t kCachedBytes = std::size_t{16} << 10;  // stays in the first-level cache

}  // namespace

// ---- all_reduce --------------------------------------------------------------------------------

// `weight`: per byte of the result, one byte is read from each member and one is written to each
// result.
ReduceWork::ReduceWork(DirectCall& call, FoldOrder folds, const Reducer& reducer, std::size_t bytes,
                       std::size_t members, std::size_t results)
    : call_(call),
      folds_(std::move(folds)),
      reducer_(reducer),
      weight_(members + results),
      results_(results),
      plan_(plan_chunks(bytes, weight_, members)),
      stores_(stores_for(weight_ * bytes)),
      // A single chunk uses the call's own pointers, so these stay empty.
      ins_(plan_.count() <= 1 ? 0 : members),
      outs_(plan_.count() <= 1 ? 0 : results) {}

ChunkCount ReduceWork::chunks() const {
  return {std::max<std::size_t>(plan_.count(), 1), stores_ == Stores::streaming};
}

void ReduceWork::operator()(std::size_t chunk) {
  if (plan_.bytes == 0) return;
  const std::size_t unit = reducer_.element_bytes();
  // A single chunk uses the members' pointers as they are: no vectors to fill, which small
  // all_reduces would notice.
  if (plan_.count() == 1) {
    return fold(reducer_, folds_, call_.in(), call_.out().first(results_), plan_.bytes / unit,
                stores_);
  }
  const std::size_t begin = plan_.begin(chunk), size = plan_.size(chunk);
  for (std::size_t m = 0; m < ins_.size(); ++m) {
    call_.touch_in(m, begin, size);
    ins_[m] = call_.in()[m] + begin;
  }
  for (std::size_t m = 0; m < outs_.size(); ++m) {
    call_.touch_out(m, begin, size);
    outs_[m] = call_.out()[m] + begin;
  }
  fold(reducer_, folds_, ins_, outs_, size / unit, stores_);
  // Before the chunk counts as completed.
  if (stores_ == Stores::streaming) finish_streams();
}

// ---- reduce_scatter ----------------------------------------------------------------------------

// Each member's block is a plan of its own, so that a chunk never crosses the border between two
// results.
ScatterWork::ScatterWork(DirectCall& call, FoldOrder folds, const Reducer& reducer,
                         std::size_t block, std::size_t members)
    : call_(call),
      folds_(std::move(folds)),
      reducer_(reducer),
      block_(block),
      members_(members),
      plan_(plan_chunks(block, members + 1, 1)),
      // One chunk in all: the last member to arrive does everything, and nobody is woken.
      alone_((members + 1) * block <= plan_.chunk),
      stores_(stores_for((members + 1) * members * block)),
      ins_(members) {}

ChunkCount ScatterWork::chunks() const {
  return {alone_ ? 1 : members_ * plan_.count(), stores_ == Stores::streaming};
}

void ScatterWork::operator()(std::size_t chunk) {
  if (!alone_) return fold_chunk(chunk);
  for (std::size_t each = 0; each < members_ * plan_.count(); ++each) fold_chunk(each);
}

void ScatterWork::fold_chunk(std::size_t chunk) {
  const std::size_t owner = chunk / plan_.count(), part = chunk % plan_.count();
  const std::size_t begin = plan_.begin(part), size = plan_.size(part);
  for (std::size_t m = 0; m < members_; ++m) {
    call_.touch_in(m, owner * block_ + begin, size);
    ins_[m] = call_.in()[m] + owner * block_ + begin;
  }
  call_.touch_out(owner, begin, size);
  std::byte* const result = call_.out()[owner] + begin;
  fold(reducer_, folds_, ins_, std::span(&result, 1), size / reducer_.element_bytes(), stores_);
  if (stores_ == Stores::streaming) finish_streams();
}

// ---- copies ------------------------------------------------------------------------------------

ExchangeWork::ExchangeWork(DirectCall& call, std::size_t block, std::size_t members)
    : call_(call),
      block_(block),
      members_(members),
      // Two: each byte is read once and written once.
      plan_(plan_chunks(members * block, 2, 1)),
      alone_(members * members * block <= plan_.chunk),
      stores_(stores_for(2 * members * members * block)) {}

ChunkCount ExchangeWork::chunks() const {
  return {alone_ ? 1 : members_ * plan_.count(), stores_ == Stores::streaming};
}

void ExchangeWork::operator()(std::size_t chunk) {
  if (!alone_) return exchange_chunk(chunk);
  for (std::size_t each = 0; each < members_ * plan_.count(); ++each) exchange_chunk(each);
}

// Bytes [begin, begin + size) of a member's result. They come from one source after the other, in
// blocks.
void ExchangeWork::exchange_chunk(std::size_t chunk) {
  const std::size_t member = chunk / plan_.count(), part = chunk % plan_.count();
  const std::size_t begin = plan_.begin(part), size = plan_.size(part);
  call_.touch_out(member, begin, size);
  for (std::size_t done = 0; done < size;) {
    const std::size_t at = begin + done, within = at % block_;
    const std::size_t bytes = std::min(block_ - within, size - done);
    copy_bytes(call_.out()[member] + at, call_.in()[at / block_] + member * block_ + within, bytes,
               stores_);
    done += bytes;
  }
  if (stores_ == Stores::streaming) finish_streams();
}

// Serves all_gather (all members are sources) and broadcast (one source).
SpreadWork::SpreadWork(DirectCall& call, std::size_t block, std::size_t members,
                       std::size_t first_source, std::size_t sources)
    : call_(call),
      block_(block),
      members_(members),
      first_source_(first_source),
      sources_(sources),
      plan_(plan_chunks(block, members + 1, 1)),
      // Small spreads are done by one member: waking the others would take longer.
      alone_(members * sources * block <= kPushedByOne),
      stores_(stores_for((members + 1) * sources * block)) {}

ChunkCount SpreadWork::chunks() const {
  return {alone_ ? 1 : sources_ * plan_.count(), stores_ == Stores::streaming};
}

void SpreadWork::operator()(std::size_t chunk) {
  if (!alone_) return spread_chunk(chunk);
  for (std::size_t each = 0; each < sources_ * plan_.count(); ++each) spread_chunk(each);
}

void SpreadWork::spread_chunk(std::size_t chunk) {
  const std::size_t source = chunk / plan_.count(), part = chunk % plan_.count();
  const std::size_t begin = plan_.begin(part), size = plan_.size(part);
  const std::byte* const from = call_.in()[first_source_ + source] + begin;
  call_.touch_in(first_source_ + source, begin, size);
  for (std::size_t member = 0; member < members_; ++member)
    call_.touch_out(member, source * block_ + begin, size);
  // Each piece is read from memory once and written to all results while it is in the cache.
  for (std::size_t done = 0; done < size; done += kCachedBytes) {
    const std::size_t bytes = std::min(kCachedBytes, size - done);
    for (std::size_t member = 0; member < members_; ++member)
      copy_bytes(call_.out()[member] + source * block_ + begin + done, from + done, bytes, stores_);
  }
  if (stores_ == Stores::streaming) finish_streams();
}

}  // namespace understudy::collectives
