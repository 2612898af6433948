// SPDX-License-Identifier: Apache-2.0
#include "configs/launch/inputs.h"

#include <fmt/format.h>

#include "configs/launch/profile/profile_fields.h"

namespace understudy::configs {

template <class F, FieldsOf<LaunchInputs> L>
void fields(F& field, L& inputs) {
  field("slice", inputs.slice);
  field("accelerator_type", inputs.accelerator_type);
  field("chip", inputs.chip);
  field("chip_digest", inputs.chip_digest);
  field("ndims", inputs.ndims);
  field("shape", inputs.shape);
  field("wraps", inputs.wraps);
  field("host_shape", inputs.host_shape);
  field("host_names", inputs.host_names);
  field("chips", inputs.chips);
  field("slices", inputs.slices);
  field("coordinator", inputs.coordinator);
  field("cache_dir", inputs.cache_dir);
  field("profile", inputs.profile);
  field("faults", inputs.faults);
}

namespace {

constexpr std::string_view kLaunchSchema = "understudy/launch/1";

// The cloud's prefix with the number of the slice's name: v5e-16 is "v5litepod-16".
std::string accelerator_type_of(const Slice& slice) {
  return slice.chip.accelerator_type + slice.name.substr(slice.name.rfind('-'));
}

// Names that nothing has to resolve: they appear in environments and contracts only.
std::string host_name(const Slice& slice, std::int64_t host) {
  if (slice.hosts == 1) return "localhost";
  if (slice.slices == 1) return fmt::format("{}-{}", slice.name, host);
  const std::int64_t each = slice.hosts / slice.slices;
  return fmt::format("{}-s{}-{}", slice.name, host / each, host % each);
}

}  // namespace

LaunchInputs inputs_of(const Slice& slice, const Profile& profile, std::int64_t chips) {
  LaunchInputs inputs;
  inputs.slice = slice.name;
  inputs.accelerator_type = accelerator_type_of(slice);
  inputs.chip = slice.chip.name;
  inputs.chip_digest = slice.chip.digest;
  inputs.ndims = slice.chip.torus_ndims;
  inputs.shape.assign(slice.shape.begin(), slice.shape.end());
  for (const bool wraps : slice.wraps) inputs.wraps.push_back(wraps ? 1 : 0);
  inputs.host_shape.assign(slice.host_shape.begin(), slice.host_shape.end());
  for (std::int64_t host = 0; host < slice.hosts; ++host)
    inputs.host_names.push_back(host_name(slice, host));
  inputs.chips = chips;
  inputs.slices = slice.slices;
  inputs.coordinator = inputs.host_names.front();
  inputs.profile = profile;
  return inputs;
}

// Process order of launch/topology.h: host by host, then chips inside of the host's block, both
// with x fastest.
std::vector<std::int64_t> coordinates_of(const LaunchInputs& inputs, Rank rank) {
  const std::int64_t per_host = inputs.chips_per_host();
  std::int64_t host = rank.value / per_host % inputs.hosts_per_slice();
  std::int64_t inside = rank.value % per_host;
  std::vector<std::int64_t> at;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::int64_t block = inputs.host_shape[axis];
    const std::int64_t blocks = inputs.shape[axis] / block;
    at.push_back(host % blocks * block + inside % block);
    host /= blocks;
    inside /= block;
  }
  return at;
}

std::string to_json(const LaunchInputs& inputs) {
  return document_of(inputs, kLaunchSchema, JsonWriter::Layout::compact);
}

LaunchInputs read_launch_inputs(const std::string& text, const std::string& path) {
  const JsonReader in = JsonReader::parse(text, path);
  auto inputs = read_document<LaunchInputs>(in, kLaunchSchema);
  for (const char* key : {"shape", "wraps", "host_shape"})
    if (in.at(key).items().size() != 3) in.at(key).fail("expected three numbers: x, y, z");
  // Divisors in coordinates_of(): must not be 0.
  for (const char* key : {"shape", "host_shape"})
    for (const JsonReader& length : in.at(key).items()) length.positive();
  in.at("slices").positive();
  const auto hosts = static_cast<std::int64_t>(inputs.host_names.size());
  if (hosts == 0) in.at("host_names").fail("expected at least one host");
  if (hosts % inputs.slices != 0)
    in.at("host_names")
        .fail(fmt::format("expected as many hosts in each of {} slices", inputs.slices));
  return inputs;
}

}  // namespace understudy::configs
