// SPDX-License-Identifier: Apache-2.0
#include "tests/program/operations_table.h"

#include <algorithm>

#include "gtest/gtest.h"

#include "configs/base/file.h"
#include "program/ir/op_table.h"
#include "program/lowering/lowering.h"

namespace understudy::program {
namespace {

const Uses& uses() {
  static const Uses all =
      uses_in({UNDERSTUDY_SOURCE_DIR "/tests/ops", UNDERSTUDY_SOURCE_DIR "/tests/parallel"});
  return all;
}

TEST(OperationsTable, ThePageIsWhatTheTablesSay) {
  const std::string page = operations_page(uses());
  const std::string committed = read_text_file(UNDERSTUDY_SOURCE_DIR "/docs/operations.md");
  const auto [at, other] =
      std::mismatch(page.begin(), page.end(), committed.begin(), committed.end());
  EXPECT_TRUE(page == committed)
      << "differs from line " << 1 + std::count(page.begin(), at, '\n')
      << "; repair: build/release/bin/operations_table > docs/operations.md";
}

TEST(OperationsTable, EveryOperationThatRunsHasAProgram) {
  for (const OpRow& row : op_table()) {
    EXPECT_TRUE(!runs(row.name) || uses().contains(row.name)) << row.name;
  }
}

TEST(OperationsTable, EveryTargetThatRunsHasAProgram) {
  for (const std::string_view target : passes::custom_call_targets()) {
    EXPECT_FALSE(programs_of_target(target, uses()).empty()) << target;
  }
}

TEST(OperationsTable, EveryLoweringHasARow) {
  for (const auto& [name, lower] : passes::lower_table()) {
    EXPECT_NE(find_op(name), nullptr) << name;
  }
}

TEST(OperationsTable, WhatDoesNotRunHasAReasonAndNothingElseHasOne) {
  for (const OpRow& row : op_table()) {
    EXPECT_EQ(runs(row.name), reason_of(row.name).empty()) << row.name;
  }
  for (const std::string_view name : names_with_reasons()) {
    EXPECT_NE(find_op(name), nullptr) << name;
  }
}

}  // namespace
}  // namespace understudy::program
