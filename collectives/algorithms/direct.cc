// SPDX-License-Identifier: Apache-2.0
// All of the collectives by DirectCall: what differs is how the work is cut and what a chunk does.
#include "collectives/algorithms/direct.h"

#include <algorithm>

#include "collectives/algorithms/makers.h"
#include "configs/base/error.h"

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

class Direct final : public Algorithm {
 public:
  Direct(std::string_view name, bool by_hosts) : name_(name), by_hosts_(by_hosts) {}
  std::string_view name() const override { return name_; }

  CallReport all_reduce(const Fabric& fabric, const Group& group, const Reducer& reducer,
                        std::span<const std::byte> in, std::span<std::byte> out,
                        const CallSite& site) const override;
  CallReport all_gather(const Fabric& fabric, const Group& group, std::span<const std::byte> in,
                        std::span<std::byte> out, const CallSite& site) const override;
  CallReport reduce_scatter(const Fabric& fabric, const Group& group, const Reducer& reducer,
                            std::span<const std::byte> in, std::span<std::byte> out,
                            const CallSite& site) const override;
  CallReport all_to_all(const Fabric& fabric, const Group& group, std::span<const std::byte> in,
                        std::span<std::byte> out, const CallSite& site) const override;
  CallReport broadcast(const Fabric& fabric, const Group& group, std::size_t root,
                       std::span<const std::byte> in, std::span<std::byte> out,
                       const CallSite& site) const override;
  CallReport permute(const Fabric& fabric, Rank to, Rank from, std::span<const std::byte> in,
                     std::span<std::byte> out, const CallSite& site) const override;

 private:
  // Copies only: every member's `out` is cut into chunks, `fill(call, member, begin, size)` fills
  // one of them.
  template <class Fill>
  CallReport move(const Fabric& fabric, const Group& group, std::span<const std::byte> in,
                  std::span<std::byte> out, const CallSite& site, const Fill& fill) const;
  FoldOrder order(const Fabric& fabric, const Group& group) const {
    return by_hosts_ && !fabric.reproducible ? order_by_hosts(fabric.layout, group)
                                             : flat_order(group.size());
  }

  std::string_view name_;
  bool by_hosts_;
};

bool serves(const Fabric& fabric, const Group& group) {
  return serves(fabric, group.members, Role::member);
}

// What runs where memory is not shared: the same bits by messages.
Fabric by_messages(const Fabric& fabric) {
  Fabric other = fabric;
  other.reproducible = true;
  return other;
}

// The work of an all_reduce into the first `results` members' buffers.
CallReport reduce_to(DirectCall& call, const FoldOrder& folds, const Reducer& reducer,
                     std::span<const std::byte> in, std::span<std::byte> out, std::size_t members,
                     std::size_t results) {
  const std::size_t weight = members + results, unit = reducer.element_bytes();
  const ChunkPlan plan = plan_chunks(in.size(), weight, members);
  const Stores stores = stores_for(weight * in.size());
  std::vector<const std::byte*> ins(plan.count() == 1 ? 0 : members);
  std::vector<std::byte*> outs(plan.count() == 1 ? 0 : results);
  auto work = [&](std::size_t chunk) {
    if (plan.bytes == 0) return;
    if (plan.count() == 1) {
      return fold(reducer, folds, call.in(), call.out().first(results), in.size() / unit, stores);
    }
    const std::size_t begin = plan.begin(chunk), size = plan.size(chunk);
    for (std::size_t m = 0; m < members; ++m) {
      call.touch_in(m, begin, size);
      ins[m] = call.in()[m] + begin;
    }
    for (std::size_t m = 0; m < results; ++m) {
      call.touch_out(m, begin, size);
      outs[m] = call.out()[m] + begin;
    }
    fold(reducer, folds, ins, outs, size / unit, stores);
    if (stores == Stores::streaming) finish_streams();
  };
  call.arrive(in, out, in.size(),
              {std::max<std::size_t>(plan.count(), 1), stores == Stores::streaming}, work);
  return call.finish();
}

// Pieces so small that the operands' copies and the one result stay in the cache between being
// written and being read.
constexpr std::size_t kPrivatePiece = std::size_t{256} << 10;
// Up to here results are pushed to every member's staging memory: that needs no second meeting.
constexpr std::size_t kSmallPrivate = std::size_t{16} << 10;

// The first member's copy of a result is overwritten only after all have arrived with the next
// piece, so all have read it.
CallReport reduce_in_pieces(const Fabric& fabric, const Group& group, const FoldOrder& folds,
                            const Reducer& reducer, std::span<const std::byte> in,
                            std::span<std::byte> out, const CallSite& site, std::string_view name) {
  CallReport report;
  const auto staged = fabric.shared->staging(fabric.lane, Staging::in, kPrivatePiece);
  const auto result = fabric.shared->staging(fabric.lane, Staging::out, kPrivatePiece);
  for (std::size_t at = 0; at == 0 || at < in.size(); at += kPrivatePiece) {
    const std::size_t bytes = std::min(kPrivatePiece, in.size() - at);
    copy_bytes(staged.data(), in.data() + at, bytes, Stores::ordinary);
    DirectCall call(fabric, group, site, Role::member, name);
    report =
        reduce_to(call, folds, reducer, staged.first(bytes), result.first(bytes), group.size(), 1);
    if (bytes > 0) copy_bytes(out.data() + at, call.first_out(), bytes, Stores::ordinary);
  }
  // Who reads slowly must not find the next operation's bytes there.
  DirectCall read(fabric, group, site, Role::member, name);
  auto nothing = [](std::size_t) {};
  read.arrive({}, {}, 0, {}, nothing);
  read.finish();
  return report;
}

CallReport Direct::all_reduce(const Fabric& fabric, const Group& group, const Reducer& reducer,
                              std::span<const std::byte> in, std::span<std::byte> out,
                              const CallSite& site) const {
  UNDERSTUDY_ASSERT(in.size() == out.size());
  if (!serves(fabric, group)) {
    if (by_hosts_ && order(fabric, group).runs.size() > 1) {
      return hierarchical_algorithm().all_reduce(fabric, group, reducer, in, out, site);
    }
    return ring_algorithm().all_reduce(by_messages(fabric), group, reducer, in, out, site);
  }
  const FoldOrder folds = order(fabric, group);
  if (fabric.private_buffers && in.size() > kSmallPrivate) {
    return reduce_in_pieces(fabric, group, folds, reducer, in, out, site, name_);
  }
  DirectCall call(fabric, group, site, Role::member, name_);
  return reduce_to(call, folds, reducer, in, out, group.size(), group.size());
}

CallReport Direct::reduce_scatter(const Fabric& fabric, const Group& group, const Reducer& reducer,
                                  std::span<const std::byte> in, std::span<std::byte> out,
                                  const CallSite& site) const {
  UNDERSTUDY_ASSERT(in.size() == out.size() * group.size());
  if (!serves(fabric, group)) {
    if (by_hosts_ && order(fabric, group).runs.size() > 1) {
      return hierarchical_algorithm().reduce_scatter(fabric, group, reducer, in, out, site);
    }
    return ring_algorithm().reduce_scatter(by_messages(fabric), group, reducer, in, out, site);
  }
  DirectCall call(fabric, group, site, Role::member, name_);
  const std::size_t n = group.size(), unit = reducer.element_bytes(), block = out.size();
  const ChunkPlan plan = plan_chunks(block, n + 1, 1);
  const bool alone = in.size() + block <= plan.chunk;
  const std::size_t per_block = plan.count();
  const FoldOrder folds = order(fabric, group);
  const Stores stores = stores_for((n + 1) * in.size());
  std::vector<const std::byte*> ins(n);
  const auto fold_chunk = [&](std::size_t chunk) {
    const std::size_t owner = chunk / per_block, part = chunk % per_block;
    for (std::size_t m = 0; m < n; ++m) {
      call.touch_in(m, owner * block + plan.begin(part), plan.size(part));
      ins[m] = call.in()[m] + owner * block + plan.begin(part);
    }
    call.touch_out(owner, plan.begin(part), plan.size(part));
    std::byte* const result = call.out()[owner] + plan.begin(part);
    fold(reducer, folds, ins, std::span(&result, 1), plan.size(part) / unit, stores);
    if (stores == Stores::streaming) finish_streams();
  };
  auto work = [&](std::size_t chunk) {
    if (!alone) return fold_chunk(chunk);
    for (std::size_t each = 0; each < n * per_block; ++each) fold_chunk(each);
  };
  call.arrive(in, out, in.size(), {alone ? 1 : n * per_block, stores == Stores::streaming}, work);
  return call.finish();
}

template <class Fill>
CallReport Direct::move(const Fabric& fabric, const Group& group, std::span<const std::byte> in,
                        std::span<std::byte> out, const CallSite& site, const Fill& fill) const {
  DirectCall call(fabric, group, site, Role::member, name_);
  const std::size_t n = group.size();
  const ChunkPlan plan = plan_chunks(out.size(), 2, 1);
  const bool alone = n * out.size() <= plan.chunk;
  const std::size_t per_member = plan.count();
  const Stores stores = stores_for(2 * n * out.size());
  const auto fill_chunk = [&](std::size_t chunk) {
    const std::size_t part = chunk % per_member;
    call.touch_out(chunk / per_member, plan.begin(part), plan.size(part));
    fill(call, chunk / per_member, plan.begin(part), plan.size(part), stores);
    if (stores == Stores::streaming) finish_streams();
  };
  auto work = [&](std::size_t chunk) {
    if (!alone) return fill_chunk(chunk);
    for (std::size_t each = 0; each < n * per_member; ++each) fill_chunk(each);
  };
  call.arrive(in, out, in.size(), {alone ? 1 : n * per_member, stores == Stores::streaming}, work);
  return call.finish();
}

CallReport Direct::all_gather(const Fabric& fabric, const Group& group,
                              std::span<const std::byte> in, std::span<std::byte> out,
                              const CallSite& site) const {
  UNDERSTUDY_ASSERT(out.size() == in.size() * group.size());
  if (!serves(fabric, group)) return ring_algorithm().all_gather(fabric, group, in, out, site);
  return move(fabric, group, in, out, site,
              [&](DirectCall& call, std::size_t member, std::size_t begin, std::size_t size,
                  Stores stores) {
                gather_range(call.out()[member], begin, size, in.size(), stores,
                             [&](std::size_t from) { return call.in()[from]; });
              });
}

CallReport Direct::all_to_all(const Fabric& fabric, const Group& group,
                              std::span<const std::byte> in, std::span<std::byte> out,
                              const CallSite& site) const {
  UNDERSTUDY_ASSERT(in.size() == out.size() && in.size() % group.size() == 0);
  if (!serves(fabric, group)) return ring_algorithm().all_to_all(fabric, group, in, out, site);
  const std::size_t block = in.size() / group.size();
  return move(fabric, group, in, out, site,
              [&](DirectCall& call, std::size_t member, std::size_t begin, std::size_t size,
                  Stores stores) {
                gather_range(call.out()[member], begin, size, block, stores,
                             [&](std::size_t from) { return call.in()[from] + member * block; });
              });
}

CallReport Direct::broadcast(const Fabric& fabric, const Group& group, std::size_t root,
                             std::span<const std::byte> in, std::span<std::byte> out,
                             const CallSite& site) const {
  UNDERSTUDY_ASSERT(root < group.size());
  if (!serves(fabric, group)) return ring_algorithm().broadcast(fabric, group, root, in, out, site);
  // Only the root's operand counts: all publish as many bytes as there are to come.
  return move(fabric, group, group.self == root ? in : out, out, site,
              [&](DirectCall& call, std::size_t member, std::size_t begin, std::size_t size,
                  Stores stores) {
                copy_bytes(call.out()[member] + begin, call.in()[root] + begin, size, stores);
              });
}

// A pair that shares memory meets there, any other sends a message: both sides see the same.
CallReport Direct::permute(const Fabric& fabric, Rank to, Rank from, std::span<const std::byte> in,
                           std::span<std::byte> out, const CallSite& site) const {
  const Rank self = fabric.transport.rank();
  CallReport report{.algorithm = name_, .emulated_seconds = site.emulated_seconds};
  if (to == self) {
    UNDERSTUDY_ASSERT(from == to && in.size() == out.size());
    copy_bytes(out.data(), in.data(), in.size(), Stores::ordinary);
    return report;
  }
  const Group giving{{self, to}, 0}, taking{{from, self}, 1};
  const bool gives = to != kNobody && serves(fabric, giving.members, Role::giver);
  const bool takes = from != kNobody && serves(fabric, taking.members, Role::taker);
  std::optional<DirectCall> gift, loan;
  const auto copy = [](DirectCall& call, std::size_t bytes) {
    if (bytes > 0) copy_bytes(call.out()[1], call.in()[0], bytes, Stores::ordinary);
  };
  auto give = [&](std::size_t) { copy(*gift, in.size()); };
  auto take = [&](std::size_t) { copy(*loan, out.size()); };
  if (gives) {
    gift.emplace(fabric, giving, site, Role::giver, name_);
    gift->arrive(in, {}, in.size(), {}, give);
  }
  if (takes) {
    loan.emplace(fabric, taking, site, Role::taker, name_);
    loan->arrive({}, out, out.size(), {}, take);
  }
  const bool messages = (to != kNobody && !gives) || (from != kNobody && !takes);
  if (messages) {
    report = ring_algorithm().permute(fabric, gives ? kNobody : to, takes ? kNobody : from, in, out,
                                      site);
  }
  if (gift) gift->finish();
  if (loan) {
    report.emulated_seconds = std::max(report.emulated_seconds, loan->finish().emulated_seconds);
  }
  return report;
}

}  // namespace

CallReport all_reduce_shared(const Fabric& fabric, const Group& group, const Reducer& reducer,
                             std::span<const std::byte> in, std::span<std::byte> out,
                             const CallSite& site, const std::byte** result) {
  DirectCall call(fabric, group, site, Role::member, "direct, one result");
  const CallReport report =
      reduce_to(call, flat_order(group.size()), reducer, in, out, group.size(), 1);
  *result = call.first_out();
  return report;
}

const Algorithm& direct_algorithm() {
  static const Direct direct("direct", false);
  return direct;
}

const Algorithm& direct_by_hosts() {
  static const Direct direct("direct-by-hosts", true);
  return direct;
}

}  // namespace understudy::collectives
