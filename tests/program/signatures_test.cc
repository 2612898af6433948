// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <set>
#include <string>

#include "program/ir/op_table.h"
#include "program/verify/rules.h"
#include "program/verify/signature.h"

namespace understudy::program {
namespace {

bool is_of(std::string_view name, std::string_view dialect) { return name.starts_with(dialect); }

TEST(Signatures, StandForEveryOperationOfStablehloAndChlo) {
  // What these take, their regions, functions or quantizations say.
  const std::set<std::string_view> open = {"stablehlo.while",
                                           "stablehlo.if",
                                           "stablehlo.case",
                                           "stablehlo.uniform_quantize",
                                           "stablehlo.uniform_dequantize",
                                           "stablehlo.return"};
  for (const OpRow& row : op_table()) {
    if (!is_of(row.name, "stablehlo.") && !is_of(row.name, "chlo.")) continue;
    EXPECT_EQ(rules::find_signature(row.name) == nullptr, open.contains(row.name)) << row.name;
  }
}

TEST(Signatures, FitTheNumbersOfTheOperationTable) {
  for (const OpRow& row : op_table()) {
    const rules::Signature* signature = rules::find_signature(row.name);
    if (signature == nullptr) continue;
    for (const auto& [slots, arity] : {std::pair{&signature->operands, row.operands},
                                       std::pair{&signature->results, row.results}}) {
      std::size_t runs = 0;
      for (const rules::Slot& slot : *slots) {
        EXPECT_NE(slot.families, 0U) << row.name;
        runs += slot.is_run ? 1 : 0;
      }
      EXPECT_EQ(runs, arity.least == arity.most ? 0U : 1U) << row.name;
      EXPECT_LE(slots->size() - runs, arity.least) << row.name;
      EXPECT_TRUE(runs == 1 || slots->size() == arity.least) << row.name;
    }
  }
}

TEST(Signatures, AskForKindsThatExist) {
  for (const OpRow& row : op_table()) {
    const rules::Signature* signature = rules::find_signature(row.name);
    if (signature == nullptr) continue;
    for (const rules::NeededAttribute& needed : signature->attributes) {
      EXPECT_FALSE(rules::kind_text(needed.kind).empty()) << row.name << " " << needed.name;
      EXPECT_FALSE(rules::is_of_kind(Attribute{TypeAttribute{}}, needed.kind)) << row.name;
    }
  }
}

TEST(Signatures, RulesOfTheTableHaveFunctions) {
  for (const OpRow& row : op_table())
    EXPECT_EQ(rules::function_of(row.rule) == nullptr, row.rule == Rule::anything) << row.name;
}

}  // namespace
}  // namespace understudy::program
