// SPDX-License-Identifier: Apache-2.0
#include "launcher/options/slice_options.h"

#include <CLI/CLI.hpp>

#include "launcher/options/ranges.h"

namespace understudy::launcher {

void declare_shape(CLI::App& app, SliceOptions& options) {
  app.add_option("--chip", options.request.chip, "chip generation, used with --topology")
      ->type_name("CHIP");
  app.add_option("--topology", options.request.topology, "shape of the slice, such as 4x4 or 2x2x4")
      ->type_name("SHAPE");
  app.add_option("--hosts", options.hosts, "number of emulated hosts; chips are divided evenly")
      ->type_name("N")
      ->check(at_least(1));
  app.add_option("--chips-per-host", options.chips_per_host, "number of chips per host")
      ->type_name("N")
      ->check(at_least(1));
}

void declare_slice(CLI::App& app, SliceOptions& options) {
  app.add_option("--slice", options.request.slice, "slice name, such as v6e-8")->type_name("SLICE");
  declare_shape(app, options);
}

configs::SliceRequest request_of(const SliceOptions& options) {
  configs::SliceRequest request = options.request;
  if (options.hosts > 0) request.hosts = options.hosts;
  if (options.chips_per_host > 0) request.chips_per_host = options.chips_per_host;
  return request;
}

}  // namespace understudy::launcher
