// SPDX-License-Identifier: Apache-2.0
// The collectives of two programs, as sequences of their own: their order, kinds, groups and
// channels must agree on all hosts, or the job hangs.
#include <algorithm>
#include <fmt/format.h>
#include <map>

#include "program/compare/align.h"
#include "program/compare/lister.h"

namespace understudy::program::compare {
namespace {

using Kind = CollectiveDifference::Kind;

struct Sequence {
  std::vector<std::uint32_t> entries;
  std::vector<std::uint64_t> whole, call, kind;  // with types, without, the kind alone
};

Sequence sequence_of(const Listing& listing) {
  const std::hash<std::string> hash;
  Sequence out;
  for (std::uint32_t i = 0; i < listing.entries.size(); ++i) {
    const auto& facts = listing.entries[i].collective;
    if (!facts) continue;
    // '|' cannot occur in kinds, groups or channels, so different calls have different texts.
    const std::string call = fmt::format("{}|{}|{}", facts->kind, facts->groups, facts->channel);
    out.entries.push_back(i);
    out.kind.push_back(hash(facts->kind));
    out.call.push_back(hash(call));
    out.whole.push_back(hash(call + "|" + facts->types));
  }
  return out;
}

// What two collectives of one kind differ in, in words; `types` alone is told apart, as every
// collective of a program with another batch size has other types.
CollectiveDifference changed(const CollectiveFacts& a, const CollectiveFacts& b) {
  std::string what;
  const auto differ = [&](std::string_view name, const std::string& left,
                          const std::string& right) {
    if (left == right) return;
    what += fmt::format("{}{} {} in A, {} in B", what.empty() ? "" : "; ", name,
                        left.empty() ? "none" : shortened(left, 60),
                        right.empty() ? "none" : shortened(right, 60));
  };
  differ("replica groups", a.groups, b.groups);
  differ("channel", a.channel, b.channel);
  const bool only_types = what.empty();
  differ("type", a.types, b.types);
  return {only_types ? Kind::types : Kind::changed, what, {}, {}, {}, {}};
}

class Matching {
 public:
  Matching(const Listing& a, const Listing& b)
      : a_(a),
        b_(b),
        left_(sequence_of(a)),
        right_(sequence_of(b)),
        in_a_(left_.entries.size()),
        in_b_(right_.entries.size()) {}

  std::vector<CollectiveDifference> run() {
    // Of equally many collectives of the same kinds in the same order each has its counterpart.
    // Permuted calls are excluded: paired by position they would read as changed groups, where
    // their order is what differs.
    if (left_.kind == right_.kind && left_.call != right_.call && !is_permuted()) {
      for (std::uint32_t i = 0; i < in_a_.size(); ++i) in_a_[i] = in_b_[i] = i;
    } else {
      // From strict to lenient, like Pairing in compare.cc: a lenient level fills only gaps that
      // the stricter one left.
      level(left_.whole, right_.whole);
      level(left_.call, right_.call);
      // Before the level of kinds alone, which would pair a moved call with whatever stands in its
      // place.
      moved();
      level(left_.kind, right_.kind);
    }
    report();
    return std::move(out_);
  }

 private:
  // The same calls in another order.
  bool is_permuted() const {
    std::vector<std::uint64_t> a = left_.call, b = right_.call;
    std::sort(a.begin(), a.end());
    std::sort(b.begin(), b.end());
    return a == b;
  }

  void level(const std::vector<std::uint64_t>& a, const std::vector<std::uint64_t>& b) {
    std::uint32_t i = 0, j = 0;
    while (i < in_a_.size() || j < in_b_.size()) {
      std::uint32_t end_i = i, end_j = j;
      while (end_i < in_a_.size() && !taken(in_a_, end_i)) ++end_i;
      while (end_j < in_b_.size() && !taken(in_b_, end_j)) ++end_j;
      const auto pairs =
          align(std::span(a).subspan(i, end_i - i), std::span(b).subspan(j, end_j - j));
      for (const auto& [p, q] : pairs) {
        if (is_moved(i + p, j + q)) continue;
        in_a_[i + p] = j + q;
        in_b_[j + q] = i + p;
      }
      i = end_i + 1;
      j = end_j + 1;
    }
  }
  static bool taken(const std::vector<std::optional<std::uint32_t>>& all, std::uint32_t i) {
    return all[i].has_value();
  }
  bool is_moved(std::uint32_t i, std::uint32_t j) const {
    return moved_a_.contains(i) || moved_b_.contains(j);
  }

  // The same call on both sides, but not in the same place among the others.
  void moved() {
    // By call, in order of B: the first free one of equal calls is taken.
    std::multimap<std::uint64_t, std::uint32_t> left_over;
    for (std::uint32_t j = 0; j < in_b_.size(); ++j)
      if (!in_b_[j]) left_over.emplace(right_.call[j], j);
    for (std::uint32_t i = 0; i < in_a_.size(); ++i) {
      if (in_a_[i]) continue;
      const auto found = left_over.find(left_.call[i]);
      if (found == left_over.end()) continue;
      moved_a_[i] = found->second;
      moved_b_[found->second] = i;
      left_over.erase(found);
    }
  }

  void report() {
    std::uint32_t j = 0;
    // Elements of B that come before the partner of the current element of A.
    const auto added_before = [&](std::uint32_t end) {
      for (; j < end; ++j)
        if (!in_b_[j] && !moved_b_.contains(j)) add({Kind::only_in_b, "", {}, {}, {}, {}}, {}, j);
    };
    for (std::uint32_t i = 0; i < in_a_.size(); ++i) {
      if (const auto found = moved_a_.find(i); found != moved_a_.end()) {
        add({Kind::moved,
             fmt::format("number {} in A, number {} in B", i, found->second),
             {},
             {},
             {},
             {}},
            i, found->second);
      } else if (!in_a_[i]) {
        add({Kind::only_in_a, "", {}, {}, {}, {}}, i, {});
      } else {
        added_before(*in_a_[i]);
        j = *in_a_[i] + 1;
        CollectiveDifference other = changed(*facts(a_, left_, i), *facts(b_, right_, *in_a_[i]));
        if (!other.what.empty()) add(std::move(other), i, in_a_[i]);
      }
    }
    added_before(static_cast<std::uint32_t>(in_b_.size()));
  }

  static const std::optional<CollectiveFacts>& facts(const Listing& listing, const Sequence& in,
                                                     std::uint32_t i) {
    return listing.entries[in.entries[i]].collective;
  }

  void add(CollectiveDifference difference, std::optional<std::uint32_t> i,
           std::optional<std::uint32_t> j) {
    difference.number_a = i;
    difference.number_b = j;
    if (i) difference.a = left_.entries[*i];
    if (j) difference.b = right_.entries[*j];
    out_.push_back(std::move(difference));
  }

  const Listing &a_, &b_;
  Sequence left_, right_;
  std::vector<std::optional<std::uint32_t>> in_a_, in_b_;  // partners
  std::map<std::uint32_t, std::uint32_t> moved_a_, moved_b_;
  std::vector<CollectiveDifference> out_;
};

}  // namespace

std::vector<CollectiveDifference> collectives_of(const Listing& a, const Listing& b) {
  return Matching(a, b).run();
}

}  // namespace understudy::program::compare
