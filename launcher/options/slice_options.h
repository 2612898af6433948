// SPDX-License-Identifier: Apache-2.0
// The options that select a slice, shared by several verbs. Values.
#pragma once

#include <cstdint>

#include "configs/launch/topology.h"

namespace CLI {
class App;
}

namespace understudy::launcher {

struct SliceOptions {
  configs::SliceRequest request;
  std::int64_t hosts = 0, chips_per_host = 0;  // 0: default of the slice
};

// --chip, --topology, --hosts, --chips-per-host.
void declare_shape(CLI::App& app, SliceOptions& options);
// Those options and --slice.
void declare_slice(CLI::App& app, SliceOptions& options);
// 0 means "not given" in the options, absence in the request.
configs::SliceRequest request_of(const SliceOptions& options);

}  // namespace understudy::launcher
