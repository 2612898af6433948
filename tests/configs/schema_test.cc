// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "configs/base/error.h"
#include "configs/launch/stress_plan.h"
#include "configs/launch/topology.h"
#include "tests/configs/plan_testing.h"
#include "tests/configs/schema_checker.h"

namespace understudy::configs {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> faults(const std::string& schema, const std::string& document) {
  return schema_faults(JsonReader::parse(schema, "schema"), JsonReader::parse(document, "x"));
}

TEST(Schema, CheckerFindsEachKindOfFault) {
  const std::string object =
      R"({"type": "object", "additionalProperties": false, "required": ["a"],
          "properties": {"a": {"$ref": "#/$defs/d"}}, "$defs": {"d": {"minimum": 2}}})";
  EXPECT_THAT(faults(object, R"({"a": 2})"), IsEmpty());
  EXPECT_THAT(faults(object, R"({"a": 1})"), ElementsAre("/a: is too small"));
  EXPECT_THAT(faults(object, R"({"a": 3, "b": 1})"), ElementsAre("/b: is an unknown key"));
  EXPECT_THAT(faults(object, "{}"), ElementsAre(": lacks a"));
  EXPECT_THAT(faults(object, "3"), ElementsAre(": is no object"));
  EXPECT_THAT(faults(R"({"items": {"type": "integer"}, "maxItems": 1})", "[1, 2.5]"),
              ElementsAre("/1: is no integer", ": has too many items"));
  EXPECT_THAT(faults(R"({"enum": ["a", 1]})", "2"), ElementsAre(": is none of the enum"));
  EXPECT_THAT(faults(R"({"const": "a"})", "\"a\""), IsEmpty());
  EXPECT_THAT(faults(R"({"anyOf": [{"type": "null"}, {"type": "string"}]})", "null"), IsEmpty());
  EXPECT_THAT(faults(R"({"anyOf": [{"type": "null"}]})", "1"),
              ElementsAre(": fits no alternative; : is no null"));
  EXPECT_THAT(faults(R"({"minLength": 1})", "\"\""), ElementsAre(": is too short"));
  EXPECT_THAT(faults(R"({"pattern": "^a$"})", "\"b\""), ElementsAre(": does not match ^a$"));
  EXPECT_THAT(faults(R"({"maximum": 1})", "1"),
              ElementsAre(": the schema has the unknown keyword maximum"));
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
    EXPECT_THAT(schema_faults("slice", describe_json(make_slice(request))), IsEmpty()) << name;
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

}  // namespace
}  // namespace understudy::configs
