// SPDX-License-Identifier: Apache-2.0
#include "cache/store.h"

#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <functional>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "configs/base/error.h"
#include "tests/cache/sample.h"

namespace understudy::cache {
namespace {

namespace fs = std::filesystem;

std::unique_ptr<Store> open_here(const std::string& directory) {
  return open_disk_store(machine_files(), directory, StoreMode::read_write);
}

struct Make {
  const char* name;
  std::function<std::unique_ptr<Store>(const std::string&)> open;
};

class StoreConformance : public testing::TestWithParam<Make> {
 protected:
  TemporaryFolder folder_;
  std::unique_ptr<Store> store_ = GetParam().open(folder_.path());
};

TEST_P(StoreConformance, MissesWhatIsNotThere) { EXPECT_EQ(store_->read("a"), std::nullopt); }

TEST_P(StoreConformance, ReadsWhatWasWritten) {
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{100'003}}) {
    const std::string bytes(size, '\1');
    store_->write("a", bytes);
    EXPECT_EQ(store_->read("a"), bytes);
  }
}

TEST_P(StoreConformance, LaterWriteReplaces) {
  store_->write("a", "long first text");
  store_->write("a", "second");
  EXPECT_EQ(store_->read("a"), "second");
}

TEST_P(StoreConformance, QuarantineHidesTheEntryAndForgivesItsAbsence) {
  store_->write("a", "bad");
  const std::string aside = store_->quarantine("a");
  EXPECT_NE(aside.find("a.quarantined"), std::string::npos);
  EXPECT_EQ(store_->read("a"), std::nullopt);
  EXPECT_EQ(store_->quarantine("a"), aside);
}

TEST_P(StoreConformance, RemoveForgivesAbsence) {
  store_->write("a", "x");
  store_->remove("a");
  store_->remove("a");
  EXPECT_EQ(store_->read("a"), std::nullopt);
}

INSTANTIATE_TEST_SUITE_P(
    Makes, StoreConformance,
    testing::Values(Make{"Disk", [](const std::string& path) { return open_here(path); }},
                    Make{"Memory",
                         [](const std::string&) { return std::make_unique<MemoryStore>(); }}),
    [](const auto& make) { return std::string(make.param.name); });

std::string error_of(const std::function<void()>& act) {
  try {
    act();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::system);
    return error.message();
  }
  return "no error";
}

TEST(DiskStore, NamesTheFolderThatCannotBeUsedAndWhy) {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/file";
  write_text(file, "");
  EXPECT_EQ(error_of([&] { open_here(file + "/host0"); }),
            "cannot use the cache directory " + file + "/host0: Not a directory");
  EXPECT_EQ(error_of([&] { open_here("/proc/understudy/host0"); }),
            "cannot use the cache directory /proc/understudy/host0: No such file or directory");
}

TEST(DiskStore, LeavesNothingBehindWhenTheDiskIsFull) {
  const TemporaryFolder folder;
  const auto store = open_here(folder.path());
  store->write("a", "old");
  const pid_t child = ::fork();
  if (child == 0) {
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{1000, 1000};
    if (::setrlimit(RLIMIT_FSIZE, &limit) != 0) ::_exit(2);
    const std::string text = error_of([&] { store->write("a", std::string(5000, 'x')); });
    ::_exit(text.find(": File too large") != std::string::npos ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(store->read("a"), "old");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), {}), 1);
}

TEST(DiskStore, RemovesTheMarkersThatItWroteAndNoOthers) {
  const TemporaryFolder folder;
  const auto store = open_here(folder.path());
  const auto other = open_here(folder.path());
  store->mark("a.unpublished", "me");
  store->mark("a.compiling", "me");
  other->mark("b.unpublished", "another process");
  store->remove_own_markers();
  EXPECT_EQ(store->read("a.unpublished"), std::nullopt);
  EXPECT_EQ(store->read("a.compiling"), "me");
  EXPECT_EQ(store->read("b.unpublished"), "another process");
}

TEST(DiskStore, MakesItsFolderAgainWhenSomebodyRemovedIt) {
  const TemporaryFolder folder;
  const auto store = open_here(folder.path() + "/host0");
  store->write("a", "x");
  fs::remove_all(folder.path() + "/host0");
  store->write("b", "y");
  EXPECT_EQ(store->read("a"), std::nullopt);
  EXPECT_EQ(store->read("b"), "y");
}

TEST(DiskStore, ReadOnlyCreatesNothingAndSearchesTheOtherFolders) {
  const TemporaryFolder folder;
  open_here(folder.path() + "/host0")->write("a", "x");
  const auto store = open_disk_store(machine_files(), folder.path() + "/shared",
                                     StoreMode::read_only, {folder.path() + "/host0"});
  EXPECT_EQ(store->read("a"), "x");
  EXPECT_EQ(store->read("b"), std::nullopt);
  EXPECT_FALSE(fs::exists(folder.path() + "/shared"));
}

TEST(DiskStore, EvictsWhatWasUsedLongestAgo) {
  const TemporaryFolder folder;
  const auto store = open_here(folder.path());
  for (const char* name : {"a.entry", "b.entry", "c.entry"}) {
    store->write(name, std::string(1000, 'x'));
    machine_files().mark_used(folder.path() + "/" + name);
  }
  machine_files().mark_used(folder.path() + "/a.entry");
  EXPECT_EQ(store->evict(2000, "c.entry"), 1);
  EXPECT_EQ(store->read("b.entry"), std::nullopt);
  EXPECT_TRUE(store->read("a.entry").has_value());
  EXPECT_EQ(store->evict(2000, "c.entry"), 0);
}

TEST(DiskStore, NeverEvictsWhatSomebodyReadsNorTheEntryToKeep) {
  const TemporaryFolder folder;
  const auto store = open_here(folder.path());
  store->write("a.entry", std::string(1000, 'x'));
  store->write("b.entry", std::string(1000, 'x'));
  const int reader = ::open((folder.path() + "/a.entry").c_str(), O_RDONLY);
  ASSERT_EQ(::flock(reader, LOCK_SH), 0);
  EXPECT_EQ(store->evict(0, "b.entry"), 0);
  EXPECT_TRUE(store->read("a.entry").has_value());
  ::close(reader);
  EXPECT_EQ(store->evict(0, "b.entry"), 1);
  EXPECT_TRUE(store->read("b.entry").has_value());
}

TEST(PlainStore, ExistingEntriesAreNeverWrittenAgain) {
  const TemporaryFolder folder;
  const auto store = open_plain_store(machine_files(), folder.path(), {});
  EXPECT_TRUE(store->write("a", "poison"));
  EXPECT_FALSE(store->write("a", "medicine"));
  EXPECT_EQ(store->read("a"), "poison");
}

TEST(PlainStore, OneEntryWithoutItsAccessTimeStopsEveryWrite) {
  const TemporaryFolder folder;
  PlainStoreOptions options;
  options.keeps_access_times = true;
  const auto store = open_plain_store(machine_files(), folder.path(), options);
  store->write("a.entry", "x");
  store->write("b.entry", "x");
  fs::remove(folder.path() + "/a.entry.atime");
  EXPECT_NE(error_of([&] { store->write("c.entry", "x"); }).find("a.entry.atime"),
            std::string::npos);
}

}  // namespace
}  // namespace understudy::cache
