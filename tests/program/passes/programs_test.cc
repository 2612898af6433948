// SPDX-License-Identifier: Apache-2.0
// Every exported program that is at hand, through interface, lowering and plan.
#include <algorithm>
#include <filesystem>
#include <gtest/gtest.h>
#include <iostream>
#include <numeric>

#include "compiled.h"
#include "configs/launch/manifest.h"
#include "overlap.h"
#include "program/lowering/lowering.h"
#include "program/passes/draft.h"
#include "tests/outside_folder.h"

namespace understudy::program {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> folders_in(const fs::path& root) {
  std::vector<fs::path> folders;
  if (!fs::exists(root)) {
    std::cerr << "skipped: there is no " << root << "\n";
    return folders;
  }
  for (const auto& entry : fs::directory_iterator(root))
    if (fs::exists(entry.path() / "program.mlir")) folders.push_back(entry.path());
  std::ranges::sort(folders);
  return folders;
}

// All of them, the ones of the project first.
std::vector<fs::path> all_folders() {
  const fs::path source = UNDERSTUDY_SOURCE_DIR;
  std::vector<fs::path> folders = folders_in(source / "tests/programs");
  for (const fs::path& folder : folders_in(outside_folder() / "programs")) {
    const bool known = std::ranges::any_of(
        folders, [&](const fs::path& it) { return it.filename() == folder.filename(); });
    if (!known) folders.push_back(folder);
  }
  return folders;
}

bool is_global_view(const fs::path& folder) {
  return folder.filename().string().starts_with("global_view_");
}

// Those of the view of all chips together, or the others; never none, as the project has both.
std::vector<fs::path> program_folders(bool global_view = false) {
  std::vector<fs::path> folders = all_folders();
  std::erase_if(folders,
                [&](const fs::path& folder) { return is_global_view(folder) != global_view; });
  EXPECT_GE(folders.size(), global_view ? 1U : 7U);
  return folders;
}

CompileOptions options_of(const fs::path& folder) {
  CompileOptions options;
  options.replicas = configs::read_manifest(folder.string()).replicas.value_or(0);
  return options;
}

std::unique_ptr<Module> module_in(const fs::path& folder) {
  return parse(Source::read((folder / "program.mlir").string()));
}

std::int64_t size_of_axis(const configs::Manifest& manifest, const std::string& axis) {
  for (const auto& [name, size] : manifest.mesh)
    if (name == axis) return size;
  ADD_FAILURE() << "no axis " << axis;
  return 1;
}

void expect_parameter(const Parameter& parameter, const configs::ManifestArray& wanted,
                      const configs::Manifest& manifest) {
  EXPECT_EQ(parameter.sharding.per_replica, wanted.per_replica);
  if (wanted.per_replica) {
    EXPECT_EQ(parameter.local, parameter.global);
    EXPECT_EQ(parameter.global.shape, Shape(wanted.shape.begin() + 1, wanted.shape.end()));
    return;
  }
  EXPECT_EQ(parameter.global.shape, wanted.shape);
  for (std::size_t d = 0; d < wanted.shape.size(); ++d) {
    std::int64_t tiles = 1;
    if (d < wanted.spec.size())
      for (const std::string& axis : wanted.spec[d]) tiles *= size_of_axis(manifest, axis);
    EXPECT_EQ(parameter.sharding.tiles[d], tiles);
    EXPECT_EQ(parameter.local.shape[d] * tiles, wanted.shape[d]);
  }
}

TEST(Programs, HaveTheInterfaceOfTheirManifest) {
  for (const fs::path& folder : program_folders()) {
    SCOPED_TRACE(folder.filename().string());
    const auto manifest = configs::read_manifest(folder.string());
    const Interface interface = interface_of(*module_in(folder), options_of(folder));
    EXPECT_EQ(interface.processes(), manifest.devices);
    ASSERT_EQ(interface.arguments.size(), manifest.args.size());
    ASSERT_EQ(interface.results.size(), manifest.results.size());
    for (std::size_t i = 0; i < interface.arguments.size(); ++i)
      expect_parameter(interface.arguments[i], manifest.args[i], manifest);
    for (std::size_t i = 0; i < interface.results.size(); ++i)
      expect_parameter(interface.results[i], manifest.results[i], manifest);
  }
}

TEST(Programs, OfTheGlobalViewAreRefused) {
  for (const fs::path& folder : program_folders(true)) {
    SCOPED_TRACE(folder.filename().string());
    const auto module = module_in(folder);
    try {
      interface_of(*module, {});
      ADD_FAILURE() << "accepted";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::unsupported);
      EXPECT_NE(error.text().find("needs an SPMD partitioner"), std::string::npos) << error.text();
      EXPECT_NE(error.text().find("program.mlir:"), std::string::npos) << error.text();
    }
  }
}

TEST(Programs, CompileWithinTheirBounds) {
  for (const fs::path& folder : program_folders()) {
    SCOPED_TRACE(folder.filename().string());
    const auto module = module_in(folder);
    Executable executable;
    ASSERT_EQ(error_of([&] { executable = compile(*module, options_of(folder)); }), "");
    EXPECT_FALSE(executable.code.empty());
    EXPECT_EQ(executable.op_names.size(), operations_in_order(*module).size());
  }
}

TEST(Programs, AreDeterministic) {
  for (const fs::path& folder : program_folders()) {
    const auto options = options_of(folder);
    EXPECT_EQ(list(compile(*module_in(folder), options)),
              list(compile(*module_in(folder), options)))
        << folder;
  }
}

TEST(Programs, KeepTheirMeaningWhenPlanned) {
  for (const fs::path& folder : program_folders()) {
    SCOPED_TRACE(folder.filename().string());
    const auto module = module_in(folder);
    const Interface interface = interface_of(*module, options_of(folder));
    passes::Draft draft;
    passes::Lowering(*module, interface, draft).lower_main(*module->find_function("main"));
    passes::eliminate_dead_code(draft);
    std::vector<TensorType> results;
    for (const Parameter& result : interface.results) results.push_back(result.local);
    const auto wanted = trace_of(laid_apart(draft), results);
    const std::uint64_t apart =
        std::accumulate(draft.bytes.begin(), draft.bytes.end(), std::uint64_t{0});
    passes::coalesce_copies(draft);
    EXPECT_EQ(trace_of(laid_apart(draft), results), wanted) << "after coalescing";
    const std::uint64_t peak = passes::place_temporaries(draft).bytes;
    EXPECT_EQ(trace_of(draft.code, results), wanted) << "as planned";
    EXPECT_LT(peak, apart);
  }
}

}  // namespace
}  // namespace understudy::program
