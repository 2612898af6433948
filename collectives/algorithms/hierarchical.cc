// SPDX-License-Identifier: Apache-2.0
// Reductions over several machines in the canonical order: fold in group order within an emulated
// host, then over hosts. The operand is cut into *slices*, as many as the smallest host has
// members; member j of a host is the *agent* of slice j.
//
// 1. Every host folds each slice into the accumulators of its agent (shared memory or messages).
// 2. The agents of a slice cut it into one part per host, exchange the partials of their hosts,
//    merge in the order of hosts and round once.
// 3. The finished parts go to all agents of the slice, then every agent's slice to its host.
//
// Across hosts each agent sends 2(H-1)/H of its slice, H being the number of hosts.
#include <algorithm>
#include <numeric>

#include "collectives/algorithms/direct.h"
#include "collectives/algorithms/makers.h"
#include "collectives/call.h"
#include "collectives/chunks.h"
#include "collectives/forwarding_algorithm.h"
#include "configs/base/error.h"

namespace understudy::collectives {
namespace {

// Our position: the members of our host, and the agents of our slice.
struct Places {
  Group local, agents;
  std::size_t slices = 0;
  bool is_agent() const { return local.self < slices; }
};

Places places_of(const Group& group, const FoldOrder& order) {
  Places places;
  // Every host needs an agent for every slice. In larger hosts the last members are not agents.
  places.slices = *std::min_element(order.runs.begin(), order.runs.end());
  std::size_t first = 0, host = 0;
  while (group.self >= first + order.runs[host]) first += order.runs[host++];
  const auto begin = group.members.begin() + static_cast<std::ptrdiff_t>(first);
  places.local.members.assign(begin, begin + static_cast<std::ptrdiff_t>(order.runs[host]));
  // Members of a host are adjacent in the group (order_by_hosts() falls back to flat order
  // otherwise).
  places.local.self = group.self - first;
  places.agents.self = host;
  if (!places.is_agent()) return places;
  std::size_t start = 0;
  for (const std::size_t length : order.runs) {
    places.agents.members.push_back(group.members[start + places.local.self]);
    start += length;
  }
  return places;
}

void send(Call& call, std::span<const std::byte> bytes, std::size_t to) {
  const Outbound out{bytes, call.rank_of(to)};
  call.exchange_all(std::span(&out, 1), {});
}

void receive(Call& call, std::span<std::byte> bytes, std::size_t from) {
  Inbound in{bytes, call.rank_of(from)};
  call.exchange_all({}, std::span(&in, 1));
}

// One call of one member.
class HostsFirst {
 public:
  HostsFirst(const Fabric& fabric, const Reducer& reducer, const FoldOrder& order,
             const Group& group, const CallSite& site)
      : fabric_(fabric),
        reducer_(reducer),
        site_(site),
        places_(places_of(group, order)),
        unit_(reducer.element_bytes()),
        wide_(reducer.accumulator_bytes()) {
    report_.algorithm = "hierarchical";
    report_.emulated_seconds = site.emulated_seconds;
  }

  CallReport run(std::span<const std::byte> in, std::span<std::byte> out) {
    // The number of slices depends on the smallest host, so all hosts cut alike.
    slices_ = {in.size() / unit_, places_.slices};
    if (places_.is_agent()) partial_.resize(slices_.size(places_.local.self) * wide_);
    fold_slices(in);
    if (places_.is_agent()) join_hosts(out);
    hand_out(out);
    return report_;
  }

 private:
  std::span<std::byte> slice_of(std::span<std::byte> whole, std::size_t slice) const {
    return whole.subspan(slices_.begin(slice) * unit_, slices_.size(slice) * unit_);
  }
  std::span<const std::byte> slice_of(std::span<const std::byte> whole, std::size_t slice) const {
    return whole.subspan(slices_.begin(slice) * unit_, slices_.size(slice) * unit_);
  }
  CallSite site(double seconds) const {
    CallSite later = site_;
    // The header that the caller kept is for the whole group; the phases run in other groups.
    // A new signature per phase also keeps a member that is one phase ahead from being
    // misunderstood.
    later.header = nullptr;
    later.emulated_seconds = seconds;
    return later;
  }
  void add(const CallReport& report) {
    report_.messages += report.messages;
    report_.bytes += report.bytes;
    report_.emulated_seconds = std::max(report_.emulated_seconds, report.emulated_seconds);
  }

  void fold_slices(std::span<const std::byte> in);
  void fold_by_messages(std::span<const std::byte> in);
  void join_hosts(std::span<std::byte> out);
  void hand_out(std::span<std::byte> out);
  void hand_out_by_messages(std::span<std::byte> out);

  const Fabric& fabric_;
  const Reducer& reducer_;
  const CallSite& site_;
  const Places places_;
  const std::size_t unit_, wide_;
  Chunks slices_;
  std::vector<std::byte> partial_;  // accumulators of our slice, of our host
  CallReport report_;
};

// Step 1 in shared memory: into partial_ of every agent.
void HostsFirst::fold_slices(std::span<const std::byte> in) {
  const Group& local = places_.local;
  if (!serves(fabric_, local.members, Role::member)) return fold_by_messages(in);
  DirectCall call(fabric_, local, site(report_.emulated_seconds), Role::member, "hierarchical");
  // Chunks in bytes of accumulators, since these are what is written.
  const ChunkPlan plan = plan_chunks(slices_.largest() * wide_, local.size() + 1, 1);
  const std::size_t per_slice = std::max<std::size_t>(plan.count(), 1);
  std::vector<const std::byte*> operands(local.size());
  auto work = [&](std::size_t chunk) {
    const std::size_t slice = chunk / per_slice, part = chunk % per_slice;
    const std::size_t begin = plan.begin(part) / wide_;
    // Slices differ by at most one element, and all have as many chunks as the largest: the last
    // chunk of a smaller one may be empty.
    if (begin >= slices_.size(slice)) return;
    const std::size_t count = std::min(plan.chunk / wide_, slices_.size(slice) - begin);
    for (std::size_t m = 0; m < local.size(); ++m) {
      operands[m] = call.in()[m] + (slices_.begin(slice) + begin) * unit_;
    }
    reducer_.combine_all(operands, call.out()[slice] + begin * wide_, count);
  };
  call.arrive(in, partial_, in.size(), {per_slice * places_.slices, false}, work);
  add(call.finish());
}

// Step 1 without shared memory. In step s a member sends the slice of the agent s places to its
// right.
void HostsFirst::fold_by_messages(std::span<const std::byte> in) {
  const Group& local = places_.local;
  Call call(fabric_.transport, local, site(report_.emulated_seconds), "hierarchical");
  const std::size_t own = places_.is_agent() ? slices_.size(local.self) : 0;
  std::vector<std::byte> arrived(own * unit_ * local.size());
  std::vector<const std::byte*> operands(local.size());
  const auto place = [&](std::size_t member) {
    // The ranges are pairwise different, so all receives are in place before the fold.
    return std::span(arrived).subspan(member * own * unit_, own * unit_);
  };
  for (std::size_t step = 1; step < local.size(); ++step) {
    const std::size_t to = call.right(step), from = call.left(step);
    if (to < places_.slices && places_.is_agent()) {
      call.exchange(slice_of(in, to), to, place(from), from);
    } else if (to < places_.slices) {
      send(call, slice_of(in, to), to);
    } else if (places_.is_agent()) {
      receive(call, place(from), from);
    }
  }
  add(call.report());
  if (!places_.is_agent()) return;
  for (std::size_t m = 0; m < local.size(); ++m) {
    operands[m] = m == local.self ? slice_of(in, m).data() : place(m).data();
  }
  // All operands are here and are folded in group order, not in the order of arrival.
  reducer_.combine_all(operands, partial_.data(), own);
}

// Step 2 and the first half of step 3, between the agents of one slice.
void HostsFirst::join_hosts(std::span<std::byte> out) {
  const Group& agents = places_.agents;
  const std::span<std::byte> slice = slice_of(out, places_.local.self);
  const Chunks parts{slices_.size(places_.local.self), agents.size()};
  const std::size_t own = parts.size(agents.self);
  std::vector<std::byte> arrived(own * wide_ * agents.size());
  const auto from_host = [&](std::size_t host) {
    return std::span(arrived).subspan(host * own * wide_, own * wide_);
  };
  const auto partial = [&](std::size_t part) {
    return std::span(partial_).subspan(parts.begin(part) * wide_, parts.size(part) * wide_);
  };
  Call call(fabric_.transport, agents, site(report_.emulated_seconds), "hierarchical");
  for (std::size_t step = 1; step < agents.size(); ++step) {
    const std::size_t to = call.right(step), from = call.left(step);
    call.exchange(partial(to), to, from_host(from), from);
  }
  // Our own partial takes its place in the order of hosts, as if it had arrived.
  const auto mine = partial(agents.self);
  std::copy(mine.begin(), mine.end(), from_host(agents.self).begin());
  for (std::size_t host = 1; host < agents.size(); ++host) {
    // Host 0 is already in the first place of `arrived`.
    reducer_.merge(arrived.data(), from_host(host).data(), arrived.data(), own);
  }
  const auto part_of_slice = [&](std::size_t part) {
    return slice.subspan(parts.begin(part) * unit_, parts.size(part) * unit_);
  };
  reducer_.narrow(arrived.data(), part_of_slice(agents.self).data(), own);
  for (std::size_t step = 1; step < agents.size(); ++step) {
    const std::size_t to = call.right(step), from = call.left(step);
    call.exchange(part_of_slice(agents.self), to, part_of_slice(from), from);
  }
  add(call.report());
}

// The second half of step 3: every slice from the result of its agent to the results of all members
// of the host.
void HostsFirst::hand_out(std::span<std::byte> out) {
  const Group& local = places_.local;
  if (!serves(fabric_, local.members, Role::member)) return hand_out_by_messages(out);
  DirectCall call(fabric_, local, site(report_.emulated_seconds), Role::member, "hierarchical");
  // A small result is copied to all by the last member to arrive.
  const bool alone = out.size() * local.size() <= kPushedByOne;
  auto copy_for = [&](std::size_t member) {
    for (std::size_t slice = 0; slice < places_.slices; ++slice) {
      const std::size_t begin = slices_.begin(slice) * unit_, bytes = slices_.size(slice) * unit_;
      const std::byte* from = call.in()[slice] + begin;
      std::byte* const to = call.out()[member] + begin;
      // An agent's slice is where it belongs already.
      if (from != to && bytes > 0) copy_bytes(to, from, bytes, Stores::ordinary);
    }
  };
  auto work = [&](std::size_t chunk) {
    if (!alone) return copy_for(chunk);
    for (std::size_t member = 0; member < local.size(); ++member) copy_for(member);
  };
  call.arrive(out, out, out.size(), {alone ? 1 : local.size(), false}, work);
  add(call.finish());
}

// In step s every agent sends its slice s places to the right; members that are not agents only
// receive.
void HostsFirst::hand_out_by_messages(std::span<std::byte> out) {
  const Group& local = places_.local;
  Call call(fabric_.transport, local, site(report_.emulated_seconds), "hierarchical");
  for (std::size_t step = 1; step < local.size(); ++step) {
    const std::size_t to = call.right(step), from = call.left(step);
    if (places_.is_agent() && from < places_.slices) {
      call.exchange(slice_of(out, local.self), to, slice_of(out, from), from);
    } else if (places_.is_agent()) {
      send(call, slice_of(out, local.self), to);
    } else if (from < places_.slices) {
      receive(call, slice_of(out, from), from);
    }
  }
  add(call.report());
}

// Only reductions have an order. All other collectives are those of the direct path.
class Hierarchical final : public ForwardingAlgorithm {
 public:
  Hierarchical() : ForwardingAlgorithm(direct_algorithm()) {}
  std::string_view name() const override { return "hierarchical"; }

  CallReport all_reduce(const Fabric& fabric, const Group& group, const Reducer& reducer,
                        std::span<const std::byte> in, std::span<std::byte> out,
                        const CallSite& site) const override {
    UNDERSTUDY_ASSERT(in.size() == out.size());
    const FoldOrder order = order_by_hosts(fabric.layout, group);
    if (fabric.reproducible || order.runs.size() == 1) {
      return inner().all_reduce(fabric, group, reducer, in, out, site);
    }
    return HostsFirst(fabric, reducer, order, group, site).run(in, out);
  }

  // Our block of the whole all_reduce: simple, but it also moves the blocks of others.
  CallReport reduce_scatter(const Fabric& fabric, const Group& group, const Reducer& reducer,
                            std::span<const std::byte> in, std::span<std::byte> out,
                            const CallSite& site) const override {
    UNDERSTUDY_ASSERT(in.size() == out.size() * group.size());
    std::vector<std::byte> whole(in.size());
    const CallReport report = all_reduce(fabric, group, reducer, in, whole, site);
    const auto own = std::span(whole).subspan(group.self * out.size(), out.size());
    std::copy(own.begin(), own.end(), out.begin());
    return report;
  }
};

}  // namespace

const Algorithm& hierarchical_algorithm() {
  static const Hierarchical hierarchical;
  return hierarchical;
}

}  // namespace understudy::collectives
