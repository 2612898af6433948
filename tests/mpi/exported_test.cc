// SPDX-License-Identifier: Apache-2.0
// Programs as several JAX versions export them, on real workers, against what JAX computed: raw
// files, open shapes, several platforms. Also data that change with each step.
#include <algorithm>
#include <cstring>
#include <filesystem>
#include <string>

#include "gtest/gtest.h"

#include "configs/base/file.h"
#include "program/npy.h"
#include "tests/mpi/mpi_testing.h"
#include "tests/program/zip_testing.h"

namespace understudy::mpi_testing {
namespace {

namespace fs = std::filesystem;
using program::Array;
using program::ElementType;

constexpr const char* kAsExpected = "all results match the expected results";

std::string exported(const std::string& name) {
  return std::string(UNDERSTUDY_SOURCE_DIR) + "/tests/programs/exported/" + name;
}

std::vector<std::string> words_for(const std::string& name, const std::string& form) {
  const std::string folder = exported(name);
  return {"run",        folder + "/program." + form,
          "--args",     folder,
          "--expect",   folder,
          "--numerics", "ieee",
          "--rtol",     "1e-4",
          "--atol",     "1e-5"};
}

struct Case {
  std::string name, form;
};

class ExportedPrograms : public testing::TestWithParam<Case> {};

TEST_P(ExportedPrograms, GiveWhatJaxComputed) {
  World world;
  const Ran ran = world.run(words_for(GetParam().name, GetParam().form));
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_NE(ran.out.find(kAsExpected), std::string::npos) << ran.out << ran.err;
  EXPECT_EQ(world.leftovers(ran), "");
}

INSTANTIATE_TEST_SUITE_P(OfJax, ExportedPrograms,
                         testing::Values(Case{"topk_0.4.30", "jax"},
                                         Case{"specials_0.4.30", "mlirbc"},
                                         Case{"text_0.4.30", "mlir"}, Case{"moe_0.5.3", "jax"},
                                         Case{"platforms_0.6.2", "jax"},
                                         Case{"cumsum_0.7.2", "jax"}, Case{"rbg_0.8.1", "jax"},
                                         Case{"conv_0.8.1", "mlirbc"}, Case{"erf_0.9.0", "jax"},
                                         Case{"attention_0.10.2", "jax"},
                                         Case{"loop_0.10.2", "mlir"}),
                         [](const auto& one) {
                           std::string name = one.param.name;
                           std::ranges::replace(name, '.', '_');
                           return name;
                         });

TEST(ExportedPrograms, TakeTheirShapesFromTheCommandLine) {
  World world;
  const std::string program = exported("cumsum_0.7.2") + "/program.jax";
  EXPECT_EQ(world.run({"run", program, "--shape", "0=4x7", "--fill", "random:1"}).code, 0);
  const Ran none = world.run({"run", program, "--fill", "random:1"});
  EXPECT_EQ(none.code, 2);
  EXPECT_NE(none.err.find("--shape 0=SIZES"), std::string::npos) << none.err;
}

TEST(ExportedPrograms, ShowTheMessageOfAFailedShapeAssertion) {
  World world;
  // The second x of two must have as many rows as the first.
  const std::string program = exported("loop_0.10.2") + "/program.mlir";
  const Ran ran =
      world.run({"run", program, "--shape", "0=3x4", "--shape", "2=5x2", "--fill", "ones"});
  EXPECT_EQ(ran.code, 1) << ran.err;
  EXPECT_NE(ran.err.find("Input shapes do not match the polymorphic shapes specification"),
            std::string::npos)
      << ran.err;
}

// ---- data per step
// -------------------------------------------------------------------------------

// total' = total + sum(batch): two chips, each with half of the batch.
constexpr const char* kSum =
    R"(module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 2 : i32} {
  func.func public @main(%total: tensor<f32>, %batch: tensor<3xf32>) -> tensor<f32> {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %own = stablehlo.reduce(%batch init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
    %all = "stablehlo.all_reduce"(%own) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<f32>) -> tensor<f32>
    %next = stablehlo.add %total, %all : tensor<f32>
    return %next : tensor<f32>
  }
})";

Array floats(const program::Shape& shape, const std::vector<float>& values) {
  Array array{{ElementType::f32, shape}, std::vector<std::byte>(4 * values.size())};
  std::memcpy(array.bytes.data(), values.data(), array.bytes.size());
  return array;
}

class PerStep : public testing::Test {
 protected:
  PerStep() {
    folder_ = testing::TempDir() + "/understudy-per-step-" + std::to_string(getpid());
    fs::create_directories(folder_ + "/args");
    write_file_atomically(path("sum.mlir"), std::string_view(kSum));
    program::write_npy(path("args/arg0.npy"), floats({}, {0}));
    // Three steps, two replicas, three elements: 1 to 18, whose sum is 171.
    std::vector<float> values;
    for (int i = 1; i <= 18; ++i) values.push_back(static_cast<float>(i));
    program::write_npy(path("batch.npy"), floats({3, 2, 3}, values));
    program::write_npy(path("args/out0.npy"), floats({}, {171}));
  }
  ~PerStep() override { fs::remove_all(folder_); }
  std::string path(const std::string& name) const { return folder_ + "/" + name; }
  std::vector<std::string> words(const std::vector<std::string>& more) const {
    std::vector<std::string> all{
        "run",   path("sum.mlir"),         "--arg",   "0=" + path("args/arg0.npy"),
        "--arg", "1=" + path("batch.npy"), "--carry", "0:0"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  std::string folder_;
  World world_;
};

TEST_F(PerStep, EveryStepGetsItsOwnBatch) {
  // --per-replica applies to every --arg: the total is given per replica, too.
  program::write_npy(path("args/arg0.npy"), floats({2}, {0, 0}));
  const Ran ran = world_.run(
      words({"--per-replica", "--per-step", "1", "--steps", "3", "--expect", path("args")}));
  EXPECT_EQ(ran.code, 0) << ran.out << ran.err;
  EXPECT_NE(ran.out.find(kAsExpected), std::string::npos) << ran.out << ran.err;
  const configs::Receipt receipt = world_.receipt(ran);
  ASSERT_EQ(receipt.steps.size(), 3u);
  EXPECT_EQ(receipt.steps[0].scalars.at(0).second, 21);   // 1 + ... + 6
  EXPECT_EQ(receipt.steps[1].scalars.at(0).second, 78);   // + 7 + ... + 12
  EXPECT_EQ(receipt.steps[2].scalars.at(0).second, 171);  // + 13 + ... + 18
}

TEST_F(PerStep, AnotherNumberOfStepsIsAnErrorAlsoOfADryRun) {
  program::write_npy(path("args/arg0.npy"), floats({2}, {0, 0}));
  for (const bool dry : {false, true}) {
    std::vector<std::string> all = words({"--per-replica", "--per-step", "1", "--steps", "4"});
    if (dry) all.push_back("--dry-run");
    const Ran ran = world_.run(all);
    EXPECT_EQ(ran.code, 2) << ran.err;
    EXPECT_NE(ran.err.find("for each of 4 steps"), std::string::npos) << ran.err;
    EXPECT_NE(ran.err.find("pass --steps 3"), std::string::npos) << ran.err;
  }
}

TEST_F(PerStep, ACarriedArgumentHasNoDataOfItsOwn) {
  const Ran ran = world_.run(words({"--per-step", "0", "--steps", "3"}));
  EXPECT_EQ(ran.code, 2);
  EXPECT_NE(ran.err.find("argument 0 is also carried from result 0"), std::string::npos) << ran.err;
}

TEST_F(PerStep, ADryRunPlansTheFilesOfEveryStep) {
  program::write_npy(path("args/arg0.npy"), floats({2}, {0, 0}));
  const Ran ran =
      world_.run(words({"--per-replica", "--per-step", "1", "--steps", "3", "--dry-run"}));
  EXPECT_EQ(ran.code, 0) << ran.err;
  for (const char* file : {"arguments/1.0.0", "arguments/1.0.1", "arguments/1.2.1"})
    EXPECT_NE(ran.out.find(file), std::string::npos) << file;
}

// ---- sets of arguments
// ---------------------------------------------------------------------------

TEST_F(PerStep, AnNpzFileIsASetOfArguments) {
  const auto text = [](const Array& array) {
    const std::vector<std::byte> bytes = program::npy_bytes(array);
    return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  };
  const std::string total = text(floats({2}, {0, 0}));
  const std::string batch = text(floats({2, 3}, {1, 2, 3, 4, 5, 6}));
  using program::zip_testing::archive;
  const auto run = [&](const std::string& bytes) {
    write_file_atomically(path("args.npz"), std::string_view(bytes));
    return world_.run({"run", path("sum.mlir"), "--args", path("args.npz"), "--per-replica"});
  };
  const Ran named = run(archive({{"arg0.npy", total}, {"arg1.npy", batch, true}}));
  EXPECT_EQ(named.code, 0) << named.err;
  EXPECT_NE(named.out.find("result 0 = 21"), std::string::npos) << named.out;
  EXPECT_EQ(run(archive({{"arr_0.npy", total}, {"arr_1.npy", batch}})).code, 0);
  const Ran extra = run(archive({{"arg0.npy", total}, {"arg1.npy", batch}, {"arg2.npy", batch}}));
  EXPECT_EQ(extra.code, 2);
  EXPECT_NE(extra.err.find("args.npz: arg2 does not name an argument"), std::string::npos)
      << extra.err;
}

TEST_F(PerStep, AnExtraFileOfArgumentsIsNamed) {
  program::write_npy(path("args/arg1.npy"), floats({3}, {1, 2, 3}));
  program::write_npy(path("args/arg2.npy"), floats({3}, {1, 2, 3}));
  const Ran ran = world_.run({"run", path("sum.mlir"), "--args", path("args")});
  EXPECT_EQ(ran.code, 2);
  EXPECT_NE(ran.err.find("arg2.npy does not name an argument; the program has 2 arguments"),
            std::string::npos)
      << ran.err;
}

}  // namespace
}  // namespace understudy::mpi_testing
