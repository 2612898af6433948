// SPDX-License-Identifier: Apache-2.0
#include "launcher/pod/environments.h"

#include <cstdlib>
#include <gmock/gmock.h>
#include <string_view>
#include <sys/stat.h>
#include <sys/wait.h>

#include "configs/base/error.h"
#include "configs/base/file.h"
#include "configs/launch/shell_variables.h"
#include "configs/launch/start_words.h"
#include "launcher/process/subprocess.h"
#include "tests/configs/configs_testing.h"

namespace understudy::launcher {
namespace {

using namespace std::string_view_literals;

TEST(Environments, RemovesWhatWorkersDoNotGetAndSetsWhatTheHostHas) {
  const configs::Variables shell = {
      {"HOME", "/root"}, {"JAX_PLATFORMS", "cpu"}, {"OMP_NUM_THREADS", "8"}, {"TPU_SAME", "s"}};
  EXPECT_EQ(environments_text(shell, {{{"TPU_SAME", "s"}, {"TPU_WORKER_ID", "0"}},
                                      {{"JAX_PLATFORMS", "tpu"}, {"TPU_SAME", "x=y"}}}),
            "JAX_PLATFORMS\0OMP_NUM_THREADS=1\0TPU_SAME=s\0TPU_WORKER_ID=0\0\0"
            "JAX_PLATFORMS=tpu\0OMP_NUM_THREADS=1\0TPU_SAME=x=y\0\0"sv);
}

// understudy-worker-start with a script in the place of the worker, which prints its words and its
// environment.
class Starter : public ::testing::Test {
 protected:
  Starter() {
    write_file_atomically(worker_, "#!/bin/sh\necho \"$0 $*\"\nexec /usr/bin/env -0\n");
    EXPECT_EQ(::chmod(worker_.c_str(), S_IRWXU), 0);
  }
  Finished run(const std::string& worker) const {
    return run_to_end(
        {UNDERSTUDY_BINARY_DIR "/bin/understudy-worker-start", worker, folder_.path()},
        Seconds(20));
  }
  // As mpirun starts rank `rank`.
  std::string run_rank(const char* rank) const {
    EXPECT_EQ(::setenv("OMPI_COMM_WORLD_RANK", rank, 1), 0);
    const Finished done = run(worker_);
    EXPECT_EQ(::unsetenv("OMPI_COMM_WORLD_RANK"), 0);
    EXPECT_EQ(done.status, 0) << done.output;
    return done.output;
  }

  const configs::TemporaryFolder folder_;
  const std::string worker_ = folder_.path() + "/worker";
};

TEST_F(Starter, GivesEachRankTheEnvironmentOfItsHost) {
  ASSERT_EQ(::setenv("JAX_PLATFORMS", "cpu", 1), 0);
  ASSERT_EQ(::setenv("TPU_NAME", "of the shell", 1), 0);
  write_file_atomically(
      folder_.path() + "/" + configs::kEnvironmentsFile,
      std::string("JAX_PLATFORMS\0TPU_NAME=first\0\0TPU_NAME=a=b\0TPU_NEW=\0\0"sv));
  const std::string first = run_rank("0"), second = run_rank("1");
  ASSERT_EQ(::unsetenv("JAX_PLATFORMS"), 0);
  ASSERT_EQ(::unsetenv("TPU_NAME"), 0);
  using ::testing::HasSubstr;
  using ::testing::Not;
  // A script gets its path as the kernel was told it; the worker sees the name.
  EXPECT_THAT(first, HasSubstr(folder_.path() + " " + configs::kInEnvironment + "\n"));
  EXPECT_THAT(first, Not(HasSubstr("JAX_PLATFORMS")));
  EXPECT_THAT(first, HasSubstr("\0TPU_NAME=first\0"sv));
  EXPECT_THAT(first, HasSubstr("\0OMPI_COMM_WORLD_RANK=0\0"sv));
  EXPECT_THAT(first, Not(HasSubstr("of the shell")));
  EXPECT_THAT(second, HasSubstr("\0JAX_PLATFORMS=cpu\0"sv));
  EXPECT_THAT(second, HasSubstr("\0TPU_NAME=a=b\0"sv));
  EXPECT_THAT(second, HasSubstr("\0TPU_NEW=\0"sv));
}

TEST_F(Starter, LeavesTheEnvironmentToAWorkerThatTheFileDoesNotHave) {
  using ::testing::HasSubstr;
  using ::testing::Not;
  EXPECT_THAT(run_rank("0"), Not(HasSubstr(configs::kInEnvironment))) << "there is no file";
  const std::string path = folder_.path() + "/" + configs::kEnvironmentsFile;
  write_file_atomically(path, std::string("TPU_NAME=first\0\0TPU_NAME=cut"sv));
  EXPECT_THAT(run_rank("1"), Not(HasSubstr("TPU_NAME"))) << "the entries of the rank have no end";
  EXPECT_THAT(run_rank("2"), Not(HasSubstr(configs::kInEnvironment)));
  EXPECT_THAT(run_rank("0x"), Not(HasSubstr(configs::kInEnvironment)));
  EXPECT_THAT(run_rank("0"), HasSubstr(configs::kInEnvironment));
}

TEST_F(Starter, NamesAWorkerThatItCannotExecute) {
  const Finished done = run("/nonexistent/worker");
  ASSERT_TRUE(done.status);
  EXPECT_EQ(WEXITSTATUS(*done.status), exit_code_of(ErrorKind::system));
  EXPECT_EQ(done.output,
            "understudy: error: cannot execute /nonexistent/worker: No such file or directory\n");
}

}  // namespace
}  // namespace understudy::launcher
