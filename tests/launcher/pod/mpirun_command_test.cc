// SPDX-License-Identifier: Apache-2.0
#include "launcher/pod/mpirun_command.h"

#include "gtest/gtest.h"

namespace understudy::launcher {
namespace {

MpirunFacts plain_facts() {
  MpirunFacts facts;
  facts.mpirun = "/usr/bin/mpirun";
  facts.worker = "/opt/bin/understudy-worker";
  facts.run_folder = "/tmp/understudy-abc123";
  facts.worker_words = {facts.run_folder};
  facts.backing_directory = "/dev/shm";
  facts.ranks = 8;
  facts.launch_inputs = "{}";
  return facts;
}

TEST(MpirunCommand, StartsOneWorkerPerChipOfThisMachine) {
  EXPECT_EQ(
      shell_text(mpirun_command(plain_facts())),
      "/usr/bin/mpirun --noprefix -np 8 --oversubscribe --bind-to none --stdin none "
      "-x 'UNDERSTUDY_LAUNCH={}' --mca plm isolated --mca orte_tmpdir_base /tmp/understudy-abc123 "
      "--mca pml ob1 --mca btl self,vader --mca btl_vader_single_copy_mechanism none --mca shmem "
      "mmap --mca "
      "opal_signal '' "
      "--mca btl_vader_eager_limit 32768 --mca btl_vader_max_send_size 32768 "
      "--mca btl_vader_backing_directory /dev/shm "
      "--mca coll basic,libnbc,self --mca op '^avx' --mca osc sm "
      "--mca ess '^env,singleton,slurm,tool' --mca state '^novm,orted,tool' "
      "--mca errmgr '^default_orted,default_tool' --mca schizo '^flux,jsm,slurm' "
      "--mca pmix '^flux' --mca ras '^gridengine,simulator,slurm' --mca reachable weighted "
      "--mca mpool '^hugepage' --mca rcache '^grdma' "
      "/opt/bin/understudy-worker /tmp/understudy-abc123");
}

TEST(MpirunCommand, UsesTheNetworksThatReachTheHostsAlone) {
  MpirunFacts facts = plain_facts();
  facts.networks = {"10.0.0.0/24", "10.1.0.0/16"};
  const std::string line = shell_text(mpirun_command(facts));
  EXPECT_NE(line.find("--mca oob_tcp_if_include 10.0.0.0/24,10.1.0.0/16 "
                      "--mca btl_tcp_if_include 10.0.0.0/24,10.1.0.0/16"),
            std::string::npos)
      << line;
  facts.mpi_words = {"--mca", "btl_tcp_if_exclude", "eth1"};
  const std::string told = shell_text(mpirun_command(facts));
  EXPECT_NE(told.find("oob_tcp_if_include 10"), std::string::npos) << told;
  EXPECT_EQ(told.find("btl_tcp_if_include"), std::string::npos) << "what the user says counts";
}

TEST(MpirunCommand, GivesMpirunVariablesBesideTheShells) {
  MpirunFacts facts = plain_facts();
  EXPECT_EQ(mpirun_variables(facts), (std::vector<std::string>{"HWLOC_COMPONENTS=-gl,-linuxio",
                                                               "HWLOC_PLUGINS_PATH=/dev/null"}));
  facts.shell_has_hwloc_plugins = true;
  facts.shell_hwloc = "-cuda";
  facts.shell_preload = "/lib/theirs.so";
  facts.listen_library = "/opt/lib/ours.so";
  facts.listen_address = "127.0.0.1";
  EXPECT_EQ(mpirun_variables(facts),
            (std::vector<std::string>{"HWLOC_COMPONENTS=-cuda,-gl,-linuxio",
                                      "LD_PRELOAD=/opt/lib/ours.so:/lib/theirs.so",
                                      "UNDERSTUDY_LISTEN=127.0.0.1",
                                      "UNDERSTUDY_PROCESS_LOG=/tmp/understudy-abc123/processes"}));
  facts.listen_address.clear();
  EXPECT_EQ(mpirun_variables(facts).size(), 3U) << "the log does not depend on the address";
}

TEST(MpirunCommand, SaysSoWhenTheSuperuserRunsIt) {
  MpirunFacts facts = plain_facts();
  facts.as_root = true;
  EXPECT_EQ(mpirun_command(facts)[1], "--allow-run-as-root");
}

TEST(MpirunCommand, StartsWorkersThroughTheStarterIfThereIsOne) {
  MpirunFacts facts = plain_facts();
  facts.starter = "/opt/bin/understudy-worker-start";
  const std::string line = shell_text(mpirun_command(facts));
  EXPECT_TRUE(line.ends_with(
      " /opt/bin/understudy-worker-start /opt/bin/understudy-worker /tmp/understudy-abc123"))
      << line;
}

TEST(MpirunCommand, LeavesParametersToTheUserWhoNamesThem) {
  MpirunFacts facts = plain_facts();
  facts.mpi_words = {"--mca", "coll", "^han", "--mca", "btl", "self"};
  const std::string line = shell_text(mpirun_command(facts));
  EXPECT_EQ(line.find("basic,libnbc"), std::string::npos) << line;
  EXPECT_EQ(line.find("self,vader"), std::string::npos) << line;
  EXPECT_NE(line.find("--mca osc sm"), std::string::npos) << line;
  facts.mpirun = "/opt/openmpi/bin/mpirun";
  EXPECT_EQ(shell_text(mpirun_command(facts)).find("--noprefix"), std::string::npos);
}

TEST(MpirunCommand, CrossesMachinesWithAHostfile) {
  MpirunFacts facts = plain_facts();
  facts.hostfile = "my hosts";
  facts.mpi_words = {"--display-map", "a b"};
  EXPECT_EQ(shell_text(mpirun_command(facts)),
            "/usr/bin/mpirun -np 8 --oversubscribe --bind-to none --stdin none "
            "-x 'UNDERSTUDY_LAUNCH={}' --hostfile 'my hosts' "
            "--mca orte_tmpdir_base /tmp/understudy-abc123 "
            "--mca pml ob1 --mca btl self,vader,tcp --mca btl_vader_single_copy_mechanism none "
            "--mca shmem mmap "
            "--mca opal_signal '' "
            "--mca btl_vader_eager_limit 32768 --mca btl_vader_max_send_size 32768 "
            "--mca btl_vader_backing_directory /dev/shm "
            "--mca coll basic,libnbc,self --mca op '^avx' --mca osc sm "
            "--display-map 'a b' "
            "/opt/bin/understudy-worker /tmp/understudy-abc123");
}

TEST(MpirunCommand, LeavesTheMachinesToABatchSystem) {
  MpirunFacts facts = plain_facts();
  facts.in_batch_job = true;
  const std::string line = shell_text(mpirun_command(facts));
  EXPECT_EQ(line.find("isolated"), std::string::npos);
  EXPECT_NE(line.find("self,vader,tcp"), std::string::npos);
}

TEST(ShellText, QuotesWhatAShellWouldTakeApart) {
  EXPECT_EQ(shell_text({"a", "", "b c", "it's", "$x"}), "a '' 'b c' 'it'\\''s' '$x'");
}

}  // namespace
}  // namespace understudy::launcher
