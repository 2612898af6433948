// SPDX-License-Identifier: Apache-2.0
// A rehearsal without a fault raises no alarm on a busy machine.
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <string>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include "configs/json/reader.h"
#include "tests/mpi/mpi_testing.h"

namespace understudy::mpi_testing {
namespace {

using configs::JsonReader;

// Processes that keep the cores busy for the lifetime of the object.
class BusyMachine {
 public:
  explicit BusyMachine(int processes) {
    for (int i = 0; i < processes; ++i) {
      const pid_t pid = ::fork();
      if (pid == 0) {
        static_cast<void>(::prctl(PR_SET_PDEATHSIG, SIGKILL));
        for (std::atomic<std::uint64_t> work{0};; ++work) continue;
      }
      if (pid > 0) pids_.push_back(pid);
    }
  }
  ~BusyMachine() {
    for (const pid_t pid : pids_) {
      ::kill(pid, SIGKILL);
      ::waitpid(pid, nullptr, 0);
    }
  }
  BusyMachine(const BusyMachine&) = delete;
  BusyMachine& operator=(const BusyMachine&) = delete;

 private:
  std::vector<pid_t> pids_;
};

// UNDERSTUDY_QUIET_RUNS sets the number of runs; the default fits into a run of all tests.
int runs() {
  constexpr int kFew = 3;
  const char* const asked = std::getenv("UNDERSTUDY_QUIET_RUNS");
  return asked == nullptr ? kFew : std::atoi(asked);
}

TEST(Quiet, NoAlarmIsRaisedOnALoadedMachine) {
  const BusyMachine busy(2);
  World world;
  const std::string programs = std::string(UNDERSTUDY_SOURCE_DIR) + "/configs/ladders/programs";
  const std::string ladder = world.write(
      "ladder.json", fmt::format(R"({{"schema": "understudy/ladder/1", "name": "quiet", "rungs": [
                     {{"name": "dense", "program": "{0}/dense/4"}},
                     {{"name": "adamw", "program": "{0}/adamw/4", "metrics": "static"}}]}})",
                                 programs));
  for (int run = 0; run < runs(); ++run) {
    const Ran ran = world.run({"rehearse", "--slice", "v6e-4", "--hosts", "2", "--ladder", ladder,
                               "--json", "--timeout", "20"});
    ASSERT_EQ(ran.code, 0) << "run " << run << ": " << ran.out << ran.err;
    const JsonReader said = JsonReader::parse(ran.out, "stdout");
    EXPECT_EQ(said.at("verdict").text(), "passed");
    EXPECT_EQ(said.at("restore").at("verdict").text(), "proven");
    for (const JsonReader& rung : said.at("rungs").items()) {
      EXPECT_TRUE(rung.at("diagnosis").is_null()) << "run " << run << ": " << ran.out;
      EXPECT_TRUE(rung.at("warnings").items().empty()) << "run " << run << ": " << ran.out;
      EXPECT_TRUE(rung.at("retries").items().empty()) << "run " << run << ": " << ran.out;
    }
  }
}

}  // namespace
}  // namespace understudy::mpi_testing
