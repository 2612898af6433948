// SPDX-License-Identifier: Apache-2.0
#include "configs/receipt/restore_proof.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <functional>
#include <optional>
#include <set>

#include "configs/base/cache_policy.h"
#include "configs/json/schema.h"
#include "configs/report/schemas.h"

namespace understudy::configs {

template <>
struct EnumNames<RestoreVerdict> {
  static constexpr std::string_view kWhat = "a verdict on a restore";
  static constexpr std::string_view kNames[] = {"proven", "host_usable_only",
                                                "cache_cannot_restore", "not_restored", "vacuous"};
};

namespace {

constexpr std::string_view kReceiptDiffSchema = "understudy/receipt-diff/1";

// A chip that reported counters, but not this one, counted none.
std::int64_t counter(const RankSeen& chip, const std::string& name) {
  if (!chip.totals || !chip.totals->counters) return 0;
  const auto found = chip.totals->counters->find(name);
  return found == chip.totals->counters->end() ? 0 : found->second;
}

// A chip counts as evidence only if its record is complete; a missing one violates every row.
bool has_evidence(const RankSeen& chip) {
  return chip.started && chip.compiled && chip.compiled->cache && chip.totals &&
         chip.totals->counters;
}

std::int64_t sum(const Receipt& receipt, const std::function<std::int64_t(const RankSeen&)>& of) {
  std::int64_t all = 0;
  for (const RankSeen& chip : receipt.ranks) all += of(chip);
  return all;
}

// Distinct values over the chips, in words.
std::string distinct(const Receipt& receipt,
                     const std::function<std::string(const RankSeen&)>& of) {
  std::set<std::string> values;
  for (const RankSeen& chip : receipt.ranks)
    if (has_evidence(chip)) values.insert(of(chip));
  constexpr std::size_t kShown = 3;
  if (values.size() <= kShown) return fmt::format("{}", fmt::join(values, ", "));
  return fmt::format("{} and {} more", *values.begin(), values.size() - 1);
}

// pid and start time: the pid alone may have been reused.
bool is_same_process(const RankSeen& a, const RankSeen& b) {
  return a.started->machine == b.started->machine && a.started->pid == b.started->pid &&
         a.started->pid_start == b.started->pid_start;
}

// No chip used a cache: nothing could be restored.
bool is_vacuous(const Receipt& receipt) {
  return std::ranges::none_of(receipt.ranks, [](const RankSeen& chip) {
    return chip.compiled && cache_policy_named(chip.compiled->policy).keeps_entries();
  });
}

// A number for the cache folder that a chip uses: chips with equal numbers share one.
std::int64_t folder_of(const RankSeen& chip) {
  if (!chip.compiled) return 0;
  switch (cache_policy_named(chip.compiled->policy).folder) {
    case CacheSharing::process:
      return chip.rank;
    case CacheSharing::host:
      return chip.host;
    case CacheSharing::pod:
    case CacheSharing::none:
      break;
  }
  return 0;
}

// Whether in every cache folder some chip found an unusable entry and compiled instead.
// In every folder: a single damaged entry is a defect of that entry, not of this machine.
bool cannot_restore(const Receipt& restored) {
  std::set<std::int64_t> folders, failed;
  for (const RankSeen& chip : restored.ranks) {
    folders.insert(folder_of(chip));
    if (counter(chip, "PersistentCacheDeserializeFailure") > 0 &&
        counter(chip, "UncachedCompile") > 0)
      failed.insert(folder_of(chip));
  }
  return !folders.empty() && failed == folders;
}

// Builds the rows of a proof one by one; every violated row adds a reason.
class Prover {
 public:
  Prover(const Receipt& cold, const Receipt& restored) : cold_(cold), restored_(restored) {}

  RestoreProof prove() {
    compare_whole("chips", fmt::format("{}", cold_.chip_count.value_or(0)),
                  fmt::format("{}", restored_.chip_count.value_or(0)));
    compare_whole("slice", cold_.slice, restored_.slice);
    compare_whole("launch contract", cold_.contract_digest, restored_.contract_digest);
    // The counters of the restored run. Each must hold on every chip, not only in the sum: one chip
    // that compiled would be hidden by the hits of the others.
    count("UncachedCompile", "compiled", [](std::int64_t n) { return n == 0; });
    count("CachedCompile", "loaded nothing from the cache", [](std::int64_t n) { return n > 0; });
    count("PersistentCacheHit", "had no cache hit on disk", [](std::int64_t n) { return n > 0; });
    count("PersistentCacheMiss", "had a cache miss", [](std::int64_t n) { return n == 0; });
    count("PersistentCacheDeserializeFailure", "found an unusable cache entry",
          [](std::int64_t n) { return n == 0; });
    count("CacheEntryRead", "read no entry file", [](std::int64_t n) { return n > 0; });
    count("ExecuteReplicated", "executed nothing", [](std::int64_t n) { return n > 0; });
    compare_chips();
    decide();
    return std::move(proof_);
  }

 private:
  void fail(const std::string& reason) {
    if (std::ranges::find(proof_.reasons, reason) == proof_.reasons.end())
      proof_.reasons.push_back(reason);
  }

  void compare_whole(const std::string& name, const std::string& cold,
                     const std::string& restored) {
    proof_.rows.push_back({name, cold, restored, cold == restored, {}});
    if (cold != restored) fail(fmt::format("different {}: {}, was {}", name, restored, cold));
  }

  void count(const std::string& name, const char* wrong, bool (*holds)(std::int64_t)) {
    const auto of = [&](const RankSeen& chip) { return counter(chip, name); };
    RestoreRow row{
        name, fmt::format("{}", sum(cold_, of)), fmt::format("{}", sum(restored_, of)), true, {}};
    for (const RankSeen& chip : restored_.ranks)
      if (!has_evidence(chip) || !holds(of(chip))) row.ranks.push_back(chip.rank);
    row.holds = row.ranks.empty() && !restored_.ranks.empty();
    if (!row.holds)
      fail(fmt::format("{} of {} chips {} (rank {})", row.ranks.size(), restored_.ranks.size(),
                       wrong, row.ranks.empty() ? -1 : row.ranks.front()));
    proof_.rows.push_back(std::move(row));
  }

  // A row over all chips: `of` must be the same in both receipts.
  void compare(const std::string& name, const std::function<std::string(const RankSeen&)>& of) {
    RestoreRow row{name, distinct(cold_, of), distinct(restored_, of), true, {}};
    for_pairs([&](const RankSeen& cold, const RankSeen& restored) {
      if (of(cold) != of(restored)) row.ranks.push_back(restored.rank);
    });
    row.holds = row.ranks.empty();
    if (!row.holds) fail(fmt::format("different {}: {}, was {}", name, row.restored, row.cold));
    proof_.rows.push_back(std::move(row));
  }

  // Chips are compared with the chip of the same rank in the other run.
  void for_pairs(const std::function<void(const RankSeen&, const RankSeen&)>& act) const {
    const std::size_t both = std::min(cold_.ranks.size(), restored_.ranks.size());
    for (std::size_t i = 0; i < both; ++i)
      if (has_evidence(cold_.ranks[i]) && has_evidence(restored_.ranks[i]))
        act(cold_.ranks[i], restored_.ranks[i]);
  }

  void compare_chips() {
    compare("key", [](const RankSeen& chip) { return chip.compiled->key; });
    // If keys differ, the parts show why.
    std::set<std::string> names;
    for_pairs([&](const RankSeen& cold, const RankSeen& restored) {
      for (const auto* chip : {&cold, &restored})
        for (const auto& [name, value] : chip->compiled->cache->parts) names.insert(name);
    });
    for (const std::string& name : names)
      compare("key part " + name, [&](const RankSeen& chip) {
        const auto& parts = chip.compiled->cache->parts;
        const auto found = parts.find(name);
        return found == parts.end() ? std::string("none") : found->second;
      });
    compare("cache policy", [](const RankSeen& chip) { return chip.compiled->policy; });
    compare("cache path", [](const RankSeen& chip) { return chip.compiled->cache->directory; });
    RestoreRow fresh{"new process", "", "", true, {}};
    for_pairs([&](const RankSeen& cold, const RankSeen& restored) {
      if (is_same_process(cold, restored)) fresh.ranks.push_back(restored.rank);
    });
    fresh.holds = fresh.ranks.empty();
    if (!fresh.holds)
      fail("both receipts come from the same processes, so a hit may come from their memory");
    proof_.rows.push_back(std::move(fresh));
  }

  void decide() {
    const bool executed = restored_.executes.value_or(0) > 0;
    // A run that failed before it looked for its program is "not restored", not "vacuous".
    const bool failed = restored_.verdict != "passed";
    if (is_vacuous(cold_) || (is_vacuous(restored_) && !failed)) {
      proof_.verdict = RestoreVerdict::vacuous;
      proof_.reasons = {"one of the two runs used no cache or no program"};
    } else if (failed || !executed) {
      proof_.verdict = RestoreVerdict::not_restored;
      fail(restored_.failure() != nullptr ? "the run failed: " + restored_.failure()->message
                                          : "the run executed no program");
    } else if (proof_.reasons.empty()) {
      proof_.verdict = RestoreVerdict::proven;
    } else {
      proof_.verdict = cannot_restore(restored_) ? RestoreVerdict::cache_cannot_restore
                                                 : RestoreVerdict::host_usable_only;
    }
  }

  const Receipt& cold_;
  const Receipt& restored_;
  RestoreProof proof_;
};

}  // namespace

template <class F, FieldsOf<RestoreRow> T>
void fields(F& field, T& row) {
  field("name", row.name);
  field("cold", row.cold);
  field("restored", row.restored);
  field("holds", row.holds);
  field("ranks", row.ranks);
}

template <class F, FieldsOf<FieldDifference> T>
void fields(F& field, T& one) {
  field("field", one.field);
  field("cold", one.cold);
  field("restored", one.restored);
}
template <>
inline constexpr bool kIsOneLine<FieldDifference> = true;

template <class F, FieldsOf<RestoreProof> T>
void fields(F& field, T& proof) {
  field("verdict", proof.verdict);
  field("reasons", proof.reasons);
  field("rows", proof.rows);
  field("fields", proof.fields);
}

std::string_view name_of(RestoreVerdict verdict) {
  return EnumNames<RestoreVerdict>::kNames[static_cast<std::size_t>(verdict)];
}

RestoreProof prove_restore(const Receipt& cold, const Receipt& restored) {
  return Prover(cold, restored).prove();
}

std::string to_json(const RestoreProof& proof) {
  return document_of(proof, kReceiptDiffSchema, JsonWriter::Layout::readable);
}

NamedSchema restore_proof_schema() {
  return {"receipt-diff",
          schema_text<RestoreProof>(kReceiptDiffSchema, "Whether a run was restored")};
}

std::string text_of(const RestoreProof& proof) {
  std::string text = fmt::format("restore: {}\n", name_of(proof.verdict));
  for (const std::string& reason : proof.reasons) text += fmt::format("  {}\n", reason);
  text += fmt::format("\n  {:<34} {:>3}  {:<34} {}\n", "", "", "cold", "restored");
  for (const RestoreRow& row : proof.rows)
    text += fmt::format("  {:<34} {:>3}  {:<34} {}\n", row.name, row.holds ? "yes" : "NO", row.cold,
                        row.restored);
  if (proof.fields.empty()) return text;
  constexpr std::size_t kShown = 40;
  text += fmt::format("\n  {} other fields differ:\n", proof.fields.size());
  for (std::size_t i = 0; i < std::min(kShown, proof.fields.size()); ++i)
    text += fmt::format("  {}: {} -> {}\n", proof.fields[i].field,
                        proof.fields[i].cold.value_or("absent"),
                        proof.fields[i].restored.value_or("absent"));
  if (proof.fields.size() > kShown)
    text += fmt::format("  and {} more (use --json to list all)\n", proof.fields.size() - kShown);
  return text;
}

}  // namespace understudy::configs
