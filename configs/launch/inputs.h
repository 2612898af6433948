// SPDX-License-Identifier: Apache-2.0
// The inputs from which the environment of every host of a launch is computed: the slice, its
// hosts, the resolved profile. Small even for a full pod, so that one variable carries it to every
// worker, which computes its host's environment from it (launch/environment.h). Plain values;
// reading validates.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "configs/launch/profile/profile.h"
#include "configs/launch/topology.h"

namespace understudy::configs {

struct LaunchInputs {
  std::string slice;                     // "v6e-16": of one slice
  std::string accelerator_type;          // the cloud's name: "v5litepod-16"
  std::string chip;                      // "v6e"
  std::string chip_digest;               // of the chip's document
  std::int64_t ndims = 2;                // axes that the topology is spelt with
  std::vector<std::int64_t> shape;       // x, y, z of the slice
  std::vector<std::int64_t> wraps;       // 1 for an axis whose ends are joined
  std::vector<std::int64_t> host_shape;  // chips of one host
  std::vector<std::string> host_names;   // of all slices, slice by slice
  std::int64_t chips = 0;                // that are used, from rank 0 on
  std::int64_t slices = 1;               // equal ones, joined by DCN
  std::string coordinator;               // host of process 0 of all slices
  std::string cache_dir;                 // of the compile cache, the profile's folder included
  Profile profile;
  std::vector<std::string> faults;  // that change what a worker starts with: configs/launch/fault.h
  bool operator==(const LaunchInputs&) const = default;

  std::int64_t hosts() const { return static_cast<std::int64_t>(host_names.size()); }
  std::int64_t hosts_per_slice() const { return hosts() / slices; }
  std::int64_t slice_of(std::int64_t host) const { return host / hosts_per_slice(); }
  std::int64_t chips_per_host() const { return host_shape[0] * host_shape[1] * host_shape[2]; }
  std::int64_t processes_per_host() const {
    return profile.launch.processes == "per-chip" ? chips_per_host() : 1;
  }
};

// For `slice` under `profile`, with host names "NAME-0", "NAME-1", ..., of joined slices
// "NAME-s0-0",
// ..., or "localhost" if there is only one host. `chips`: the number of chips that are used.
LaunchInputs inputs_of(const Slice& slice, const Profile& profile, std::int64_t chips);

// The coordinates of a rank's chip in its slice: x, y, z.
std::vector<std::int64_t> coordinates_of(const LaunchInputs& inputs, Rank rank);

// One line, the same bytes for the same values.
std::string to_json(const LaunchInputs& inputs);
// *Throws* Error{config} with column and pointer.
LaunchInputs read_launch_inputs(const std::string& text, const std::string& path);

// The variable that carries it to the workers.
inline constexpr std::string_view kLaunchVariable = "UNDERSTUDY_LAUNCH";

}  // namespace understudy::configs
