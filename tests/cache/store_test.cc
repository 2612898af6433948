// SPDX-License-Identifier: Apache-2.0
#include "cache/store.h"

#include <chrono>
#include <csignal>
#include <filesystem>
#include <functional>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "configs/base/error.h"
#include "tests/cache/sample.h"

namespace understudy::cache {
namespace {

namespace fs = std::filesystem;

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

INSTANTIATE_TEST_SUITE_P(Makes, StoreConformance,
                         testing::Values(Make{"Disk", open_disk_store},
                                         Make{"Memory",
                                              [](const std::string&) {
                                                return std::make_unique<MemoryStore>();
                                              }}),
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
  EXPECT_EQ(error_of([&] { open_disk_store(file + "/host0"); }),
            "cannot use the cache directory " + file + "/host0: Not a directory");
  EXPECT_EQ(error_of([&] { open_disk_store("/proc/understudy/host0"); }),
            "cannot use the cache directory /proc/understudy/host0: No such file or directory");
}

TEST(DiskStore, LeavesNothingBehindWhenTheDiskIsFull) {
  const TemporaryFolder folder;
  const auto store = open_disk_store(folder.path());
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

TEST(DiskStore, SweepsTemporaryFilesOfWritersKilledLongAgo) {
  const TemporaryFolder folder;
  const std::string old = folder.path() + "/.a.1.2.tmp", young = folder.path() + "/.b.1.2.tmp";
  write_text(old, "half an ent");
  write_text(young, "half an ent");
  fs::last_write_time(old, fs::file_time_type::clock::now() - std::chrono::hours(2));
  open_disk_store(folder.path());
  EXPECT_FALSE(fs::exists(old));
  EXPECT_TRUE(fs::exists(young));
}

}  // namespace
}  // namespace understudy::cache
