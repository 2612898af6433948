// SPDX-License-Identifier: Apache-2.0
#include "configs/launch/contract.h"

#include <gmock/gmock.h>

#include "configs/launch/joined_slices.h"
#include "configs/launch/shell_variables.h"
#include "configs/receipt/diagnosis.h"
#include "tests/configs/plan_testing.h"

namespace understudy::configs {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;

LaunchInputs small_inputs() {
  SliceRequest request;
  request.slice = "v6e-16";
  LaunchInputs inputs =
      inputs_of(make_slice(request), ProfileLibrary().resolve("steady", {}).values, 16);
  inputs.cache_dir = "/cache";
  return inputs;
}

Variables environment_of(const LaunchInputs& inputs, Rank rank) {
  return worker_environment({{"PATH", "/bin"}, {"UNDERSTUDY_ISA", "avx2"}},
                            variables_of(chip_environment(inputs, rank)));
}

Contract small_contract(const LaunchInputs& inputs, Rank rank = Rank(0)) {
  return contract_of({small_plan(), inputs, "abc", environment_of(inputs, rank)});
}

// The names of the sections in which two contracts differ.
std::vector<std::string> differing(const Contract& one, const Contract& other) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < one.sections.size(); ++i)
    if (digest_of(one.sections[i]) != digest_of(other.sections[i]))
      names.push_back(one.sections[i].name);
  return names;
}

TEST(Contract, IsAlikeOnAllHostsButForWhoTheyAre) {
  const LaunchInputs inputs = small_inputs();
  const Contract one = small_contract(inputs, Rank(0));
  const Contract other = small_contract(inputs, Rank(15));
  EXPECT_EQ(digest_of(one), digest_of(other));
  EXPECT_NE(digest_of(one.identity), digest_of(other.identity));
  EXPECT_EQ(other.identity.lines.at("TPU_WORKER_ID"), "3");
  EXPECT_EQ(other.identity.lines.at("XLA_PERSISTENT_CACHE_PATH"), "/cache/host3/torch_xla");
}

TEST(Contract, SaysInWhichSectionADifferenceLies) {
  const Contract usual = small_contract(small_inputs());
  LaunchInputs inputs = small_inputs();
  inputs.profile.shape.guard = "lenient";
  EXPECT_THAT(differing(usual, small_contract(inputs)), ElementsAre("profile", "environment"));
  inputs = small_inputs();
  inputs.host_names[1] = "elsewhere";
  EXPECT_THAT(differing(usual, small_contract(inputs)), ElementsAre("hosts", "environment"));
  const LaunchInputs same = small_inputs();
  RunPlan plan = small_plan();
  plan.steps += 1;
  EXPECT_THAT(differing(usual, contract_of({plan, same, "abc", environment_of(same, Rank(0))})),
              ElementsAre("options"));
  EXPECT_THAT(
      differing(usual, contract_of({small_plan(), same, "x", environment_of(same, Rank(0))})),
      ElementsAre("program"));
  plan = small_plan();
  plan.contract_digest = "set later";
  plan.run_id = "another";
  EXPECT_THAT(differing(usual, contract_of({plan, same, "abc", environment_of(same, Rank(0))})),
              IsEmpty());
}

TEST(Contract, HasTheVariablesThatCount) {
  const Variables all = {{"PATH", "/bin"},        {"OMPI_COMM_WORLD_RANK", "1"},
                         {"TPU_WORKER_ID", "1"},  {"XLA_FLAGS", "--a"},
                         {"UNDERSTUDY_ISA", "x"}, {"UNDERSTUDY_LAUNCH", "{}"},
                         {"STRAY", "1"}};
  EXPECT_THAT(
      contract_environment(all, false, 1),
      ElementsAre(Pair("STRAY", "1"), Pair("UNDERSTUDY_ISA", "x"), Pair("XLA_FLAGS", "--a")));
  EXPECT_THAT(contract_environment(all, true, 1), ElementsAre(Pair("TPU_WORKER_ID", "1")));
}

// Workers of joined slices have other neighbours; their contract is one all the same.
TEST(Contract, IsAlikeInJoinedSlices) {
  SliceRequest request;
  request.slice = "2xv6e-8";
  const LaunchInputs inputs =
      inputs_of(make_joined(request), ProfileLibrary().resolve("steady", {}).values, 16);
  const Contract one = small_contract(inputs, Rank(0));
  const Contract other = small_contract(inputs, Rank(15));
  EXPECT_EQ(digest_of(one), digest_of(other));
  EXPECT_EQ(one.identity.lines.at("TPU_NAME"), "v6e-8-s0");
  EXPECT_EQ(other.identity.lines.at("TPU_NAME"), "v6e-8-s1");
}

TEST(Contract, PutsDifferencesIntoWordsAndNamesThem) {
  const ContractSection here{"environment", {{"A", "1"}, {"LIBTPU_INIT_ARGS", "--x"}, {"S", ""}}};
  const ContractSection there{"environment", {{"LIBTPU_INIT_ARGS", "--y"}, {"S", ""}, {"Z", "2"}}};
  EXPECT_EQ(parse_section(text_of(here)), here);
  std::vector<std::string> texts;
  for (const LineDifference& one : differences(here, there)) texts.push_back(text_of(one));
  EXPECT_THAT(texts, ElementsAre("A is \"1\", elsewhere not set",
                                 "LIBTPU_INIT_ARGS is \"--x\", elsewhere \"--y\"",
                                 "Z is not set, elsewhere \"2\""));
  const std::pair<LineDifference, std::string_view> names[] = {
      {{"environment", "LIBTPU_INIT_ARGS", "a", "b"}, "flags-differ"},
      {{"environment", "FOO", "a", "b"}, "environment-differs"},
      {{"identity", "TPU_WORKER_ID", "a", "b"}, "duplicate-worker-id"},
      {{"environment", "PJRT_DEVICE", "a", "b"}, "device-kind-differs"},
      {{"binary", "build_id", "a", "b"}, "versions-differ"},
      {{"program", "digest", "a", "b"}, "program-bytes-differ"},
      {{"options", "steps", "a", "b"}, "contract-differs"},
  };
  for (const auto& [difference, name] : names) {
    EXPECT_EQ(diagnosis_of(difference), name);
    EXPECT_NE(find_diagnosis(name), nullptr) << name;
  }
}

TEST(Contract, IsOneLineWithASchema) {
  Contract contract = small_contract(small_inputs());
  for (ContractSection& section : contract.sections)
    if (section.name == "software")
      section.lines = {{"version", "VERSION"}, {"revision", "REVISION"}};
  EXPECT_THAT(to_json(contract), HasSubstr("\"understudy/contract/2\""));
  expect_golden("contract/contract.json", to_json(contract) + "\n");
}

TEST(LaunchInputs, KnowWhereEveryChipStands) {
  for (const char* name : {"v6e-16", "v5p-16", "v5e-64", "v4-64"}) {
    SliceRequest request;
    request.slice = name;
    const Slice slice = make_slice(request);
    const LaunchInputs inputs = inputs_of(slice, Profile(), 1);
    for (const Chip& chip : slice.chips)
      EXPECT_THAT(coordinates_of(inputs, chip.rank),
                  ElementsAre(chip.at[0], chip.at[1], chip.at[2]));
  }
}

}  // namespace
}  // namespace understudy::configs
