// SPDX-License-Identifier: Apache-2.0
// The comparison of contracts and devices in pods of threads.
#include <array>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/worker/worker_testing.h"
#include "worker/gates/build_identity.h"
#include "worker/gates/contract.h"
#include "worker/gates/faults.h"
#include "worker/gates/live_probe.h"

namespace understudy::worker {
namespace {

using configs::Contract;
using configs::ContractSection;
using testing::Each;
using testing::HasSubstr;

constexpr int kRanks = 4;

Contract contract_with(const std::string& flags) {
  Contract contract;
  contract.sections = {{"environment", {{"XLA_FLAGS", flags}, {"A", "1"}}},
                       {"program", {{"d", "1"}}}};
  contract.identity = {"identity", {}};
  return contract;
}

configs::RunPlan plan_for(const Contract& contract) {
  configs::RunPlan plan;
  plan.chip = "v6e";
  plan.hbm_bytes = 1 << 20;
  plan.host_of = {HostId(0), HostId(0), HostId(1), HostId(1)};
  plan.coordinates = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}};
  for (const ContractSection& section : contract.sections)
    plan.contract_sections.emplace_back(section.name, digest_of(section));
  plan.identity_digests.assign(kRanks, digest_of(contract.identity));
  return plan;
}

// The error of each rank where rank 3 has other flags, and other libraries if `library` is set.
std::vector<std::string> say(const std::string& flags_of_last, const std::string& library,
                             std::array<bool, kRanks>& bystander) {
  const configs::RunPlan plan = plan_for(contract_with("--a"));
  return run_pod(kRanks, [&](const collectives::Fabric& fabric) {
    ControlChannel control_channel(fabric.transport);
    const bool last = control_channel.rank() == Rank(kRanks - 1);
    ContractGate gate(control_channel, plan, "m", nullptr);
    try {
      gate.check(contract_with(last ? flags_of_last : "--a"),
                 {{"libraries", {{"mpi", last ? library : "4"}}}});
    } catch (const Error& error) {
      bystander.at(static_cast<std::size_t>(control_channel.rank().value)) =
          gate.culprit() == Rank(kRanks - 1);
      throw Error(error.kind(), error.diagnosis() + ": " + error.message());
    }
  });
}

TEST(ContractGate, AcceptsEqualContracts) {
  std::array<bool, kRanks> bystander{};
  EXPECT_THAT(say("--a", "4", bystander), Each(""));
}

TEST(ContractGate, NamesRankHostAndVariableOnAllRanks) {
  std::array<bool, kRanks> bystander{};
  EXPECT_THAT(say("--b", "4", bystander),
              Each("error: flags-differ: the launch contract differs between ranks: rank 3 "
                   "(host 1, machine m): XLA_FLAGS is \"--b\", elsewhere \"--a\""));
  EXPECT_THAT(bystander, testing::ElementsAre(true, true, true, false));
}

TEST(ContractGate, ComparesSectionsUnknownToTheLauncherByMajority) {
  std::array<bool, kRanks> bystander{};
  EXPECT_THAT(
      say("--a", "5", bystander),
      Each(HasSubstr("versions-differ: the launch contract differs between ranks: "
                     "rank 3 (host 1, machine m): libraries mpi is \"5\", elsewhere \"4\"")));
}

TEST(LiveProbe, NamesTheRankWithADifferentDevice) {
  const configs::RunPlan plan = plan_for(contract_with("--a"));
  const auto said = [&](const std::string& fault) {
    return run_pod(kRanks, [&](const collectives::Fabric& fabric) {
      ControlChannel control_channel(fabric.transport);
      const auto rank = static_cast<std::size_t>(control_channel.rank().value);
      DeviceReport own{"TPU v6 lite", plan.coordinates[rank], plan.hbm_bytes, kProbeProduct};
      GateFaults({fault}, control_channel.rank(), plan.host_of[rank]).change_report(own);
      std::optional<Rank> culprit;
      compare_devices(control_channel, own, plan, nullptr, culprit);
    });
  };
  EXPECT_THAT(said("late-spmd:rank=0"), Each("")) << "this fault does not concern the device";
  EXPECT_THAT(said("wrong-device-kind:rank=2"),
              Each("error: the live probe failed: rank 2 (host 1): found device kind cpu, expected "
                   "TPU v6 lite"));
  EXPECT_THAT(said("missing-chip:rank=1"),
              Each("error: the live probe failed: rank 1 (host 0): found no device"));
  EXPECT_THAT(said("wrong-coordinates:rank=3"),
              Each(HasSubstr("rank 3 (host 1): found the chip at (2,1,0), expected (1,1,0)")));
}

TEST(ImportGuard, FindsASecondRuntimeInTheProcess) {
  EXPECT_THAT(foreign_runtimes(), testing::IsEmpty());
  EXPECT_NO_THROW(guard_imports(false));
  const TestFolder folder;
  GateFaults({}, Rank(0), HostId(0)).load_second_framework(folder.path());
  EXPECT_THAT(foreign_runtimes(), testing::ElementsAre(folder.path() + "/libtpu.so"));
  EXPECT_THAT(error_of([] { guard_imports(false); }),
              HasSubstr("a second framework's TPU runtime is loaded in this process: "));
}

TEST(BuildIdentity, IsThatOfTheRunningBinary) {
  EXPECT_EQ(build_id().size() % 2, 0U);
  EXPECT_EQ(build_id(), build_id());
  EXPECT_EQ(library_versions("4.1.4").at("mpi"), "4.1.4");
}

}  // namespace
}  // namespace understudy::worker
