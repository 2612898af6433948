// SPDX-License-Identifier: Apache-2.0
#include "configs/launch/chip_spec.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <functional>
#include <numeric>

#include "configs/base/digest.h"
#include "configs/base/suggest.h"
#include "configs/embedded.h"
#include "configs/json/reader.h"

namespace understudy::configs {
namespace {

using Shape = std::vector<std::int64_t>;

template <std::size_t N>
void expect_keys(const JsonReader& in, const std::array<std::string_view, N>& keys) {
  in.only_keys(keys);
  for (const std::string_view key : keys) in.at(key);
}

// A string that must say something: names and sources.
std::string stated(const JsonReader& in) {
  const std::string text = in.text();
  if (text.empty()) in.fail("expected a non-empty string");
  return text;
}

// Every number has its source, and may have other published values next to it:
// {"value": 1, "source": "...", "public": [{"value": 2, "source": "..."}]}
JsonReader value_of(const JsonReader& quantity) {
  constexpr std::array<std::string_view, 3> kKeys = {"value", "source", "public"};
  constexpr std::array<std::string_view, 2> kPublicKeys = {"value", "source"};
  quantity.only_keys(kKeys);
  stated(quantity.at("source"));
  if (const auto others = quantity.find("public")) {
    for (const JsonReader& other : others->items()) {
      expect_keys(other, kPublicKeys);
      other.at("value").number();
      stated(other.at("source"));
    }
  }
  return quantity.at("value");
}

std::int64_t count_of(const JsonReader& quantity) { return value_of(quantity).positive(); }
std::uint64_t bytes_of(const JsonReader& quantity) {
  return static_cast<std::uint64_t>(value_of(quantity).positive());
}
double rate_of(const JsonReader& quantity) { return value_of(quantity).positive_number(); }

Shape shape_of(const JsonReader& in, std::int64_t ndims) {
  Shape shape;
  for (const JsonReader& item : in.items()) shape.push_back(item.positive());
  if (static_cast<std::int64_t>(shape.size()) != ndims) {
    in.fail(fmt::format("expected {} numbers, one for each axis of the torus", ndims));
  }
  return shape;
}

std::int64_t chips_of(const Shape& shape) {
  return std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
}

// Slices of whole cubes, up to `most` cubes, inside a pod. Without `any_order` only shapes with
// x <= y <= z are valid.
// The optical switches of a pod join whole cubes (for v4: 4 x 4 x 4 chips), so every edge is a
// multiple of a cube's.
std::vector<Shape> cube_shapes(const JsonReader& in) {
  constexpr std::array<std::string_view, 4> kKeys = {"edge", "most", "pod", "any_order"};
  expect_keys(in, kKeys);
  const std::int64_t edge = in.at("edge").positive();
  const std::int64_t most = in.at("most").positive();
  const bool any_order = in.at("any_order").boolean();
  const Shape pod = shape_of(in.at("pod"), 3);
  std::vector<Shape> shapes;
  for (std::int64_t x = edge; x <= pod[0]; x += edge) {
    for (std::int64_t y = any_order ? edge : x; y <= pod[1]; y += edge) {
      for (std::int64_t z = any_order ? edge : y; z <= pod[2]; z += edge) {
        if (x * y * z <= most * edge * edge * edge) shapes.push_back({x, y, z});
      }
    }
  }
  return shapes;
}

void read_wraparound(const JsonReader& in, ChipSpec& spec) {
  constexpr std::array<std::string_view, 3> kKeys = {"rule", "length", "source"};
  static const std::vector<std::string> kRules = {"axis_length", "whole_cubes", "whole_pod"};
  in.only_keys(kKeys);
  stated(in.at("source"));
  const std::string rule = in.at("rule").one_of(kRules, "a wraparound rule");
  // kRules is in the order of WrapRule.
  spec.wrap_rule = static_cast<WrapRule>(std::ranges::find(kRules, rule) - kRules.begin());
  if (spec.wrap_rule != WrapRule::whole_pod) spec.wrap_length = in.at("length").positive();
}

// A shape may be given explicitly, or follow from the rule of cubes.
void read_slices(const JsonReader& in, ChipSpec& spec) {
  constexpr std::array<std::string_view, 5> kKeys = {"torus_ndims", "shapes", "cubes", "wraparound",
                                                     "source"};
  expect_keys(in, kKeys);
  stated(in.at("source"));
  spec.torus_ndims = in.at("torus_ndims").positive();
  if (spec.torus_ndims != 2 && spec.torus_ndims != 3) in.at("torus_ndims").fail("expected 2 or 3");
  for (const JsonReader& shape : in.at("shapes").items()) {
    spec.shapes.push_back(shape_of(shape, spec.torus_ndims));
  }
  if (const auto cubes = in.find("cubes")) {
    if (spec.torus_ndims != 3) cubes->fail("cubes need a torus of 3 axes");
    std::ranges::move(cube_shapes(*cubes), std::back_inserter(spec.shapes));
  }
  if (spec.shapes.empty()) in.at("shapes").fail("expected at least one shape");
  // slice_for() takes the first shape that is large enough, and a name without topology the first
  // of its size: the most compact shape has the shortest paths.
  std::ranges::stable_sort(spec.shapes, {}, [](const Shape& shape) {
    return std::tuple(chips_of(shape), std::ranges::max(shape) - std::ranges::min(shape), shape);
  });
  read_wraparound(in.at("wraparound"), spec);
}

void read_hosts(const JsonReader& in, ChipSpec& spec) {
  constexpr std::array<std::string_view, 4> kKeys = {"shape", "single_host_chips",
                                                     "physical_host_chips", "source"};
  constexpr std::array<std::string_view, 2> kMemoryKeys = {"chips", "bytes"};
  // Required keys, then optional ones.
  std::vector<std::string_view> known(kKeys.begin(), kKeys.end());
  known.push_back("memory");
  in.only_keys(known);
  stated(in.at("source"));
  if (const auto memory = in.find("memory")) {
    for (const JsonReader& one : memory->items()) {
      expect_keys(one, kMemoryKeys);
      spec.host_memory.push_back(
          {one.at("chips").positive(), static_cast<std::uint64_t>(one.at("bytes").positive())});
    }
  }
  spec.host_shape = shape_of(in.at("shape"), spec.torus_ndims);
  spec.single_host_chips = in.at("single_host_chips").positive();
  spec.physical_host_chips = in.at("physical_host_chips").positive();
}

void read_compute(const JsonReader& in, ChipSpec& spec) {
  constexpr std::array<std::string_view, 2> kPeakKeys = {"bf16_flops_per_second",
                                                         "int8_ops_per_second"};
  constexpr std::array<std::string_view, 3> kMxuKeys = {"per_core", "rows", "columns"};
  const JsonReader peak = in.at("peak");
  expect_keys(peak, kPeakKeys);
  spec.bf16_flops_per_second = rate_of(peak.at("bf16_flops_per_second"));
  spec.int8_ops_per_second = rate_of(peak.at("int8_ops_per_second"));
  const JsonReader mxu = in.at("mxu");
  expect_keys(mxu, kMxuKeys);
  spec.mxu_per_core = count_of(mxu.at("per_core"));
  spec.mxu_rows = count_of(mxu.at("rows"));
  spec.mxu_columns = count_of(mxu.at("columns"));
  spec.tensor_cores = count_of(in.at("tensor_cores"));
  spec.devices_per_chip = count_of(in.at("devices_per_chip"));
}

void read_memory_and_links(const JsonReader& in, ChipSpec& spec) {
  constexpr std::array<std::string_view, 2> kHbmKeys = {"bytes", "bytes_per_second"};
  constexpr std::array<std::string_view, 1> kVmemKeys = {"bytes_per_core"};
  constexpr std::array<std::string_view, 2> kIciKeys = {"link_bytes_per_second", "ports"};
  constexpr std::array<std::string_view, 1> kDcnKeys = {"bytes_per_second_per_host"};
  const JsonReader hbm = in.at("hbm");
  expect_keys(hbm, kHbmKeys);
  spec.hbm_bytes = bytes_of(hbm.at("bytes"));
  spec.hbm_bytes_per_second = rate_of(hbm.at("bytes_per_second"));
  const JsonReader vmem = in.at("vmem");
  expect_keys(vmem, kVmemKeys);
  spec.vmem_bytes = bytes_of(vmem.at("bytes_per_core"));
  const JsonReader ici = in.at("ici");
  expect_keys(ici, kIciKeys);
  spec.ici_link_bytes_per_second = rate_of(ici.at("link_bytes_per_second"));
  spec.ici_ports = count_of(ici.at("ports"));
  if (const auto dcn = in.find("dcn")) {
    expect_keys(*dcn, kDcnKeys);
    spec.dcn_bytes_per_second = rate_of(dcn->at("bytes_per_second_per_host"));
  }
}

std::vector<ChipSpec> read_embedded() {
  std::vector<ChipSpec> specs;
  for (const EmbeddedFile& file : embedded_chips()) {
    specs.push_back(read_chip_spec(std::string(file.text), std::string(file.name)));
  }
  return specs;
}

// Read once, at first use. A broken embedded document is an error of every command; a test reads
// all of them.
const std::vector<ChipSpec>& specs() {
  static const std::vector<ChipSpec> kSpecs = read_embedded();
  return kSpecs;
}

}  // namespace

ChipSpec read_chip_spec(const std::string& text, const std::string& path) {
  constexpr std::array<std::string_view, 14> kKeys = {
      "schema",        "name", "aliases", "device_kind", "tensor_cores", "devices_per_chip",
      "suffix_counts", "hbm",  "peak",    "mxu",         "vmem",         "ici",
      "slices",        "hosts"};
  std::vector<std::string_view> known(kKeys.begin(), kKeys.end());
  known.push_back("dcn");
  known.push_back("accelerator_type");
  static const std::vector<std::string> kSuffixes = {"chips", "cores"};
  const JsonReader in = JsonReader::parse(text, path);
  in.expect_schema("understudy/chip/1");
  in.only_keys(known);
  ChipSpec spec;
  spec.name = stated(in.at("name"));
  for (const JsonReader& alias : in.at("aliases").items()) spec.aliases.push_back(stated(alias));
  const auto accelerator = in.find("accelerator_type");
  spec.accelerator_type = accelerator ? stated(*accelerator) : spec.name;
  spec.device_kind = stated(in.at("device_kind"));
  spec.suffix_counts_cores =
      in.at("suffix_counts").one_of(kSuffixes, "a slice name suffix unit") == "cores";
  read_compute(in, spec);
  read_memory_and_links(in, spec);
  read_slices(in.at("slices"), spec);
  read_hosts(in.at("hosts"), spec);
  // Of the text: any change of a chip's numbers changes the keys of compiled programs.
  spec.digest = digest_of(std::string_view(text));
  return spec;
}

std::vector<std::string> chip_names() {
  std::vector<std::string> names;
  for (const ChipSpec& spec : specs()) names.push_back(spec.name);
  return names;
}

const ChipSpec& chip_spec(const std::string& name) {
  std::vector<std::string> all;
  for (const ChipSpec& spec : specs()) {
    if (spec.name == name || std::ranges::find(spec.aliases, name) != spec.aliases.end()) {
      return spec;
    }
    all.push_back(spec.name);
    all.insert(all.end(), spec.aliases.begin(), spec.aliases.end());
  }
  std::string message = fmt::format("unknown chip \"{}\"", name);
  const std::string near = did_you_mean(name, all);
  message += near.empty() ? fmt::format(" (known chips: {})", join_words(chip_names())) : near;
  throw Error(ErrorKind::usage, message);
}

}  // namespace understudy::configs
