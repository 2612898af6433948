// SPDX-License-Identifier: Apache-2.0
// What the plan says about memory, tried on one chip: results in the memory of donated arguments,
// values in host memory, and poison at the end of each life.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <regex>

#include "gtest/gtest.h"

#include "program/compile.h"
#include "program/executable/listing.h"
#include "program/executable/memory_plan.h"
#include "program/read.h"
#include "tests/worker/one_chip.h"
#include "worker/chip/pcie.h"

namespace understudy::worker {
namespace {

// In the programs below TYPE is a type, and DOT %x, %y a product of two such values.
std::string spelt_out(const std::string& text) {
  const std::regex product("DOT (%[a-z0-9]+, %[a-z0-9]+)"), type("TYPE");
  return std::regex_replace(
      std::regex_replace(text, product,
                         "stablehlo.dot_general $1, contracting_dims = [1] x [0] : (TYPE, TYPE) -> "
                         "TYPE"),
      type, "tensor<64x64xf32>");
}

program::Executable compiled(const std::string& text, bool poison = false) {
  const auto module =
      program::parse(std::make_shared<const program::Source>("test.mlir", spelt_out(text)));
  program::CompileOptions options;
  options.poison = poison;
  return compile(*module, options);
}

Bytes numbers(const program::TensorType& type, float first) {
  const auto count = static_cast<std::size_t>(type.elements());
  Bytes bytes(count * sizeof(float) + kSlack);
  for (std::size_t i = 0; i < count; ++i) {
    const float value = first + 0.25F * static_cast<float>(i % 17);
    std::memcpy(bytes.data() + i * sizeof value, &value, sizeof value);
  }
  return bytes;
}

std::vector<Bytes> arguments_for(const program::Executable& executable) {
  std::vector<Bytes> all;
  for (const program::TensorType& type : executable.arguments)
    all.push_back(numbers(type, static_cast<float>(all.size() + 1)));
  return all;
}

std::vector<std::vector<float>> floats(const program::Executable& executable,
                                       const std::vector<Bytes>& results) {
  std::vector<std::vector<float>> all;
  for (std::size_t i = 0; i < results.size(); ++i) {
    const auto* const first = reinterpret_cast<const float*>(results[i].data());
    all.emplace_back(first, first + executable.results[i].elements());
  }
  return all;
}

std::vector<std::vector<float>> results_of(const program::Executable& executable) {
  return floats(executable, OneChip(executable).run(arguments_for(executable)));
}

// Each donated argument and its result in one buffer.
std::vector<std::vector<float>> results_in_arguments(const program::Executable& executable) {
  OneChip chip(executable);
  std::vector<Bytes> arguments = arguments_for(executable);
  for (const program::Donation& one : executable.donations)
    chip.execution.results[one.result] = arguments[one.argument].data();
  std::vector<Bytes> results = chip.run(arguments);
  for (const program::Donation& one : executable.donations)
    results[one.result] = arguments[one.argument];
  return floats(executable, results);
}

std::string donating(const std::string& result_types, const std::string& body) {
  return "func.func public @main(%p: tensor<8x8xf32> {tf.aliasing_output = 0 : i32}, "
         "%g: tensor<8x8xf32> {jax.buffer_donor = true}) -> (" +
         result_types + ") {\n" + body + "\n}\n";
}
constexpr const char* kOne = "tensor<8x8xf32>";
constexpr const char* kTwo = "tensor<8x8xf32>, tensor<8x8xf32>";

struct Donated {
  std::string name, types, body;
  std::size_t pairs;
};

class Donations : public testing::TestWithParam<Donated> {};

TEST_P(Donations, ChangeNoResult) {
  const program::Executable executable = compiled(donating(GetParam().types, GetParam().body));
  EXPECT_EQ(executable.donations.size(), GetParam().pairs) << list(executable);
  EXPECT_EQ(results_in_arguments(executable), results_of(executable));
  const program::MemoryPlan plan = program::memory_plan(executable);
  EXPECT_EQ(plan.donated, 256 * GetParam().pairs);
  EXPECT_EQ(plan.hbm(),
            plan.arguments + plan.results - plan.donated + plan.temporaries + plan.code());
}

constexpr const char* kDot =
    "%0 = stablehlo.dot_general %p, %g, contracting_dims = [1] x [0] : (tensor<8x8xf32>, "
    "tensor<8x8xf32>) -> tensor<8x8xf32>\n";
const std::string kTranspose =
    "%t = stablehlo.transpose %p, dims = [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>\n";

INSTANTIATE_TEST_SUITE_P(
    Programs, Donations,
    testing::Values(
        // Element by element, from equal places.
        Donated{"update", kOne,
                "%0 = stablehlo.subtract %p, %g : tensor<8x8xf32>\n"
                "return %0 : tensor<8x8xf32>",
                1},
        // The result is written while its argument is read at other places; the argument that
        // nobody reads takes it.
        Donated{"transpose", kOne, kTranspose + "return %t : tensor<8x8xf32>", 1},
        Donated{"product", kOne, std::string(kDot) + "return %0 : tensor<8x8xf32>", 0},
        // The argument is read before the result is written, and not after.
        Donated{"later", kOne,
                std::string(kDot) +
                    "%1 = stablehlo.dot_general %0, %0, contracting_dims = [1] x [0] : "
                    "(tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>\n"
                    "return %1 : tensor<8x8xf32>",
                1},
        Donated{"itself", kOne, "return %p : tensor<8x8xf32>", 1},
        // Each result is the other argument: neither may overwrite its own.
        Donated{"swapped", kTwo, "return %g, %p : tensor<8x8xf32>, tensor<8x8xf32>", 1},
        // The loop reads the first argument again after it wrote the first result; the donor
        // without a name takes the second.
        Donated{"both", kTwo,
                "%0 = stablehlo.subtract %p, %g : tensor<8x8xf32>\n"
                "%1 = stablehlo.multiply %p, %g : tensor<8x8xf32>\n"
                "return %0, %1 : tensor<8x8xf32>, tensor<8x8xf32>",
                1}),
    [](const auto& one) { return one.param.name; });

constexpr const char* kOffload = R"(
func.func public @main(%a: TYPE) -> TYPE {
  %0 = DOT %a, %a
  %1 = PLACE(%0) TO_HOST
  %2 = DOT %0, %a
  %3 = DOT %2, %2
  %4 = PLACE(%1) TO_CHIP
  %5 = DOT %3, %4
  return %5 : TYPE
})";

std::string offloading(std::string text = kOffload) {
  const auto replace = [&](const std::string& from, const std::string& to) {
    for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
      text.replace(at, from.size(), to);
  };
  const auto kind = [](const char* name) {
    return fmt::format(
        "{{mhlo.frontend_attributes = {{_xla_buffer_placement = \"{}\"}}, has_side_effect = true}} "
        ": (TYPE) -> TYPE",
        name);
  };
  replace("PLACE", "stablehlo.custom_call @annotate_device_placement");
  replace("TO_HOST", kind("pinned_host"));
  replace("TO_CHIP", kind("device"));
  return text;
}

TEST(HostMemoryOfPrograms, HoldsWhatIsPlacedThere) {
  const program::Executable executable = compiled(offloading());
  const program::MemoryPlan plan = program::memory_plan(executable);
  EXPECT_EQ(plan.host, 64U * 64 * 4);
  OneChip chip(executable);
  Pcie pcie(4096);
  chip.execution.pcie = &pcie;
  const auto moved = floats(executable, chip.run(arguments_for(executable)));
  EXPECT_EQ(pcie.to_host().transfers, 1);
  EXPECT_EQ(pcie.to_host().bytes, 64 * 64 * 4);
  EXPECT_EQ(pcie.to_chip().transfers, 1);
  std::string stays = kOffload;
  for (const std::string line : {"%1 = PLACE(%0) TO_HOST\n", "%4 = PLACE(%1) TO_CHIP\n"})
    stays.erase(stays.find(line), line.size());
  stays.replace(stays.find("%3, %4"), 6, "%3, %0");
  const program::Executable without = compiled(stays);
  EXPECT_EQ(moved, results_of(without));
  EXPECT_LT(plan.temporaries, program::memory_plan(without).temporaries + 1);
}

constexpr const char* kChain = R"(
func.func public @main(%a: TYPE) -> TYPE {
  %0 = DOT %a, %a
  %1 = DOT %0, %a
  %2 = DOT %1, %0
  %3 = DOT %2, %a
  return %3 : TYPE
})";

bool is_poison(const program::Instruction& instruction) {
  return std::holds_alternative<program::Poison>(instruction.work);
}

TEST(PoisonedPrograms, GiveTheSameResults) {
  const program::Executable with = compiled(kChain, true);
  EXPECT_EQ(std::ranges::count_if(with.code, is_poison), 3);
  check_bounds(with);
  EXPECT_EQ(results_of(with), results_of(compiled(kChain)));
}

// A life that the plan ends one instruction too early: its reader sees NaN.
TEST(PoisonedPrograms, ShowALifeThatIsTooShort) {
  program::Executable wrong = compiled(kChain, true);
  const auto first = std::ranges::find_if(wrong.code, is_poison);
  ASSERT_NE(first, wrong.code.begin());
  std::iter_swap(first, std::prev(first));
  const auto seen = results_of(wrong);
  EXPECT_TRUE(std::ranges::any_of(seen[0], [](float x) { return std::isnan(x); }));
}

}  // namespace
}  // namespace understudy::worker
