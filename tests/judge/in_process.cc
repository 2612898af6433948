// SPDX-License-Identifier: Apache-2.0
#include "tests/judge/in_process.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>

#include "collectives/fabric.h"
#include "configs/base/error.h"
#include "configs/launch/manifest.h"
#include "launcher/run/compare.h"
#include "launcher/run/tiles.h"
#include "program/compile.h"
#include "program/kernels/kernels.h"
#include "program/npy.h"
#include "program/read.h"
#include "tests/worker/worker_testing.h"
#include "worker/chip/bound_code.h"
#include "worker/ops/bind.h"
#include "worker/pod/collectives.h"

namespace understudy::judge {
namespace {

using launcher::Bytes;
using program::Array;
using program::ElementType;

constexpr std::size_t kSlack = 64;  // kernels may look a little beyond an array's end

struct Loaded {
  std::unique_ptr<program::Module> module;
  program::Interface interface;
  program::Executable executable;
  std::vector<std::vector<Bytes>> arguments;  // tiles
};

Array array_of(const configs::ManifestArray& file, const program::Parameter& parameter) {
  Array array = program::read_npy(file.path, parameter.global.element);
  // Bit patterns: the file cannot tell what they mean.
  if (byte_size(array.type.element) == byte_size(parameter.global.element) &&
      numpy_name(parameter.global.element) == file.dtype) {
    array.type.element = parameter.global.element;
  }
  if (array.type != parameter.global) {
    throw Error(ErrorKind::input, fmt::format("{}: the program has {}, the file {}", file.path,
                                              text_of(parameter.global), text_of(array.type)));
  }
  return array;
}

Loaded load(const std::string& folder, const configs::Manifest& manifest) {
  Loaded loaded;
  loaded.module = program::read_program(folder + "/program.mlir");
  program::CompileOptions options;
  options.numerics = program::Numerics::ieee;
  loaded.interface = program::interface_of(*loaded.module, options);
  loaded.executable = program::compile(*loaded.module, options);
  const program::Interface& interface = loaded.interface;
  if (interface.arguments.size() != manifest.args.size() ||
      interface.results.size() != manifest.results.size()) {
    throw Error(ErrorKind::input, "the manifest has other arguments or results than the program");
  }
  for (std::size_t i = 0; i < manifest.args.size(); ++i) {
    const program::Parameter& parameter = interface.arguments[i];
    loaded.arguments.push_back(
        launcher::cut(array_of(manifest.args[i], parameter), parameter, interface.replicas));
    for (Bytes& tile : loaded.arguments.back()) tile.resize(tile.size() + kSlack);
  }
  return loaded;
}

// What one chip computes: its local results.
std::vector<Bytes> run_chip(const Loaded& loaded, const collectives::Fabric& fabric) {
  const program::Executable& executable = loaded.executable;
  const auto rank = static_cast<std::size_t>(fabric.transport.rank().value);
  const auto& kernels = program::kernels::select("");
  worker::Vmem vmem(128 << 20);
  worker::Mxu mxu(kernels);
  worker::PodCollectives collectives(fabric);
  collectives.use_algorithm("auto");
  worker::Execution execution;
  for (std::size_t i = 0; i < loaded.arguments.size(); ++i) {
    const auto tile =
        static_cast<std::size_t>(loaded.interface.arguments[i].sharding.tile_of[rank]);
    execution.arguments.push_back(loaded.arguments[i][tile].data());
  }
  std::vector<Bytes> results;
  for (const program::TensorType& type : executable.results) {
    results.emplace_back(static_cast<std::size_t>(type.bytes()) + kSlack);
  }
  for (Bytes& result : results) execution.results.push_back(result.data());
  Bytes temporaries(executable.temporary_bytes + kSlack);
  const auto number = static_cast<std::int64_t>(rank);
  execution.temporaries = temporaries.data();
  Bytes host(executable.host_temporary_bytes + kSlack);
  execution.host = host.data();
  execution.constants = executable.constants.data();
  execution.process = {number / executable.partitions, number % executable.partitions,
                       executable.replicas, executable.partitions};
  execution.numerics = executable.numerics;
  execution.kernels = &kernels;
  execution.vmem = &vmem;
  execution.mxu = &mxu;
  execution.collectives = &collectives;
  worker::BoundCode bound = worker::ops::bind(executable, kernels);
  worker::run(bound, execution);
  for (Bytes& result : results) result.resize(result.size() - kSlack);
  return results;
}

// Result `index` as one global array. *Throws* Error{check} where chips that hold the same tile
// have other bits in it.
Array whole(const Loaded& loaded, const std::vector<std::vector<Bytes>>& by_chip,
            std::size_t index) {
  const program::Parameter& parameter = loaded.interface.results[index];
  std::vector<Bytes> tiles(
      static_cast<std::size_t>(parameter.sharding.tile_count(loaded.interface.replicas)));
  std::vector<std::size_t> first(tiles.size(), by_chip.size());  // chip that holds the tile
  for (std::size_t chip = 0; chip < by_chip.size(); ++chip) {
    const auto tile = static_cast<std::size_t>(parameter.sharding.tile_of[chip]);
    if (first[tile] == by_chip.size()) {
      first[tile] = chip;
      tiles[tile] = by_chip[chip][index];
    } else if (tiles[tile] != by_chip[chip][index]) {
      throw Error(ErrorKind::check, fmt::format("result {}: chips {} and {} hold the same tile and "
                                                "differ in it",
                                                index, first[tile], chip));
    }
  }
  return launcher::join(tiles, parameter, loaded.interface.replicas);
}

bool is_nan_at(const Array& array, std::size_t i) {
  const ElementType element = array.type.element;
  if (!is_float(element) && !is_complex(element)) return false;
  double parts[2] = {0, 0};
  const ElementType wide = is_complex(element) ? ElementType::c128 : ElementType::f64;
  program::kernels::select("portable")
      .convert(element, wide)(array.bytes.data() + i * byte_size(element), parts, 1);
  return std::isnan(parts[0]) || std::isnan(parts[1]);
}

// Of exact results: the first element whose bits differ, but for NaN.
std::string first_other_bits(const Array& got, const Array& want) {
  const std::size_t width = byte_size(got.type.element);
  for (std::size_t i = 0; i * width < got.bytes.size(); ++i) {
    const bool same = std::memcmp(&got.bytes[i * width], &want.bytes[i * width], width) == 0;
    if (same || (is_nan_at(got, i) && is_nan_at(want, i))) continue;
    return fmt::format("bits of element {} differ", i);
  }
  return "";
}

std::string difference(std::size_t index, const Array& got, const Array& want,
                       const configs::ManifestResult& expected) {
  const launcher::Comparison seen = launcher::compare(
      static_cast<std::int64_t>(index), got, want, {expected.rtol, expected.atol}, expected.path);
  std::string bits;
  if (expected.rtol == 0 && expected.atol == 0) bits = first_other_bits(got, want);
  if (seen.ok() && bits.empty()) return "";
  return fmt::format(
      "result {} {}: {} of {} differ, {} got {}, expected {} (rtol {:.3g}, atol {:.3g}){}", index,
      text_of(got.type), seen.mismatches, got.type.elements(), seen.place, seen.got, seen.want,
      expected.rtol, expected.atol, bits.empty() ? "" : ", " + bits);
}

std::string judged(const std::string& folder) {
  const configs::Manifest manifest = configs::read_manifest(folder);
  const Loaded loaded = load(folder, manifest);
  const std::int64_t chips = loaded.interface.processes();
  if (chips != manifest.devices) return fmt::format("the program is for {} chips", chips);
  std::vector<std::vector<Bytes>> by_chip(static_cast<std::size_t>(chips));
  const auto errors =
      worker::run_pod(static_cast<int>(chips), [&](const collectives::Fabric& fabric) {
        by_chip[static_cast<std::size_t>(fabric.transport.rank().value)] = run_chip(loaded, fabric);
      });
  for (const std::string& error : errors)
    if (!error.empty()) return error;
  for (std::size_t i = 0; i < manifest.results.size(); ++i) {
    const Array want = array_of(manifest.results[i], loaded.interface.results[i]);
    const std::string why = difference(i, whole(loaded, by_chip, i), want, manifest.results[i]);
    if (!why.empty()) return why;
  }
  return "";
}

}  // namespace

Verdict run_in_process(const std::string& folder) {
  Verdict verdict{Verdict::Kind::agrees, std::filesystem::path(folder).filename().string(), ""};
  try {
    verdict.why = judged(folder);
    if (!verdict.why.empty()) verdict.kind = Verdict::Kind::differs;
  } catch (const Error& error) {
    const bool refused = error.kind() == ErrorKind::unsupported;
    verdict.kind = refused ? Verdict::Kind::refused : Verdict::Kind::differs;
    verdict.why = error.text();
  }
  return verdict;
}

std::vector<std::string> folders_in(const std::string& folder) {
  std::vector<std::string> folders;
  if (!std::filesystem::is_directory(folder)) return folders;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (std::filesystem::exists(entry.path() / "manifest.json")) {
      folders.push_back(entry.path().string());
    }
  }
  std::sort(folders.begin(), folders.end());
  return folders;
}

}  // namespace understudy::judge
