// SPDX-License-Identifier: Apache-2.0
#include "cache/housekeeping.h"

#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cache/archive.h"
#include "cache/owner.h"
#include "configs/base/error.h"
#include "tests/cache/sample.h"

namespace understudy::cache {
namespace {

namespace fs = std::filesystem;

class Housekeeping : public testing::Test {
 protected:
  std::string write_entry(const std::string& program) {
    const NamedParts parts = named_parts(sample_parts(program));
    const std::string path = folder_.path() + "/host0/" + key_of(parts) + ".entry";
    fs::create_directories(folder_.path() + "/host0");
    write_text(path, seal(parts, archive_executable(small_executable(1))));
    return path;
  }
  Pruned prune_all(PruneRules rules = {}) { return prune(machine_files(), folder_.path(), rules); }
  TemporaryFolder folder_;
};

TEST_F(Housekeeping, ListsEntriesWithTheirPartsAndStates) {
  const std::string good = write_entry("a"), torn = write_entry("b");
  write_text(torn, read_text(torn).substr(0, 150));
  const std::vector<EntrySeen> all = entries_below(machine_files(), folder_.path());
  ASSERT_EQ(all.size(), 2U);
  for (const EntrySeen& one : all) {
    EXPECT_EQ(one.refusal, one.path == good ? Refusal::none : Refusal::torn);
    EXPECT_EQ(one.parts.empty(), one.path != good);
  }
}

TEST_F(Housekeeping, EntryUnderAnothersNameIsToldApart) {
  const std::string a = write_entry("a"), b = write_entry("b");
  fs::copy_file(a, b, fs::copy_options::overwrite_existing);
  EXPECT_EQ(read_entry(machine_files(), b).refusal, Refusal::wrong_key);
}

TEST_F(Housekeeping, FindsAnEntryByItsPathOrTheBeginningOfItsKey) {
  const std::string path = write_entry("a");
  const std::string key = fs::path(path).stem();
  EXPECT_EQ(find_entry(machine_files(), folder_.path(), path), path);
  EXPECT_EQ(find_entry(machine_files(), folder_.path(), key.substr(0, 6)), path);
  EXPECT_THROW(find_entry(machine_files(), folder_.path(), "zz"), Error);
  write_entry("b");
  EXPECT_THROW(find_entry(machine_files(), folder_.path(), ""), Error);
}

TEST_F(Housekeeping, PruneRemovesWhatDeadProcessesLeftAndKeepsWhatLivingOnesNeed) {
  const std::string entry = write_entry("a");
  const pid_t child = ::fork();
  if (child == 0) {
    write_text(temporary_for(entry), "half");
    write_text(entry.substr(0, entry.size() - 6) + ".lock", text_of(this_process()));
    ::_exit(0);
  }
  ASSERT_EQ(::waitpid(child, nullptr, 0), child);
  const std::string mine = temporary_for(entry);
  write_text(mine, "half");
  write_text(entry + ".quarantined", "bad");
  write_text(entry.substr(0, entry.size() - 6) + "0.entry.atime", "12345678");
  const Pruned done = prune_all();
  EXPECT_EQ(done.temporaries, 1);
  EXPECT_EQ(done.locks, 1);
  EXPECT_EQ(done.quarantined, 1);
  EXPECT_EQ(done.orphans, 1);
  EXPECT_EQ(done.kept, std::vector<std::string>{mine});
  EXPECT_TRUE(fs::exists(entry));
  EXPECT_EQ(count_leftovers(folder_.path()), 1);
}

TEST_F(Housekeeping, TellsWhatDeadProcessesLeftAndWhatLivingOnesHold) {
  const std::string entry = write_entry("a");
  const std::string stem = entry.substr(0, entry.size() - 6);
  const pid_t child = ::fork();
  if (child == 0) {
    for (const char* suffix : {".lock", ".compiling", ".unpublished"})
      write_text(stem + suffix, text_of(this_process()));
    ::_exit(0);
  }
  ASSERT_EQ(::waitpid(child, nullptr, 0), child);
  write_text(stem + "0.lock", text_of(this_process()));
  const std::vector<Leftover> left = leftovers_below(machine_files(), folder_.path());
  ASSERT_EQ(left.size(), 4U);
  for (const Leftover& one : left) {
    const bool mine = one.path == stem + "0.lock";
    EXPECT_EQ(one.is_dead, !mine) << one.path;
    EXPECT_THAT(one.owner, testing::HasSubstr("process "));
  }
  const Pruned done = prune_all();
  EXPECT_EQ(done.locks, 3);
  EXPECT_EQ(done.kept, std::vector<std::string>{stem + "0.lock"});
}

// Nothing of it is opened, nothing behind a link is touched.
TEST_F(Housekeeping, LinksAndPipesAreToldAndNeverFollowed) {
  const std::string entry = write_entry("a");
  const std::string folder = fs::path(entry).parent_path();
  const std::string target = folder_.path() + "/target";
  write_text(target, "kept");
  fs::create_symlink(target, folder + "/" + std::string(32, 'a') + ".entry");
  fs::create_symlink(folder_.path() + "/nowhere", folder + "/.evicting");
  ASSERT_EQ(::mkfifo((folder + "/" + std::string(32, 'b') + ".entry").c_str(), 0644), 0);
  ASSERT_EQ(::mkfifo((folder + "/" + std::string(32, 'c') + ".lock").c_str(), 0644), 0);
  fs::create_directory_symlink("/", folder_.path() + "/host1");
  std::vector<std::string> states;
  for (const EntrySeen& one : entries_below(machine_files(), folder_.path()))
    states.emplace_back(words_for(one.refusal));
  const std::string special(words_for(Refusal::special));
  EXPECT_THAT(states, testing::UnorderedElementsAre("good", special, special));
  const Pruned done = prune_all({true, 1});
  EXPECT_EQ(done.locks, 1);
  EXPECT_THAT(done.refused, testing::ElementsAre(testing::HasSubstr("symbolic link")));
  EXPECT_EQ(read_text(target), "kept");
  EXPECT_FALSE(fs::exists(folder_.path() + "/nowhere"));
}

TEST_F(Housekeeping, PruneRemovesForeignTemporariesOnlyOnceTheyAreOld) {
  const std::string entry = write_entry("a");
  const std::string path = fs::path(entry).parent_path() / ".a.entry.elsewhere-1-2.1.tmp";
  write_text(path, "half");
  EXPECT_EQ(prune_all().temporaries, 0);
  fs::last_write_time(path, fs::file_time_type::clock::now() - std::chrono::hours(2));
  EXPECT_EQ(prune_all().temporaries, 1);
}

TEST_F(Housekeeping, PruneRemovesEntriesOfOtherBuildsWhenAsked) {
  NamedParts parts = named_parts(sample_parts("a"));
  parts.back().second = "other sources";
  fs::create_directories(folder_.path() + "/host0");
  write_text(folder_.path() + "/host0/" + key_of(parts) + ".entry",
             seal(parts, archive_executable(small_executable(1))));
  write_entry("b");
  EXPECT_EQ(prune_all().stale, 0);
  EXPECT_EQ(prune_all({true, 0}).stale, 1);
  EXPECT_EQ(entries_below(machine_files(), folder_.path()).size(), 1U);
}

TEST_F(Housekeeping, PruneKeepsToABound) {
  const std::string a = write_entry("a");
  write_entry("b");
  EXPECT_EQ(prune_all({false, fs::file_size(a) + 10}).evicted, 1);
}

}  // namespace
}  // namespace understudy::cache
