// SPDX-License-Identifier: Apache-2.0
// Portable artifacts give the module of their text; tests/program/bytecode/ holds artifacts for
// every version of the format and the text they were made from.
#include <cstdlib>
#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>
#include <set>

#include "program/bytecode/cursor.h"
#include "program/bytecode/operations.h"
#include "program/ir/op_table.h"
#include "tests/outside_folder.h"
#include "tests/program/reader_testing.h"

namespace understudy::program {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> files_of(const fs::path& folder, const std::string& suffix) {
  std::vector<fs::path> out;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().string().ends_with(suffix)) out.push_back(entry.path());
  }
  std::sort(out.begin(), out.end());
  return out;
}

std::unique_ptr<Module> read_file(const fs::path& path) {
  return parse(Source::read(path.string()));
}

TEST(BytecodeCursor, ReadsVarintsOfEveryLength) {
  const std::string path = "x";
  const auto read = [&](std::string_view bytes) {
    bytecode::Cursor in(path, bytes, 0);
    const std::uint64_t value = in.varint("a number");
    in.expect_end("it");
    return value;
  };
  using namespace std::string_view_literals;
  EXPECT_EQ(read("\x01"sv), 0u);
  EXPECT_EQ(read("\x0d"sv), 6u);
  EXPECT_EQ(read("\xff"sv), 127u);
  EXPECT_EQ(read("\x02\x02"sv), 128u);
  EXPECT_EQ(read("\xfe\xff"sv), 16383u);
  EXPECT_EQ(read("\x80\xff\xff\xff\xff\xff\xff\xff"sv), (std::uint64_t{1} << 56) - 1);
  EXPECT_EQ(read("\x00\xff\xff\xff\xff\xff\xff\xff\xff"sv), ~std::uint64_t{0});
  bytecode::Cursor negative(path, "\x03\x05\x00\xff\xff\xff\xff\xff\xff\xff\xff"sv, 0);
  EXPECT_EQ(negative.svarint("a number"), -1);
  EXPECT_EQ(negative.svarint("a number"), 1);
  EXPECT_EQ(negative.svarint("a number"), INT64_MIN);
}

TEST(BytecodeCursor, CountsNeverExceedTheBytesThatAreLeft) {
  const std::string path = "a.mlirbc";
  bytecode::Cursor in(path, "\x09xyz", 40);
  try {
    in.count("the number of strings");
    ADD_FAILURE() << "expected an error";
  } catch (const Error& error) {
    EXPECT_EQ(error.text(),
              "a.mlirbc: byte 40: error: the number of strings is 4, but only 3 bytes remain");
  }
}

// The smallest artifact, byte by byte: main adds a constant to its argument.
std::string worked_example() {
  std::string hex =
      "4d4cef520d 537461626c65484c4f5f76312e31352e3000 011b 050105 0b 01030b 03090f13171b"
      "0323 0d07 010307 030b0b0b0b0b2f 0307131707 023d 1f 0301 2303 1d0f 1d11"
      "1f01110000803f000000c0 29030905 1103010301 09 0457 05 01500101 070447 030105"
      "03500103 070433 0307 0f030100 054201050301 0706010301050103 0904010305 060301 0501"
      "0093 13030b150f19110f0b11";
  std::string out;
  for (std::size_t i = 0; i < hex.size();) {
    if (hex[i] == ' ') {
      ++i;
      continue;
    }
    out += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
    i += 2;
  }
  for (const char* text :
       {"builtin", "vhlo", "module", "func_v1", "constant_v1", "add_v1", "return_v1", "main", ""}) {
    out += std::string(text) + '\0';
  }
  out += std::string("\x08\x19\x07\x05\x01\x01\x0b\x03\x05\x03\x07\x09\x03\x0b", 14);
  return out;
}

TEST(Bytecode, ReadsTheWorkedExample) {
  const std::string bytes = worked_example();
  ASSERT_EQ(bytes.size(), 228u);
  const auto module = parse(std::make_shared<const Source>("tiny.mlirbc", bytes));
  verify(*module);
  const auto text = parsed(
      "func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {\n"
      "  %c = stablehlo.constant dense<[1.0, -2.0]> : tensor<2xf32>\n"
      "  %r = stablehlo.add %a, %c : tensor<2xf32>\n  return %r : tensor<2xf32>\n}\n");
  EXPECT_EQ(first_difference(*module, *text), "");
}

TEST(Bytecode, GivesTheModuleOfTheTextInEveryVersion) {
  const fs::path folder = repository() / "tests/program/bytecode";
  int read = 0;
  for (const fs::path& artifact : files_of(folder, ".mlirbc")) {
    SCOPED_TRACE(artifact.string());
    const std::string name = artifact.filename().string();
    if (name == "located.mlirbc") continue;
    try {
      const auto module = read_file(artifact);
      verify(*module);
      const auto text = read_file(folder / (name.substr(0, name.find('.')) + ".mlir"));
      EXPECT_EQ(first_difference(*module, *text), "");
      EXPECT_EQ(first_difference(*module, *parsed(print(*module))), "");
    } catch (const Error& error) {
      ADD_FAILURE() << error.text();
    }
    ++read;
  }
  EXPECT_GE(read, 40);
}

TEST(Bytecode, KeepsTheLinesThatLocationsName) {
  const fs::path path = repository() / "tests/program/bytecode/located.mlirbc";
  const auto module = read_file(path);
  const Function& main = *module->functions.at(0);
  const auto place = [](const Location& location) {
    return understudy::text_of(place_of(location));
  };
  EXPECT_EQ(place(main.location), "train.py:10:1");
  EXPECT_EQ(place(main.block().arguments.at(0)->location), "args.py:1:2");
  const auto& ops = main.block().operations;
  ASSERT_EQ(ops.size(), 5u);
  EXPECT_EQ(place(ops[0]->location), "train.py:12:5");
  EXPECT_EQ(place(ops[1]->location), "inner.py:3:7");
  EXPECT_EQ(place(ops[2]->location), "fused.py:4:4");
  EXPECT_EQ(place(ops[3]->location).substr(0, path.string().size() + 7), path.string() + ": byte ");
}

TEST(Bytecode, ReadsTheSharedArtifacts) {
  const std::string absent = why_outside_is_absent("artifacts");
  if (!absent.empty()) GTEST_SKIP() << absent;
  const fs::path folder = outside_folder() / "artifacts";
  int pairs = 0;
  for (const fs::path& artifact : files_of(folder, ".bc")) {
    SCOPED_TRACE(artifact.string());
    // raw_* are ordinary bytecode of MLIR, whose encodings belong to one version of it.
    const bool raw = artifact.filename().string().starts_with("raw_");
    try {
      const auto module = read_file(artifact);
      EXPECT_FALSE(raw);
      verify(*module);
      const fs::path text = fs::path(artifact).replace_extension(".mlir");
      if (!fs::exists(text)) continue;
      EXPECT_EQ(first_difference(*module, *read_file(text)), "");
      ++pairs;
    } catch (const Error& error) {
      EXPECT_TRUE(raw && error.kind() == ErrorKind::unsupported) << error.text();
    }
  }
  EXPECT_GT(pairs, 80);
}

TEST(Bytecode, ReadsTheSharedPrograms) {
  const std::string absent = why_outside_is_absent("programs");
  if (!absent.empty()) GTEST_SKIP() << absent;
  const auto artifacts = files_of(outside_folder() / "programs", ".mlirbc");
  EXPECT_FALSE(artifacts.empty());
  for (const fs::path& artifact : artifacts) {
    SCOPED_TRACE(artifact.string());
    // Exporting runs passes that printing does not, so that only the interfaces are the same.
    const auto module = read_program(artifact.string());
    const auto text = read_program(fs::path(artifact).replace_extension(".mlir").string());
    const Function& a = *module->find_function("main");
    const Function& b = *text->find_function("main");
    EXPECT_EQ(a.result_types, b.result_types);
    EXPECT_EQ(a.argument_attributes, b.argument_attributes);
    EXPECT_EQ(a.result_attributes, b.result_attributes);
    EXPECT_EQ(module->meshes.size(), text->meshes.size());
  }
}

// jaxlib writes and prints programs, compare_programs reads both: tests/program/bytecode_sweep.py.
TEST(Bytecode, AgreesWithTheReaderOfJaxlib) {
  const char* python = std::getenv("UNDERSTUDY_TEST_PYTHON");
  if (python == nullptr) GTEST_SKIP() << "UNDERSTUDY_TEST_PYTHON names no Python with JAX";
  const std::string root = repository().string();
  const std::string command = fmt::format(
      "'{}' {}/tests/program/bytecode_sweep.py --compare {}/bin/compare_programs --every 5 "
      "--targets 0.9.0,1.0.0,1.17.0 {}/tests/ops {}/tests/program/bytecode",
      python, root, UNDERSTUDY_BINARY_DIR, root, root);
  EXPECT_EQ(std::system(command.c_str()), 0) << command;
}

TEST(BytecodeOperations, HavePropertiesInTheOrderOfTheFormat) {
  for (const std::string_view name : bytecode::known_ops()) {
    SCOPED_TRACE(name);
    const std::size_t dot = name.find('.');
    const auto* known = bytecode::find_known_op(name.substr(0, dot), name.substr(dot + 1));
    ASSERT_NE(known, nullptr);
    EXPECT_TRUE(std::is_sorted(known->properties.begin(), known->properties.end(),
                               [](const auto& a, const auto& b) { return a.name < b.name; }));
    const bool in_functions =
        name.substr(0, 8) != "builtin." && name != "sdy.mesh" && known->name != "func.func";
    EXPECT_EQ(find_op(known->name) != nullptr, in_functions) << known->name;
  }
}

TEST(BytecodeOperations, CoverEveryOperationOfTheDialect) {
  std::set<std::string> made;
  for (const std::string_view name : bytecode::known_ops()) {
    const std::size_t dot = name.find('.');
    made.insert(bytecode::find_known_op(name.substr(0, dot), name.substr(dot + 1))->name);
  }
  for (const OpRow& row : op_table()) {
    if (row.name.substr(0, 10) == "stablehlo.") {
      EXPECT_EQ(made.count(std::string(row.name)), 1u) << row.name;
    }
  }
}

}  // namespace
}  // namespace understudy::program
