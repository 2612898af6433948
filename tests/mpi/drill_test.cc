// SPDX-License-Identifier: Apache-2.0
// Every drill with real workers: each injected fault is found, with its layer and host.
#include "launcher/rehearse/drill.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <set>
#include <string>

#include "configs/json/reader.h"
#include "launcher/process/console.h"
#include "launcher/process/environment.h"
#include "tests/configs/schema_checker.h"
#include "tests/mpi/mpi_testing.h"

namespace understudy::mpi_testing {
namespace {

using configs::JsonReader;
using ::testing::IsEmpty;

std::string diagnosis_of(const std::string& drill) {
  for (const launcher::Drill& one : launcher::drills())
    if (one.name == drill) return std::string(name_of(one.diagnosis));
  return "";
}

// A table by name, so that a failure shows which fault was missed.
TEST(Drill, DetectsEveryInjectedFault) {
  World world;
  const Ran ran = world.run({"rehearse", "--json", "--drill"});
  ASSERT_EQ(ran.out.find('{'), 0u) << ran.out << ran.err;
  EXPECT_THAT(configs::schema_faults("drill", ran.out), IsEmpty());
  const JsonReader said = JsonReader::parse(ran.out, "stdout");
  std::set<std::string> played;
  bool late = false;  // the machine was slow or busy: not a failure of the code under test
  for (const JsonReader& fault : said.at("faults").items()) {
    const std::string name = fault.at("name").text();
    played.insert(name);
    const bool in_time = fault.at("seconds").number() <= fault.at("bound_seconds").number();
    late = late || !in_time;
    EXPECT_EQ(fault.at("diagnosis").text(), diagnosis_of(name)) << name;
    EXPECT_TRUE(fault.at("detected").boolean() || !in_time)
        << name << " on host " << (fault.at("host").is_null() ? -1 : fault.at("host").integer())
        << ": " << fault.at("diagnosis").text() << ": " << fault.at("message").text();
    EXPECT_EQ(fault.at("layer").text(), fault.at("expected_layer").text()) << name;
    EXPECT_FALSE(fault.at("message").text().empty()) << name;
    EXPECT_FALSE(fault.at("advice").text().empty()) << name;
  }
  for (const JsonReader& one : said.at("left_out").items()) played.insert(one.at("name").text());
  for (const launcher::Drill& one : launcher::drills())
    EXPECT_EQ(played.count(std::string(one.name)), 1u) << one.name;
  EXPECT_EQ(said.at("verdict").text(), late ? "failed" : "passed");
  EXPECT_EQ(ran.code, late ? 1 : 0) << ran.err;
  EXPECT_EQ(world.leftovers(ran), "");
}

// The same launch with wrong expectations: the drill must be able to fail.
TEST(Drill, ReportsAMissWhenTheOutcomeDiffersFromTheRow) {
  const launcher::Environment environment = launcher::read_environment();
  const std::string programs = std::string(UNDERSTUDY_SOURCE_DIR) + "/configs/ladders/programs";
  launcher::Drill row{"bounds",
                      "F20",
                      "bounds that do not multiply",
                      DiagnosisId::bounds_do_not_multiply,
                      1,
                      5,
                      "--fault env:host=1,name=TPU_PROCESS_BOUNDS,value=1,1,1"};
  EXPECT_TRUE(play(row, programs, environment, {}).detected);
  row.host = 0;
  EXPECT_FALSE(play(row, programs, environment, {}).detected) << "another host";
  row.host = 1;
  row.diagnosis = DiagnosisId::duplicate_worker_id;
  EXPECT_FALSE(play(row, programs, environment, {}).detected) << "another failure";
  row.diagnosis = DiagnosisId::bounds_do_not_multiply;
  row.bound_seconds = 0;
  EXPECT_FALSE(play(row, programs, environment, {}).detected) << "too late";
}

TEST(Drill, RunsOnlyTheNamedDrills) {
  World world;
  const Ran ran = world.run({"rehearse", "--drill", "wrong-bounds", "no-worker"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.out, testing::HasSubstr("found  wrong-bounds"));
  EXPECT_THAT(ran.out, testing::HasSubstr("passed: 2 of 2 faults found in "));
  const Ran typo = world.run({"rehearse", "--drill", "wrong-bound"});
  EXPECT_EQ(typo.code, 2);
  EXPECT_THAT(typo.err, testing::HasSubstr("did you mean \"wrong-bounds\"?"));
}

}  // namespace
}  // namespace understudy::mpi_testing
