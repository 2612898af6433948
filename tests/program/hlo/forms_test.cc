// SPDX-License-Identifier: Apache-2.0
// HLO of JAX: text and proto of one program give the same StableHLO, which passes the verifier.
#include <gtest/gtest.h>

#include "tests/program/hlo/hlo_testing.h"
#include "tests/program/reader_testing.h"

namespace understudy::program {
namespace {

std::shared_ptr<const Source> file(const std::string& name) {
  return Source::read((repository() / "tests/program/hlo" / name).string());
}

class Programs : public testing::TestWithParam<const char*> {};

TEST_P(Programs, TextAndProtoAreOneProgram) {
  const std::string name = GetParam();
  const auto from_text = parse(file(name + ".hlo.txt"));
  const auto from_proto = parse(file(name + ".hlo.pb"));
  verify(*from_text);
  verify(*from_proto);
  EXPECT_EQ(first_difference(*from_text, *from_proto), "");
  EXPECT_EQ(unsupported_operations(*from_text).size(), 0u);
  // What is printed is StableHLO that reads back to the same.
  const auto again = parsed(print(*from_text));
  EXPECT_EQ(first_difference(*from_text, *again), "");
}

TEST_P(Programs, TextAndProtoHaveOneListing) {
  const std::string name = GetParam();
  const auto text = compare::listing_of(file(name + ".hlo.txt"), compare::Form::hlo);
  const auto proto = compare::listing_of(file(name + ".hlo.pb"), compare::Form::hlo);
  ASSERT_EQ(text.entries.size(), proto.entries.size());
  for (std::size_t i = 0; i < text.entries.size(); ++i) {
    EXPECT_EQ(text.entries[i].name, proto.entries[i].name);
    EXPECT_EQ(text.entries[i].types, proto.entries[i].types) << text.entries[i].name;
    EXPECT_EQ(text.entries[i].attributes, proto.entries[i].attributes) << text.entries[i].name;
    EXPECT_EQ(text.entries[i].uses, proto.entries[i].uses) << text.entries[i].name;
  }
}

INSTANTIATE_TEST_SUITE_P(Hlo, Programs,
                         testing::Values("algebra", "collectives", "control", "elementwise",
                                         "global_view", "indexing", "literals"),
                         [](const auto& name) { return std::string(name.param); });

TEST(HloForms, OptimisedTextInlinesItsFusions) {
  const auto module = parse(file("optimised.hlo.txt"));
  verify(*module);
  EXPECT_NE(print(*module).find("stablehlo.while"), std::string::npos);
}

TEST(HloForms, SourceLinesOfMetadataBecomeLocations) {
  const auto module = parse(file("optimised.hlo.txt"));
  bool found = false;
  for (const auto& function : module->functions)
    for (const auto& op : function->block().operations)
      found = found || place_of(op->location).path == "make_programs.py";
  EXPECT_TRUE(found);
}

TEST(HloForms, ProtosInWrappersAreFound) {
  const std::string bytes(file("indexing.hlo.pb")->text());
  const auto wrapped = [](const std::string& inside) {
    std::string out = "\x0A";
    for (std::size_t size = inside.size(); true; size >>= 7) {
      out += static_cast<char>(size > 127 ? (size & 127) | 128 : size);
      if (size < 128) break;
    }
    return out + inside;
  };
  const auto plain = parse(file("indexing.hlo.pb"));
  for (const std::string& one : {wrapped(bytes), wrapped(wrapped(bytes))}) {
    const auto module = parse(std::make_shared<const Source>("x", one));
    EXPECT_EQ(first_difference(*plain, *module), "");
  }
}

TEST(HloForms, ShardyOfAManualComputationIsRestored) {
  const std::string text = print(*parse(file("collectives.hlo.txt")));
  EXPECT_NE(text.find("sdy.mesh @mesh = <[\"x\"=4, \"y\"=2]>"), std::string::npos) << text;
  EXPECT_NE(text.find("sdy.manual_computation"), std::string::npos);
  EXPECT_EQ(text.find("custom_call"), std::string::npos);
}

TEST(HloForms, AGlobalViewProgramKeepsItsShardings) {
  const std::string text = print(*parse(file("global_view.hlo.pb")));
  EXPECT_NE(text.find("sdy.sharding = #sdy.sharding<@mesh, [{\"x\"}, {}]>"), std::string::npos)
      << text;
  EXPECT_NE(text.find("sdy.sharding_constraint"), std::string::npos) << text;
}

}  // namespace
}  // namespace understudy::program
