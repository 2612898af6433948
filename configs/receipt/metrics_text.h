// SPDX-License-Identifier: Apache-2.0
// Metrics and counters in the format of torch_xla's metrics_report(), so that tools for it can read
// ours: "Metric: NAME", TotalSamples, Accumulator, ValueRate, Rate, Percentiles; "Counter: NAME",
// Value. Entries without a sample, and zero counters, are left out. Parts of a time are exact
// here; torch_xla rounds each part up. Pure functions.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "configs/receipt/record/record.h"

namespace understudy::configs {

struct MetricSeries {
  std::vector<double> seconds;                        // samples
  std::vector<std::pair<double, double>> timed = {};  // when, sample; for the rates
};

struct MetricsText {
  std::map<std::string, MetricSeries> metrics;
  std::map<std::string, std::int64_t> counters;
};

// All chips together.
MetricsText metrics_of(const std::vector<std::optional<RecordContent>>& records);
// In the format of torch_xla's metrics_report(), which users' scripts parse.
std::string text_of(const MetricsText& metrics);

// "01m02s003ms004.500us"
std::string metric_time_text(double seconds);

}  // namespace understudy::configs
