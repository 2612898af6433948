// SPDX-License-Identifier: Apache-2.0
#include "program/compare/compare.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <string_view>

#include "program/compare/align.h"
#include "program/compare/lister.h"

namespace understudy::program::compare {
namespace {

// The mixing step of boost::hash_combine in 64 bits. Keys decide only what is paired; differences
// are found by comparing text.
std::uint64_t mixed(std::uint64_t seed, std::uint64_t value) {
  constexpr std::uint64_t kOdd = 0x9E3779B97F4A7C15;  // 2^64 / golden ratio
  seed ^= value + kOdd + (seed << 6) + (seed >> 2);
  return seed * kOdd;
}
std::uint64_t hash_of(std::string_view text) { return std::hash<std::string_view>{}(text); }

// Keys from strict to lenient. An operation is known best by itself and what it uses; where many
// are alike, their operands tell them apart.
struct EntryKeys {
  std::vector<std::uint64_t> with_operands, whole, name;
};
EntryKeys keys_of(const Listing& listing) {
  EntryKeys out;
  for (const Entry& entry : listing.entries) {
    // The depth belongs to the name: an add in a reducer is not the add of main.
    out.name.push_back(mixed(hash_of(entry.name), entry.depth));
    out.whole.push_back(
        mixed(mixed(out.name.back(), hash_of(entry.types)), hash_of(entry.attributes)));
  }
  for (const Entry& entry : listing.entries) {
    std::uint64_t key = out.whole[out.with_operands.size()];
    // One level of operands: a deeper hash would change for everything behind one difference.
    for (const Use& use : entry.uses) key = mixed(key, mixed(out.whole[use.entry], use.index));
    out.with_operands.push_back(key);
  }
  return out;
}

using Partner = std::vector<std::optional<std::uint32_t>>;

// Pairs the entries of A and B: level by level, each within the gaps that the stricter one left.
class Pairing {
 public:
  Pairing(const Listing& a, const Listing& b)
      : keys_a_(keys_of(a)), keys_b_(keys_of(b)), a_(a.entries.size()), b_(b.entries.size()) {
    // Programs that differ in a batch size have the same operations in the same order.
    // The same names in the same order: pairing by position is exact and linear.
    if (keys_a_.name == keys_b_.name) {
      for (std::uint32_t i = 0; i < a_.size(); ++i) pair(i, i);
      return;
    }
    level(keys_a_.with_operands, keys_b_.with_operands);
    level(keys_a_.whole, keys_b_.whole);
    level(keys_a_.name, keys_b_.name);
  }
  const Partner& a() const { return a_; }
  const Partner& b() const { return b_; }

 private:
  void pair(std::uint32_t i, std::uint32_t j) {
    a_[i] = j;
    b_[j] = i;
  }

  void level(const std::vector<std::uint64_t>& a, const std::vector<std::uint64_t>& b) {
    std::uint32_t i = 0, j = 0;
    while (i < a_.size() || j < b_.size()) {
      std::uint32_t end_i = i, end_j = j;
      while (end_i < a_.size() && !a_[end_i]) ++end_i;
      while (end_j < b_.size() && !b_[end_j]) ++end_j;
      const auto pairs =
          align(std::span(a).subspan(i, end_i - i), std::span(b).subspan(j, end_j - j));
      for (const auto& [p, q] : pairs) pair(i + p, j + q);
      i = end_i + 1;  // behind the pair that ends the gap
      j = end_j + 1;
    }
  }

  EntryKeys keys_a_, keys_b_;
  Partner a_, b_;
};

// Uses of paired entries that lead to different places. An operand that the other side lacks is
// reported by itself.
std::optional<std::string> rewired(const Entry& a, const Entry& b, const Partner& partner_a,
                                   const Partner& partner_b) {
  if (a.uses.size() != b.uses.size())
    return fmt::format("{} operands in A, {} in B", a.uses.size(), b.uses.size());
  // A use that has no partner is reported as only in A or only in B already.
  for (std::size_t i = 0; i < a.uses.size(); ++i) {
    const auto in_b = partner_a[a.uses[i].entry];
    if (!in_b || !partner_b[b.uses[i].entry]) continue;
    if (*in_b != b.uses[i].entry || a.uses[i].index != b.uses[i].index)
      return fmt::format("operand {}", i);
  }
  return std::nullopt;
}

std::vector<OperationDifference> operations_of(const Listing& a, const Listing& b,
                                               const Pairing& pairing) {
  using Kind = OperationDifference::Kind;
  std::vector<OperationDifference> out;
  std::uint32_t j = 0;
  const auto added_before = [&](std::uint32_t end) {
    for (; j < end; ++j)
      if (!pairing.b()[j]) out.push_back({Kind::only_in_b, "", std::nullopt, j, false});
  };
  for (std::uint32_t i = 0; i < a.entries.size(); ++i) {
    if (!pairing.a()[i]) {
      out.push_back({Kind::only_in_a, "", i, std::nullopt, false});
      continue;
    }
    const std::uint32_t other = *pairing.a()[i];
    added_before(other);
    j = other + 1;
    const Entry &left = a.entries[i], &right = b.entries[other];
    const auto use = rewired(left, right, pairing.a(), pairing.b());
    std::string what;
    if (left.attributes != right.attributes)
      what = "attributes";
    else if (left.types != right.types)
      what = "result type";
    else if (use)
      what = *use;
    if (!what.empty())
      // The last flag tells a change of types alone, which follows from another batch size
      // everywhere.
      out.push_back({Kind::changed, what, i, other,
                     left.attributes == right.attributes && left.types != right.types && !use});
  }
  added_before(static_cast<std::uint32_t>(b.entries.size()));
  return out;
}

std::vector<FactDifference> facts_of(const Listing& a, const Listing& b) {
  std::map<std::string_view, std::string_view> in_a, in_b;
  for (const Fact& fact : a.facts) in_a[fact.name] = fact.value;
  for (const Fact& fact : b.facts) in_b[fact.name] = fact.value;
  std::vector<FactDifference> out;
  const auto value_in = [](const auto& facts, std::string_view name) {
    const auto found = facts.find(name);
    return found == facts.end() ? std::nullopt : std::optional(std::string(found->second));
  };
  // In the order of A, then what only B says.
  // Order matters to the reader only; both maps are sorted.
  for (const Fact& fact : a.facts)
    if (value_in(in_b, fact.name) != std::optional(fact.value))
      out.push_back({fact.name, fact.value, value_in(in_b, fact.name)});
  for (const Fact& fact : b.facts)
    if (!in_a.contains(fact.name)) out.push_back({fact.name, std::nullopt, fact.value});
  return out;
}

}  // namespace

Differences differences_of(const Listing& a, const Listing& b) {
  const Pairing pairing(a, b);
  return {facts_of(a, b), operations_of(a, b, pairing), collectives_of(a, b)};
}

std::string text_of(const Entry& entry) {
  std::string out = entry.name;
  if (!entry.types.empty()) out += " " + shortened(entry.types, 60);
  const SourcePlace place = place_of(entry.location);
  if (!place.path.empty()) out += " at " + understudy::text_of(place);
  return out;
}

}  // namespace understudy::program::compare
