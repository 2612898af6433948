// SPDX-License-Identifier: Apache-2.0
// The conformance suite over all policies (races of threads and processes, torn entries, a full
// disk, a killed writer), then what only one policy promises.
#include "cache/policy.h"

#include <atomic>
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "configs/base/error.h"
#include "tests/cache/sample.h"

namespace understudy::cache {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// A store on a full disk: the first `refused` writes fail.
class FullStore : public MemoryStore {
 public:
  explicit FullStore(int refused) : refused_(refused) {}
  void write(const std::string& name, const std::string& bytes) override {
    if (refused_-- > 0) throw Error(ErrorKind::system, "cannot write x: No space left on device");
    MemoryStore::write(name, bytes);
  }

 private:
  std::atomic<int> refused_;
};

class PolicyConformance : public testing::TestWithParam<const Policy*> {
 protected:
  CacheRequest request(std::int64_t rank) const {
    CacheRequest request;
    request.directory = folder_.path();
    request.policy = std::string(GetParam()->name());
    request.rank = Rank(rank);
    request.host_leader = rank == 0;
    return request;
  }
  CacheOutcome obtain_as(std::int64_t rank, const KeyParts& parts = sample_parts("p")) {
    return obtain(request(rank), parts, [this] {
      ++compiles_;
      return small_executable(5);
    });
  }
  std::string entry_path(const CacheRequest& asked) const {
    return folder_.path() + "/" + GetParam()->folder(asked).value() + "/" +
           key_of(sample_parts("p")) + ".entry";
  }

  TemporaryFolder folder_;
  std::atomic<int> compiles_{0};
};

TEST_P(PolicyConformance, GivesWhatTheCompilerGave) {
  const CacheOutcome outcome = obtain_as(0);
  EXPECT_EQ(outcome.executable.replicas, 5);
  EXPECT_EQ(outcome.key, key_of(sample_parts("p")));
  EXPECT_FALSE(outcome.cached);
  EXPECT_THAT(outcome.warnings, IsEmpty());
  EXPECT_EQ(compiles_, 1);
}

TEST_P(PolicyConformance, SecondRunCompilesOnlyWithoutAnEntry) {
  obtain_as(0);
  const CacheOutcome again = obtain_as(0);
  EXPECT_EQ(again.executable.replicas, 5);
  const bool keeps = GetParam()->folder(request(0)).has_value();
  EXPECT_EQ(again.cached, keeps);
  EXPECT_EQ(compiles_, keeps ? 1 : 2);
  EXPECT_EQ(again.compile_seconds > 0, !keeps);
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
  EXPECT_EQ(compiles_, GetParam()->folder(request(0)) ? 1 : 8);
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

TEST_P(PolicyConformance, BadEntryIsMovedAsideAndCompiledAgain) {
  if (!GetParam()->folder(request(0))) GTEST_SKIP() << "keeps nothing";
  obtain_as(0);
  const std::string path = entry_path(request(0)), good = read_text(path);
  std::string flipped = good;
  flipped.back() = static_cast<char>(flipped.back() ^ 1);
  for (const std::string& bad : {good.substr(0, good.size() / 2), flipped, std::string("junk")}) {
    compiles_ = 0;
    write_text(path, bad);
    const CacheOutcome outcome = obtain_as(0);
    EXPECT_EQ(outcome.executable.replicas, 5);
    EXPECT_EQ(compiles_, 1);
    EXPECT_THAT(outcome.warnings, ElementsAre(HasSubstr("compiling again")));
    EXPECT_EQ(read_text(path + ".quarantined"), bad);
    EXPECT_EQ(read_text(path), good);
  }
}

TEST_P(PolicyConformance, EntryOfAnotherBuildIsAMissWithoutAWarning) {
  if (!GetParam()->folder(request(0))) GTEST_SKIP() << "keeps nothing";
  obtain_as(0);
  std::string stale = read_text(entry_path(request(0)));
  stale[12] = 'x';
  write_text(entry_path(request(0)), stale);
  EXPECT_THAT(obtain_as(0).warnings, IsEmpty());
  EXPECT_EQ(compiles_, 2);
  EXPECT_TRUE(obtain_as(0).cached);
}

TEST_P(PolicyConformance, FullDiskCostsOnlyAWarning) {
  if (!GetParam()->folder(request(0))) GTEST_SKIP() << "keeps nothing";
  FullStore store(1);
  const CacheOutcome outcome =
      obtain_from(&store, request(0), sample_parts("p"), [] { return small_executable(5); });
  EXPECT_EQ(outcome.executable.replicas, 5);
  EXPECT_THAT(outcome.warnings, ElementsAre("the compiled program is not cached: cannot write x: "
                                            "No space left on device"));
}

TEST_P(PolicyConformance, WriterKilledBeforeTheRenameCostsARecompile) {
  const auto folder = GetParam()->folder(request(0));
  if (!folder) GTEST_SKIP() << "keeps nothing";
  obtain_as(0);
  const std::string path = entry_path(request(0)), good = read_text(path);
  std::filesystem::rename(path, folder_.path() + "/" + *folder + "/.x.entry.1.2.tmp");
  EXPECT_FALSE(obtain_as(0).cached);
  EXPECT_EQ(read_text(path), good);
}

TEST_P(PolicyConformance, ErrorOfTheCompilerComesThrough) {
  const auto compile = []() -> program::Executable { throw Error(ErrorKind::input, "bad"); };
  EXPECT_THROW(obtain(request(0), sample_parts("p"), compile), Error);
}

INSTANTIATE_TEST_SUITE_P(All, PolicyConformance, testing::ValuesIn(policies()),
                         [](const auto& policy) {
                           std::string name(policy.param->name());
                           std::erase(name, '-');
                           return name;
                         });

TEST(Policy, UnknownNameListsTheKnownOnes) {
  try {
    policy_named("pre-host");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    EXPECT_EQ(error.message(), "unknown cache policy \"pre-host\"; known: per-host, off");
  }
}

CacheRequest neighbour(Seconds patience) {
  CacheRequest request;
  request.policy = "per-host";
  request.rank = Rank(1);
  request.patience = patience;
  return request;
}

TEST(PerHost, EachHostHasItsOwnFolder) {
  CacheRequest request;
  request.host = HostId(3);
  EXPECT_EQ(per_host_policy().folder(request), "host3");
}

TEST(PerHost, NeighbourWithoutALeaderCompilesAfterItsPatience) {
  MemoryStore store;
  const CacheOutcome outcome = obtain_from(&store, neighbour(Seconds(0.01)), sample_parts("p"),
                                           [] { return small_executable(6); });
  EXPECT_EQ(outcome.executable.replicas, 6);
  EXPECT_FALSE(outcome.cached);
  EXPECT_GE(outcome.wait_seconds, 0.01);
  EXPECT_THAT(outcome.warnings, ElementsAre("no cache entry from this host's first chip within "
                                            "0.01 s; compiled here"));
  EXPECT_FALSE(store.read(outcome.key + ".entry").has_value());
}

TEST(PerHost, NeighbourOfALeaderThatCannotWriteCompilesAtOnce) {
  FullStore store(1);
  CacheRequest leader = neighbour(Seconds(60));
  leader.host_leader = true;
  const auto compile = [] { return small_executable(6); };
  obtain_from(&store, leader, sample_parts("p"), compile);
  const auto start = Clock::now();
  const CacheOutcome outcome =
      obtain_from(&store, neighbour(Seconds(60)), sample_parts("p"), compile);
  EXPECT_LT(Clock::now() - start, Seconds(30));
  EXPECT_EQ(outcome.executable.replicas, 6);
  EXPECT_THAT(outcome.warnings, IsEmpty());
}

TEST(PerHost, WaitingEndsWhenTheCallerThrows) {
  MemoryStore store;
  CacheRequest request = neighbour(Seconds(60));
  request.while_waiting = [] { throw Error(ErrorKind::timeout, "rank 0 is gone"); };
  EXPECT_THROW(obtain_from(&store, request, sample_parts("p"), [] { return small_executable(6); }),
               Error);
}

}  // namespace
}  // namespace understudy::cache
