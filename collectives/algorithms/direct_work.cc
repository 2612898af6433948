// SPDX-License-Identifier: Apache-2.0
#include "collectives/algorithms/direct_work.h"

namespace understudy::collectives {
namespace {

// Bytes [begin, begin + size) of what results when `piece(i)`, each of `unit` bytes, stand side by
// side.
template <class Piece>
void gather_range(std::byte* to, std::size_t begin, std::size_t size, std::size_t unit,
                  Stores stores, const Piece& piece) {
  for (std::size_t done = 0; done < size;) {
    const std::size_t at = begin + done, within = at % unit;
    const std::size_t bytes = std::min(unit - within, size - done);
    copy_bytes(to + at, piece(at / unit) + within, bytes, stores);
    done += bytes;
  }
}

}  // namespace

// ---- all_reduce --------------------------------------------------------------------------------

ReduceWork::ReduceWork(DirectCall& call, FoldOrder folds, const Reducer& reducer, std::size_t bytes,
                       std::size_t members, std::size_t results)
    : call_(call),
      folds_(std::move(folds)),
      reducer_(reducer),
      weight_(members + results),
      results_(results),
      plan_(plan_chunks(bytes, weight_, members)),
      stores_(stores_for(weight_ * bytes)),
      ins_(plan_.count() <= 1 ? 0 : members),
      outs_(plan_.count() <= 1 ? 0 : results) {}

ChunkCount ReduceWork::chunks() const {
  return {std::max<std::size_t>(plan_.count(), 1), stores_ == Stores::streaming};
}

void ReduceWork::operator()(std::size_t chunk) {
  if (plan_.bytes == 0) return;
  const std::size_t unit = reducer_.element_bytes();
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
  if (stores_ == Stores::streaming) finish_streams();
}

// ---- reduce_scatter ----------------------------------------------------------------------------

ScatterWork::ScatterWork(DirectCall& call, FoldOrder folds, const Reducer& reducer,
                         std::size_t block, std::size_t members)
    : call_(call),
      folds_(std::move(folds)),
      reducer_(reducer),
      block_(block),
      members_(members),
      plan_(plan_chunks(block, members + 1, 1)),
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

MoveWork::MoveWork(DirectCall& call, std::size_t bytes, std::size_t members, Fill fill)
    : call_(call),
      members_(members),
      plan_(plan_chunks(bytes, 2, 1)),
      alone_(members * bytes <= plan_.chunk),
      stores_(stores_for(2 * members * bytes)),
      fill_(std::move(fill)) {}

ChunkCount MoveWork::chunks() const {
  return {alone_ ? 1 : members_ * plan_.count(), stores_ == Stores::streaming};
}

void MoveWork::operator()(std::size_t chunk) {
  if (!alone_) return fill_chunk(chunk);
  for (std::size_t each = 0; each < members_ * plan_.count(); ++each) fill_chunk(each);
}

void MoveWork::fill_chunk(std::size_t chunk) {
  const std::size_t member = chunk / plan_.count(), part = chunk % plan_.count();
  call_.touch_out(member, plan_.begin(part), plan_.size(part));
  fill_(call_, member, plan_.begin(part), plan_.size(part), stores_);
  if (stores_ == Stores::streaming) finish_streams();
}

MoveWork::Fill gather_fill(std::size_t block) {
  return [block](DirectCall& call, std::size_t member, std::size_t begin, std::size_t size,
                 Stores stores) {
    gather_range(call.out()[member], begin, size, block, stores,
                 [&](std::size_t from) { return call.in()[from]; });
  };
}

MoveWork::Fill exchange_fill(std::size_t block) {
  return [block](DirectCall& call, std::size_t member, std::size_t begin, std::size_t size,
                 Stores stores) {
    gather_range(call.out()[member], begin, size, block, stores,
                 [&](std::size_t from) { return call.in()[from] + member * block; });
  };
}

}  // namespace understudy::collectives
