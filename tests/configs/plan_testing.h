// SPDX-License-Identifier: Apache-2.0
// A small plan for tests: two chips on one host, one argument cut in two, one result.
#pragma once

#include "configs/launch/run_plan.h"
#include "tests/configs/configs_testing.h"

namespace understudy::configs {

inline RunPlan small_plan() {
  RunPlan plan;
  plan.run_id = "20260101-120000-1";
  plan.contract_digest = "0123";
  plan.contract_sections = {{"program", "4567"}};
  plan.identity_digests = {"89ab", "89ab"};
  plan.slice = "v6e-4";
  plan.chip = "v6e";
  plan.chips = 2;
  plan.host_of = {HostId(0), HostId(0)};
  plan.slice_shape = {2, 2, 1};
  plan.slice_wraps = {0, 0, 0};
  plan.coordinates = {{0, 0, 0}, {1, 0, 0}};
  plan.hbm_bytes = 32'000'000'000;
  plan.vmem_bytes = 134'217'728;
  plan.program_path = "step/program.mlir";
  plan.program_file = "program";
  plan.program_digest = "feed";
  plan.sites = {{3, "step/program.mlir:5:10", false}};
  plan.other_programs = {
      {{1}, {}, "o.mlir", "other1.mlir", "beef", {{4, "o.mlir:6:10", true}}, "", {}}};
  plan.faults = {"delay:rank=1,ms=50"};
  plan.numerics = "tpu";
  plan.collectives = "ring";
  plan.partitions = 2;
  plan.steps = 3;
  plan.carry = {{0, 0}};
  plan.arguments = {{"f32", {2, 3}, {"a0", "a1"}, {0, 1}, false}};
  plan.results = {{"f32", {}, {}, {0, 0}, true}};
  plan.cache_dir = "/tmp/cache";
  plan.cache_policy = "per-host";
  plan.cache_lock = "exclusive-file";
  plan.timeout_seconds = 5;
  return plan;
}

}  // namespace understudy::configs
