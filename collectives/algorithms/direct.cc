// SPDX-License-Identifier: Apache-2.0
// All of the collectives by DirectCall: what differs is how the work is cut and what a chunk does.
#include "collectives/algorithms/direct.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "collectives/algorithms/direct_pieces.h"
#include "collectives/algorithms/direct_work.h"
#include "collectives/algorithms/makers.h"
#include "configs/base/error.h"

namespace understudy::collectives {
namespace {

// Two instances: "direct" folds in group order, "direct-by-hosts" in the canonical order of hosts.
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

  std::unique_ptr<UnderWay> start_all_reduce(const Fabric& fabric, const Group& group,
                                             const Reducer& reducer, std::span<const std::byte> in,
                                             std::span<std::byte> out,
                                             const CallSite& site) const override;
  std::unique_ptr<UnderWay> start_all_gather(const Fabric& fabric, const Group& group,
                                             std::span<const std::byte> in,
                                             std::span<std::byte> out,
                                             const CallSite& site) const override;
  std::unique_ptr<UnderWay> start_reduce_scatter(const Fabric& fabric, const Group& group,
                                                 const Reducer& reducer,
                                                 std::span<const std::byte> in,
                                                 std::span<std::byte> out,
                                                 const CallSite& site) const override;

 private:
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

// The fabric for members that do not share memory: the same bits by messages.
Fabric by_messages(const Fabric& fabric) {
  // reproducible makes the ring fold in group order, as the flat direct path does.
  Fabric other = fabric;
  other.reproducible = true;
  return other;
}

// An all_reduce into the first `results` members' buffers.
CallReport reduce_to(DirectUnderWay<ReduceWork>& call, std::span<const std::byte> in,
                     std::span<std::byte> out) {
  call.enter(in, out, in.size());
  return call.finish();
}

CallReport Direct::all_reduce(const Fabric& fabric, const Group& group, const Reducer& reducer,
                              std::span<const std::byte> in, std::span<std::byte> out,
                              const CallSite& site) const {
  UNDERSTUDY_ASSERT(in.size() == out.size());
  if (!serves(fabric, group)) {
    // Both paths fold in the canonical order (by hosts, or flat), so that the bits of a result do
    // not depend on which machines the ranks run on.
    if (by_hosts_ && order(fabric, group).runs.size() > 1) {
      return hierarchical_algorithm().all_reduce(fabric, group, reducer, in, out, site);
    }
    return ring_algorithm().all_reduce(by_messages(fabric), group, reducer, in, out, site);
  }
  const FoldOrder folds = order(fabric, group);
  // Small private buffers are staged whole by DirectCall; for large ones that would double the
  // memory and lose the cache.
  if (fabric.private_buffers && in.size() > kSmallPrivate) {
    return reduce_in_pieces(fabric, group, folds, reducer, in, out, site, name_);
  }
  DirectUnderWay<ReduceWork> call(fabric, group, site, name_, folds, reducer, in.size(),
                                  group.size(), group.size());
  return reduce_to(call, in, out);
}

std::unique_ptr<UnderWay> Direct::start_all_reduce(const Fabric& fabric, const Group& group,
                                                   const Reducer& reducer,
                                                   std::span<const std::byte> in,
                                                   std::span<std::byte> out,
                                                   const CallSite& site) const {
  // The condition is the same on all members: serves() and private_buffers do not depend on the
  // rank.
  if (!serves(fabric, group) || fabric.private_buffers) return nullptr;
  auto call =
      std::make_unique<DirectUnderWay<ReduceWork>>(fabric, group, site, name_, order(fabric, group),
                                                   reducer, in.size(), group.size(), group.size());
  call->enter(in, out, in.size());
  return call;
}

CallReport Direct::reduce_scatter(const Fabric& fabric, const Group& group, const Reducer& reducer,
                                  std::span<const std::byte> in, std::span<std::byte> out,
                                  const CallSite& site) const {
  UNDERSTUDY_ASSERT(in.size() == out.size() * group.size());
  if (!serves(fabric, group)) {
    // Several runs: the canonical order is by hosts, which only the hierarchical algorithm has by
    // messages.
    if (by_hosts_ && order(fabric, group).runs.size() > 1) {
      return hierarchical_algorithm().reduce_scatter(fabric, group, reducer, in, out, site);
    }
    return ring_algorithm().reduce_scatter(by_messages(fabric), group, reducer, in, out, site);
  }
  DirectUnderWay<ScatterWork> call(fabric, group, site, name_, order(fabric, group), reducer,
                                   out.size(), group.size());
  call.enter(in, out, in.size());
  return call.finish();
}

std::unique_ptr<UnderWay> Direct::start_reduce_scatter(const Fabric& fabric, const Group& group,
                                                       const Reducer& reducer,
                                                       std::span<const std::byte> in,
                                                       std::span<std::byte> out,
                                                       const CallSite& site) const {
  if (!serves(fabric, group) || fabric.private_buffers) return nullptr;
  auto call = std::make_unique<DirectUnderWay<ScatterWork>>(
      fabric, group, site, name_, order(fabric, group), reducer, out.size(), group.size());
  call->enter(in, out, in.size());
  return call;
}

CallReport Direct::all_gather(const Fabric& fabric, const Group& group,
                              std::span<const std::byte> in, std::span<std::byte> out,
                              const CallSite& site) const {
  UNDERSTUDY_ASSERT(out.size() == in.size() * group.size());
  if (!serves(fabric, group)) return ring_algorithm().all_gather(fabric, group, in, out, site);
  if (fabric.private_buffers && out.size() > kSmallPrivate)
    return gather_in_pieces(fabric, group, in, out, site, name_);
  DirectUnderWay<SpreadWork> call(fabric, group, site, name_, in.size(), group.size(),
                                  std::size_t{0}, group.size());
  call.enter(in, out, in.size());
  return call.finish();
}

std::unique_ptr<UnderWay> Direct::start_all_gather(const Fabric& fabric, const Group& group,
                                                   std::span<const std::byte> in,
                                                   std::span<std::byte> out,
                                                   const CallSite& site) const {
  if (!serves(fabric, group) || fabric.private_buffers) return nullptr;
  auto call = std::make_unique<DirectUnderWay<SpreadWork>>(
      fabric, group, site, name_, in.size(), group.size(), std::size_t{0}, group.size());
  call->enter(in, out, in.size());
  return call;
}

CallReport Direct::all_to_all(const Fabric& fabric, const Group& group,
                              std::span<const std::byte> in, std::span<std::byte> out,
                              const CallSite& site) const {
  UNDERSTUDY_ASSERT(in.size() == out.size() && in.size() % group.size() == 0);
  if (!serves(fabric, group)) return ring_algorithm().all_to_all(fabric, group, in, out, site);
  if (fabric.private_buffers && out.size() > kSmallPrivate)
    return exchange_in_pieces(fabric, group, in, out, site, name_);
  DirectUnderWay<ExchangeWork> call(fabric, group, site, name_, in.size() / group.size(),
                                    group.size());
  call.enter(in, out, in.size());
  return call.finish();
}

CallReport Direct::broadcast(const Fabric& fabric, const Group& group, std::size_t root,
                             std::span<const std::byte> in, std::span<std::byte> out,
                             const CallSite& site) const {
  UNDERSTUDY_ASSERT(root < group.size());
  if (!serves(fabric, group)) return ring_algorithm().broadcast(fabric, group, root, in, out, site);
  // Only the operand of the root matters. All members publish the same size, because a rendezvous
  // requires equal sizes.
  DirectUnderWay<SpreadWork> call(fabric, group, site, name_, out.size(), group.size(), root,
                                  std::size_t{1});
  call.enter(group.self == root ? in : out, out, out.size());
  return call.finish();
}

// Pairs that share memory meet in it, other pairs exchange a message. Both sides of a pair get the
// same answer from serves(). Both meetings are entered before either is finished: in a cycle of
// ranks, finishing one first would be a deadlock.
CallReport Direct::permute(const Fabric& fabric, Rank to, Rank from, std::span<const std::byte> in,
                           std::span<std::byte> out, const CallSite& site) const {
  const Rank self = fabric.transport.rank();
  CallReport report{.algorithm = name_, .emulated_seconds = site.emulated_seconds};
  // A process that sends to itself also receives from itself (StableHLO: sources and targets are
  // unique).
  if (to == self) {
    UNDERSTUDY_ASSERT(from == to && in.size() == out.size());
    copy_bytes(out.data(), in.data(), in.size(), Stores::ordinary);
    return report;
  }
  // The giver is always first in the group, so that both sides derive the same gate.
  const Group giving{{self, to}, 0}, taking{{from, self}, 1};
  const bool gives = to != kNobody && serves(fabric, giving.members, Role::giver);
  const bool takes = from != kNobody && serves(fabric, taking.members, Role::taker);
  std::optional<DirectCall> gift, loan;
  const auto copy = [](DirectCall& call, std::size_t bytes) {
    // Either side may do the copy: whoever comes last, or has a core.
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

// One result instead of one per member: members that only read the result save the copies.
CallReport all_reduce_shared(const Fabric& fabric, const Group& group, const Reducer& reducer,
                             std::span<const std::byte> in, std::span<std::byte> out,
                             const CallSite& site, const std::byte** result) {
  DirectUnderWay<ReduceWork> call(fabric, group, site, "direct, one result",
                                  flat_order(group.size()), reducer, in.size(), group.size(),
                                  std::size_t{1});
  const CallReport report = reduce_to(call, in, out);
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
