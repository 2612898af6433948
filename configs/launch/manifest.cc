// SPDX-License-Identifier: Apache-2.0
#include "configs/launch/manifest.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fmt/format.h>

#include "configs/json/reader.h"

namespace understudy::configs {
namespace {

// One entry of a spec: null, an axis, or a list of axes.
std::vector<std::string> read_axes(const JsonReader& in, const Manifest& manifest) {
  if (in.is_null()) return {};
  std::vector<std::string> mesh;
  for (const auto& axis : manifest.mesh) mesh.push_back(axis.first);
  if (in.is_text()) return {in.one_of(mesh, "an axis of the mesh")};
  std::vector<std::string> axes;
  for (const JsonReader& item : in.items()) {
    axes.push_back(item.one_of(mesh, "an axis of the mesh"));
  }
  return axes;
}

// The spec may be shorter than the shape: missing dimensions are not sharded.
void read_array(const JsonReader& in, const Manifest& manifest, ManifestArray& array) {
  const std::string file = in.at("file").text();
  if (file.empty()) in.at("file").fail("expected the name of a file");
  array.path = (std::filesystem::path(manifest.path).parent_path() / file).string();
  array.dtype = in.at("dtype").text();
  for (const JsonReader& length : in.at("shape").items()) {
    length.whole();
    array.shape.push_back(length.integer());
  }
  if (const auto flag = in.find("per_replica")) array.per_replica = flag->boolean();
  if (array.per_replica && array.shape.empty()) {
    in.at("shape").fail("expected a leading axis for the replica");
  }
  const auto spec = in.find("spec");
  if (!spec) return;
  for (const JsonReader& axes : spec->items()) array.spec.push_back(read_axes(axes, manifest));
  if (array.spec.size() > array.shape.size()) {
    spec->fail(
        fmt::format("expected at most {} entries, one for each dimension", array.shape.size()));
  }
}

ManifestArray read_argument(const JsonReader& in, const Manifest& manifest) {
  constexpr std::array<std::string_view, 6> kKeys = {"file", "dtype",       "shape",
                                                     "spec", "per_replica", "per_step"};
  in.only_keys(kKeys);
  ManifestArray array;
  read_array(in, manifest, array);
  if (const auto flag = in.find("per_step")) array.per_step = flag->boolean();
  if (array.per_step && (array.shape.empty() || array.shape.front() != manifest.steps))
    in.at("shape").fail(fmt::format("expected a leading axis of the {} steps", manifest.steps));
  return array;
}

// Zero is valid: an exact comparison.
double tolerance(const JsonReader& in) {
  if (in.number() < 0) in.fail("expected a non-negative tolerance");
  return in.number();
}

ManifestResult read_result(const JsonReader& in, const Manifest& manifest) {
  constexpr std::array<std::string_view, 7> kKeys = {"file", "dtype",       "shape", "spec",
                                                     "rtol", "per_replica", "atol"};
  in.only_keys(kKeys);
  ManifestResult result;
  read_array(in, manifest, result);
  result.rtol = tolerance(in.at("rtol"));
  result.atol = tolerance(in.at("atol"));
  return result;
}

// Pairs of two values each.
template <class Second>
std::vector<std::pair<std::int64_t, Second>> read_pairs(const JsonReader& in,
                                                        Second (*second)(const JsonReader&)) {
  std::vector<std::pair<std::int64_t, Second>> pairs;
  for (const JsonReader& item : in.items()) {
    const std::vector<JsonReader> pair = item.items();
    if (pair.size() != 2) item.fail("expected an array of two values");
    pair[0].whole();
    pairs.emplace_back(pair[0].integer(), second(pair[1]));
  }
  return pairs;
}

// Steps, carried values, and programs that replace the folder's program from some step on.
void read_course(const JsonReader& in, Manifest& manifest) {
  if (const auto steps = in.find("steps")) manifest.steps = steps->positive();
  if (const auto carry = in.find("carry"))
    manifest.carry = read_pairs<std::int64_t>(
        *carry, [](const JsonReader& item) { return static_cast<std::int64_t>(item.whole()); });
  const auto programs = in.find("step_programs");
  if (!programs) return;
  manifest.step_programs =
      read_pairs<std::string>(*programs, [](const JsonReader& item) { return item.text(); });
  for (auto& [step, path] : manifest.step_programs) {
    if (step == 0) programs->fail("step 0 always runs the program of the folder");
    path = (std::filesystem::path(manifest.path).parent_path() / path).string();
  }
}

// names.json is written by the Python package; a folder without it has no names.
void read_names(const std::string& folder, Manifest& manifest) {
  const std::string path = (std::filesystem::path(folder) / "names.json").string();
  std::error_code code;
  if (!std::filesystem::exists(path, code)) return;
  for (const JsonReader& item : JsonReader::read(path).at("args").items())
    manifest.argument_names.push_back(item.at("name").text());
}

}  // namespace

// The mesh is read before the arrays: their specs name its axes.
Manifest read_manifest(const std::string& folder) {
  constexpr std::array<std::string_view, 12> kKeys = {
      "name",  "about", "rung",          "devices",   "mesh", "replicas",
      "steps", "carry", "step_programs", "platforms", "args", "results"};
  Manifest manifest;
  manifest.path = (std::filesystem::path(folder) / "manifest.json").string();
  const JsonReader in = JsonReader::read(manifest.path);
  in.only_keys(kKeys);
  manifest.name = in.at("name").text();
  if (const auto about = in.find("about")) manifest.about = about->text();
  if (const auto rung = in.find("rung")) manifest.rung = rung->text();
  manifest.devices = in.at("devices").positive();
  if (const auto replicas = in.find("replicas")) manifest.replicas = replicas->positive();
  if (const auto mesh = in.find("mesh")) {
    for (const auto& [axis, length] : mesh->members()) {
      manifest.mesh.emplace_back(axis, length.positive());
    }
  }
  read_course(in, manifest);
  if (const auto platforms = in.find("platforms"))
    for (const JsonReader& item : platforms->items()) manifest.platforms.push_back(item.text());
  read_names(folder, manifest);
  for (const JsonReader& item : in.at("args").items()) {
    manifest.args.push_back(read_argument(item, manifest));
  }
  for (const JsonReader& item : in.at("results").items()) {
    manifest.results.push_back(read_result(item, manifest));
  }
  return manifest;
}

}  // namespace understudy::configs
