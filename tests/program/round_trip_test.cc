// SPDX-License-Identifier: Apache-2.0
// parse(print(x)) == x over whole programs, with the verifier on both sides.
#include <gtest/gtest.h>

#include "program/self_checking.h"
#include "tests/outside_folder.h"
#include "tests/program/reader_testing.h"

namespace understudy::program {
namespace {

void round_trip(const std::filesystem::path& path) {
  SCOPED_TRACE(path.string());
  try {
    for (const std::string& written : split_modules(Source::read(path.string())->text())) {
      const auto module = parse(std::make_shared<const Source>(path.string(), written));
      verify(*module);
      const std::string text = print(*module);
      const auto again = parsed(text);
      verify(*again);
      EXPECT_EQ(first_difference(*module, *again), "");
      EXPECT_EQ(print(*again), text);
    }
  } catch (const Error& error) {
    ADD_FAILURE() << error.text();
  }
}

void round_trip_all(const std::filesystem::path& folder, std::size_t at_least) {
  const auto files = mlir_files(folder);
  EXPECT_GE(files.size(), at_least) << folder;
  for (const auto& file : files) round_trip(file);
}

TEST(RoundTrip, HoldsForEveryProgramOfTheTests) {
  round_trip_all(repository() / "tests/programs", 8);
}

TEST(RoundTrip, HoldsForEveryAttributeForm) {
  round_trip_all(repository() / "tests/program/forms", 11);
}

TEST(RoundTrip, HoldsForTheSharedPrograms) {
  const std::string absent = why_outside_is_absent("programs");
  if (!absent.empty()) GTEST_SKIP() << absent;
  round_trip_all(outside_folder() / "programs", 10);
}

TEST(RoundTrip, HoldsForTheSharedConformancePrograms) {
  const std::string absent = why_outside_is_absent("conformance/testdata");
  if (!absent.empty()) GTEST_SKIP() << absent;
  round_trip_all(outside_folder() / "conformance/testdata", 690);
}

TEST(FirstDifference, NamesTheOperationAndBothSides) {
  const std::string same = function_of("%x: tensor<2xf32>", "tensor<2xf32>",
                                       "  %0 = stablehlo.add %x, %x : tensor<2xf32>\n"
                                       "  return %0 : tensor<2xf32>");
  std::string other = same;
  other.replace(other.find("add"), 3, "multiply");
  EXPECT_EQ(first_difference(*parsed(same), *parsed(same)), "");
  EXPECT_EQ(first_difference(*parsed(same), *parsed(other)),
            "operation: stablehlo.add and stablehlo.multiply");
}

TEST(Print, IsTheGenericFormWithNumberedValues) {
  const std::string text = function_of(
      "%x: tensor<2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{\"data\", ?}p1]>}, %i: tensor<i1>",
      "tensor<2xf32>",
      "  %cst = stablehlo.constant dense<1.5> : tensor<2xf32>\n"
      "  %y = stablehlo.compare LT, %x, %cst, FLOAT : (tensor<2xf32>, tensor<2xf32>) -> "
      "tensor<2xi1>\n"
      "  %z = stablehlo.select %y, %x, %cst : tensor<2xi1>, tensor<2xf32>\n"
      "  return %z : tensor<2xf32>");
  expect_golden("print/generic.mlir", print(*parsed(text)));
}

}  // namespace
}  // namespace understudy::program
