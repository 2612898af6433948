// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <fstream>
#include <gmock/gmock.h>

#include "configs/base/error.h"
#include "configs/launch/mesh_layout.h"
#include "configs/launch/stress_plan.h"
#include "configs/launch/topology.h"
#include "configs/report/command_documents.h"
#include "configs/report/schemas.h"
#include "tests/configs/plan_testing.h"
#include "tests/configs/schema_checker.h"

namespace understudy::configs {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

TEST(Schema, CheckFindsFaultsWithTheirPlaces) {
  const std::string chip = slurp(std::string(UNDERSTUDY_SOURCE_DIR) + "/configs/chips/v5e.json");
  std::string damaged = chip;
  damaged.replace(damaged.find("understudy/chip/"), 10, "overstudy/");
  EXPECT_THAT(schema_faults("chip", chip), IsEmpty());
  EXPECT_THAT(schema_faults("chip", damaged), ElementsAre(HasSubstr("/schema: ")));
  EXPECT_THAT(schema_faults("chip", "{}"), Not(IsEmpty()));
}

TEST(Schema, FitsEveryChip) {
  for (const std::string& name : chip_names()) {
    const std::string path =
        std::string(UNDERSTUDY_SOURCE_DIR) + "/configs/chips/" + name + ".json";
    EXPECT_THAT(schema_faults("chip", slurp(path)), IsEmpty()) << name;
  }
}

TEST(Schema, FitsSlices) {
  for (const char* name : {"v3-8", "v4-128", "v5e-1", "v6e-128"}) {
    SliceRequest request;
    request.slice = name;
    EXPECT_THAT(schema_faults("slice", describe_json(make_slice(request), {})), IsEmpty()) << name;
  }
}

TEST(Schema, FitsTheStressPlanWhichReadsBackAsItWas) {
  StressPlan plan;
  plan.disciplines = {{"shared", "directory"}, {"per-host", "none"}};
  plan.faults = {"kill=20"};
  plan.directory = "/tmp/caches";
  plan.result = "/tmp/result.json";
  plan.on_small_disk = true;
  EXPECT_THAT(schema_faults("stress-plan", to_json(plan)), IsEmpty());
  EXPECT_EQ(read_stress_plan(to_json(plan), "plan"), plan);
  plan.hosts = 9;
  EXPECT_THROW(read_stress_plan(to_json(plan), "plan"), Error);
}

TEST(Schema, FitsTheLadder) {
  EXPECT_THAT(schema_faults("ladder", slurp(std::string(UNDERSTUDY_SOURCE_DIR) +
                                            "/configs/ladders/default.json")),
              IsEmpty());
}

TEST(Schema, FitsTheRunPlan) {
  EXPECT_THAT(schema_faults("run-plan", to_json(small_plan())), IsEmpty());
}

// UNDERSTUDY_UPDATE_GOLDEN=1 rewrites the files.
TEST(Schema, FilesAreMadeFromTheFieldsOfTheirDocuments) {
  for (const NamedSchema& schema : made_schemas()) {
    const std::string path =
        std::string(UNDERSTUDY_SOURCE_DIR) + "/configs/schema/" + schema.name + ".json";
    if (std::getenv("UNDERSTUDY_UPDATE_GOLDEN") != nullptr) std::ofstream(path) << schema.text;
    EXPECT_EQ(slurp(path), schema.text)
        << schema.name << ": UNDERSTUDY_UPDATE_GOLDEN=1 rewrites it";
  }
}

TEST(Schema, NoticesMissingAndUnknownFields) {
  ErrorDocument error;
  error.place = ErrorPlace{"a.mlir", 3, 7, std::nullopt};
  EXPECT_THAT(schema_faults("error", to_json(error)), IsEmpty());
  EXPECT_THAT(unnoticed_mutants("error", to_json(error)), IsEmpty());
}

}  // namespace
}  // namespace understudy::configs
