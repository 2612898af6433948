// SPDX-License-Identifier: Apache-2.0
// Cold and restored runs on four emulated hosts, the verdicts of `receipt diff` on them, and the
// cache verbs on the entries that they wrote.
#include <algorithm>
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/mpi/mpi_testing.h"

namespace understudy::mpi_testing {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr const char* kProgram = R"(func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.OPERATION %a, %a : tensor<8xf32>
  return %0 : tensor<8xf32>
})";

class CacheRuns : public testing::Test {
 protected:
  std::string program_with(const std::string& operation) {
    std::string text = kProgram;
    text.replace(text.find("OPERATION"), 9, operation);
    return world_.write(operation + ".mlir", text);
  }
  // Eight chips on four hosts; the receipt of that name.
  std::string run(const std::string& name, const std::string& policy,
                  std::vector<std::string> more = {}, const std::string& operation = "add",
                  const std::string& slice = "v6e-8") {
    std::vector<std::string> words = {"run",
                                      program_with(operation),
                                      "--slice",
                                      slice,
                                      "--hosts",
                                      "4",
                                      "--replicas",
                                      "8",
                                      "--fill",
                                      "random:1",
                                      "--cache-dir",
                                      world_.file("cache"),
                                      "--cache-policy",
                                      policy,
                                      "--receipt",
                                      world_.file(name)};
    words.insert(words.end(), more.begin(), more.end());
    last_ = world_.run(words);
    EXPECT_EQ(last_.code, 0) << last_.err;
    return world_.file(name);
  }
  Ran diff(const std::string& cold, const std::string& restored) {
    return world_.run({"receipt", "diff", cold, restored});
  }

  World world_;
  Ran last_;
};

TEST_F(CacheRuns, RestoredRunIsProvenUnderThePoliciesThatShare) {
  for (const char* policy : {"per-host", "single-writer"}) {
    const std::string cold = run(std::string(policy) + "-cold.json", policy);
    EXPECT_EQ(world_.receipt(last_).compiles, policy == std::string("per-host") ? 4 : 1);
    const std::string restored = run(std::string(policy) + "-restored.json", policy);
    const configs::Receipt receipt = world_.receipt(last_);
    EXPECT_EQ(receipt.compiles, 0);
    EXPECT_EQ(receipt.executes, 8);
    ASSERT_TRUE(receipt.counters);
    EXPECT_EQ(receipt.counters->at("PersistentCacheHit"), 8);
    EXPECT_EQ(receipt.counters->at("UncachedCompile"), 0);
    EXPECT_GE(receipt.counters->at("CacheEntryRead"), 8);
    const Ran proof = diff(cold, restored);
    EXPECT_EQ(proof.code, 0) << proof.out;
    EXPECT_THAT(proof.out, HasSubstr("restore: proven"));
  }
}

TEST_F(CacheRuns, ReportsWhyAChangedOperationFlagOrChipMisses) {
  const std::string cold = run("cold.json", "per-host");
  const Ran op = diff(cold, run("op.json", "per-host", {}, "multiply"));
  EXPECT_EQ(op.code, 1);
  EXPECT_THAT(op.out, AllOf(HasSubstr("restore: host_usable_only"),
                            HasSubstr("different key part program:")));
  const Ran flag = diff(cold, run("flag.json", "per-host", {"--numerics", "ieee"}));
  EXPECT_THAT(flag.out, AllOf(HasSubstr("restore: host_usable_only"),
                              HasSubstr("different key part numerics: ieee, was tpu")));
  const Ran chip = diff(cold, run("chip.json", "per-host", {}, "add", "v5e-8"));
  EXPECT_THAT(chip.out, AllOf(HasSubstr("restore: host_usable_only"),
                              HasSubstr("different key part chip: v5e, was v6e")));
  EXPECT_THAT(diff(cold, run("off.json", "off")).out, HasSubstr("restore: vacuous"));
  EXPECT_THAT(diff(cold, cold).out, HasSubstr("the same processes"));

  const Ran explained = world_.run({"cache", "explain", program_with("multiply"), "--replicas", "8",
                                    "--slice", "v6e-8", "--hosts", "4", "--numerics", "ieee",
                                    "--cache-dir", world_.file("cache")});
  EXPECT_THAT(explained.out, HasSubstr("a miss: the keys differ in "));
  const Ran hit =
      world_.run({"cache", "explain", program_with("multiply"), "--replicas", "8", "--slice",
                  "v6e-8", "--hosts", "4", "--cache-dir", world_.file("cache")});
  EXPECT_THAT(hit.out, HasSubstr("the keys are equal: this entry would be used"));
}

TEST_F(CacheRuns, UnusableEntriesCannotRestore) {
  const std::string cold = run("cold.json", "per-host");
  int spoilt = 0;
  for (const auto& item : std::filesystem::recursive_directory_iterator(world_.file("cache")))
    if (item.path().extension() == ".entry") {
      std::filesystem::resize_file(item.path(), item.file_size() - 1);
      ++spoilt;
    }
  EXPECT_EQ(spoilt, 4) << "one for each host";
  const std::string restored = run("restored.json", "per-host");
  EXPECT_EQ(world_.receipt(last_).counters->at("PersistentCacheDeserializeFailure"), 4);
  const Ran proof = diff(cold, restored);
  EXPECT_EQ(proof.code, 1);
  EXPECT_THAT(proof.out, HasSubstr("restore: cache_cannot_restore"));
  const Ran again = diff(cold, run("again.json", "per-host"));
  EXPECT_THAT(again.out, HasSubstr("restore: proven")) << "they were set aside and written anew";
}

TEST_F(CacheRuns, AFailedRunRestoresNothing) {
  const std::string cold = run("cold.json", "per-host");
  last_ = world_.run({"run", program_with("add"), "--slice", "v6e-8", "--hosts", "4", "--replicas",
                      "8", "--fill", "random:1", "--cache-dir", world_.file("cache"), "--fault",
                      "cache-key:rank=3", "--receipt", world_.file("failed.json")});
  EXPECT_EQ(last_.code, 3);
  const Ran proof = diff(cold, world_.file("failed.json"));
  EXPECT_EQ(proof.code, 1);
  EXPECT_THAT(proof.out, HasSubstr("restore: not_restored"));
}

// A host with another build: without the check its chips would wait for an entry that never comes.
TEST_F(CacheRuns, NamesTheDifferingPartOfCacheKeys) {
  for (const char* policy : {"per-host", "single-writer"}) {
    const Ran ran = world_.run({"run", program_with("add"), "--slice", "v6e-8", "--replicas", "8",
                                "--fill", "zeros", "--cache-dir", world_.file("cache"),
                                "--cache-policy", policy, "--fault", "cache-key:rank=3"});
    EXPECT_EQ(ran.code, 3);
    EXPECT_THAT(ran.err, AllOf(HasSubstr("the cache key differs between ranks"),
                               HasSubstr("is missing on rank 0, of rank 3 on rank 3"),
                               HasSubstr("layer: cache")));
    EXPECT_LT(ran.seconds, 20) << "nobody waits for the entry";
    EXPECT_EQ(world_.receipt(ran).failure()->diagnosis, "cache-keys-differ");
  }
  run("shared.json", "shared", {"--fault", "cache-key:rank=3"});
  EXPECT_THAT(last_.out, HasSubstr("chips used 2 different cache keys"));
}

TEST_F(CacheRuns, EveryPolicyRunsAndReportsItsCounters) {
  for (const char* policy : {"per-process", "shared", "read-only"}) {
    run("first.json", policy);
    run("second.json", policy, {"--metrics-report"});
    const bool hits = policy != std::string("read-only") || world_.receipt(last_).compiles == 0;
    EXPECT_TRUE(hits) << "read-only uses what per-process wrote";
    EXPECT_THAT(last_.out, HasSubstr("Counter: CachedCompile\n  Value: 8\n"));
    EXPECT_THAT(last_.out, HasSubstr("Metric: ExecuteReplicatedTime\n  TotalSamples: 8\n"));
  }
  EXPECT_EQ(world_.run({"cache", "verify", world_.file("cache")}).code, 0);
  const std::string listed = world_.run({"cache", "ls", world_.file("cache")}).out;
  EXPECT_THAT(listed, HasSubstr("9 entries"));
  EXPECT_EQ(std::ranges::count(listed, '\n'), 1 + 9 + 1) << "a head, one line an entry, a sum";
  EXPECT_THAT(world_.run({"cache", "ls", "-v", world_.file("cache")}).out,
              HasSubstr("numerics       tpu"));
}

}  // namespace
}  // namespace understudy::mpi_testing
