// SPDX-License-Identifier: Apache-2.0
// The script of `run --dry-run --as slurm` in a real Slurm: its daemons with ports, state and
// configuration of their own, on this machine alone and on two hosts of network namespaces. Skipped
// aloud where Slurm is not installed or does not start.
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <gmock/gmock.h>
#include <string>
#include <unistd.h>
#include <vector>

#include "configs/base/file.h"
#include "tests/mpi/mpi_testing.h"
#include "tests/mpi/net_hosts.h"

namespace understudy::mpi_testing {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

struct Node {
  std::string name, address;
  std::vector<std::string> enter;  // words that start other words there
};

std::string quoted(const std::string& word) {
  std::string text = "'";
  for (const char letter : word) text += letter == '\'' ? "'\\''" : std::string(1, letter);
  return text + "'";
}

// slurmctld on the first node, slurmd on each. Ends what it started, by number.
class Slurm {
 public:
  Slurm(World& world, std::vector<Node> nodes) : world_(world), nodes_(std::move(nodes)) {
    if (std::system("command -v slurmctld slurmd sbatch >/dev/null 2>&1") != 0) {
      missing_ = "no Slurm here (slurmctld, slurmd: deploy/install-packages --optional)";
      return;
    }
    configure();
    start(nodes_.front(), "slurmctld -D");
    for (const Node& node : nodes_) start(node, "slurmd -D -N " + node.name);
    constexpr int kLooks = 100;  // of 0.1 s
    for (int look = 0; look < kLooks; ++look) {
      if (on(nodes_.front(), "sinfo -h -o %T") == 0 && said("sinfo") == "idle\n") return;
      World::pause(0.1);
    }
    missing_ = "Slurm does not start here: " + said("log");
  }
  ~Slurm() {
    for (const pid_t pid : pids_) kill(pid, SIGTERM);
    for (const pid_t pid : pids_)
      for (int look = 0; look < 100 && kill(pid, 0) == 0; ++look) World::pause(0.05);
    for (const pid_t pid : pids_) kill(pid, SIGKILL);
  }
  Slurm(const Slurm&) = delete;
  Slurm& operator=(const Slurm&) = delete;

  const std::string& missing() const { return missing_; }
  // Its exit code; what it printed is in said("job").
  int submit(const std::string& script) const {
    const std::string path = world_.write("job.sh", script);
    return on(nodes_.front(),
              fmt::format("timeout 60 sbatch --wait -o {} {}", world_.file("job"), path));
  }
  std::string said(const std::string& name) const {
    const std::string path = world_.file(name);
    return fs::exists(path) ? read_text_file(path) : "";
  }

 private:
  void configure() const {
    fs::create_directory(world_.file("slurm"));
    // Ports of this test alone: another one may run beside it.
    const int port = 20000 + static_cast<int>(getpid() % 10000) * 4;
    std::string text = fmt::format(
        "ClusterName=us\nSlurmctldHost={0}({1})\nSlurmctldPort={2}\nAuthType=auth/none\n"
        "CredType=cred/none\nSlurmUser={3}\nSlurmdUser={3}\nStateSaveLocation={4}/state\n"
        "SlurmdSpoolDir={4}/spool-%n\nSlurmctldPidFile={4}/slurmctld.pid\n"
        "SlurmdPidFile={4}/slurmd-%n.pid\nProctrackType=proctrack/linuxproc\n"
        "TaskPlugin=task/none\nSelectType=select/cons_tres\nSelectTypeParameters=CR_CPU\n"
        "SlurmdParameters=config_overrides\nMpiDefault=none\n",
        nodes_.front().name, nodes_.front().address, port, "root", world_.file("slurm"));
    for (std::size_t i = 0; i < nodes_.size(); ++i)
      text += fmt::format("NodeName={0} NodeHostname={0} NodeAddr={1} Port={2} CPUs=8\n",
                          nodes_[i].name, nodes_[i].address, port + 1 + static_cast<int>(i));
    text += "PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP\n";
    world_.write("slurm.conf", text);
  }

  std::string words(const Node& node, const std::string& command) const {
    std::string text = fmt::format(
        "env SLURM_CONF={0} PATH={1}/bin:\"$PATH\" XDG_STATE_HOME={2} "
        "XDG_CACHE_HOME={3} TMPDIR={4} ",
        world_.file("slurm.conf"), UNDERSTUDY_BINARY_DIR, world_.file("state"),
        world_.file("cache"), world_.file("tmp"));
    for (const std::string& word : node.enter) text += quoted(word) + " ";
    return text + command;
  }

  int on(const Node& node, const std::string& command) const {
    return std::system(
        fmt::format("{} >{} 2>>{}", words(node, command), world_.file("sinfo"), world_.file("log"))
            .c_str());
  }

  void start(const Node& node, const std::string& command) {
    const std::string file = world_.file("daemon");
    const std::string line = fmt::format("exec {} >>{} 2>&1 & echo $! >{}", words(node, command),
                                         world_.file("log"), file);
    pid_t pid = -1;
    if (std::system(line.c_str()) == 0 && std::ifstream(file) >> pid) pids_.push_back(pid);
  }

  World& world_;
  std::vector<Node> nodes_;
  std::vector<pid_t> pids_;
  std::string missing_;
};

// Has the script written, submits it, and looks at the receipt.
void run_in_slurm(World& world, const std::vector<Node>& nodes) {
  if (geteuid() != 0) GTEST_SKIP() << "daemons of Slurm run as root here";
  const Slurm slurm(world, nodes);
  if (!slurm.missing().empty()) GTEST_SKIP() << slurm.missing();
  const std::string path = world.file("r.json");
  const Ran ran =
      world.run({"run", std::string(UNDERSTUDY_SOURCE_DIR) + "/configs/ladders/programs/dense/4",
                 "--slice", "v6e-4", "--hosts", fmt::format("{}", nodes.size()), "--receipt", path,
                 "--dry-run", "--as", "slurm"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  ASSERT_EQ(slurm.submit(ran.out), 0) << slurm.said("job") << slurm.said("log");
  EXPECT_THAT(slurm.said("job"), HasSubstr("all results match the expected results"));
  const configs::Receipt receipt = configs::read_receipt(read_text_file(path), path);
  EXPECT_EQ(receipt.verdict, "passed");
  EXPECT_EQ(receipt.contract_agreed, true);
  ASSERT_EQ(receipt.hosts.size(), nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i)
    EXPECT_EQ(receipt.hosts[i].machines, std::vector<std::string>{nodes[i].name});
  EXPECT_EQ(world.leftovers(ran), "");
}

TEST(SlurmScript, RunsOnThisMachine) {
  World world;
  char name[256] = "";
  ASSERT_EQ(gethostname(name, sizeof name - 1), 0);
  run_in_slurm(world, {{name, "127.0.0.1", {}}});
}

TEST(SlurmScript, RunsOnTwoNodes) {
  World world;
  const NetHosts hosts(world, 2);
  if (!hosts.missing().empty()) GTEST_SKIP() << hosts.missing();
  run_in_slurm(world, {{hosts.name('a'), hosts.address('a'), hosts.on('a')},
                       {hosts.name('b'), hosts.address('b'), hosts.on('b')}});
}

}  // namespace
}  // namespace understudy::mpi_testing
