// SPDX-License-Identifier: Apache-2.0
// What a second run of the same program can explain: whether results match with IEEE arithmetic,
// and which operation made NaN or infinities. It starts a second pod, so it is done only after a
// short run without injected faults, or when it is asked for. Call from the main thread, signals
// held.
#pragma once

#include <optional>
#include <vector>

#include "configs/receipt/receipt.h"
#include "launcher/run/prepare_run.h"
#include "launcher/run/results.h"

namespace understudy::launcher {

class SecondRun {
 public:
  // All must outlive this. `options`: of the first run; `planned`: its plan; `arguments`: the
  // global arrays it took.
  SecondRun(const RunOptions& options, const Environment& environment, const Console& console,
            const Planned& planned, const std::vector<program::Array>& arguments)
      : options_(options),
        environment_(environment),
        console_(console),
        planned_(planned),
        arguments_(arguments) {}

  // The comparisons under `--numerics ieee`. Empty if the run was not repeated, or the second run
  // failed. `first`: the end of the first run.
  std::vector<Comparison> compared_with_ieee(const Finish& first,
                                             const std::vector<Expected>& expected) const;

  // NaN and infinities in results that are not as expected, and where they come from.
  std::optional<configs::NonFinite> non_finite(const configs::Receipt& receipt,
                                               const Finish& first) const;

 private:
  bool is_cheap(const Finish& first) const;
  // Runs once more. nullopt if it cannot start or fails.
  std::optional<Finish> run(RunOptions options, bool looks, RunFolder& folder) const;
  RunOptions again() const;  // the options, without outputs of their own

  const RunOptions& options_;
  const Environment& environment_;
  const Console& console_;
  const Planned& planned_;
  const std::vector<program::Array>& arguments_;
};

}  // namespace understudy::launcher
