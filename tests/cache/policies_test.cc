// SPDX-License-Identifier: Apache-2.0
// What only one policy promises.
#include <atomic>
#include <csignal>
#include <filesystem>
#include <future>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>

#include "cache/policy.h"
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
  // What nobody needs for long finds room.
  void mark(const std::string& name, const std::string& bytes) override {
    MemoryStore::write(name, bytes);
  }
  bool write(const std::string& name, Pieces pieces) override {
    if (refused_-- > 0) throw Error(ErrorKind::system, "cannot write x: No space left on device");
    return MemoryStore::write(name, pieces);
  }

 private:
  std::atomic<int> refused_;
};

CacheRequest neighbour(Seconds wait_limit) {
  CacheRequest request;
  request.policy = "per-host";
  request.rank = Rank(1);
  request.wait_limit = wait_limit;
  return request;
}

TEST(PerHost, EachHostHasItsOwnFolder) {
  CacheRequest request;
  request.host = HostId(3);
  EXPECT_EQ(folder_of(cache_policy(CachePolicyId::per_host), request), "host3");
}

TEST(PerHost, NeighbourWithoutALeaderCompilesAfterItsPatience) {
  MemoryStore store;
  const CacheOutcome outcome = obtain_from(&store, neighbour(Seconds(0.01)), sample_parts("p"),
                                           [] { return small_executable(6); });
  EXPECT_EQ(outcome.executable.replicas, 6);
  EXPECT_FALSE(outcome.cached);
  EXPECT_GE(outcome.wait_seconds, 0.01);
  EXPECT_THAT(outcome.warnings,
              ElementsAre("no cache entry appeared within 0.01 s; compiled locally"));
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

TEST(PerHost, NeighbourOfADeadLeaderCompilesAtOnce) {
  const TemporaryFolder folder;
  CacheRequest asked = neighbour(Seconds(60));
  asked.directory = folder.path();
  const pid_t leader = ::fork();
  if (leader == 0) {
    asked.host_leader = true;
    obtain(asked, sample_parts("p"), []() -> program::Executable {
      ::kill(::getpid(), SIGKILL);
      return small_executable(6);
    });
    ::_exit(1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(leader, &status, 0), leader);
  const CacheOutcome outcome = obtain(asked, sample_parts("p"), [] { return small_executable(6); });
  EXPECT_LT(outcome.wait_seconds, 30);
  EXPECT_THAT(outcome.warnings, ElementsAre(HasSubstr("is dead")));
}

// A store where somebody publishes a good entry right after the first look at a bad one.
class MendedStore : public MemoryStore {
 public:
  MendedStore(std::string bad, std::string good) : bad_(std::move(bad)), good_(std::move(good)) {}
  std::optional<FileBytes> read(const std::string& name) override {
    if (!name.ends_with(kEntrySuffix)) return MemoryStore::read(name);
    return FileBytes(std::exchange(bad_, good_));
  }
  std::string quarantine(const std::string& name) override {
    ADD_FAILURE() << "the good entry is moved aside: " << name;
    return name;
  }

 private:
  std::string bad_, good_;
};

TEST(PerHost, MovesNothingAsideThatIsNotWhatItRefused) {
  const NamedParts parts = named_parts(sample_parts("p"));
  const std::string good = seal(parts, "good");
  CacheRequest leader = neighbour(Seconds(60));
  leader.host_leader = true;
  // Torn, and whole but no archive.
  for (const std::string& bad : {good.substr(0, good.size() - 1), seal(parts, "no archive")}) {
    MendedStore store(bad, good);
    const CacheOutcome outcome =
        obtain_from(&store, leader, sample_parts("p"), [] { return small_executable(6); });
    EXPECT_EQ(outcome.counters.quarantined, 0);
    EXPECT_EQ(outcome.counters.deserialize_failures, 1);
  }
}

// Holds the process's lock for its own lifetime, from a thread of its own.
class HeldElsewhere {
 public:
  HeldElsewhere() {
    std::promise<void> held;
    thread_ = std::jthread([this, &held] {
      const auto lock = make_lock(LockKind::process, {machine_files(), "", ""});
      EXPECT_TRUE(lock->try_acquire());
      held.set_value();
      end_.get_future().wait();
      lock->release();
    });
    held.get_future().wait();
  }
  ~HeldElsewhere() { end_.set_value(); }

 private:
  std::promise<void> end_;
  std::jthread thread_;
};

TEST(SharedByMutex, WithoutTheMutexItNeitherReadsNorWritesNorUnlocks) {
  MemoryStore store;
  CacheRequest request = neighbour(Seconds(0.01));
  request.policy = "shared";
  request.lock = "process";
  const auto compile = [] { return small_executable(6); };
  {
    const HeldElsewhere elsewhere;
    const CacheOutcome outcome = obtain_from(&store, request, sample_parts("p"), compile);
    EXPECT_EQ(outcome.executable.replicas, 6);
    EXPECT_EQ(outcome.counters.lock_timeouts, 2);
    EXPECT_EQ(outcome.counters.writes, 0);
    EXPECT_FALSE(store.read(outcome.key + ".entry").has_value());
    const auto lock = make_lock(LockKind::process, {machine_files(), "", ""});
    EXPECT_FALSE(lock->try_acquire()) << "somebody else's mutex was unlocked";
  }
  EXPECT_EQ(obtain_from(&store, request, sample_parts("p"), compile).counters.writes, 1);
}

TEST(SingleWriter, OthersNeverWriteEvenWhereTheyCompile) {
  const TemporaryFolder folder;
  CacheRequest asked = neighbour(Seconds(0.01));
  asked.policy = "single-writer";
  asked.directory = folder.path();
  const CacheOutcome outcome = obtain(asked, sample_parts("p"), [] { return small_executable(6); });
  EXPECT_EQ(outcome.executable.replicas, 6);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(ReadOnly, UsesWhatOtherPoliciesWrote) {
  const TemporaryFolder folder;
  CacheRequest asked = neighbour(Seconds(1));
  asked.directory = folder.path();
  asked.host_leader = true;
  const auto compile = [] { return small_executable(6); };
  obtain(asked, sample_parts("p"), compile);
  asked.policy = "read-only";
  EXPECT_TRUE(obtain(asked, sample_parts("p"), compile).cached);
}

// What file systems make of a file that was renamed and not yet on the disk when the power went:
// nothing of it, a part of it, or zeros in place of all that was not written (docs/decisions/0006).
TEST(Policy, EntriesThatAPowerLossLeftAreFoundOutAndWrittenAnew) {
  for (const char* policy : {"per-host", "per-process", "single-writer", "shared"}) {
    const TemporaryFolder folder;
    CacheRequest asked = neighbour(Seconds(1));
    asked.policy = policy;
    asked.directory = folder.path();
    asked.host_leader = asked.pod_leader = true;
    CompileCache cache(asked);
    const auto compile = [] { return small_executable(6); };
    const std::string entry =
        cache.folder() + "/" + cache.obtain(sample_parts("p"), compile).key + ".entry";
    const auto whole = std::filesystem::file_size(entry);
    for (const std::uintmax_t left : {std::uintmax_t{0}, std::uintmax_t{100}, whole / 2, whole - 1})
      for (const bool zeros : {false, true}) {
        if (zeros && left + 1 == whole) continue;  // the last byte is a zero anyway
        std::filesystem::resize_file(entry, left);
        if (zeros) std::filesystem::resize_file(entry, whole);
        const CacheOutcome after = cache.obtain(sample_parts("p"), compile);
        const auto what = ::testing::Message()
                          << policy << ", " << left << " bytes left, " << zeros;
        EXPECT_EQ(after.counters.compiles, 1) << what;
        EXPECT_GE(after.counters.deserialize_failures, 1) << what;
        EXPECT_EQ(after.executable.replicas, 6) << what;
        EXPECT_TRUE(cache.obtain(sample_parts("p"), compile).cached) << what;
      }
  }
}

TEST(Policy, BoundedCacheKeepsWhatWasUsedLast) {
  const TemporaryFolder folder;
  CacheRequest asked = neighbour(Seconds(1));
  asked.directory = folder.path();
  asked.host_leader = true;
  const auto compile = [] { return small_executable(6); };
  CacheOutcome first = obtain(asked, sample_parts("a"), compile);
  const auto bytes = std::filesystem::file_size(folder.path() + "/host0/" + first.key + ".entry");
  asked.max_bytes = 2 * bytes;
  obtain(asked, sample_parts("b"), compile);
  EXPECT_TRUE(obtain(asked, sample_parts("a"), compile).cached);
  EXPECT_EQ(obtain(asked, sample_parts("c"), compile).counters.evicted, 1);
  EXPECT_TRUE(obtain(asked, sample_parts("a"), compile).cached);
  EXPECT_FALSE(obtain(asked, sample_parts("b"), compile).cached);
}

}  // namespace
}  // namespace understudy::cache
