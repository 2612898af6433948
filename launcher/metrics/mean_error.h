// SPDX-License-Identifier: Apache-2.0
// How far a mean of means is from the mean, with the data at hand. The program runs twice more,
// with the division of each chip replaced by its numerator and by its denominator; the ratio of the
// two results is the global mean, because everything behind the division is linear.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "launcher/metrics/probe.h"

namespace understudy::launcher {

struct MeanError {
  std::size_t result = 0;
  double is = 0, global = 0;  // the result, and the mean over all chips
};

// The program with `x / y` at this place replaced by x, or by y. nullopt where the place is in a
// function that is called several times.
std::optional<std::string> with_one_side(const std::string& path, const std::string& text,
                                         const program::analysis::Place& division, bool numerator);

// For every mean of means of the report. Uses the pod that runs the experiments.
std::vector<MeanError> mean_errors(PodClient& pod, const ProbeTask& task,
                                   const program::analysis::StaticReport& analysis,
                                   const ResultValues& base);

}  // namespace understudy::launcher
