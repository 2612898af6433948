// SPDX-License-Identifier: Apache-2.0
// Writes that the machine refuses for want of room: an error that says where and how much, never a
// signal. A limit of file sizes stands for a full disk.
#include <csignal>
#include <filesystem>
#include <gtest/gtest.h>
#include <string>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "configs/base/file.h"
#include "configs/base/file_system.h"
#include "configs/base/standard_streams.h"
#include "configs/receipt/record/record.h"

namespace understudy::configs {
namespace {

class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) {
    make_failed_writes_errors();
    EXPECT_EQ(::getrlimit(RLIMIT_FSIZE, &before_), 0);
    const rlimit lower{bytes, before_.rlim_max};
    EXPECT_EQ(::setrlimit(RLIMIT_FSIZE, &lower), 0);
  }
  ~FileSizeLimit() { ::setrlimit(RLIMIT_FSIZE, &before_); }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;

 private:
  rlimit before_{};
};

class DiskFull : public testing::Test {
 protected:
  DiskFull() {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  ~DiskFull() override { std::filesystem::remove_all(folder_); }
  std::string folder_ = testing::TempDir() + "understudy_disk_full";
};

TEST_F(DiskFull, NamesTheFileSystemAndTheBytes) {
  try {
    write_file("/dev/full", std::vector<std::byte>(4321));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::system);
    EXPECT_EQ(error.diagnosis(), "disk-full");
    const std::string text = error.message();
    EXPECT_NE(text.find("cannot write /dev/full: No space left on device (file system "),
              std::string::npos)
        << text;
    EXPECT_NE(text.find(" bytes free of "), std::string::npos) << text;
    EXPECT_NE(text.find(", 4321 bytes needed)"), std::string::npos) << text;
  }
}

TEST_F(DiskFull, BeyondTheLimitOfFileSizesIsAnError) {
  const FileSizeLimit limit(1000);
  try {
    write_file_atomically(folder_ + "/a", std::string(1001, 'a'));
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(error.message().find("(file size limit (ulimit -f): 1000 bytes, 1001 bytes "
                                   "needed)"),
              std::string::npos)
        << error.message();
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder_));
}

TEST_F(DiskFull, TheMountAboveAPathIsFound) {
  const auto there = file_system_of("/proc/self");
  ASSERT_TRUE(there);
  EXPECT_EQ(there->mount_point, "/proc");
  EXPECT_EQ(there->type, "proc");
  const auto missing = file_system_of(folder_ + "/no/such/file");
  ASSERT_TRUE(missing);
  EXPECT_EQ(missing->device, file_system_of(folder_)->device);
  EXPECT_GT(missing->total_bytes, 0u);
}

TEST_F(DiskFull, ARecordWithoutRoomIsRefusedAndLeavesNoFile) {
  const FileSizeLimit limit(kRecordBytesAtStart - 1);
  try {
    const RecordWriter record(folder_ + "/0", Rank(0));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::system);
    EXPECT_EQ(error.diagnosis(), "disk-full");
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder_));
}

TEST_F(DiskFull, ARecordKeepsRoomToSayThatItIsFull) {
  const std::string path = folder_ + "/0";
  {
    const FileSizeLimit limit(2 * kRecordBytesAtStart);
    RecordWriter record(path, Rank(0));
    GateSeen gate;
    gate.detail = std::string(1000, 'd');
    for (int i = 0; i < 200 && record.write_error() == 0; ++i) record.append(gate);
    EXPECT_EQ(record.write_error(), EFBIG);
    Failed failed;
    failed.kind = FailureKind::system;
    failed.message = std::string(9000, 'm');
    record.append(failed);
  }
  const auto content = read_record(path);
  ASSERT_TRUE(content);
  ASSERT_FALSE(content->observations.empty());
  const Failed* const last = std::get_if<Failed>(&content->observations.back());
  ASSERT_NE(last, nullptr);
  EXPECT_EQ(last->kind, FailureKind::system);
  EXPECT_EQ(content->dropped, 1u);
}

// In a process of its own: the test's own streams stay.
TEST(StandardStreams, ClosedOnesAreTakenAndStayUnusable) {
  const pid_t child = ::fork();
  if (child == 0) {
    for (int stream = 0; stream < 3; ++stream) ::close(stream);
    open_closed_streams();
    char letter = 'a';
    const bool refused = ::read(STDIN_FILENO, &letter, 1) < 0 &&
                         ::write(STDOUT_FILENO, &letter, 1) < 0 &&
                         ::write(STDERR_FILENO, &letter, 1) < 0;
    ::_exit(refused && ::dup(STDIN_FILENO) > STDERR_FILENO ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace understudy::configs
