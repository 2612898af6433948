// SPDX-License-Identifier: Apache-2.0
// Several users on one cache: real ones, in forked children. Skipped where this test is not root's.
#include <algorithm>
#include <filesystem>
#include <functional>
#include <gmock/gmock.h>
#include <grp.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cache/compile_cache.h"
#include "cache/folder.h"
#include "cache/housekeeping.h"
#include "cache/owner.h"
#include "configs/base/error.h"
#include "tests/cache/sample.h"

namespace understudy::cache {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

constexpr std::uint32_t kAlice = 12345, kBob = 65534, kMallory = 23456;
constexpr Seconds kPatience{60};

class Users : public testing::Test {
 protected:
  void SetUp() override {
    if (::geteuid() != 0) GTEST_SKIP() << "only root may become other users";
    fs::permissions(folder_.path(), fs::perms(01777));
  }

  // The output of `act` as that user, or "failed".
  static std::string as(std::uint32_t user, mode_t mask, const std::function<std::string()>& act) {
    int ends[2];
    if (::pipe(ends) != 0) return "failed";
    const pid_t child = ::fork();
    if (child == 0) {
      std::string said = "failed";
      if (::setgroups(0, nullptr) == 0 && ::setgid(user) == 0 && ::setuid(user) == 0) {
        ::umask(mask);
        said = act();
      }
      ::_exit(::write(ends[1], said.data(), said.size()) == static_cast<ssize_t>(said.size()) ? 0
                                                                                              : 1);
    }
    ::close(ends[1]);
    std::string said;
    char piece[4096];
    for (ssize_t n = 0; (n = ::read(ends[0], piece, sizeof(piece))) > 0;)
      said.append(piece, static_cast<std::size_t>(n));
    ::close(ends[0]);
    ::waitpid(child, nullptr, 0);
    return said;
  }

  CacheRequest request(const std::string& policy, bool leads) const {
    CacheRequest request;
    request.directory = folder_.path() + "/cache";
    request.policy = policy;
    request.host_leader = request.pod_leader = leads;
    request.wait_limit = kPatience;
    return request;
  }
  // "hit" or "compiled", then each warning; "waited" before them.
  static std::string told(const CacheRequest& asked) {
    try {
      const CacheOutcome outcome =
          obtain(asked, sample_parts("p"), [] { return small_executable(5); });
      std::string text = outcome.cached ? "hit" : "compiled";
      if (outcome.wall_seconds > kPatience.count() / 2) text = "waited, " + text;
      for (const std::string& warning : outcome.warnings) text += "\n" + warning;
      return text;
    } catch (const Error& error) {
      return error.text();
    }
  }
  std::string obtain_as(std::uint32_t user, mode_t mask, const std::string& policy,
                        bool leads = true, const std::vector<std::string>& trust = {}) const {
    return as(user, mask, [&] {
      CacheRequest asked = request(policy, leads);
      asked.trust = trust;
      return told(asked);
    });
  }
  std::string entry() const {
    return CompileCache(request("shared", true)).folder() + "/" + key_of(sample_parts("p")) +
           ".entry";
  }
  void forget() const { fs::remove_all(folder_.path() + "/cache"); }

  TemporaryFolder folder_;
};

TEST_F(Users, OthersUseWhatTheOwnerOfTheFolderWrote) {
  for (const char* policy : {"shared", "per-host", "per-process", "single-writer"}) {
    SCOPED_TRACE(policy);
    EXPECT_EQ(obtain_as(kAlice, 022, policy), "compiled");
    for (const bool leads : {true, false}) {
      EXPECT_EQ(obtain_as(kBob, 022, policy, leads), "hit");
      EXPECT_EQ(obtain_as(0, 022, policy, leads), "hit");
    }
    forget();
  }
}

TEST_F(Users, WhatMayNotBeReadOrWrittenIsSaidOnceAndNotWaitedFor) {
  for (const char* policy : {"shared", "per-host", "per-process", "single-writer"})
    for (const mode_t mask : {077, 022})
      for (const bool leads : {true, false}) {
        SCOPED_TRACE(std::string(policy) + (leads ? ", leads" : ", follows"));
        CacheRequest asked = request(policy, true);
        // Alice's cache has another program; under 077 nobody else may look into it.
        as(kAlice, mask, [&] {
          obtain(asked, sample_parts("q"), [] { return small_executable(5); });
          return std::string();
        });
        const std::string said = obtain_as(kBob, mask, policy, leads);
        EXPECT_THAT(said, HasSubstr("compiled\n"));
        EXPECT_THAT(said, HasSubstr("which belongs to user 12345"));
        EXPECT_THAT(said, Not(HasSubstr("waited")));
        EXPECT_EQ(std::ranges::count(said, '\n'), 1) << said;
        forget();
      }
}

TEST_F(Users, EntriesAreReadableAndNobodyElseMayWriteThem) {
  for (const char* policy : {"shared", "per-host"}) {
    EXPECT_EQ(obtain_as(kAlice, 0, policy), "compiled");
    for (const auto& item : fs::recursive_directory_iterator(folder_.path() + "/cache")) {
      const auto mode = static_cast<unsigned>(item.status().permissions());
      EXPECT_EQ(mode & (item.is_directory() ? 0002U : 0133U), 0U) << item.path();
    }
    forget();
  }
}

TEST_F(Users, EntriesOfOthersAreAMissUnlessTheyAreTrusted) {
  fs::create_directories(folder_.path() + "/cache/shared");
  fs::permissions(folder_.path() + "/cache", fs::perms(01777));
  fs::permissions(folder_.path() + "/cache/shared", fs::perms(01777));
  EXPECT_EQ(obtain_as(kMallory, 022, "shared"), "compiled");
  const std::string said = obtain_as(kBob, 022, "shared");
  EXPECT_THAT(said, HasSubstr("compiled\n"));
  EXPECT_THAT(said, HasSubstr("it belongs to user 23456, who is not trusted"));
  EXPECT_EQ(obtain_as(kBob, 022, "shared", true, {"daemon", "23456"}), "hit");
  EXPECT_EQ(obtain_as(kBob, 022, "shared", true, {"daemon,23456"}), "hit");
  EXPECT_EQ(obtain_as(kMallory, 022, "shared"), "hit") << "its own";
  ASSERT_EQ(::chown(entry().c_str(), 0, 0), 0);
  EXPECT_EQ(obtain_as(kBob, 022, "shared"), "hit") << "root's";
}

// A lock that another user holds for ever must not block anyone.
TEST_F(Users, LocksOfOthersAreNotWaitedFor) {
  fs::create_directories(folder_.path() + "/cache/shared");
  fs::permissions(folder_.path() + "/cache", fs::perms(01777));
  fs::permissions(folder_.path() + "/cache/shared", fs::perms(01777));
  const std::string lock = folder_.path() + "/cache/shared/" + key_of(sample_parts("p")) + ".lock";
  write_text(lock, text_of(this_process()));
  ASSERT_EQ(::chown(lock.c_str(), kMallory, kMallory), 0);
  const std::string said = obtain_as(kBob, 022, "shared");
  EXPECT_THAT(said, testing::StartsWith("compiled\n"));
  EXPECT_THAT(said, HasSubstr("belongs to user 23456, who is not trusted"));
}

TEST_F(Users, AnEntryThatEverybodyMayWriteIsAMiss) {
  EXPECT_EQ(obtain_as(kAlice, 022, "shared"), "compiled");
  fs::permissions(entry(), fs::perms(0666));
  EXPECT_THAT(obtain_as(kBob, 022, "shared"), HasSubstr("world-writable"));
}

TEST_F(Users, FoldersOfOthersThatEverybodyMayWriteAreRefusedWithAdvice) {
  const std::string cache = folder_.path() + "/cache", shared = cache + "/shared";
  for (const std::string& open : {cache, shared}) {
    EXPECT_EQ(obtain_as(kAlice, 022, "shared"), "compiled");
    fs::permissions(open, fs::perms(0777));
    const std::string said = obtain_as(kBob, 022, "shared");
    EXPECT_THAT(said, HasSubstr("compiled\n"));
    EXPECT_THAT(said, HasSubstr(open + ": it belongs to user 12345 and is world-writable"));
    EXPECT_THAT(said, HasSubstr("chmod +t"));
    EXPECT_EQ(obtain_as(kAlice, 022, "shared"), "hit") << "her own";
    fs::permissions(open, fs::perms(01777));
    EXPECT_EQ(obtain_as(kBob, 022, "shared"), "hit");
    forget();
  }
}

TEST_F(Users, HousekeepingTellsWhatItMayNotUse) {
  EXPECT_EQ(obtain_as(kAlice, 022, "shared"), "compiled");
  const auto state = [&] {
    const auto all = entries_below(machine_files(), folder_.path() + "/cache");
    return all.size() == 1 ? std::string(words_for(all[0].refusal)) : "not one entry";
  };
  EXPECT_EQ(as(kBob, 022, state), "good");
  fs::permissions(entry(), fs::perms(0600));
  EXPECT_EQ(as(kBob, 022, state), "not readable by this user");
  fs::permissions(entry(), fs::perms(0644));
  ASSERT_EQ(::chown(entry().c_str(), kMallory, kMallory), 0);
  EXPECT_EQ(as(kBob, 022, state), "of a user who is not trusted");
}

TEST(Trust, NamesAreLookedUpAndUnknownOnesRefused) {
  EXPECT_NO_THROW(check_user_names({"root", "0,12345"}));
  EXPECT_THROW(check_user_names({"root,nobody-has-this-name"}), Error);
  EXPECT_TRUE(is_trusted(0, "/nowhere", {}));
  EXPECT_FALSE(is_trusted(kMallory, "/nowhere", {"root"}));
}

}  // namespace
}  // namespace understudy::cache
