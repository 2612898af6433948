// SPDX-License-Identifier: Apache-2.0
#include "launcher/run/job_files.h"

#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <sstream>
#include <unistd.h>

#include "configs/base/error.h"
#include "configs/base/file.h"
#include "configs/json/reader.h"
#include "configs/launch/topology.h"
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

std::vector<configs::EnvironmentEntry> environment() {
  configs::SliceRequest request;
  request.slice = "v6e-8";
  request.hosts = 2;
  const configs::Slice slice = configs::make_slice(request);
  return configs::launch_environment(configs::inputs_of(slice, {}, 8), 0, 0);
}

TEST(JobFile, SlurmGetsAsManyNodesAsThereAreHostsAndTheCommandItself) {
  const std::string script = job_file("slurm", plan_of({0, 0, 1, 1}), {}, kWords);
  EXPECT_THAT(script, AllOf(HasSubstr("#!/bin/bash\n"), HasSubstr("#SBATCH --nodes=2\n"),
                            HasSubstr("#SBATCH --ntasks-per-node=2\n"),
                            HasSubstr("exec understudy run 'a b.mlir' --fill ones\n")));
  EXPECT_THAT(script, Not(HasSubstr("dry-run")));
}

TEST(JobFile, ManifestFitsTheSchemaAndCountsTheLauncherAsAWorker) {
  for (const auto& hosts : {std::vector<std::int64_t>{0, 0, 1, 1}, {0, 0, 0}}) {
    const std::string text = job_file("mpijob", plan_of(hosts), environment(), kWords);
    EXPECT_THAT(configs::schema_faults("mpi-job", text), IsEmpty()) << text;
    const bool several = hosts.back() > 0;
    EXPECT_EQ(text.find("/etc/mpi/hostfile") != std::string::npos, several);
    EXPECT_EQ(text.find("\"Worker\"") != std::string::npos, several);
    EXPECT_THAT(text, HasSubstr("\"name\": \"understudy-v6e-8\""));
  }
}

// The pods' environment is that of `env --format kubernetes`, but for what each host has of its
// own.
TEST(JobFile, ManifestHasTheEnvironmentThatAllHostsHaveAlike) {
  const auto manifest = configs::JsonReader::parse(
      job_file("mpijob", plan_of({0, 0, 1, 1}), environment(), kWords), "manifest");
  for (const char* kind : {"Launcher", "Worker"}) {
    const auto container = manifest.at("spec")
                               .at("mpiReplicaSpecs")
                               .at(kind)
                               .at("template")
                               .at("spec")
                               .at("containers")
                               .items()
                               .at(0);
    std::map<std::string, std::string> seen;
    for (const configs::JsonReader& one : container.at("env").items())
      seen[one.at("name").text()] = one.at("value").text();
    configs::Variables want;
    for (const configs::EnvironmentEntry& one : environment())
      if (!one.of_host) want[one.name] = one.value;
    EXPECT_EQ(seen, want) << kind;
    EXPECT_EQ(seen.at("TPU_WORKER_HOSTNAMES"), "v6e-8-0,v6e-8-1");
    EXPECT_FALSE(seen.contains("TPU_WORKER_ID"));
  }
}

// What the container file copies, runs and installs is there.
TEST(ContainerFile, RefersToWhatThereIs) {
  const std::string root = UNDERSTUDY_SOURCE_DIR;
  std::istringstream file(read_text_file(root + "/deploy/Containerfile"));
  int copied = 0;
  bool installs = false;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string word, source;
    words >> word >> source;
    if (word == "COPY" && !source.starts_with("--from")) {
      ++copied;
      EXPECT_TRUE(std::filesystem::exists(root + "/" + source)) << line;
    }
    installs = installs || line.find("/src/deploy/install-packages") != std::string::npos;
  }
  EXPECT_EQ(copied, 3);
  EXPECT_TRUE(installs) << "the build stage installs deploy/packages";
  EXPECT_EQ(access((root + "/deploy/install-packages").c_str(), X_OK), 0);
}

TEST(JobFile, RefusesWhatItCannotSay) {
  EXPECT_THROW(job_file("slurmm", plan_of({0, 0}), {}, kWords), Error);
  EXPECT_THROW(job_file("slurm", plan_of({0, 0, 1}), {}, kWords), Error);
}

}  // namespace
}  // namespace understudy::launcher
