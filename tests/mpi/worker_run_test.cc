// SPDX-License-Identifier: Apache-2.0
// Real workers under mpirun: results, records, and the errors of survivors when one of them dies.
#include <csignal>
#include <fcntl.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "configs/base/deadline.h"
#include "configs/base/procfs.h"
#include "tests/worker/sum_run.h"

extern "C" char** environ;

namespace understudy::worker {
namespace {

using configs::Phase;

std::vector<std::string> worker_environment() {
  std::vector<std::string> environment;
  for (char** entry = environ; *entry != nullptr; ++entry) environment.emplace_back(*entry);
  std::erase_if(environment, [](const std::string& e) { return e.starts_with("OMP_NUM_"); });
  environment.emplace_back("OMP_NUM_THREADS=1");
  return environment;
}

class MpiRun {
 public:
  MpiRun(const SumRun& run, int chips) {
    std::vector<std::string> words = {"mpirun",
                                      "--allow-run-as-root",
                                      "--oversubscribe",
                                      "--bind-to",
                                      "none",
                                      "--stdin",
                                      "none",
                                      "-x",
                                      "OMP_NUM_THREADS=1",
                                      "-np",
                                      std::to_string(chips),
                                      UNDERSTUDY_BINARY_DIR "/bin/understudy-worker",
                                      run.folder.path()};
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    EXPECT_EQ(::posix_spawnp(&pid_, "mpirun", &actions, nullptr, argv.data(), environ), 0);
    posix_spawn_file_actions_destroy(&actions);
  }
  // The exit code, or -1 when it does not end in time (it is killed then).
  int wait(Seconds limit) {
    const Deadline deadline = Deadline::after(limit);
    int status = 0;
    while (::waitpid(pid_, &status, WNOHANG) == 0) {
      if (deadline.passed()) {
        ::kill(pid_, SIGKILL);
        ::waitpid(pid_, &status, 0);
        return -1;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }

 private:
  pid_t pid_ = 0;
};

// Waits until a worker executes steps; its pid.
std::int64_t pid_at_work(const SumRun& run, int rank) {
  const Deadline deadline = Deadline::after(Seconds(60));
  while (!deadline.passed()) {
    const auto record = configs::read_record(run.folder.file(fmt::format("records/{}", rank)));
    if (record && record->step > 2) return run.seen_by<configs::Started>(rank).at(0).pid;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return 0;
}

TEST(WorkerRun, EightChipsReduceAndLeaveCompleteRecords) {
  SumRun run(8);
  for (std::size_t rank = 4; rank < 8; ++rank) run.plan.host_of[rank] = HostId(1);
  run.plan.hbm_bytes = 32'000'000'000;
  run.plan.vmem_bytes = 128 << 20;
  run.write_plan(worker_environment());
  EXPECT_EQ(MpiRun(run, 8).wait(Seconds(60)), 0);
  EXPECT_EQ(run.floats("sum"), (std::vector<float>{36, 360}));
  EXPECT_EQ(run.floats("p7"), (std::vector<float>{32, 320}));
  for (int rank = 0; rank < 8; ++rank) {
    EXPECT_EQ(run.record_of(rank).phase, Phase::finished);
    EXPECT_EQ(run.seen_by<configs::GateSeen>(rank).size(), 8U);
    EXPECT_EQ(run.seen_by<configs::Compiled>(rank).at(0).cached, rank % 4 != 0);
    EXPECT_EQ(run.seen_by<configs::CollectiveCount>(rank).at(0).messages_sent, 14U);
  }
}

TEST(WorkerRun, SurvivorsOfAKilledWorkerSayWhoIsMissing) {
  SumRun run(4);
  run.plan.steps = 100'000'000;
  run.plan.timeout_seconds = 5;
  run.write_plan(worker_environment());
  MpiRun pod(run, 4);
  const std::int64_t pid = pid_at_work(run, 2);
  ASSERT_GT(pid, 0);
  ASSERT_EQ(::kill(static_cast<pid_t>(pid), SIGKILL), 0);
  EXPECT_NE(pod.wait(Seconds(15)), 0);
  EXPECT_EQ(run.record_of(2).phase, Phase::programs_allowed);
  std::size_t told = 0;
  for (const int rank : {0, 1, 3}) {
    for (const auto& failed : run.seen_by<configs::Failed>(rank)) {
      if (failed.kind != configs::FailureKind::timeout) continue;
      ++told;
      EXPECT_EQ(failed.missing_ranks, std::vector<std::int64_t>{2});
      EXPECT_THAT(failed.message, testing::HasSubstr("rank 2 (host 0) is gone"));
    }
  }
  EXPECT_GT(told, 0U);
}

TEST(WorkerRun, AnErrorOfOneWorkerEndsThePodWithItsExitCode) {
  SumRun run(4);
  // The plan fits (691 bytes), its buffers, aligned to 64 bytes each, do not.
  run.plan.hbm_bytes = 768;
  run.write_plan(worker_environment());
  EXPECT_EQ(MpiRun(run, 4).wait(Seconds(30)), exit_code_of(ErrorKind::capacity));
  EXPECT_THAT(run.seen_by<configs::Failed>(0).at(0).message,
              testing::HasSubstr("RESOURCE_EXHAUSTED: Out of memory"));
}

}  // namespace
}  // namespace understudy::worker
