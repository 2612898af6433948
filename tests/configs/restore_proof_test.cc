// SPDX-License-Identifier: Apache-2.0
#include "configs/receipt/restore_proof.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace understudy::configs {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

RankSeen chip(std::int64_t rank, bool cold) {
  RankSeen seen;
  seen.rank = rank;
  seen.host = rank / 2;
  seen.started.emplace();
  seen.started->pid = 100 + rank + (cold ? 0 : 50);
  seen.started->machine = "m";
  const bool compiled = cold && rank % 2 == 0;
  seen.compiled.emplace();
  seen.compiled->cached = !compiled;
  seen.compiled->key = "k";
  seen.compiled->policy = "per-host";
  seen.compiled->cache.emplace();
  seen.compiled->cache->directory = "/c";
  seen.compiled->cache->parts = {{"program", "p"}, {"numerics", "tpu"}, {"chip", "v6e"}};
  seen.totals.emplace();
  seen.totals->compiles = compiled ? 1 : 0;
  seen.totals->executes = 1;
  seen.totals->counters = {{"UncachedCompile", compiled ? 1 : 0},
                           {"CachedCompile", compiled ? 0 : 1},
                           {"PersistentCacheHit", compiled ? 0 : 1},
                           {"PersistentCacheMiss", compiled ? 1 : 0},
                           {"PersistentCacheDeserializeFailure", 0},
                           {"CacheEntryRead", compiled ? 0 : 1},
                           {"ExecuteReplicated", 1}};
  return seen;
}

Receipt receipt(bool cold) {
  Receipt seen;
  seen.verdict = "passed";
  seen.slice = "v6e-4";
  seen.contract_digest = "c";
  seen.chip_count = 4;
  seen.executes = 4;
  for (std::int64_t rank = 0; rank < 4; ++rank) seen.ranks.push_back(chip(rank, cold));
  return seen;
}

void make_compile(RankSeen& seen, const char* why) {
  auto& counters = *seen.totals->counters;
  seen.totals->compiles = counters["UncachedCompile"] = 1;
  counters["CachedCompile"] = counters["PersistentCacheHit"] = 0;
  counters[why] = 1;
}

TEST(RestoreProof, IsProvenWhereEveryRowHoldsOnEveryChip) {
  const RestoreProof proof = prove_restore(receipt(true), receipt(false));
  EXPECT_EQ(proof.verdict, RestoreVerdict::proven) << text_of(proof);
  EXPECT_THAT(proof.reasons, IsEmpty());
  EXPECT_THAT(text_of(proof), HasSubstr("restore: proven"));
}

TEST(RestoreProof, OneWarmAndManyColdRanksAreHostUsableOnly) {
  Receipt restored = receipt(false);
  for (std::size_t rank = 1; rank < 4; ++rank)
    make_compile(restored.ranks[rank], "PersistentCacheMiss");
  const RestoreProof proof = prove_restore(receipt(true), restored);
  EXPECT_EQ(proof.verdict, RestoreVerdict::host_usable_only);
  EXPECT_THAT(proof.reasons, Contains("3 of 4 chips compiled (rank 1)"));
}

TEST(RestoreProof, AnotherKeyNamesThePartThatDiffers) {
  Receipt restored = receipt(false);
  for (RankSeen& one : restored.ranks) {
    one.compiled->key = "other";
    one.compiled->cache->parts["numerics"] = "ieee";
    make_compile(one, "PersistentCacheMiss");
  }
  const RestoreProof proof = prove_restore(receipt(true), restored);
  EXPECT_EQ(proof.verdict, RestoreVerdict::host_usable_only);
  EXPECT_THAT(proof.reasons, Contains("different key part numerics: ieee, was tpu"));
}

TEST(RestoreProof, EntriesThatNoHostCanUseAreACacheThatCannotRestore) {
  Receipt restored = receipt(false);
  make_compile(restored.ranks[0], "PersistentCacheDeserializeFailure");
  EXPECT_EQ(prove_restore(receipt(true), restored).verdict, RestoreVerdict::host_usable_only)
      << "host 1 could use them";
  make_compile(restored.ranks[2], "PersistentCacheDeserializeFailure");
  EXPECT_EQ(prove_restore(receipt(true), restored).verdict, RestoreVerdict::cache_cannot_restore);

  // One folder for all: its writer met the entry, the others loaded what the writer made of it.
  Receipt shared = receipt(false);
  for (RankSeen& one : shared.ranks) one.compiled->policy = "single-writer";
  make_compile(shared.ranks[0], "PersistentCacheDeserializeFailure");
  EXPECT_EQ(prove_restore(receipt(true), shared).verdict, RestoreVerdict::cache_cannot_restore);
}

TEST(RestoreProof, WithoutAnExecutionNothingIsRestored) {
  Receipt restored = receipt(false);
  restored.executes = 0;
  EXPECT_EQ(prove_restore(receipt(true), restored).verdict, RestoreVerdict::not_restored);
  restored = receipt(false);
  restored.verdict = "failed";
  EXPECT_EQ(prove_restore(receipt(true), restored).verdict, RestoreVerdict::not_restored);
}

TEST(RestoreProof, WithoutACacheOrAProgramItIsVacuous) {
  Receipt restored = receipt(false);
  for (RankSeen& one : restored.ranks) one.compiled->policy = "off";
  EXPECT_EQ(prove_restore(receipt(true), restored).verdict, RestoreVerdict::vacuous);
  for (RankSeen& one : restored.ranks) one.compiled.reset();
  EXPECT_EQ(prove_restore(receipt(true), restored).verdict, RestoreVerdict::vacuous);
}

TEST(RestoreProof, TheSameProcessesAreNoProof) {
  const Receipt warm = receipt(false);
  const RestoreProof proof = prove_restore(warm, warm);
  EXPECT_EQ(proof.verdict, RestoreVerdict::host_usable_only);
  EXPECT_THAT(
      proof.reasons,
      Contains("both receipts come from the same processes, so a hit may come from their memory"));
}

TEST(RestoreProof, AnotherChipSliceOrPathIsNotTheSameRun) {
  Receipt restored = receipt(false);
  restored.slice = "v5e-4";
  restored.ranks[3].compiled->cache->directory = "/other";
  const RestoreProof proof = prove_restore(receipt(true), restored);
  EXPECT_THAT(proof.reasons, Contains("different slice: v5e-4, was v6e-4"));
  EXPECT_THAT(proof.reasons, Contains(HasSubstr("different cache path")));
}

TEST(RestoreProof, ChipsThatToldNothingProveNothing) {
  Receipt restored = receipt(false);
  restored.ranks[1].totals.reset();
  EXPECT_EQ(prove_restore(receipt(true), restored).verdict, RestoreVerdict::host_usable_only);
}

}  // namespace
}  // namespace understudy::configs
