// SPDX-License-Identifier: Apache-2.0
#include "worker/pod/flight_recorder.h"

#include <algorithm>
#include <ctime>

#include "configs/base/deadline.h"
#include "configs/base/error.h"

namespace understudy::worker {
namespace {

constexpr double kSecondsPerNanosecond = 1e-9;
// A place in the program reports at most this many ranks, those that were last most often.
// Eight suffice for a message, and bound the receipt of a pod with many ranks.
constexpr std::size_t kMostLate = 8;

// Monotonic: all ranks of one machine read the same clock, and setting the wall clock does not
// disturb it.
std::int64_t monotonic_nanoseconds() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * kNanosecondsPerSecond + now.tv_nsec;
}

// A 16-bit fingerprint of the fields of a call that an entry does not store: channel, element
// count, element type, reduction, layout. Two ranks that enter different calls at the same number
// differ in it with a probability of 1 - 2^-16; the diagnosis compares them.
std::uint16_t fingerprint_of(const collectives::CallSite& site) {
  constexpr std::uint64_t kMixer = 0x9e3779b97f4a7c15;  // 2^64 / golden ratio
  // Multiplicative hashing (Knuth 6.4): the high bits of the product are the well-mixed ones.
  constexpr int kHigh = 48;
  // The channel is mixed before the count is added: small numbers would collide otherwise.
  std::uint64_t mix = static_cast<std::uint64_t>(site.channel) * kMixer + site.elements;
  for (const std::string_view word : {site.element, site.reduction, site.layout})
    for (const char letter : word) mix = (mix ^ static_cast<unsigned char>(letter)) * kMixer;
  return static_cast<std::uint16_t>(mix * kMixer >> kHigh);
}

double seconds_of(std::int64_t nanoseconds) {
  return static_cast<double>(nanoseconds) * kSecondsPerNanosecond;
}

}  // namespace

FlightRecorder::FlightRecorder(configs::RecordWriter& record, const PodMemory& memory,
                               const configs::RunPlan& plan)
    : record_(record),
      memory_(memory),
      faults_(plan.faults, memory.self(),
              plan.host_of.at(static_cast<std::size_t>(memory.self().value))) {
  // A rank that runs another program has that program's places.
  const configs::PlannedProgram* const other = configs::other_program_of(plan, memory.self());
  for (const configs::PlannedSite& site : other == nullptr ? plan.sites : other->sites)
    places_[static_cast<std::uint32_t>(site.op)] = site;
}

std::uint64_t FlightRecorder::enter(std::string_view kind, std::span<const std::uint32_t> ops,
                                    std::size_t bytes, std::span<const Rank> members,
                                    collectives::CallSite& site) {
  // An unknown kind would mean that a collective was added without a row in kCollectiveKinds.
  const auto index = configs::collective_kind_of(kind);
  UNDERSTUDY_ASSERT(index.has_value());
  // The first operation gives the place in messages; the layout constraint of any of them counts.
  for (const std::uint32_t op : ops) {
    const auto known = places_.find(op);
    if (known == places_.end()) continue;
    if (op == ops.front()) site.place = known->second.place;
    if (known->second.layout_constrained) site.layout = collectives::kLayoutConstrained;
  }
  const std::uint64_t sequence = ++sequence_;
  // Combined operands count as so many collectives of their kind, so that "all_reduce#5" in a fault
  // means the same with and without combining.
  const std::uint64_t number = numbers_[*index] + 1;
  numbers_[*index] += ops.size();
  // Before the entry is written: a chip that a fault kills here has not entered the collective, and
  // the recorders show that its peers wait for it.
  faults_.inject(*index, number, numbers_[*index], sequence, site);
  // A ring as large as the recorder's: an entry is still there at done() unless 64 other
  // collectives were entered in between. compare() checks the sequence number.
  Open& open = open_[sequence % open_.size()];
  open.sequence = sequence;
  open.entry = {*index,
                number,
                ops.front(),
                bytes,
                static_cast<std::uint32_t>(members.size()),
                monotonic_nanoseconds(),
                fingerprint_of(site)};
  open.members.clear();
  // Only the first member compares, so that each collective is counted once per group.
  if (members.size() > 1 && members.front() == memory_.self())
    open.members.assign(members.begin(), members.end());
  // Both copies: peers read the segment, the launcher reads the record after this process has died.
  record_.flight().enter(sequence, open.entry);
  memory_.own().header().flight.enter(sequence, open.entry);
  return sequence;
}

void FlightRecorder::done(std::uint64_t ticket, std::string_view algorithm) {
  const std::int64_t now = monotonic_nanoseconds();
  record_.flight().done(ticket, algorithm, now);
  memory_.own().header().flight.done(ticket, algorithm, now);
  // Another collective may have overwritten the entry meanwhile: then its arrivals are not
  // compared.
  const Open& open = open_[ticket % open_.size()];
  if (open.sequence == ticket && !open.members.empty()) compare(open);
}

// The collective is complete, so every member has entered it. A member may since have entered 64
// more and overwritten its entry; then its time is unknown and nobody is called the last.
void FlightRecorder::compare(const Open& open) {
  Rank last = memory_.self();
  std::int64_t first_ns = open.entry.entered_ns;
  std::int64_t last_ns = open.entry.entered_ns;
  std::int64_t before_last_ns = open.entry.entered_ns;
  std::int64_t compared = 1;
  for (const Rank member : open.members) {
    const Segment* const segment = memory_.of(member);
    if (segment == nullptr || member == memory_.self()) continue;
    const auto entered =
        segment->header().flight.entered(open.entry.kind, open.entry.number, open.entry.op);
    // One unknown time makes the comparison worthless: the unknown rank could be the last.
    if (!entered) return;
    first_ns = std::min(first_ns, *entered);
    // Keeps the two latest times in one pass. How far the last one was behind the one before it is
    // what the group would have gained without it.
    before_last_ns = ++compared == 2 ? std::min(last_ns, *entered)
                                     : std::max(before_last_ns, std::min(last_ns, *entered));
    // Ties keep the earlier rank of the group, so results do not depend on rounding.
    if (*entered <= last_ns) continue;
    last = member;
    last_ns = *entered;
  }
  // Fewer than two on this machine: nothing to compare.
  if (compared < 2) return;
  // Guards against arrivals(), which another thread calls for the receipt.
  const std::scoped_lock lock(sites_mutex_);
  Site& site = sites_[open.entry.op];
  site.kind = open.entry.kind;
  site.arrivals.members = static_cast<std::int64_t>(open.members.size());
  site.arrivals.compared = compared;
  ++site.arrivals.times;
  const double spread = seconds_of(last_ns - first_ns);
  site.arrivals.spread_seconds += spread;
  site.arrivals.spread_max_seconds = std::max(site.arrivals.spread_max_seconds, spread);
  configs::LateRank& late = site.late[last];
  const double behind = seconds_of(last_ns - before_last_ns);
  ++late.times;
  late.behind_seconds += behind;
  late.behind_max_seconds = std::max(late.behind_max_seconds, behind);
}

std::vector<configs::Arrivals> FlightRecorder::arrivals() const {
  std::vector<configs::Arrivals> all;
  const std::scoped_lock lock(sites_mutex_);
  for (const auto& [op, site] : sites_) {
    configs::Arrivals arrivals = site.arrivals;
    arrivals.op_index = op;
    arrivals.kind = configs::kCollectiveKinds[site.kind];
    for (const auto& [rank, late] : site.late) {
      arrivals.last.push_back(late);
      arrivals.last.back().rank = rank.value;
    }
    // Stable: ranks of equal counts keep the order of the map, which is by rank.
    std::ranges::stable_sort(arrivals.last, std::greater{}, &configs::LateRank::times);
    if (arrivals.last.size() > kMostLate) arrivals.last.resize(kMostLate);
    all.push_back(std::move(arrivals));
  }
  return all;
}

}  // namespace understudy::worker
