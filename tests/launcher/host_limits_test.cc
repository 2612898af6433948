// SPDX-License-Identifier: Apache-2.0
#include "launcher/contract/host_limits.h"

#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <unistd.h>

#include "configs/base/error.h"
#include "configs/receipt/diagnosis.h"
#include "launcher/contract/checks.h"

namespace understudy::launcher {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Kernel files of a made-up machine.
class Sources {
 public:
  Sources(const std::string& hugepages, const std::string& rights, rlim_t memlock, rlim_t files) {
    EXPECT_NE(::mkdtemp(folder_.data()), nullptr);
    sources.hugepages = write("enabled", hugepages);
    sources.status = write("status", "Name:\tx\nCapPrm:\tffff\nCapEff:\t" + rights + "\n");
    sources.limit = [=](int resource) -> std::optional<rlim_t> {
      return resource == RLIMIT_MEMLOCK ? memlock : files;
    };
  }
  ~Sources() { std::filesystem::remove_all(folder_); }
  Sources(const Sources&) = delete;
  Sources& operator=(const Sources&) = delete;
  LimitSources sources;

 private:
  std::string write(const std::string& name, const std::string& text) const {
    const std::string path = folder_ + "/" + name;
    std::ofstream(path) << text;
    return path;
  }
  std::string folder_ = testing::TempDir() + "limits-XXXXXX";
};

TEST(HostLimits, AreWhatTheKernelSays) {
  const Sources machine("always [madvise] never\n", "00000000a80425fb", 65536, 1024);
  const HostLimits limits = read_limits(machine.sources);
  EXPECT_EQ(limits.hugepages, "madvise");
  EXPECT_EQ(limits.memlock, 65536U);
  EXPECT_EQ(limits.descriptors, 1024U);
}

TEST(HostLimits, WhoMayPinHasNoLimit) {
  EXPECT_EQ(read_limits(Sources("[always] madvise never", "4000", 65536, 9).sources).memlock,
            kNoLimit);
  EXPECT_EQ(read_limits(Sources("", "0", RLIM_INFINITY, 9).sources).memlock, kNoLimit);
}

TEST(HostLimits, OfWhatCannotBeReadNothingIsTold) {
  LimitSources nowhere;
  nowhere.hugepages = nowhere.status = "/nowhere/at/all";
  nowhere.limit = [](int) { return std::nullopt; };
  EXPECT_EQ(read_limits(nowhere), HostLimits{});
  EXPECT_EQ(read_limits(Sources("always madvise never", "0", 1, 1).sources).hugepages,
            std::nullopt);
}

TEST(HostLimits, OfThisMachineCanBeRead) {
  const HostLimits limits = read_limits();
  rlimit files{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &files), 0);
  EXPECT_EQ(limits.descriptors, files.rlim_cur == RLIM_INFINITY ? kNoLimit : files.rlim_cur);
}

// A launch of v6e-16 on hosts with these limits.
struct Begun {
  configs::LaunchInputs inputs;
  configs::RunPlan plan;
  Begun() {
    configs::SliceRequest request;
    request.slice = "v6e-16";
    inputs = configs::inputs_of(configs::make_slice(request),
                                configs::ProfileLibrary().resolve("steady", {}).values, 16);
    plan.cache_dir = "/nowhere";
    plan.cache_lock = "exclusive-file";
    plan.chips = 16;
  }
  LaunchCase with(const HostLimits& here) const { return launch_case(inputs, plan, here); }
};

TEST(HostLimits, TooFewDescriptorsRefuseTheLaunch) {
  Begun begun;
  EXPECT_FALSE(refusal_of(begun.with({{}, {}, descriptors_needed(16)})));
  const auto refusal = refusal_of(begun.with({{}, {}, descriptors_needed(16) - 1}));
  ASSERT_TRUE(refusal);
  EXPECT_EQ(refusal->diagnosis, "descriptors-too-few");
  EXPECT_THAT(refusal->message, HasSubstr("the open file limit is 159, but 16 chips need 160"));
  begun.inputs.faults = {"host-limit:host=2,name=descriptors,value=64"};
  const auto of_one = refusal_of(begun.with({{}, {}, kNoLimit}));
  ASSERT_TRUE(of_one);
  EXPECT_EQ(of_one->host, 2);
}

TEST(HostLimits, WhatARealHostNeedsIsRemarked) {
  Begun begun;
  EXPECT_THAT(remarks_of(begun.with({})), IsEmpty()) << "nothing was read";
  EXPECT_THAT(remarks_of(begun.with({"always", kNoLimit, kNoLimit})), IsEmpty());
  const auto all = remarks_of(begun.with({"madvise", 8192 * 1024, kNoLimit}));
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].diagnosis, "hugepages-off");
  EXPECT_EQ(all[0].message,
            "every host: transparent hugepages: expected \"always\", found \"madvise\"");
  EXPECT_EQ(all[1].diagnosis, "memlock-too-low");
  EXPECT_EQ(all[1].message,
            "every host: the locked memory limit is 8 MiB, but the premapped pool needs 4 GiB");
  for (const Refusal& one : all) {
    EXPECT_EQ(one.host, std::nullopt);
    EXPECT_NE(configs::find_diagnosis(one.diagnosis), nullptr);
  }
  EXPECT_FALSE(refusal_of(begun.with({"never", 0, kNoLimit}))) << "a remark refuses nothing";
}

TEST(HostLimits, AHostThatIsNotAsItsNeighboursIsNamed) {
  Begun begun;
  begun.inputs.faults = {"host-limit:host=3,name=memlock,value=65536",
                         "host-limit:host=1,name=hugepages,value=never"};
  const auto all = remarks_of(begun.with({"always", kNoLimit, kNoLimit}));
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].host, 1);
  EXPECT_EQ(all[0].message, "host 1: transparent hugepages: expected \"always\", found \"never\"");
  EXPECT_EQ(all[1].host, 3);
  begun.inputs.faults = {"host-limit:host=3,name=stack,value=1"};
  EXPECT_THROW(static_cast<void>(begun.with({})), Error);
  begun.inputs.faults = {"host-limit:host=3,name=memlock,value=much"};
  EXPECT_THROW(static_cast<void>(begun.with({})), Error);
}

}  // namespace
}  // namespace understudy::launcher
