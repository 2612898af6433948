// SPDX-License-Identifier: Apache-2.0
// What a run tells about its results: names, NaN and where they come from, the repetition with IEEE
// arithmetic.
#include <cmath>
#include <cstring>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include "program/npy.h"
#include "tests/mpi/mpi_testing.h"

namespace understudy::mpi_testing {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string saved(World& world, const std::string& name, const std::vector<float>& values,
                  std::vector<std::int64_t> shape) {
  program::Array array{{program::ElementType::f32, std::move(shape)},
                       std::vector<std::byte>(values.size() * sizeof(float))};
  std::memcpy(array.bytes.data(), values.data(), array.bytes.size());
  program::write_npy(world.file(name), array);
  return world.file(name);
}

// log(x - 1) of a mask that vanishes, and of one that does not.
const char* const kLogs =
    "#loc1 = loc(\"/home/me/train.py\":7:3)\n"
    "module {\n"
    "  func.func public @main(%arg0: tensor<4xf32> loc(\"params['x']\")) -> (tensor<4xf32> "
    "{jax.result_info = \"['loss']\"}, tensor<4xf32> {jax.result_info = \"['masked']\"}) {\n"
    "    %inf = stablehlo.constant dense<0xFF800000> : tensor<4xf32>\n"
    "    %zero = stablehlo.constant dense<0.0> : tensor<4xf32>\n"
    "    %p = stablehlo.compare GT, %arg0, %zero : (tensor<4xf32>, tensor<4xf32>) -> "
    "tensor<4xi1>\n"
    "    %s = stablehlo.select %p, %arg0, %inf : tensor<4xi1>, tensor<4xf32>\n"
    "    %e = stablehlo.exponential %s : tensor<4xf32>\n"
    "    %l = stablehlo.log %arg0 : tensor<4xf32> loc(#loc1)\n"
    "    %t = stablehlo.tanh %l : tensor<4xf32>\n"
    "    return %t, %e : tensor<4xf32>, tensor<4xf32>\n  }\n}\n";

TEST(NonFinite, NamesTheOperationThatMadeIt) {
  World world;
  const std::string program = world.write("logs.mlir", kLogs);
  const std::string bad = saved(world, "bad.npy", {1, -1, 2, 3}, {4});
  const Ran ran = world.run({"run", program, "--arg", "0=" + bad});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("warning: result 0 (loss) has 1 NaN; the first NaN was made by "
                                 "stablehlo.log at /home/me/train.py:7:3"));
  EXPECT_THAT(ran.err, Not(HasSubstr("masked")));  // exp(-inf) is 0
  const configs::Receipt receipt = world.receipt(ran);
  ASSERT_TRUE(receipt.non_finite);
  EXPECT_EQ(receipt.non_finite->op, "stablehlo.log");
  EXPECT_EQ(receipt.non_finite->results, std::vector<std::int64_t>{0});
  EXPECT_EQ(receipt.results.at(0).nans, 1);
  EXPECT_EQ(receipt.results.at(0).name, "loss");
  const Ran strict = world.run({"run", program, "--arg", "0=" + bad, "--nan-check"});
  EXPECT_EQ(strict.code, 1);
  EXPECT_THAT(strict.err, HasSubstr("stablehlo.log"));
}

TEST(NonFinite, IsSilentForFiniteResultsAndNamesArgumentsThatHaveIt) {
  World world;
  const std::string program = world.write("logs.mlir", kLogs);
  const Ran good =
      world.run({"run", program, "--arg", "0=" + saved(world, "x.npy", {1, 2, 3, 4}, {4})});
  EXPECT_THAT(good.err, Not(HasSubstr("warning")));
  EXPECT_THAT(good.out, HasSubstr("result 0 (loss): digest"));
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const Ran ran =
      world.run({"run", program, "--arg", "0=" + saved(world, "y.npy", {1, nan, 3, 4}, {4})});
  EXPECT_THAT(ran.err, HasSubstr("argument 0 (params.x) already contains 1 NaN"));
}

// A product of f32 operands with low bits: bf16 loses them.
TEST(Comparison, IsRepeatedWithIeeeArithmetic) {
  World world;
  const std::string program = world.write(
      "dot.mlir",
      "func.func public @main(%a: tensor<1x2xf32>, %b: tensor<2x1xf32>) -> tensor<1x1xf32> {\n"
      "  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<1x2xf32>, "
      "tensor<2x1xf32>) -> tensor<1x1xf32>\n  return %0 : tensor<1x1xf32>\n}\n");
  const std::string a = saved(world, "a.npy", {1.001F, 1.002F}, {1, 2});
  const std::string b = saved(world, "b.npy", {1.003F, 1.004F}, {2, 1});
  std::filesystem::create_directory(world.file("want"));
  const auto with = [&](float want, std::vector<std::string> more) {
    saved(world, "want/out0.npy", {want}, {1, 1});
    std::vector<std::string> words = {"run",   program,  "--arg",    "0=" + a,
                                      "--arg", "1=" + b, "--expect", world.file("want")};
    words.insert(words.end(), more.begin(), more.end());
    return world.run(words);
  };
  const float right = 1.001F * 1.003F + 1.002F * 1.004F;
  const Ran tight = with(right, {"--rtol", "1e-5"});
  EXPECT_EQ(tight.code, 1);
  EXPECT_THAT(tight.out, HasSubstr("result 0: matches with --numerics ieee"));
  EXPECT_EQ(world.receipt(tight).results.at(0).comparison_ieee->ok, true);
  // The tolerance that follows from the bf16 passes accepts it, and no wrong value.
  EXPECT_EQ(with(right, {}).code, 0);
  const Ran wrong = with(right * 2, {});
  EXPECT_EQ(wrong.code, 1);
  EXPECT_THAT(wrong.out, HasSubstr("result 0: differs with --numerics ieee too"));
}

}  // namespace
}  // namespace understudy::mpi_testing
