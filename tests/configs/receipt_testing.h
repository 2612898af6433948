// SPDX-License-Identifier: Apache-2.0
// Records and facts of a run of two chips that passed, for tests of receipts. Values.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "configs/receipt/launcher_facts.h"
#include "tests/configs/plan_testing.h"

namespace understudy::configs {

using Records = std::vector<std::optional<RecordContent>>;

inline RecordContent record_of(std::int64_t rank) {
  Started started;
  started.pid = 100 + rank;
  started.pid_start = 5;
  started.machine = "laptop";
  started.cpu = "a CPU";
  started.isa = "avx2";
  started.mxu = "oneDNN";
  started.mpi = "Open MPI 4.1.4";
  started.version = "VERSION";
  started.revision = "REVISION";
  started.contract_digest = "0123";
  started.program_digest = "4567";
  started.environment_digest = "89";
  started.worker_id = 0;
  Compiled compiled;
  compiled.cached = rank != 0;
  compiled.wall_seconds = 0.5 + 0.25 * static_cast<double>(rank);
  compiled.compile_seconds = rank == 0 ? 0.5 : 0;
  compiled.key = "k";
  compiled.policy = "per-host";
  compiled.program_digest = "feed";
  Stepped step;
  step.start_ns = 1'000'000'000 + 100'000'000 * rank;
  step.end_ns = 1'600'000'000 + 150'000'000 * rank;
  if (rank == 0) step.scalars = {{0, 0.5}};
  RecordContent record;
  record.rank = rank;
  record.instructions = 40;
  record.phase = Phase::finished;
  record.observations = {
      started,
      GateSeen{"contract checked", 0.125, "0123"},
      compiled,
      step,
      CollectiveCount{"all_reduce", "ring", 4, 4, 1000, 8, 4000},
      MemorySeen{900, 800u + static_cast<std::uint64_t>(rank), 32'000'000'000},
      ResultSeen{0, "d0", "f32", {}},
      Totals{rank == 0 ? 1 : 0, 1, 40, {{{"UncachedCompile", rank == 0 ? 1 : 0}}}}};
  if (rank == 0) record.observations.emplace_back(ClocksSeen{{0, 0.5}});
  return record;
}

inline Provenance provenance() {
  Provenance all;
  all.pins.packages = {{"understudy", "VERSION"}, {"C library", "2.36"}};
  all.code_state.commit = std::string(40, 'a');
  all.code_state.dirty = false;
  all.hardware = {"v6e", "2x2", {false, false}, 1, 1, 4, "seed"};
  all.cache.policy = "per-host";
  all.cache.path_class = "node-local";
  all.mem = {4096, 8192, 16384};
  return all;
}

inline LauncherFacts facts_of(std::int64_t exit_code) {
  LauncherFacts facts;
  facts.started_at = "2026-01-31T12:00:00Z";
  facts.wall_seconds = 2.5;
  facts.exit_code = exit_code;
  facts.provenance = provenance();
  facts.results = {{0,
                    "float32",
                    {},
                    ResultComparison{1e-7, 1e-6, 2e-4, 2e-5, true},
                    false,
                    std::nullopt,
                    std::nullopt}};
  return facts;
}

// The same words whatever the build is called.
inline Receipt without_versions(Receipt receipt) {
  receipt.versions.revision = "REVISION";
  receipt.tool_version = "understudy VERSION (REVISION)";
  if (receipt.env_restore) receipt.env_restore->by = *receipt.tool_version;
  return receipt;
}

inline Receipt passed() {
  Receipt receipt = assemble(small_plan(), {record_of(0), record_of(1)}, facts_of(0));
  return without_versions(std::move(receipt));
}

}  // namespace understudy::configs
