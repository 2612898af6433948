// SPDX-License-Identifier: Apache-2.0
#include "pjrt/core/topology.h"

#include <cstdlib>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <utility>

#include "configs/base/error.h"
#include "configs/base/version.h"
#include "configs/launch/chip_spec.h"
#include "configs/launch/joined_slices.h"

namespace understudy::pjrt {

std::string environment_value(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

namespace {

// "v6e-4", or "slice 1 of 2xv6e-4".
std::string slice_text(const configs::LaunchInputs& inputs, std::int64_t host) {
  if (inputs.slices == 1) return inputs.slice;
  return fmt::format("slice {} of {}", inputs.slice_of(host),
                     configs::joined_name(inputs.slices, inputs.slice));
}

}  // namespace

DeviceDescription::DeviceDescription(const configs::LaunchInputs& inputs, const std::string& kind,
                                     std::int64_t rank)
    : id_(static_cast<int>(rank)),
      process_index_(static_cast<int>(rank / inputs.chips_per_host())),
      kind_(kind) {
  const std::vector<std::int64_t> at = configs::coordinates_of(inputs, Rank(rank));
  // Like libtpu's device names, which users know from their logs.
  text_ = fmt::format("TPU_{}(process={},({}))", id_, process_index_, fmt::join(at, ","));
  debug_text_ =
      fmt::format("{} of {}, emulated {}", text_, slice_text(inputs, process_index_), kind_);
  attributes_.add("coords", at);
  // One device per chip: core 0 of 1.
  attributes_.add("core_on_chip", std::int64_t{0});
  attributes_.add("num_cores", std::int64_t{1});
  // Frameworks take the attribute itself for a sign of several slices.
  if (inputs.slices > 1) attributes_.add("slice_index", inputs.slice_of(process_index_));
}

TopologyDescription::TopologyDescription(configs::LaunchInputs inputs)
    : inputs_(std::move(inputs)), platform_name_(environment_value("UNDERSTUDY_PLATFORM")) {
  if (platform_name_.empty()) platform_name_ = "tpu";
  const configs::ChipSpec& chip = configs::chip_spec(inputs_.chip);
  // Frameworks key their compile caches by this text: all that decides what is compiled is in it.
  const std::string numerics = environment_value("UNDERSTUDY_NUMERICS");
  const std::string flags = environment_value("UNDERSTUDY_XLA_FLAGS");
  platform_version_ = fmt::format("understudy {} ({}), emulated {}, numerics {}{}", version(),
                                  revision(), chip.device_kind, numerics.empty() ? "tpu" : numerics,
                                  flags.empty() ? "" : ", XLA flags " + flags);
  for (std::int64_t rank = 0; rank < inputs_.chips; ++rank) {
    descriptions_.push_back(std::make_unique<DeviceDescription>(inputs_, chip.device_kind, rank));
    handles_.push_back(descriptions_.back().get());
  }
  attributes_.add("slice", configs::joined_name(inputs_.slices, inputs_.slice));
  attributes_.add("bounds", inputs_.shape);
}

std::unique_ptr<TopologyDescription> TopologyDescription::named(const std::string& name,
                                                                std::int64_t slices) {
  const std::string launch = environment_value(std::string(configs::kLaunchVariable).c_str());
  if (name.empty() && slices == 1 && !launch.empty())
    return std::make_unique<TopologyDescription>(
        configs::read_launch_inputs(launch, std::string(configs::kLaunchVariable)));
  configs::SliceRequest request;
  const std::size_t colon = name.find(':');
  if (colon == std::string::npos) {
    request.slice = name;
  } else {
    request.chip = name.substr(0, colon);
    request.topology = name.substr(colon + 1);
  }
  if (name.empty())
    throw Error(ErrorKind::usage, "a topology needs a name such as \"v6e:4x4\" or \"v6e-16\"");
  const configs::Slice slice = configs::make_joined(request, slices);
  return std::make_unique<TopologyDescription>(
      configs::inputs_of(slice, configs::Profile{}, static_cast<std::int64_t>(slice.chips.size())));
}

std::int64_t TopologyDescription::hosts() const {
  return (inputs_.chips + inputs_.chips_per_host() - 1) / inputs_.chips_per_host();
}

std::uint64_t TopologyDescription::hbm_bytes() const {
  return configs::chip_spec(inputs_.chip).hbm_bytes;
}

}  // namespace understudy::pjrt
