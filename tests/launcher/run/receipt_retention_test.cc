// SPDX-License-Identifier: Apache-2.0
#include "launcher/run/receipt/receipt_retention.h"

#include <array>
#include <ctime>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>
#include <string>
#include <sys/stat.h>
#include <thread>

#include "configs/base/error.h"
#include "launcher/process/environment.h"

namespace understudy::launcher {
namespace {

namespace fs = std::filesystem;

constexpr std::time_t kNow = 1'800'000'000;
constexpr std::time_t kDay = 86400;

class ReceiptRetention : public testing::Test {
 protected:
  ReceiptRetention() {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  ~ReceiptRetention() override { fs::remove_all(folder_); }

  std::string add(const std::string& name, std::time_t days_old,
                  const std::string& text = "{\n  \"schema\": \"understudy/receipt/1\",\n") {
    const std::string path = folder_ + "/" + name;
    std::ofstream(path) << text;
    const std::array<timespec, 2> times = {timespec{kNow - days_old * kDay, 0},
                                           timespec{kNow - days_old * kDay, 0}};
    EXPECT_EQ(::utimensat(AT_FDCWD, path.c_str(), times.data(), 0), 0);
    return path;
  }
  std::string receipt(int number, std::time_t days_old) {
    return add(fmt::format("20260131-120000-{:06}.json", number), days_old);
  }
  PrunedReceipts prune(std::uint64_t newest, std::uint64_t days, bool dry_run = false) const {
    return prune_receipts(folder_, {{newest, days}, kNow, dry_run});
  }
  std::size_t files() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }

  std::string folder_ = testing::TempDir() + "understudy_receipt_retention";
};

TEST_F(ReceiptRetention, RemovesOnlyWhatIsBeyondBothBounds) {
  for (int i = 0; i < 10; ++i) receipt(i, i * 10);
  EXPECT_EQ(prune(10, 0).removed.size(), 0u);  // all are among the newest
  EXPECT_EQ(prune(0, 91).removed.size(), 0u);  // all are young enough
  const PrunedReceipts pruned = prune(5, 70);  // 70, 80 and 90 days old
  ASSERT_EQ(pruned.removed.size(), 3u);
  EXPECT_EQ(pruned.removed.front(), folder_ + "/20260131-120000-000009.json");
  EXPECT_EQ(pruned.kept, 7u);
  EXPECT_EQ(files(), 7u);
  EXPECT_EQ(prune(5, 30).removed.size(), 2u);  // 50 and 60; those of 30 and 40 are among 5
  EXPECT_EQ(prune(0, 0).removed.size(), 5u);
}

TEST_F(ReceiptRetention, ADryRunRemovesNothing) {
  receipt(1, 100);
  EXPECT_EQ(prune(0, 0, true).removed.size(), 1u);
  EXPECT_EQ(files(), 1u);
}

TEST_F(ReceiptRetention, LeavesEverythingElseAlone) {
  const std::string elsewhere = testing::TempDir() + "understudy_receipt_elsewhere.json";
  std::ofstream(elsewhere) << "{\n  \"schema\": \"understudy/receipt/1\",\n";
  add("20260131-120000-abcdef.json", 100, "{\"mine\": true}");  // a receipt by its name alone
  add("kept-by-hand.json", 100);                                // a receipt by its content alone
  add("20260131-120000-abcdef.svg", 100);
  add("20260131-120000-abcdef.json.tmp", 100);
  fs::create_directory(folder_ + "/20260131-120000-folder.json");
  fs::create_symlink(elsewhere, folder_ + "/20260131-120000-linked.json");
  ASSERT_EQ(::mkfifo((folder_ + "/20260131-120000-fifo.json").c_str(), 0600), 0);
  const std::size_t before = files();
  EXPECT_EQ(prune(0, 0).removed.size(), 0u);
  EXPECT_EQ(files(), before);
  EXPECT_TRUE(fs::exists(elsewhere));
  fs::remove(elsewhere);
}

TEST_F(ReceiptRetention, KnowsTheReceiptsOfRehearsals) {
  add("20260131-120000-rehearsal1234.json", 100);
  EXPECT_EQ(prune(0, 30).removed.size(), 1u);
}

TEST_F(ReceiptRetention, ManyAtOnceRemoveEachReceiptOnceAndKeepTheNewest) {
  for (int i = 0; i < 500; ++i) receipt(i, 100 + i);
  std::vector<std::jthread> all;
  for (int i = 0; i < 4; ++i)
    all.emplace_back([&] { EXPECT_NO_THROW(static_cast<void>(prune(100, 30))); });
  all.clear();
  EXPECT_EQ(files(), 100u);
  EXPECT_TRUE(fs::exists(folder_ + "/20260131-120000-000000.json"));
}

TEST_F(ReceiptRetention, AFolderThatIsNotThereHasNone) {
  fs::remove_all(folder_);
  EXPECT_EQ(prune(0, 0).removed.size(), 0u);
}

TEST(ReceiptRule, IsTakenFromTheEnvironment) {
  Environment environment;
  EXPECT_EQ(receipt_rule(environment).newest, 1000u);
  EXPECT_EQ(receipt_rule(environment).days, 30u);
  environment.receipt_keep_newest = "7";
  environment.receipt_keep_days = "0";
  EXPECT_EQ(receipt_rule(environment).newest, 7u);
  EXPECT_EQ(receipt_rule(environment).days, 0u);
  environment.receipt_keep_days = "a week";
  try {
    static_cast<void>(receipt_rule(environment));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    EXPECT_EQ(error.message(),
              "UNDERSTUDY_RECEIPT_KEEP_DAYS: expected a whole number, got 'a week'");
  }
}

}  // namespace
}  // namespace understudy::launcher
