// SPDX-License-Identifier: Apache-2.0
// Nothing outlives the launcher, however it ends; a signal at any moment leaves a finished receipt
// or nothing; a run has a bound; nobody outside this machine can connect to it.
#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <dirent.h>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <functional>
#include <gmock/gmock.h>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <unistd.h>
#include <vector>

#include "configs/base/procfs.h"
#include "tests/mpi/mpi_testing.h"

namespace understudy::mpi_testing {
namespace {

using ::testing::HasSubstr;

namespace fs = std::filesystem;

bool is_there(std::int64_t pid) {
  const auto stat = process_stat(pid);
  return stat && stat->state != 'Z' && stat->state != 'X';
}

std::string name_of(std::int64_t pid) {
  std::ifstream file(fmt::format("/proc/{}/comm", pid));
  std::string name;
  std::getline(file, name);
  return name;
}

std::vector<std::int64_t> children_of(std::int64_t parent) {
  std::vector<std::int64_t> pids;
  for (const auto& entry : fs::directory_iterator("/proc")) {
    const std::string name = entry.path().filename();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    const auto stat = process_stat(std::stoll(name));
    if (stat && stat->parent == parent) pids.push_back(std::stoll(name));
  }
  return pids;
}

// Generous: what is checked is that it comes to pass at all.
bool comes_true(const std::function<bool()>& what) {
  for (int look = 0; look < 6000 && !what(); ++look) World::pause(0.01);
  return what();
}

// What a pod consists of.
struct Pod {
  std::int64_t launcher = 0, guardian = 0, mpirun = 0;
  std::vector<std::int64_t> workers;
  std::string run_folder;

  bool is_gone() const {
    return !is_there(mpirun) && std::none_of(workers.begin(), workers.end(), is_there);
  }
};

Pod start_pod(World& world) {
  world.start({"run", program("dense_data_parallel"), "--steps", "1000000"});
  const auto all = world.wait_for(8, [](const auto& records) {
    return std::all_of(records.begin(), records.end(),
                       [](const configs::RecordContent& one) { return one.step >= 2; });
  });
  Pod pod;
  pod.launcher = world.pid();
  for (const configs::RecordContent& record : all) pod.workers.push_back(pid_of(record));
  pod.mpirun = process_stat(pod.workers.at(0)).value_or(ProcessStat{}).parent;
  for (const std::int64_t child : children_of(pod.launcher))
    if (name_of(child) == "us-guardian") pod.guardian = child;
  pod.run_folder = fs::directory_iterator(world.file("tmp"))->path();
  EXPECT_EQ(name_of(pod.mpirun), "mpirun");
  EXPECT_GT(pod.guardian, 0);
  return pod;
}

std::string shared_folder_of(const Pod& pod) {
  return "/dev/shm/" + fs::path(pod.run_folder).filename().string();
}

TEST(LauncherKilled, TakesThePodAndItsFoldersAlong) {
  World world;
  const Pod pod = start_pod(world);
  ASSERT_EQ(pod.workers.size(), 8U);
  // A stopped process cannot watch anything.
  ASSERT_EQ(kill(static_cast<pid_t>(pod.workers[3]), SIGSTOP), 0);
  ASSERT_EQ(kill(world.pid(), SIGKILL), 0);
  EXPECT_EQ(world.finish().code, 128 + SIGKILL);
  EXPECT_TRUE(comes_true([&] { return pod.is_gone(); }));
  EXPECT_TRUE(comes_true([&] { return fs::is_empty(world.file("tmp")); }));
  EXPECT_TRUE(comes_true([&] { return !fs::exists(shared_folder_of(pod)); }));
}

TEST(LauncherKilled, WithItsGuardianLeavesFoldersThatTheNextStartRemoves) {
  World world;
  const Pod pod = start_pod(world);
  ASSERT_EQ(kill(static_cast<pid_t>(pod.guardian), SIGKILL), 0);
  ASSERT_EQ(kill(world.pid(), SIGKILL), 0);
  static_cast<void>(world.finish());
  EXPECT_TRUE(comes_true([&] { return pod.is_gone(); }));
  ASSERT_TRUE(fs::exists(pod.run_folder));
  // What another run is using, and what nobody is known to own, stays.
  fs::create_directory(world.file("tmp/understudy-nobody"));
  World other;
  const Pod living = start_pod(other);
  const Ran doctor = world.run({"doctor"});
  EXPECT_THAT(doctor.out, HasSubstr("removed leftovers of a run whose launcher was killed"));
  EXPECT_THAT(doctor.out, HasSubstr(pod.run_folder));
  EXPECT_FALSE(fs::exists(pod.run_folder));
  EXPECT_FALSE(fs::exists(shared_folder_of(pod)));
  EXPECT_TRUE(fs::exists(world.file("tmp/understudy-nobody")));
  EXPECT_TRUE(fs::exists(living.run_folder));
  EXPECT_TRUE(fs::exists(shared_folder_of(living)));
  EXPECT_FALSE(living.is_gone());
  ASSERT_EQ(kill(other.pid(), SIGTERM), 0);
  EXPECT_EQ(other.finish().code, 128 + SIGTERM);
}

// Whatever receipts there are can be read whole.
void expect_whole_receipts(const World& world, int code) {
  const std::string folder = world.file("state/understudy/receipts");
  if (!fs::exists(folder)) return;
  for (const auto& entry : fs::directory_iterator(folder)) {
    std::ifstream file(entry.path());
    std::ostringstream text;
    text << file.rdbuf();
    const configs::Receipt receipt = configs::read_receipt(text.str(), entry.path());
    EXPECT_TRUE(receipt.exit_code == code || receipt.exit_code == 0) << receipt.exit_code;
  }
}

TEST(Signals, FromTheFirstMillisecondOnLeaveNothingOrAReceipt) {
  constexpr int kTrials = 12;  // of each signal; tests/attack makes 200
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    for (int trial = 0; trial < kTrials; ++trial) {
      World world;
      world.start({"run", program("dense_data_parallel"), "--steps", "1000000"});
      World::pause(0.012 * trial);
      ASSERT_EQ(kill(world.pid(), number), 0);
      const Ran ran = world.finish();
      EXPECT_EQ(ran.code, 128 + number) << trial << ": " << ran.err;
      EXPECT_EQ(world.leftovers(ran), "") << trial;
      expect_whole_receipts(world, ran.code);
    }
  }
}

constexpr const char* kEndless = R"(module @m {
  func.func public @main(%x: tensor<f32>) -> tensor<f32> {
    %r = stablehlo.while(%a = %x) : tensor<f32>
      cond {
        %one = stablehlo.constant dense<1.0> : tensor<f32>
        %more = stablehlo.compare LT, %a, %one : (tensor<f32>, tensor<f32>) -> tensor<i1>
        stablehlo.return %more : tensor<i1>
      } do {
        %same = stablehlo.multiply %a, %a : tensor<f32>
        stablehlo.return %same : tensor<f32>
      }
    return %r : tensor<f32>
  }
}
)";

TEST(Deadline, EndsALoopThatDoesNotAndSaysWhereItWas) {
  World world;
  const std::string endless = world.write("endless.mlir", kEndless);
  const Ran ran = world.run({"run", endless, "--fill", "zeros", "--deadline", "3"});
  EXPECT_EQ(ran.code, 4) << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("the deadline of 3 s passed: rank 0 is in step 1 of 1"));
  EXPECT_THAT(ran.err, HasSubstr("of stablehlo.while at "));
  EXPECT_THAT(ran.err, HasSubstr("in iteration "));
  const configs::Receipt receipt = world.receipt(ran);
  ASSERT_TRUE(receipt.failure());
  EXPECT_EQ(receipt.failure()->diagnosis, "deadline-passed");
  EXPECT_EQ(world.leftovers(ran), "");
}

// Inodes of the sockets that a process has.
std::set<std::string> sockets_of(std::int64_t pid) {
  std::set<std::string> inodes;
  std::error_code code;
  for (const auto& entry : fs::directory_iterator(fmt::format("/proc/{}/fd", pid), code)) {
    const std::string target = fs::read_symlink(entry.path(), code);
    if (target.starts_with("socket:[")) inodes.insert(target.substr(8, target.size() - 9));
  }
  return inodes;
}

// The local addresses, in the kernel's words, at which a process listens.
std::vector<std::string> listens_at(std::int64_t pid) {
  const std::set<std::string> own = sockets_of(pid);
  std::vector<std::string> addresses;
  for (const char* table : {"tcp", "tcp6"}) {
    std::ifstream file(fmt::format("/proc/{}/net/{}", pid, table));
    for (std::string line; std::getline(file, line);) {
      std::istringstream words(line);
      std::vector<std::string> fields;
      for (std::string word; words >> word;) fields.push_back(word);
      const bool listening = fields.size() > 9 && fields[3] == "0A";
      if (listening && own.count(fields[9]) > 0)
        addresses.push_back(fields[1].substr(0, fields[1].find(':')));
    }
  }
  return addresses;
}

TEST(OneMachine, ListensAtTheLoopbackAlone) {
  World world;
  const Pod pod = start_pod(world);
  std::vector<std::int64_t> all = pod.workers;
  all.push_back(pod.mpirun);
  EXPECT_FALSE(listens_at(pod.mpirun).empty());
  const std::set<std::string> loopback = {"0100007F", "00000000000000000000000001000000",
                                          "0000000000000000FFFF00000100007F"};
  for (const std::int64_t pid : all)
    for (const std::string& address : listens_at(pid))
      EXPECT_EQ(loopback.count(address), 1U) << name_of(pid) << " listens at " << address;
  ASSERT_EQ(kill(world.pid(), SIGTERM), 0);
  EXPECT_EQ(world.finish().code, 128 + SIGTERM);
}

}  // namespace
}  // namespace understudy::mpi_testing
