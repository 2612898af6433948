// SPDX-License-Identifier: Apache-2.0
#include "launcher/job_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "configs/base/error.h"
#include "tests/configs/schema_checker.h"

namespace understudy::launcher {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

const std::vector<std::string> kWords = {
    "/opt/bin/understudy", "run", "a b.mlir", "--dry-run", "--as", "slurm", "--fill", "ones"};

configs::RunPlan plan_of(std::vector<std::int64_t> hosts) {
  configs::RunPlan plan;
  plan.slice = "v6e-8";
  for (const std::int64_t host : hosts) plan.host_of.emplace_back(host);
  return plan;
}

TEST(JobFile, SlurmGetsAsManyNodesAsThereAreHostsAndTheCommandItself) {
  const std::string script = job_file("slurm", plan_of({0, 0, 1, 1}), kWords);
  EXPECT_THAT(script, AllOf(HasSubstr("#!/bin/bash\n"), HasSubstr("#SBATCH --nodes=2\n"),
                            HasSubstr("#SBATCH --ntasks-per-node=2\n"),
                            HasSubstr("exec understudy run 'a b.mlir' --fill ones\n")));
  EXPECT_THAT(script, Not(HasSubstr("dry-run")));
}

TEST(JobFile, ManifestFitsTheSchemaAndCountsTheLauncherAsAWorker) {
  for (const auto& hosts : {std::vector<std::int64_t>{0, 0, 1, 1}, {0, 0, 0}}) {
    const std::string text = job_file("mpijob", plan_of(hosts), kWords);
    EXPECT_THAT(configs::schema_faults("mpi-job", text), IsEmpty()) << text;
    const bool several = hosts.back() > 0;
    EXPECT_EQ(text.find("/etc/mpi/hostfile") != std::string::npos, several);
    EXPECT_EQ(text.find("\"Worker\"") != std::string::npos, several);
    EXPECT_THAT(text, HasSubstr("\"name\": \"understudy-v6e-8\""));
  }
}

TEST(JobFile, RefusesWhatItCannotSay) {
  EXPECT_THROW(job_file("slurmm", plan_of({0, 0}), kWords), Error);
  EXPECT_THROW(job_file("slurm", plan_of({0, 0, 1}), kWords), Error);
}

}  // namespace
}  // namespace understudy::launcher
