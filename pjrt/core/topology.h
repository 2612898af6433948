// SPDX-License-Identifier: Apache-2.0
// The chips of a slice, or of joined slices, as frameworks see them, with or without a running pod.
// Immutable after it is made.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "configs/launch/inputs.h"
#include "pjrt/core/named_values.h"

namespace understudy::pjrt {

// One chip. Its id is its rank: dense, the same in every process, the chips of a host together.
class DeviceDescription {
 public:
  DeviceDescription(const configs::LaunchInputs& inputs, const std::string& kind,
                    std::int64_t rank);
  int id() const { return id_; }
  int process_index() const { return process_index_; }
  const std::string& kind() const { return kind_; }
  const std::string& text() const { return text_; }
  const std::string& debug_text() const { return debug_text_; }
  const NamedValues& attributes() const { return attributes_; }

 private:
  int id_, process_index_;
  std::string kind_, text_, debug_text_;
  NamedValues attributes_;
};

class TopologyDescription {
 public:
  explicit TopologyDescription(configs::LaunchInputs inputs);
  // "v6e:4x4", "v6e-16", "2xv6e-16", or "" for the slices of this process's launch. `slices`: as
  // many of them, joined by DCN. *Throws* Error{usage}.
  static std::unique_ptr<TopologyDescription> named(const std::string& name,
                                                    std::int64_t slices = 1);

  const configs::LaunchInputs& inputs() const { return inputs_; }
  // "tpu", or what UNDERSTUDY_PLATFORM says.
  const std::string& platform_name() const { return platform_name_; }
  const std::string& platform_version() const { return platform_version_; }
  const std::vector<std::unique_ptr<DeviceDescription>>& descriptions() const {
    return descriptions_;
  }
  const std::vector<DeviceDescription*>& handles() const { return handles_; }
  const NamedValues& attributes() const { return attributes_; }
  // Rounded up: a program may use a part of the last host's chips.
  std::int64_t hosts() const;
  std::uint64_t hbm_bytes() const;

 private:
  configs::LaunchInputs inputs_;
  std::string platform_name_, platform_version_;
  std::vector<std::unique_ptr<DeviceDescription>> descriptions_;
  std::vector<DeviceDescription*> handles_;
  NamedValues attributes_;
};

// A value of this process's environment; empty where it is not set.
std::string environment_value(const char* name);

}  // namespace understudy::pjrt
