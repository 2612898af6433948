// SPDX-License-Identifier: Apache-2.0
#include <csignal>
#include <fcntl.h>
#include <gmock/gmock.h>
#include <new>
#include <stdexcept>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "configs/base/digest.h"
#include "configs/base/file.h"
#include "configs/base/host_memory.h"
#include "configs/base/log.h"
#include "configs/base/procfs.h"
#include "configs/base/suggest.h"
#include "configs/base/units.h"
#include "configs/base/words.h"
#include "tests/configs/configs_testing.h"

namespace understudy::configs {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(File, WritesAtomicallyAndReadsBack) {
  const TemporaryFolder folder;
  const std::string path = folder.file("a");
  write_file_atomically(path, "first, longer");
  write_file_atomically(path, "second");
  EXPECT_EQ(read_text_file(path), "second");
  EXPECT_EQ(read_binary_file(path).size(), 6u);
  const auto files = std::filesystem::directory_iterator(folder.path());
  EXPECT_EQ(std::distance(begin(files), end(files)), 1) << "no temporary is left";
}

TEST(File, ReadsAnEmptyFileAndALongOne) {
  const TemporaryFolder folder;
  for (const std::size_t size : {0ul, 1ul, 4095ul, 4096ul, 4097ul, 1'000'003ul}) {
    write_file_atomically(folder.file("a"), std::string(size, 'x'));
    EXPECT_EQ(read_text_file(folder.file("a")), std::string(size, 'x'));
  }
}

TEST(File, ReadsAFileThatSaysItsSizeIsZero) {
  EXPECT_THAT(read_text_file("/proc/self/status"), ::testing::HasSubstr("Name:"));
}

TEST(File, IsReadableAsAnyOtherNewFile) {
  const TemporaryFolder folder;
  const mode_t mask = ::umask(022);
  write_file_atomically(folder.file("a"), "x");
  ::umask(mask);
  struct stat about {};
  ASSERT_EQ(::stat(folder.file("a").c_str(), &about), 0);
  EXPECT_EQ(about.st_mode & 0777u, 0644u);
}

TEST(File, SaysWhatIsWrongWithAFile) {
  EXPECT_EQ(error_of([] { read_text_file("/nowhere/x.json"); }),
            "input: error: cannot read /nowhere/x.json: No such file or directory");
  EXPECT_EQ(error_of([] { read_binary_file("/"); }), "input: error: cannot read /: Is a directory");
  EXPECT_EQ(error_of([] { write_file_atomically("/nowhere/x.json", "x"); }),
            "system: error: cannot write /nowhere/x.json: No such file or directory");
}

// Opening any of these once waited for a peer for ever, or read until the memory was full.
TEST(File, OpensRegularFilesOnlyAndWaitsForNobody) {
  const TemporaryFolder folder;
  ASSERT_EQ(::mkfifo(folder.file("pipe").c_str(), 0600), 0);
  std::filesystem::create_symlink("/dev/zero", folder.file("zero"));
  for (const std::string& path :
       {folder.file("pipe"), folder.file("zero"), std::string("/dev/zero")})
    EXPECT_EQ(
        error_of([&] { read_text_file(path); }),
        "input: error: cannot read " + path + ": not a regular file (FIFO, socket or device)");
  for (const int flags : {O_RDONLY, O_WRONLY, O_RDWR | O_CREAT}) {
    FileDescriptor file;
    EXPECT_EQ(open_regular_file(file, folder.file("pipe"), flags, Links::follow), kNotRegularFile);
    EXPECT_EQ(file.get(), -1);
  }
}

TEST(File, FollowsLinksOnlyWherePeopleNameThem) {
  const TemporaryFolder folder;
  write_file_atomically(folder.file("a"), "x");
  std::filesystem::create_symlink(folder.file("a"), folder.file("link"));
  std::filesystem::create_symlink(folder.file("nowhere"), folder.file("dangling"));
  EXPECT_EQ(read_text_file(folder.file("link")), "x");
  FileDescriptor file;
  for (const char* name : {"link", "dangling"})
    EXPECT_EQ(open_regular_file(file, folder.file(name), O_RDWR | O_CREAT, Links::refuse),
              kSymbolicLink);
  EXPECT_FALSE(std::filesystem::exists(folder.file("nowhere")));
}

TEST(File, BoundsASizeBeforeItReads) {
  const TemporaryFolder folder;
  write_file_atomically(folder.file("a"), "12345");
  EXPECT_EQ(read_text_file(folder.file("a"), 5), "12345");
  EXPECT_EQ(error_of([&] { read_text_file(folder.file("a"), 4); }),
            "input: error: cannot read " + folder.file("a") +
                ": it has 5 bytes, more than the limit of 4");
  std::filesystem::resize_file(folder.file("a"), std::uintmax_t{1} << 40);
  EXPECT_THAT(error_of([&] { read_text_file(folder.file("a")); }),
              ::testing::HasSubstr("it has 1099511627776 bytes, more than the limit of 268435456"));
  const FileStart start = read_file_start(folder.file("a"), 3);
  EXPECT_EQ(start.bytes.size(), 3u);
  EXPECT_EQ(start.file_bytes, std::uint64_t{1} << 40);
}

TEST(File, TellsWhoOwnsWhatWasReadAndWhetherOthersMayWriteIt) {
  const TemporaryFolder folder;
  write_file_atomically(folder.file("a"), "x");
  for (const unsigned mode : {0644u, 0666u}) {
    ASSERT_EQ(::chmod(folder.file("a").c_str(), mode), 0);
    FileDescriptor file;
    FileBytes bytes;
    ASSERT_EQ(open_regular_file(file, folder.file("a"), O_RDONLY, Links::refuse), 0);
    ASSERT_EQ(read_whole(file, 1, bytes), 0);
    ASSERT_TRUE(bytes.owner);
    EXPECT_EQ(bytes.owner->user, ::geteuid());
    EXPECT_EQ(bytes.owner->everybody_writes, mode == 0666u);
  }
}

TEST(File, LeavesNothingBehindWhenTheNameIsAFolder) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.file("a"));
  EXPECT_THAT(error_of([&] { write_file_atomically(folder.file("a"), "x"); }),
              ::testing::EndsWith("Is a directory"));
  const auto files = std::filesystem::directory_iterator(folder.path());
  EXPECT_EQ(std::distance(begin(files), end(files)), 1);
}

TEST(EditDistance, CountsInsertionsDeletionsReplacementsAndSwaps) {
  EXPECT_EQ(edit_distance("", ""), 0u);
  EXPECT_EQ(edit_distance("", "abc"), 3u);
  EXPECT_EQ(edit_distance("abc", ""), 3u);
  EXPECT_EQ(edit_distance("slice", "slcie"), 1u);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
}

TEST(Nearest, GivesTheNearestFirstAndNothingFarAway) {
  const std::vector<std::string> names = {"describe", "run", "rehearse", "receipt"};
  EXPECT_THAT(nearest("recipt", names), ElementsAre("receipt"));
  EXPECT_THAT(nearest("rnu", names), ElementsAre("run"));
  EXPECT_THAT(nearest("quux", names), IsEmpty());
  EXPECT_THAT(nearest("", names), IsEmpty());
  EXPECT_EQ(did_you_mean("descirbe", names), "; did you mean \"describe\"?");
  EXPECT_EQ(did_you_mean("quux", names), "");
  const std::vector<std::string> chips = {"v3", "v4", "v6e"};
  EXPECT_THAT(nearest("v6", chips), ElementsAre("v6e", "v3", "v4"));
}

TEST(Nearest, KeepsTheGivenOrderOfEquallyNearNamesAndAtMostThree) {
  const std::vector<std::string> names = {"ab1", "ab2", "ab3", "ab4"};
  EXPECT_THAT(nearest("abx", names), ElementsAre("ab1", "ab2", "ab3"));
  EXPECT_EQ(did_you_mean("abx", names), "; did you mean \"ab1\", \"ab2\" or \"ab3\"?");
}

TEST(Units, SpellsPowersOfTwoAndOfTen) {
  EXPECT_EQ(bytes_text(0), "0 bytes");
  EXPECT_EQ(bytes_text(1), "1 byte");
  EXPECT_EQ(bytes_text(999), "999 bytes");
  EXPECT_EQ(bytes_text(128 * kMiB), "128 MiB");
  EXPECT_EQ(bytes_text(16 * kKiB), "16 KiB");
  EXPECT_EQ(bytes_text(16'000'000'000), "16 GB") << "although it is 15625000 KiB";
  EXPECT_EQ(bytes_text(1'234'567), "1.23 MB");
  EXPECT_EQ(quantity_text(8.1e11, "B/s"), "810 GB/s");
  EXPECT_EQ(quantity_text(1.84e15, "OP/s"), "1.84 POP/s");
  EXPECT_EQ(quantity_text(6.25e9, "B/s"), "6.25 GB/s");
  EXPECT_EQ(quantity_text(1.6e12, "B/s"), "1.6 TB/s");
  EXPECT_EQ(quantity_text(12, "B"), "12 B");
}

TEST(ProcessStat, KnowsThisProcess) {
  const auto stat = process_stat(::getpid());
  ASSERT_TRUE(stat);
  EXPECT_EQ(stat->state, 'R');
  EXPECT_GT(stat->start, 0u);
  EXPECT_EQ(process_stat(::getpid())->start, stat->start);
}

TEST(ProcessStat, IsNothingForAProcessThatIsGone) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(0);
  ASSERT_GT(child, 0);
  ASSERT_EQ(::waitpid(child, nullptr, 0), child);
  EXPECT_FALSE(process_stat(child));
}

TEST(ProcessIdentity, IsLivingUntilItEndsWhoeverHasItsPidThen) {
  const ProcessIdentity self = this_process_identity();
  EXPECT_EQ(self.pid, ::getpid());
  EXPECT_TRUE(living(self));
  EXPECT_TRUE(living({self.pid, 0}));
  EXPECT_FALSE(living({self.pid, self.start + 1}));
  const pid_t child = ::fork();
  if (child == 0) ::_exit(0);
  siginfo_t ended{};
  ASSERT_EQ(::waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOWAIT), 0);
  EXPECT_TRUE(process_stat(child)) << "a zombie";
  EXPECT_FALSE(living({child, 0}));
  ASSERT_EQ(::waitpid(child, nullptr, 0), child);
  EXPECT_FALSE(living({child, 0}));
}

TEST(ProcessStat, SeesAStoppedProcess) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::raise(SIGSTOP);
    ::_exit(0);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, WUNTRACED), child);
  const auto stat = process_stat(child);
  ::kill(child, SIGKILL);
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(stat);
  EXPECT_EQ(stat->state, 'T');
}

TEST(ProcessStat, ReadsNamesWithBracketsAndRefusesShortLines) {
  const auto stat = parse_process_stat(
      "7 (a) b) S 1 7 7 0 -1 4194560 1 0 0 0 0 0 0 0 20 0 1 0 4242 0 0 18446744073709551615\n");
  ASSERT_TRUE(stat);
  EXPECT_EQ(stat->state, 'S');
  EXPECT_EQ(stat->start, 4242u);
  EXPECT_FALSE(parse_process_stat("7 (a) S 1 7"));
  EXPECT_FALSE(parse_process_stat(""));
}

TEST(Log, NamesTheProcessAndKeepsTheLevel) {
  ::testing::internal::CaptureStderr();
  log_setup("chip 3", LogLevel::warning);
  log_error("e {}");
  log_warn("w");
  log_info("i");
  log_setup("understudy", LogLevel::debug);
  log_debug("d");
  log_setup("understudy", LogLevel::info);
  log_debug("unseen");
  EXPECT_EQ(::testing::internal::GetCapturedStderr(),
            "chip 3: error: e {}\nchip 3: warning: w\nunderstudy: debug: d\n");
}

TEST(Digest, IsThatOfTheBytesAndKeepsFieldsApart) {
  EXPECT_EQ(digest_of(std::string_view("")), "99aa06d3014798d86001c324468d497f");
  Digester one, two;
  one.add(std::string_view("ab"));
  one.add(std::string_view("c"));
  two.add(std::string_view("a"));
  two.add(std::string_view("bc"));
  EXPECT_NE(one.hex(), two.hex());
  EXPECT_EQ(one.hex().size(), 32u);
}

TEST(Words, KeepsEmptyOnesOnlyWhereTheyCount) {
  EXPECT_THAT(split("a,,b", ','), ElementsAre("a", "", "b"));
  EXPECT_THAT(split("", ','), ElementsAre(""));
  EXPECT_THAT(split("a,", ','), ElementsAre("a", ""));
  EXPECT_THAT(nonempty_words(" a  b ", ' '), ElementsAre("a", "b"));
  EXPECT_THAT(nonempty_words("", ' '), IsEmpty());
}

TEST(HostMemory, IsNamedWhereTheStandardLibraryHasNone) {
  EXPECT_EQ(error_from(std::bad_alloc()).kind(), ErrorKind::system);
  EXPECT_EQ(error_from(std::length_error("vector")).kind(), ErrorKind::system);
  EXPECT_NE(error_from(std::bad_alloc()).text().find("host memory"), std::string::npos);
  EXPECT_EQ(error_from(std::runtime_error("other")).kind(), ErrorKind::internal);
}

TEST(HostMemory, ThatCannotBeThereIsACapacityError) {
  EXPECT_NO_THROW(require_host_memory(1, "one byte"));
  try {
    require_host_memory(UINT64_MAX, "argument 3");
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::capacity);
    EXPECT_EQ(error.message().find("argument 3: "), 0U);
  }
}

}  // namespace
}  // namespace understudy::configs
