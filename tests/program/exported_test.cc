// SPDX-License-Identifier: Apache-2.0
// Files as JAX writes them: raw jax.export files, files that are no StableHLO, and programs that
// leave something to their caller. The folders of tests/programs/exported are made by its
// generate.py with the JAX version in their name.
#include "program/exported.h"

#include <filesystem>
#include <random>

#include "gtest/gtest.h"

#include "configs/base/file.h"
#include "program/compile.h"
#include "program/file_kind.h"
#include "program/open_arguments.h"
#include "program/read.h"

namespace understudy::program {
namespace {

const std::string kFolder = std::string(UNDERSTUDY_SOURCE_DIR) + "/tests/programs/exported/";

std::string bytes_of(const std::string& name) {
  return std::string(read_file(kFolder + name, kMostProgramBytes).view());
}

std::unique_ptr<Module> read_bytes(std::string_view bytes) {
  return read_program(std::make_shared<const Source>("p", bytes));
}

std::unique_ptr<Module> verified(std::string_view bytes) {
  return read_verified(std::make_shared<const Source>("p", bytes));
}

std::string error_of(std::string_view bytes) {
  try {
    read_bytes(bytes);
  } catch (const Error& error) {
    EXPECT_EQ(exit_code_of(error.kind()), 2);
    return error.text();
  }
  return "no error";
}

TEST(ExportedFile, HoldsTheArtifactOfEveryJaxVersion) {
  for (const char* name : {"topk_0.4.30", "moe_0.5.3", "platforms_0.6.2", "cumsum_0.7.2",
                           "rbg_0.8.1", "erf_0.9.0", "attention_0.10.2"}) {
    const std::string raw = bytes_of(std::string(name) + "/program.jax");
    const auto file = exported_file(raw);
    ASSERT_TRUE(file) << name;
    EXPECT_FALSE(file->platforms.empty());
    EXPECT_EQ(file->devices, 1) << name;
    // Of the artifact alone it is the same program, but for the platforms that only the file knows.
    const auto whole = verified(raw);
    EXPECT_EQ(operations_in_order(*whole).size(),
              operations_in_order(*verified(file->artifact)).size());
    EXPECT_NE(whole->find(kPlatforms), nullptr);
  }
}

TEST(ExportedFile, NamesThePlatformsInTheirOrder) {
  const std::string raw = bytes_of("platforms_0.6.2/program.jax");
  EXPECT_EQ(exported_file(raw)->platforms, (std::vector<std::string>{"tpu", "cpu"}));
}

TEST(ExportedFile, MutantsAreReadOrRefused) {
  const std::string raw = bytes_of("topk_0.4.30/program.jax");
  std::mt19937 draw(1);
  for (int i = 0; i < 4000; ++i) {
    std::string changed = raw;
    // Mostly in the FlatBuffer's own tables, which are at both ends of the file.
    const std::size_t place = draw() % 3 == 0 ? draw() % changed.size() : draw() % 200;
    changed[draw() % 2 == 0 ? place : changed.size() - 1 - place] = static_cast<char>(draw());
    if (draw() % 8 == 0) changed.resize(draw() % changed.size());
    try {
      read_bytes(changed);
    } catch (const Error& error) {
      EXPECT_EQ(exit_code_of(error.kind()), 2) << error.text();
    }
  }
}

// ---- files that are something else --------------------------------------------------------------

TEST(FileKind, IsNamedWithARemedy) {
  const std::pair<std::string_view, const char*> cases[] = {
      {"{ lambda ; a:f32[3]. let b:f32[3] = sin a in (b,) }", "this is a jaxpr"},
      {std::string_view("\xff\xfem\0o\0d\0u\0l\0e\0", 14), "this is text in UTF-16"},
      {std::string_view("m\0o\0d\0u\0l\0e\0", 12), "this is text in UTF-16"},
      {"\xef\xbb\xbfmodule {}", "this is text with a byte-order mark"},
      {"\x93NUMPY\x01", "this is a NumPy array"},
      {"PK\x03\x04....", "this is a ZIP archive"},
      {"\x1f\x8b\x08...", "this is a compressed file"},
      {"\x80\x04\x95...", "this is a Python pickle"},
      {"{\n \"name\": \"x\"}", "this is JSON"},
      {"import jax\n", "this is Python source"},
  };
  for (const auto& [bytes, words] : cases) {
    const std::string text = error_of(bytes);
    EXPECT_NE(text.find(words), std::string::npos) << text;
    EXPECT_NE(text.find("\nnote: "), std::string::npos) << text;
  }
}

TEST(FileKind, LeavesStableHloAlone) {
  for (const char* text :
       {"module {\n}", "// c\nfunc.func @main() {\n  return\n}", "#loc = loc(\"x\")\nmodule {}",
        "\"builtin.module\"() ({}) : () -> ()", "{-# dialect_resources: {} #-}", ""})
    EXPECT_EQ(foreign_file_kind(text), nullptr) << text;
}

TEST(FileKind, ControlBytesOfAFileStayOutOfMessages) {
  const std::string text = error_of("module {\n  \x1b[31mfunc\x07 \x9b\n}");
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_EQ(text.find('\x07'), std::string::npos);
  EXPECT_EQ(text.find('\x9b'), std::string::npos);
  EXPECT_NE(text.find("\\x1b[31mfunc\\x07"), std::string::npos) << text;
}

// ---- arguments that the caller settles ----------------------------------------------------------

constexpr const char* kOpen = R"(
func.func public @main(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %0 = stablehlo.add %x, %x : tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
})";

TEST(OpenArguments, GetTheGivenShapes) {
  const auto module = read_bytes(kOpen);
  ASSERT_TRUE(has_open_arguments(*module, {}));
  const GivenArgument given[] = {{TensorType{ElementType::f32, {3, 4}}, {}}};
  refine_arguments(*module, {}, given);
  EXPECT_FALSE(has_open_arguments(*module, {}));
  const Interface interface = interface_of(*module, {});
  EXPECT_EQ(interface.arguments[0].global, (TensorType{ElementType::f32, {3, 4}}));
  EXPECT_EQ(interface.results[0].global, (TensorType{ElementType::f32, {3, 4}}));
  EXPECT_NO_THROW(compile(*module, {}));
  // Workers get the text: it must be the same program, with the same operations in order.
  EXPECT_EQ(first_difference(*module, *read_bytes(print(*module))), "");
}

TEST(OpenArguments, AShapeThatDoesNotFitIsRefused) {
  for (const TensorType& type :
       {TensorType{ElementType::f32, {3, 5}}, TensorType{ElementType::f32, {3}},
        TensorType{ElementType::i32, {3, 4}}}) {
    const auto module = read_bytes(kOpen);
    const GivenArgument given[] = {{type, {}}};
    EXPECT_THROW(refine_arguments(*module, {}, given), Error) << text_of(type);
  }
  const auto module = read_bytes(kOpen);
  const GivenArgument nothing[] = {{}};
  EXPECT_THROW(refine_arguments(*module, {}, nothing), Error);
}

constexpr const char* kVariable = R"(
func.func public @main(%n: tensor<i32> {jax.global_constant = "n"}, %x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %1 = stablehlo.dynamic_iota %0, dim = 0 : (tensor<1xi32>) -> tensor<?xf32>
  %2 = stablehlo.add %x, %1 : tensor<?xf32>
  return %2 : tensor<?xf32>
})";

TEST(OpenArguments, ADimensionVariableKeepsItsPlaceAndGetsItsValue) {
  const auto module = read_bytes(kVariable);
  EXPECT_EQ(dimension_variable(entry_of(*module, {}), 0), "n");
  const GivenArgument given[] = {{{}, 5}, {TensorType{ElementType::f32, {5}}, {}}};
  refine_arguments(*module, {}, given);
  const Interface interface = interface_of(*module, {});
  EXPECT_EQ(interface.arguments.size(), 2u);
  EXPECT_EQ(interface.results[0].global, (TensorType{ElementType::f32, {5}}));
  EXPECT_EQ(first_difference(*module, *read_bytes(print(*module))), "");
}

constexpr const char* kTwoPlatforms = R"(
func.func public @main(%p: tensor<i32> {jax.global_constant = "_platform_index"}, %x: tensor<f32>) -> tensor<f32> {
  %0 = "stablehlo.case"(%p) ({
    %1 = stablehlo.custom_call @cpu_only(%x) : (tensor<f32>) -> tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }, {
    stablehlo.return %x : tensor<f32>
  }) : (tensor<i32>) -> tensor<f32>
  return %0 : tensor<f32>
})";

TEST(PlatformIndex, IsFilledInAndTheOtherBranchIsNeverLowered) {
  const auto source = std::make_shared<const Source>("p", kTwoPlatforms);
  const auto module = parse(source);
  EXPECT_EQ(platform_count(*module, {}), 2);
  fill_platform_index(*module, {}, 1);
  EXPECT_EQ(platform_count(*module, {}), 0);
  EXPECT_TRUE(unsupported_operations(*module).empty());  // @cpu_only is gone
  EXPECT_EQ(interface_of(*module, {}).arguments.size(), 1u);
  EXPECT_NO_THROW(compile(*module, {}));
}

}  // namespace
}  // namespace understudy::program
