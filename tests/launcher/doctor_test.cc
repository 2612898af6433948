// SPDX-License-Identifier: Apache-2.0
#include <functional>
#include <string>

#include "gtest/gtest.h"

#include "configs/base/units.h"
#include "launcher/doctor/checks.h"

namespace understudy::launcher {
namespace {

MachineFacts good_machine() {
  MachineFacts facts;
  facts.tpu_compiler = "libtpu 0.0.42.1";
  facts.has_tpu_compiler = true;
  facts.mpirun = "/usr/bin/mpirun";
  facts.mpi_version = "mpirun (Open MPI) 4.1.4";
  facts.worker = "/opt/bin/understudy-worker";
  facts.isa = "avx2";
  facts.cores = 2;
  facts.shared_memory_bytes = kGiB;
  facts.file_descriptors = 1024;
  facts.file_descriptors_most = 4096;
  facts.memory_bytes = 8 * kGiB;
  facts.run_folder_base = "/tmp";
  facts.run_folder_bytes = kGiB;
  return facts;
}

constexpr std::uint64_t kHbm = 32'000'000'000;

Finding look(const std::string& name, const MachineFacts& facts, std::int64_t chips = 8) {
  for (const Check& check : checks())
    if (check.name == name) return check.look(facts, {"v6e", chips, kHbm});
  ADD_FAILURE() << "no check " << name;
  return {};
}

TEST(Doctor, FindsNothingOnAGoodMachine) {
  for (const Check& check : checks()) {
    const Finding finding = check.look(good_machine(), {"v6e-8", 8, kHbm});
    EXPECT_EQ(finding.health, Health::good) << check.name;
    EXPECT_EQ(finding.remedy, "") << check.name;
  }
}

// Over 40 lines: a row per case.
TEST(Doctor, NamesEachTroubleAndItsRemedy) {
  struct Case {
    std::string check;
    std::function<void(MachineFacts&)> spoil;
    Health health;
    std::string text, remedy;  // parts of what must be said
  };
  const Case cases[] = {
      {"MPI", [](MachineFacts& f) { f.mpirun = ""; }, Health::bad, "no mpirun in PATH",
       "apt-get install openmpi-bin"},
      {"MPI", [](MachineFacts& f) { f.mpi_version = "HYDRA"; }, Health::bad, "is not Open MPI",
       "first in PATH"},
      {"worker", [](MachineFacts& f) { f.worker = ""; }, Health::bad, "no understudy-worker",
       "--worker"},
      {"host name",
       [](MachineFacts& f) {
         f.names = {{"nohost", std::nullopt, 1, false}};
       },
       Health::doubtful, "nohost does not resolve within 1 s", "127.0.0.1 nohost"},
      {"killed runs",
       [](MachineFacts& f) {
         f.orphans.alive = {{"/tmp/understudy-abcdef", {7, 8}}};
       },
       Health::doubtful, "2 processes still run for /tmp/understudy-abcdef", "kill -9 7 8"},
      {"instruction set", [](MachineFacts& f) { f.isa = "portable"; }, Health::doubtful,
       "only the portable", "AVX2"},
      {"/dev/shm", [](MachineFacts& f) { f.shared_memory_bytes = kMiB; }, Health::doubtful,
       "1 MiB free, 64 MiB", "--shm-size"},
      {"file descriptors", [](MachineFacts& f) { f.file_descriptors = 64; }, Health::bad,
       "limit 64, 112 needed", "ulimit -n 112"},
      {"file descriptors",
       [](MachineFacts& f) { f.file_descriptors = f.file_descriptors_most = 64; }, Health::bad,
       "limit 64, 112 needed", "--ulimit nofile=112"},
      {"processes", [](MachineFacts& f) { f.processes = 20; }, Health::bad, "limit 20",
       "--pids-limit"},
      {"RLIMIT_AS", [](MachineFacts& f) { f.address_space = 16 * kGiB; }, Health::bad,
       "limit 16 GiB", "run: ulimit -v unlimited"},
      {"overcommit", [](MachineFacts& f) { f.overcommit = 2; }, Health::bad,
       "vm.overcommit_memory=2", "sysctl vm.overcommit_memory=0"},
      {"peers", [](MachineFacts& f) { f.peers_readable = false; }, Health::bad, "is denied",
       "hidepid"},
      {"memory", [](MachineFacts& f) { f.memory_bytes = kMiB; }, Health::bad, "1 MiB available",
       "smaller slice"},
      {"run folder", [](MachineFacts& f) { f.run_folder_bytes = kMiB; }, Health::bad,
       "1 MiB free in /tmp", "TMPDIR"},
  };
  for (const Case& one : cases) {
    MachineFacts facts = good_machine();
    one.spoil(facts);
    const Finding finding = look(one.check, facts);
    EXPECT_EQ(finding.health, one.health) << one.check;
    EXPECT_NE(finding.text.find(one.text), std::string::npos) << finding.text;
    EXPECT_NE(finding.remedy.find(one.remedy), std::string::npos) << finding.remedy;
  }
}

TEST(Doctor, CountsChipsTimesHbmAgainstTheAddressSpace) {
  EXPECT_EQ(look("address space", good_machine(), 4000).health, Health::good);
  EXPECT_EQ(look("address space", good_machine(), 5000).health, Health::bad);
}

}  // namespace
}  // namespace understudy::launcher
