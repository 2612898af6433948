// SPDX-License-Identifier: Apache-2.0
// All of the collectives by DirectCall: what differs is how the work is cut and what a chunk does.
#include "collectives/algorithms/direct.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "collectives/algorithms/direct_work.h"
#include "collectives/algorithms/makers.h"
#include "configs/base/error.h"

namespace understudy::collectives {
namespace {

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

// What runs where memory is not shared: the same bits by messages.
Fabric by_messages(const Fabric& fabric) {
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

CallReport move(const Fabric& fabric, const Group& group, std::span<const std::byte> in,
                std::span<std::byte> out, const CallSite& site, std::string_view name,
                MoveWork::Fill fill) {
  DirectUnderWay<MoveWork> call(fabric, group, site, name, out.size(), group.size(),
                                std::move(fill));
  call.enter(in, out, in.size());
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
    DirectUnderWay<ReduceWork> call(fabric, group, site, name, folds, reducer, bytes, group.size(),
                                    std::size_t{1});
    report = reduce_to(call, staged.first(bytes), result.first(bytes));
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
  DirectUnderWay<ReduceWork> call(fabric, group, site, name_, folds, reducer, in.size(),
                                  group.size(), group.size());
  return reduce_to(call, in, out);
}

std::unique_ptr<UnderWay> Direct::start_all_reduce(const Fabric& fabric, const Group& group,
                                                   const Reducer& reducer,
                                                   std::span<const std::byte> in,
                                                   std::span<std::byte> out,
                                                   const CallSite& site) const {
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
  return move(fabric, group, in, out, site, name_, gather_fill(in.size()));
}

std::unique_ptr<UnderWay> Direct::start_all_gather(const Fabric& fabric, const Group& group,
                                                   std::span<const std::byte> in,
                                                   std::span<std::byte> out,
                                                   const CallSite& site) const {
  if (!serves(fabric, group) || fabric.private_buffers) return nullptr;
  auto call = std::make_unique<DirectUnderWay<MoveWork>>(fabric, group, site, name_, out.size(),
                                                         group.size(), gather_fill(in.size()));
  call->enter(in, out, in.size());
  return call;
}

CallReport Direct::all_to_all(const Fabric& fabric, const Group& group,
                              std::span<const std::byte> in, std::span<std::byte> out,
                              const CallSite& site) const {
  UNDERSTUDY_ASSERT(in.size() == out.size() && in.size() % group.size() == 0);
  if (!serves(fabric, group)) return ring_algorithm().all_to_all(fabric, group, in, out, site);
  return move(fabric, group, in, out, site, name_, exchange_fill(in.size() / group.size()));
}

CallReport Direct::broadcast(const Fabric& fabric, const Group& group, std::size_t root,
                             std::span<const std::byte> in, std::span<std::byte> out,
                             const CallSite& site) const {
  UNDERSTUDY_ASSERT(root < group.size());
  if (!serves(fabric, group)) return ring_algorithm().broadcast(fabric, group, root, in, out, site);
  // Only the root's operand counts: all publish as many bytes as there are to come.
  return move(fabric, group, group.self == root ? in : out, out, site, name_,
              [root](DirectCall& call, std::size_t member, std::size_t begin, std::size_t size,
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
