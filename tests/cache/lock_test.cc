// SPDX-License-Identifier: Apache-2.0
#include "cache/lock.h"

#include <filesystem>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cache/faulty_file_system.h"
#include "cache/owner.h"
#include "cache/self_test.h"
#include "configs/base/error.h"
#include "tests/cache/sample.h"

namespace understudy::cache {
namespace {

// An owner that was there and is gone.
Owner dead_owner() {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(0);
  Owner owner = this_process();
  owner.pid = child;
  int status = 0;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  return owner;
}

TEST(Owner, SurvivesItsText) {
  const Owner owner = this_process();
  EXPECT_EQ(parse_owner(text_of(owner)), owner);
  EXPECT_EQ(parse_owner(""), std::nullopt);
  EXPECT_EQ(parse_owner("a-b-c"), std::nullopt);
  const std::string path = temporary_for("/x/y.entry");
  EXPECT_EQ(owner_of_temporary(path.substr(3)), owner);
  EXPECT_EQ(owner_of_temporary("y.entry"), std::nullopt);
}

TEST(Owner, IsDeadOnceItsProcessIsGoneOrItsPidIsAnothers) {
  EXPECT_FALSE(is_dead(this_process()));
  EXPECT_TRUE(is_dead(dead_owner()));
  Owner reused = this_process();
  ++reused.start;
  EXPECT_TRUE(is_dead(reused));
}

TEST(Owner, OfAnotherMachineCountsAsAlive) {
  Owner owner = dead_owner();
  owner.machine = "elsewhere";
  EXPECT_FALSE(is_dead(owner));
}

class LockConformance : public testing::TestWithParam<LockKind> {};

TEST_P(LockConformance, ExcludesUntilItIsReleased) {
  const TemporaryFolder folder;
  const LockPlace place{machine_files(), folder.path(), "key"};
  const auto first = make_lock(GetParam(), place), second = make_lock(GetParam(), place);
  ASSERT_TRUE(first->try_acquire());
  EXPECT_FALSE(second->try_acquire());
  first->release();
  EXPECT_TRUE(second->try_acquire());
  second->release();
}

INSTANTIATE_TEST_SUITE_P(All, LockConformance,
                         testing::Values(LockKind::exclusive_file, LockKind::directory,
                                         LockKind::process),
                         [](const auto& kind) {
                           std::string name(name_of(kind.param));
                           std::erase(name, '-');
                           return name;
                         });

TEST(ExclusiveFileLock, OfADeadOwnerIsBrokenOnce) {
  const TemporaryFolder folder;
  const LockPlace place{machine_files(), folder.path(), "key"};
  write_text(folder.path() + "/key.lock", text_of(dead_owner()));
  const auto lock = make_lock(LockKind::exclusive_file, place);
  EXPECT_TRUE(lock->try_acquire());
  EXPECT_EQ(lock->broken(), 1);
  EXPECT_FALSE(make_lock(LockKind::exclusive_file, place)->try_acquire());
}

TEST(ExclusiveFileLock, OfALivingOrForeignOwnerIsLeftAlone) {
  const TemporaryFolder folder;
  Owner foreign = dead_owner();
  foreign.machine = "elsewhere";
  for (const std::string& text : {text_of(this_process()), text_of(foreign), std::string()}) {
    write_text(folder.path() + "/key.lock", text);
    EXPECT_FALSE(break_dead_lock(machine_files(), folder.path() + "/key.lock"));
    EXPECT_EQ(read_text(folder.path() + "/key.lock"), text);
  }
}

TEST(ExclusiveFileLock, ReleaseLeavesAnotherOwnersLockAlone) {
  const TemporaryFolder folder;
  const auto lock = make_lock(LockKind::exclusive_file, {machine_files(), folder.path(), "key"});
  ASSERT_TRUE(lock->try_acquire());
  write_text(folder.path() + "/key.lock", "another's");
  lock->release();
  EXPECT_EQ(read_text(folder.path() + "/key.lock"), "another's");
}

TEST(SelfTest, FindsThatThisMachinesFilesExcludeProcesses) {
  const TemporaryFolder folder;
  const Exclusion seen = test_exclusion(folder.path());
  EXPECT_TRUE(seen.exclusive_create);
  EXPECT_TRUE(seen.advisory_lock);
  EXPECT_EQ(lock_for(seen), LockKind::exclusive_file);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(SelfTest, FindsAMountWhoseLocksDoNotExcludeOtherHosts) {
  const TemporaryFolder folder;
  FileFaults faults;
  faults.locks_exclude = false;
  FaultyFileSystem here(faults);
  faults.host = 1;
  FaultyFileSystem there(faults);
  EXPECT_FALSE(test_exclusion(here, there, folder.path()).advisory_lock);
  EXPECT_TRUE(test_exclusion(here, there, folder.path()).exclusive_create);
}

TEST(SelfTest, RefusesToShareWhereNothingExcludes) {
  const TemporaryFolder folder;
  FileFaults faults;
  faults.locks_exclude = faults.creates_exclude = false;
  FaultyFileSystem here(faults);
  faults.host = 1;
  FaultyFileSystem there(faults);
  EXPECT_THROW(lock_for(test_exclusion(here, there, folder.path())), Error);
  faults.host = 0;
  FaultyFileSystem same_host(faults);
  EXPECT_EQ(lock_for(test_exclusion(here, same_host, folder.path())), LockKind::exclusive_file);
}

}  // namespace
}  // namespace understudy::cache
