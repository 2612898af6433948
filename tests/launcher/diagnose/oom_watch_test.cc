// SPDX-License-Identifier: Apache-2.0
#include "launcher/diagnose/oom_watch.h"

#include <filesystem>
#include <fstream>
#include <unistd.h>

#include "gtest/gtest.h"

namespace understudy::launcher {
namespace {

// A /proc, control groups and a kernel log on paper.
class HostMemory : public testing::Test {
 protected:
  HostMemory() {
    folder_ = testing::TempDir() + "/host-memory-XXXXXX";
    EXPECT_NE(mkdtemp(folder_.data()), nullptr);
    files_ = {folder_ + "/proc", folder_ + "/cgroup", folder_ + "/kmsg"};
    write("proc/" + std::to_string(getpid()) + "/cgroup", "0::/job\n");
    write("cgroup/job/memory.events", "low 0\noom 3\noom_kill 2\n");
  }
  ~HostMemory() override { std::filesystem::remove_all(folder_); }
  void write(const std::string& name, const std::string& text) const {
    const std::filesystem::path path = folder_ + "/" + name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text;
  }
  std::string folder_;
  MemoryFiles files_;
};

TEST_F(HostMemory, CountsKillsSinceTheStart) {
  const OomWatch watch(files_);
  EXPECT_FALSE(watch.killed(7));
  write("cgroup/job/memory.events", "low 0\noom 4\noom_kill 3\n");
  EXPECT_TRUE(watch.killed(7));
}

TEST_F(HostMemory, CountsInGroupsAboveAndInThoseOfWorkersToo) {
  write("proc/7/cgroup", "0::/slurm/step_0\n");
  write("cgroup/slurm/memory.events", "oom_kill 0\n");
  write("cgroup/slurm/step_0/memory.events", "oom_kill 0\n");
  OomWatch watch(files_);
  watch.follow(7);
  write("cgroup/slurm/memory.events", "oom_kill 1\n");
  EXPECT_TRUE(watch.killed(7));
}

TEST_F(HostMemory, ReadsVersionOneOfControlGroups) {
  write("proc/" + std::to_string(getpid()) + "/cgroup", "5:cpu,memory:/a\n3:cpuset:/b\n");
  write("cgroup/memory/a/memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 0\n");
  const OomWatch watch(files_);
  write("cgroup/memory/a/memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 1\n");
  EXPECT_TRUE(watch.killed(7));
}

TEST_F(HostMemory, KnowsNothingWhereNothingCanBeRead) {
  std::filesystem::remove_all(folder_ + "/cgroup");
  EXPECT_FALSE(OomWatch(files_).killed(7));
}

TEST(OomLog, NamesTheProcess) {
  const std::string line =
      "6,1234,5678,-;Memory cgroup out of memory: Killed process 4711 (understudy-work) "
      "total-vm:1kB";
  EXPECT_TRUE(names_oom_victim(line, 4711));
  EXPECT_FALSE(names_oom_victim(line, 471));
}

}  // namespace
}  // namespace understudy::launcher
