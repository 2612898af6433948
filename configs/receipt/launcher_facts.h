// SPDX-License-Identifier: Apache-2.0
// How the launcher makes the receipt of a run: from the records of the ranks, and from what it
// knows itself. Plain values, pure functions.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "configs/launch/mesh_layout.h"
#include "configs/launch/run_plan.h"
#include "configs/receipt/receipt.h"

namespace understudy::configs {

// What only the launcher knows.
struct LauncherFacts {
  std::string started_at;
  double wall_seconds = 0;
  std::int64_t exit_code = 0;
  std::optional<ReceiptFailure> failure;
  std::vector<std::string> faults;
  std::optional<ReceiptLaunch> launch;
  std::optional<Provenance> provenance;
  std::optional<ScriptSeen> script;
  std::optional<PartitionSeen> partition;
  std::optional<std::vector<MeshAxisPlace>> mesh;
  struct Result {
    std::int64_t index = 0;
    std::string dtype;                // NumPy's name
    std::vector<std::int64_t> shape;  // global
    std::optional<ResultComparison> comparison;
    std::optional<bool> read_before_reduction;
    std::optional<std::string> name;
    std::optional<ResultComparison> comparison_ieee;
  };
  std::vector<Result> results;
  // "path:line:column" of an operation in the program of a rank; nullopt where it is not known.
  std::function<std::optional<std::string>(std::int64_t rank, std::int64_t op)> place_of;
};

// records[r] is what rank r left, or nullopt. The verdict is "passed" for exit code 0.
Receipt assemble(const RunPlan& plan, const std::vector<std::optional<RecordContent>>& records,
                 const LauncherFacts& facts);

// What the launcher expects every worker to find: of the contract's sections.
struct ExpectedDigests {
  std::string environment, program;
};
// Adds the provenance of a run (provenance.h). assemble() calls it; for the receipt of a rehearsal
// the launcher does.
void add_provenance(Receipt& receipt, const std::optional<Provenance>& provenance,
                    const ExpectedDigests& expected);

}  // namespace understudy::configs
