// SPDX-License-Identifier: Apache-2.0
// Output that cannot be written: closed or full streams, readers that exit, full disks. Expects
// exit code 71 at once, the name of the file system, no abort, and no remaining files.
#include <csignal>
#include <filesystem>
#include <gtest/gtest.h>
#include <string>
#include <sys/wait.h>
#include <vector>

#include "tests/mpi/mpi_testing.h"

namespace understudy::mpi_testing {
namespace {

namespace fs = std::filesystem;

// `script` runs understudy as "$@".
void through_shell(World& world, const std::string& script) {
  world.through({"/bin/bash", "-c", script, "bash"});
}

// The same in mounts of its own; false where this process may not mount.
bool through_mounts(World& world, const std::string& script) {
  if (std::system("unshare -m true 2>/dev/null") != 0) return false;
  world.through({"/usr/bin/unshare", "-m", "/bin/bash", "-c", script, "bash"});
  return true;
}

std::size_t receipts_in(const World& world) {
  const std::string folder = world.file("state/understudy/receipts");
  if (!fs::exists(folder)) return 0;
  return static_cast<std::size_t>(
      std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

const std::vector<std::vector<std::string>>& verbs_that_print() {
  static const std::vector<std::vector<std::string>> all = {
      {"--help"},
      {"--version"},
      {"help", "run"},
      {"run", "--help"},
      {"describe", "v6e-8"},
      {"describe", "--list"},
      {"env", "--slice", "v6e-8"},
      {"cache", "--help"},
      {"completion", "bash"},
      {"doctor"},
      {"run", program("dense_data_parallel"), "--dry-run"},
      {"rehearse", "--dry-run"},
      {"metrics", program("dense_data_parallel"), "--static"}};
  return all;
}

TEST(Output, ThatCannotBeWrittenFailsEveryVerb) {
  for (const char* script :
       {"exec \"$@\" >/dev/full", "exec \"$@\" >&-", "exec \"$@\" <&- >&- 2>&-"}) {
    World world;
    through_shell(world, script);
    for (const std::vector<std::string>& words : verbs_that_print())
      EXPECT_EQ(world.run(words).code, 71) << script << ": " << words.front();
  }
}

TEST(Output, AClosedStderrAbortsNoVerb) {
  World world;
  through_shell(world, "exec \"$@\" 2>&-");
  EXPECT_EQ(world.run({"describe", "v6e-8"}).code, 0);
  EXPECT_EQ(world.run({"describe", "no-such-slice"}).code, 2);
  EXPECT_EQ(world.run({"no-such-verb"}).code, 2);
}

TEST(Output, ARunWithoutAReaderOrStreamsLeavesItsReceiptAndNothingElse) {
  struct Case {
    const char* script;
    int code;
  };
  for (const Case& one :
       {Case{"exec \"$@\" --json >/dev/full", 71}, Case{"exec \"$@\" <&- >&- 2>&-", 71},
        Case{"exec \"$@\" 2>&-", 71}, Case{"exec \"$@\" -q 2>&-", 0},
        Case{"\"$@\" | true; exit ${PIPESTATUS[0]}", 128 + SIGPIPE}}) {
    World world;
    through_shell(world, one.script);
    const Ran ran = world.run({"run", program("dense_data_parallel")});
    EXPECT_EQ(ran.code, one.code) << one.script << "\n" << ran.err;
    EXPECT_EQ(receipts_in(world), 1u) << one.script;
    EXPECT_EQ(world.leftovers(ran), "") << one.script;
  }
}

TEST(Output, ARehearsalEndsWithItsReader) {
  World world;
  through_shell(world, "\"$@\" | head -n 1; exit ${PIPESTATUS[0]}");
  const Ran ran = world.run({"rehearse", "--slice", "v6e-8"});
  EXPECT_EQ(ran.code, 128 + SIGPIPE) << ran.err;
  EXPECT_FALSE(has(ran.err, "Broken pipe")) << ran.err;
  EXPECT_EQ(world.receipt(ran).exit_code, 128 + SIGPIPE);
  EXPECT_EQ(world.leftovers(ran), "");
}

TEST(FullDisk, ATemporaryFolderWithoutRoomIsRefusedBeforeTheStart) {
  for (const char* size : {"400k", "1m", "4m", "8m"}) {
    World world;
    if (!through_mounts(world, std::string("mount -t tmpfs -o size=") + size +
                                   " none \"$TMPDIR\" && exec \"$@\""))
      GTEST_SKIP() << "no mounts of our own";
    const Ran ran = world.run({"run", program("dense_data_parallel")});
    EXPECT_EQ(ran.code, 71) << size << "\n" << ran.err;
    EXPECT_TRUE(has(ran.err, "file system tmpfs at " + world.file("tmp"))) << ran.err;
    EXPECT_TRUE(has(ran.err, "bytes needed")) << ran.err;
    const configs::Receipt receipt = world.receipt(ran);
    ASSERT_TRUE(receipt.failure());
    EXPECT_EQ(receipt.failure()->diagnosis, "disk-full");
  }
}

TEST(FullDisk, ATemporaryFolderWithRoomEnoughServes) {
  World world;
  if (!through_mounts(world, "mount -t tmpfs -o size=12m none \"$TMPDIR\" && exec \"$@\""))
    GTEST_SKIP() << "no mounts of our own";
  const Ran ran = world.run({"run", program("dense_data_parallel")});
  EXPECT_EQ(ran.code, 0) << ran.err;
}

// Workers write their records while the disk fills: the first to be refused says so.
TEST(FullDisk, ADiskThatFillsDuringTheRunIsNamedByAWorker) {
  World world;
  if (!through_mounts(world,
                      "mount -t tmpfs -o size=40m none \"$TMPDIR\"\n"
                      "(until grep -qs '\"seen\":\"step\"' \"$TMPDIR\"/*/records/7; do :; done\n"
                      " cat /dev/zero > \"$TMPDIR/filler\" 2>/dev/null) &\n"
                      "\"$@\"; code=$?; kill $! 2>/dev/null; wait; exit $code"))
    GTEST_SKIP() << "no mounts of our own";
  const Ran ran = world.run({"run", program("dense_data_parallel"), "--steps", "1000000"});
  EXPECT_EQ(ran.code, 71) << ran.err;
  EXPECT_TRUE(has(ran.err, "/records/")) << ran.err;
  EXPECT_TRUE(has(ran.err, "file system tmpfs at " + world.file("tmp"))) << ran.err;
}

TEST(FullDisk, NoRoomForTheReceiptIsSaidWithItsContent) {
  World world;
  fs::create_directories(world.file("state"));
  if (!through_mounts(world,
                      "mount -t tmpfs -o size=16k none \"$XDG_STATE_HOME\"\n"
                      "mkdir -p \"$XDG_STATE_HOME/understudy/receipts\"\n"
                      "cat /dev/zero > \"$XDG_STATE_HOME/filler\" 2>/dev/null\nexec \"$@\""))
    GTEST_SKIP() << "no mounts of our own";
  const Ran good = world.run({"run", program("dense_data_parallel"), "--json"});
  EXPECT_EQ(good.code, 71) << good.err;
  EXPECT_TRUE(has(good.err, "the receipt could not be written: cannot write ")) << good.err;
  EXPECT_TRUE(has(good.err, "contents: passed, exit code 0\n")) << good.err;
  EXPECT_TRUE(has(good.err, "digest: ")) << good.err;
  EXPECT_TRUE(has(good.out, "\"exit_code\": 71")) << good.out;
  const Ran bad =
      world.run({"run", program("dense_data_parallel"), "--fault", "kill:rank=3,at=all_reduce#2"});
  EXPECT_EQ(bad.code, 4) << bad.err;
  EXPECT_TRUE(has(bad.err, "contents: failed, exit code 4, timeout: rank 3 ")) << bad.err;
  const Ran none = world.run({"run", program("dense_data_parallel"), "--no-receipt"});
  EXPECT_EQ(none.code, 0) << none.err;
}

TEST(FullDisk, AFullFolderOfResultsIsNamed) {
  World world;
  fs::create_directories(world.file("out-here"));
  if (!through_mounts(
          world, "mount -t tmpfs -o size=8k none " + world.file("out-here") + " && exec \"$@\""))
    GTEST_SKIP() << "no mounts of our own";
  const Ran ran =
      world.run({"run", program("dense_data_parallel"), "--out", world.file("out-here")});
  EXPECT_EQ(ran.code, 71) << ran.err;
  EXPECT_TRUE(has(ran.err, "results (--out)")) << ran.err;
}

TEST(FullDisk, ALimitOfFileSizesIsNoSignal) {
  World world;
  through_shell(world, "ulimit -f 2000; exec \"$@\"");
  const Ran ran = world.run({"run", program("dense_data_parallel")});
  EXPECT_EQ(ran.code, 71) << ran.err;
  EXPECT_TRUE(has(ran.err, "the file size limit is 2048000 bytes")) << ran.err;
  EXPECT_EQ(world.leftovers(ran), "");
}

TEST(NoReceipt, LeavesNone) {
  World world;
  const Ran ran = world.run({"run", program("dense_data_parallel"), "--no-receipt", "--json"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_TRUE(has(ran.out, "\"receipt\": null")) << ran.out;
  EXPECT_FALSE(has(ran.err, "receipt:")) << ran.err;
  EXPECT_EQ(receipts_in(world), 0u);
  EXPECT_EQ(
      world.run({"run", program("dense_data_parallel"), "--no-receipt", "--receipt", "x"}).code, 2);
}

TEST(Receipts, ARunRemovesThoseThatAreTooManyAndTooOld) {
  World world;
  through_shell(world,
                "UNDERSTUDY_RECEIPT_KEEP_NEWEST=1 UNDERSTUDY_RECEIPT_KEEP_DAYS=0 exec \"$@\"");
  const std::string folder = world.file("state/understudy/receipts");
  fs::create_directories(folder);
  world.write("state/understudy/receipts/notes.json", "{\"mine\": true}");
  for (int i = 0; i < 3; ++i) EXPECT_EQ(world.run({"run", program("dense_data_parallel")}).code, 0);
  EXPECT_EQ(receipts_in(world), 2u);  // the newest, and what is no receipt
  const Ran listed = world.run({"receipt", "prune", "--keep", "0", "--dry-run"});
  EXPECT_EQ(listed.code, 0);
  EXPECT_TRUE(has(listed.err, "would remove 1 receipts")) << listed.err;
  EXPECT_EQ(world.run({"receipt", "prune", "--keep", "0"}).code, 0);
  EXPECT_EQ(receipts_in(world), 1u);
}

}  // namespace
}  // namespace understudy::mpi_testing
