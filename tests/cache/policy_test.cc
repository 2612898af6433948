// SPDX-License-Identifier: Apache-2.0
// The conformance suite over all policies: races of threads and processes, torn entries, a full
// disk, a killed writer.
#include "cache/policy.h"

#include <atomic>
#include <csignal>
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "cache/faulty_file_system.h"
#include "configs/base/error.h"
#include "tests/cache/sample.h"

namespace understudy::cache {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// A policy, and for `shared` a lock.
struct Discipline {
  CachePolicyId policy;
  std::string lock = "exclusive-file";
  bool keeps = true;         // writes entries
  bool one_compiles = true;  // for all of its folder
  bool sets_aside = true;    // bad entries, so that nobody meets them again
};

class PolicyConformance : public testing::TestWithParam<Discipline> {
 protected:
  CacheRequest request(std::int64_t rank) const {
    CacheRequest request;
    request.directory = folder_.path();
    request.policy = std::string(cache_policy(GetParam().policy).name);
    request.lock = GetParam().lock;
    request.rank = Rank(rank);
    request.host_leader = request.pod_leader = rank == 0;
    return request;
  }
  CacheOutcome obtain_as(std::int64_t rank, const KeyParts& parts = sample_parts("p")) {
    return obtain(request(rank), parts, [this] {
      ++compiles_;
      return small_executable(5);
    });
  }
  std::string entry_path() const {
    return CompileCache(request(0)).folder() + "/" + key_of(sample_parts("p")) + ".entry";
  }
  bool keeps() const { return GetParam().keeps; }

  TemporaryFolder folder_;
  std::atomic<int> compiles_{0};
};
class KeepingPolicy : public PolicyConformance {};  // those that write entries

TEST_P(PolicyConformance, GivesWhatTheCompilerGave) {
  const CacheOutcome outcome = obtain_as(0);
  EXPECT_EQ(outcome.executable.replicas, 5);
  EXPECT_EQ(outcome.key, key_of(sample_parts("p")));
  EXPECT_FALSE(outcome.cached);
  EXPECT_THAT(outcome.warnings, IsEmpty());
  EXPECT_EQ(compiles_, 1);
  EXPECT_EQ(outcome.counters.compiles, 1);
  EXPECT_EQ(outcome.counters.misses, 1);
  EXPECT_EQ(outcome.counters.writes, keeps() ? 1 : 0);
}

TEST_P(PolicyConformance, SecondRunCompilesOnlyWithoutAnEntry) {
  obtain_as(0);
  const CacheOutcome again = obtain_as(0);
  EXPECT_EQ(again.executable.replicas, 5);
  EXPECT_EQ(again.cached, keeps());
  EXPECT_EQ(compiles_, keeps() ? 1 : 2);
  EXPECT_EQ(again.compile_seconds > 0, !keeps());
  EXPECT_EQ(again.counters.entry_reads, keeps() ? 1 : 0);
}

TEST_P(PolicyConformance, OtherKeysAreOtherEntries) {
  obtain_as(0);
  EXPECT_FALSE(obtain_as(0, sample_parts("q")).cached);
  EXPECT_EQ(compiles_, 2);
}

TEST_P(PolicyConformance, RacingChipsAllGetAnExecutable) {
  std::atomic<int> good{0};
  {
    std::vector<std::jthread> chips;
    for (int rank = 0; rank < 8; ++rank) {
      chips.emplace_back([this, rank, &good] {
        if (obtain_as(rank).executable.replicas == 5) ++good;
      });
    }
  }
  EXPECT_EQ(good, 8);
  if (GetParam().one_compiles) {
    EXPECT_EQ(compiles_, 1);
  }
}

TEST_P(PolicyConformance, RacingProcessesAllGetAnExecutable) {
  std::vector<pid_t> children;
  for (int rank = 0; rank < 4; ++rank) {
    const pid_t child = ::fork();
    if (child == 0) ::_exit(obtain_as(rank).executable.replicas == 5 ? 0 : 1);
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = 1;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
  }
}

TEST_P(KeepingPolicy, BadEntryCostsACompileNeverAResult) {
  obtain_as(0);
  const std::string path = entry_path(), good = read_text(path);
  std::string flipped = good;
  flipped.back() = static_cast<char>(flipped.back() ^ 1);
  const std::string no_archive = seal(named_parts(sample_parts("p")), "no archive");
  for (const std::string& bad :
       {good.substr(0, good.size() / 2), flipped, std::string("junk"), no_archive}) {
    compiles_ = 0;
    write_text(path, bad);
    const CacheOutcome outcome = obtain_as(0);
    EXPECT_EQ(outcome.executable.replicas, 5);
    EXPECT_EQ(compiles_, 1);
    EXPECT_EQ(outcome.counters.deserialize_failures, outcome.refusals.size());
    EXPECT_THAT(outcome.warnings, ElementsAre(HasSubstr("compiling again")));
    if (!GetParam().sets_aside) continue;
    EXPECT_EQ(read_text(path), good);
    if (GetParam().lock != "process") {
      EXPECT_EQ(read_text(path + ".quarantined"), bad);
    }
  }
}

TEST_P(KeepingPolicy, EntryOfAnotherFormatIsAMissWithoutAWarning) {
  obtain_as(0);
  std::string old = read_text(entry_path());
  old[8] = 2;
  write_text(entry_path(), old);
  EXPECT_THAT(obtain_as(0).warnings, IsEmpty());
  EXPECT_EQ(compiles_, 2);
}

TEST_P(KeepingPolicy, FullDiskCostsOnlyAWarning) {
  FileFaults faults;
  faults.capacity_of = folder_.path();
  faults.capacity_bytes = 1;
  FaultyFileSystem files(faults);
  CacheRequest asked = request(0);
  asked.files = &files;
  write_text(folder_.path() + "/ballast", "xx");
  const CacheOutcome outcome = obtain(asked, sample_parts("p"), [] { return small_executable(5); });
  EXPECT_EQ(outcome.executable.replicas, 5);
  EXPECT_GE(outcome.warnings.size(), 1U);
  EXPECT_THAT(outcome.warnings.back(), HasSubstr("No space left on device"));
}

TEST_P(PolicyConformance, FolderWithoutPermissionCostsOnlyWarnings) {
  FileFaults faults;
  faults.may_write = false;
  FaultyFileSystem files(faults);
  CacheRequest asked = request(0);
  asked.files = &files;
  const CacheOutcome outcome = obtain(asked, sample_parts("p"), [] { return small_executable(5); });
  EXPECT_EQ(outcome.executable.replicas, 5);
  EXPECT_EQ(outcome.warnings.empty(), !keeps());
}

TEST_P(PolicyConformance, HandlesThatGoStaleAndBusyFilesAreTriedAgain) {
  FileFaults faults;
  faults.stale_handles = 0.2;
  faults.busy = 0.2;
  FaultyFileSystem files(faults);
  CacheRequest asked = request(0);
  asked.files = &files;
  for (int i = 0; i < 52; ++i) {  // every key twice: once to write it, once to read it
    const CacheOutcome outcome = obtain(asked, sample_parts(std::string(1, char('a' + i % 26))),
                                        [] { return small_executable(5); });
    EXPECT_EQ(outcome.executable.replicas, 5);
    EXPECT_THAT(outcome.warnings, IsEmpty());
  }
  EXPECT_EQ(files.retries() > 0, GetParam().policy != CachePolicyId::off) << "the faults struck";
}

TEST_P(KeepingPolicy, WriterKilledInMidWriteCostsARecompileNeverAResult) {
  const pid_t writer = ::fork();
  if (writer == 0) {
    FileFaults faults;
    faults.in_mid_write = [](const std::string&) { ::kill(::getpid(), SIGKILL); };
    FaultyFileSystem files(faults);
    CacheRequest asked = request(0);
    asked.files = &files;
    obtain(asked, sample_parts("p"), [] { return small_executable(5); });
    ::_exit(0);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(writer, &status, 0), writer);
  ASSERT_TRUE(WIFSIGNALED(status)) << "the writer was not killed";
  const CacheOutcome after = obtain_as(0);
  EXPECT_EQ(after.executable.replicas, 5);
  EXPECT_FALSE(after.cached);
  if (GetParam().sets_aside) {
    EXPECT_TRUE(obtain_as(0).cached);
  }
}

TEST_P(PolicyConformance, ErrorOfTheCompilerComesThroughAndLeavesNoLock) {
  const auto compile = []() -> program::Executable { throw Error(ErrorKind::input, "bad"); };
  EXPECT_THROW(obtain(request(0), sample_parts("p"), compile), Error);
  const auto start = Clock::now();
  EXPECT_EQ(obtain_as(1).executable.replicas, 5);
  EXPECT_LT(Clock::now() - start, Seconds(30));
}

std::vector<Discipline> disciplines() {
  return {{CachePolicyId::per_process, "exclusive-file", true, false},
          {CachePolicyId::per_host},
          {CachePolicyId::single_writer},
          {CachePolicyId::shared},
          {CachePolicyId::shared, "none", true, false, false},
          {CachePolicyId::shared, "directory", true, false, false},
          {CachePolicyId::shared, "process", true, false},
          {CachePolicyId::read_only, "exclusive-file", false, false},
          {CachePolicyId::off, "exclusive-file", false, false}};
}

std::vector<Discipline> keeping_disciplines() {
  std::vector<Discipline> all = disciplines();
  std::erase_if(all, [](const Discipline& one) { return !one.keeps; });
  return all;
}

std::string name_of(const testing::TestParamInfo<Discipline>& discipline) {
  const CachePolicyRow& row = cache_policy(discipline.param.policy);
  std::string name(row.name);
  if (row.takes_lock) name += "_" + discipline.param.lock;
  std::erase(name, '-');
  return name;
}

INSTANTIATE_TEST_SUITE_P(All, PolicyConformance, testing::ValuesIn(disciplines()), name_of);
INSTANTIATE_TEST_SUITE_P(All, KeepingPolicy, testing::ValuesIn(keeping_disciplines()), name_of);

TEST(Policy, SuiteRunsOverEveryPolicyAndLock) {
  std::set<CachePolicyId> policies;
  std::set<std::string_view> locks;
  for (const Discipline& one : disciplines()) {
    policies.insert(one.policy);
    if (cache_policy(one.policy).takes_lock) locks.insert(one.lock);
  }
  EXPECT_EQ(policies.size(), cache_policies().size());
  EXPECT_EQ(locks.size(), lock_names().size());
}

TEST(Policy, RowsStandInTheOrderOfTheirIds) {
  for (std::size_t i = 0; i < cache_policies().size(); ++i) {
    EXPECT_EQ(cache_policies()[i].id, static_cast<CachePolicyId>(i));
    EXPECT_EQ(&cache_policy_named(cache_policies()[i].name), &cache_policies()[i]);
  }
}

TEST(Policy, UnknownNameListsTheKnownOnes) {
  try {
    cache_policy_named("pre-host");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    EXPECT_EQ(error.message(), "unknown cache policy \"pre-host\"");
    ASSERT_EQ(error.notes().size(), cache_policies().size());
    EXPECT_EQ(error.notes().back(), "off: every chip compiles, nothing is kept");
  }
}

}  // namespace
}  // namespace understudy::cache
