// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <string>

#include "program/ir/op_table.h"
#include "program/verify/signature.h"

namespace understudy::program {
namespace {

TEST(Signatures, HaveWordsForTheNumbersOfValues) {
  for (const OpRow& row : op_table()) {
    const rules::Signature* signature = rules::find_signature(row.name);
    ASSERT_NE(signature, nullptr) << row.name;
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

TEST(Signatures, RunsMayAskForAtLeastOneValue) {
  const OpRow* reduce = find_op("stablehlo.reduce");
  EXPECT_EQ(reduce->operands.least, 2U);
  EXPECT_FALSE(reduce->operands.fits(1));
  EXPECT_TRUE(reduce->operands.fits(8));
  EXPECT_TRUE(find_op("stablehlo.while")->operands.fits(0));
  EXPECT_FALSE(find_op("stablehlo.add")->operands.fits(3));
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

}  // namespace
}  // namespace understudy::program
