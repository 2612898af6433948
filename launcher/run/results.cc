// SPDX-License-Identifier: Apache-2.0
#include "launcher/run/results.h"

#include <filesystem>
#include <fmt/format.h>
#include <system_error>

#include "configs/base/error.h"
#include "configs/base/file.h"
#include "launcher/run/default_tolerance.h"
#include "launcher/run/tiles.h"

namespace understudy::launcher {
namespace {

namespace fs = std::filesystem;

// An expected file may hold one replica or all replicas; both shapes are accepted.
Expected expectation(std::size_t index, const std::string& file,
                     const std::optional<program::ElementType>& said, const Tolerance& tolerance,
                     const program::Interface& interface) {
  const program::Parameter& parameter = interface.results[index];
  const program::ElementType wanted = said.value_or(parameter.global.element);
  program::TensorType type = program::npy_type(file, wanted);
  const program::Shape all = shape_of_all_replicas(parameter, interface.replicas);
  // With a single replica a leading replica axis of size 1 may be dropped.
  if (interface.replicas == 1 && type.shape == all) type.shape = parameter.global.shape;
  const bool fits = type.shape == parameter.global.shape || type.shape == all;
  if (fits && type.element == parameter.global.element) {
    Expected expected{static_cast<std::int64_t>(index), file, program::read_npy(file, wanted),
                      tolerance};
    expected.array.type = type;
    expected.name = parameter.name;
    return expected;
  }
  throw Error(ErrorKind::input,
              fmt::format("{}: result {} is {}, but the file has {}", file, index,
                          type_text({parameter.global.element, all}), type_text(type)));
}

}  // namespace

void write_arguments(const RunFolder& folder, const configs::RunPlan& plan,
                     const program::Interface& interface,
                     const std::vector<program::Array>& arguments) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const configs::PlannedArray& planned = plan.arguments[i];
    const program::Parameter& argument = interface.arguments[i];
    if (planned.steps == 1) {
      write_tiles(folder, planned, argument, interface.replicas, arguments[i]);
      continue;
    }
    for (std::int64_t step = 0; step < planned.steps; ++step)
      write_tiles(folder, planned, argument, interface.replicas, array_of_step(arguments[i], step),
                  planned.files_of_step(step));
  }
}

void write_tiles(const RunFolder& folder, const configs::PlannedArray& planned,
                 const program::Parameter& argument, std::int64_t replicas,
                 const program::Array& array, std::size_t first) {
  const std::vector<Bytes> tiles = cut(array, argument, replicas);
  UNDERSTUDY_ASSERT(tiles.size() == planned.files_of_step(1));
  for (std::size_t tile = 0; tile < tiles.size(); ++tile)
    folder.write(planned.files[first + tile], std::span<const std::byte>(tiles[tile]));
}

std::vector<program::Array> read_results(const RunFolder& folder, const configs::RunPlan& plan,
                                         const program::Interface& interface,
                                         const std::function<void()>& between) {
  std::vector<program::Array> results;
  for (std::size_t i = 0; i < plan.results.size(); ++i) {
    std::vector<Bytes> tiles;
    for (const std::string& file : plan.results[i].files) {
      between();
      tiles.push_back(read_binary_file(folder.path() + "/" + file));
    }
    results.push_back(join(tiles, interface.results[i], interface.replicas));
  }
  return results;
}

// --expect overrides the manifest; its tolerances apply to both unless --rtol or --atol are given.
std::vector<Expected> read_expected(const RunOptions& options, const LoadedProgram& program) {
  std::vector<Expected> all;
  const bool from_manifest = options.expect.empty() && is_of_folder(options, program);
  if (options.expect.empty() && !from_manifest) return all;
  // The history of each result is only needed where nobody gave tolerances.
  const bool derives =
      !program.manifest && options.numerics == "tpu" && !options.rtol && !options.atol;
  std::vector<std::int64_t> products;
  if (derives) products = rounded_products(*program.module, program.options, program.interface);
  for (std::size_t i = 0; i < program.interface.results.size(); ++i) {
    Tolerance tolerance;
    std::string file = fmt::format("{}/out{}.npy", options.expect, i);
    std::optional<program::ElementType> said;
    if (program.manifest && i < program.manifest->results.size()) {
      const configs::ManifestResult& result = program.manifest->results[i];
      tolerance = {result.rtol, result.atol};
      if (from_manifest) {
        file = result.path;
        said = program::element_type_of_numpy(result.dtype);
      }
    } else if (from_manifest) {
      continue;
    }
    tolerance.rtol = options.rtol.value_or(tolerance.rtol);
    tolerance.atol = options.atol.value_or(tolerance.atol);
    all.push_back(expectation(i, file, said, tolerance, program.interface));
    if (derives) all.back().tolerance = default_tolerance(products[i], all.back().array);
  }
  return all;
}

// All results, not only until the first difference: which ones differ tells where the cause is.
std::vector<Comparison> compare_results(const std::vector<program::Array>& results,
                                        const std::vector<Expected>& expected) {
  std::vector<Comparison> all;
  for (const Expected& one : expected) {
    all.push_back(compare(one.index, results[static_cast<std::size_t>(one.index)], one.array,
                          one.tolerance, one.file));
    all.back().name = one.name;
  }
  return all;
}

void write_results(const std::string& folder, const std::vector<program::Array>& results) {
  std::error_code code;
  fs::create_directories(folder, code);
  if (code) throw file_error("make", folder, code.value());
  for (std::size_t i = 0; i < results.size(); ++i)
    program::write_npy(fmt::format("{}/out{}.npy", folder, i), results[i]);
}

}  // namespace understudy::launcher
