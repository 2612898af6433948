// SPDX-License-Identifier: Apache-2.0
#include "configs/receipt/metrics_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <numeric>

namespace understudy::configs {
namespace {

constexpr std::array<double, 9> kPercentiles = {0.01, 0.05, 0.1, 0.2, 0.5, 0.8, 0.9, 0.95, 0.99};
constexpr double kSecondsPerNanosecond = 1e-9;

struct Collector {
  MetricsText& text;

  void operator()(const Compiled& seen) {
    if (seen.compile_seconds > 0)
      text.metrics["CompileTime"].seconds.push_back(seen.compile_seconds);
    if (!seen.cache) return;
    if (seen.cached)
      text.metrics["PersistentCacheLoad"].seconds.push_back(seen.cache->read_seconds);
    for (const double wait : seen.cache->lock_wait_seconds)
      text.metrics["CacheLockWaitTime"].seconds.push_back(wait);
    if (seen.cache->wait_seconds > 0)
      text.metrics["CacheLeaderWaitTime"].seconds.push_back(seen.cache->wait_seconds);
  }
  void operator()(const Stepped& seen) {
    MetricSeries& series = text.metrics["ExecuteReplicatedTime"];
    const double took = static_cast<double>(seen.end_ns - seen.start_ns) * kSecondsPerNanosecond;
    series.seconds.push_back(took);
    series.timed.emplace_back(static_cast<double>(seen.end_ns) * kSecondsPerNanosecond, took);
  }
  void operator()(const Totals& seen) {
    if (!seen.counters) return;
    for (const auto& [name, value] : *seen.counters) text.counters[name] += value;
  }
  template <class Other>
  void operator()(const Other&) {}
};

// Rates need two samples at different times.
std::string rates_text(const MetricSeries& series) {
  if (series.timed.size() < 2) return "";
  const auto [first, last] = std::ranges::minmax_element(series.timed);
  const double span = last->first - first->first;
  if (span <= 0) return "";
  double sum = 0;
  for (const auto& [when, sample] : series.timed) sum += sample;
  return fmt::format("  ValueRate: {} / second\n  Rate: {:g} / second\n",
                     metric_time_text(sum / span), static_cast<double>(series.timed.size()) / span);
}

// The percentiles of torch_xla's report.
std::string percentiles_text(std::vector<double> samples) {
  std::sort(samples.begin(), samples.end());
  std::string text;
  for (const double share : kPercentiles) {
    // torch_xla truncates the index; the same samples must give the same text here.
    const auto at = static_cast<std::size_t>(share * static_cast<double>(samples.size()));
    text += fmt::format("{}{:g}%={}", text.empty() ? "" : "; ", 100 * share,
                        metric_time_text(samples[std::min(at, samples.size() - 1)]));
  }
  return text;
}

}  // namespace

MetricsText metrics_of(const std::vector<std::optional<RecordContent>>& records) {
  MetricsText text;
  for (const auto& record : records) {
    if (!record) continue;
    for (const Observation& seen : record->observations) std::visit(Collector{text}, seen);
  }
  return text;
}

// Leading zero parts are left out, as torch_xla does; below one millisecond only microseconds are
// shown.
std::string metric_time_text(double seconds) {
  constexpr std::int64_t kThousand = 1000, kSixty = 60, kHoursPerDay = 24;
  const auto nanoseconds = static_cast<std::int64_t>(std::llround(seconds / kSecondsPerNanosecond));
  const double micro = static_cast<double>(nanoseconds % 1'000'000) / 1e3;
  std::int64_t rest = nanoseconds / 1'000'000;
  const std::int64_t milli = rest % kThousand;
  rest /= kThousand;
  const std::array<std::pair<std::int64_t, char>, 4> parts = {
      {{rest / kSixty / kSixty / kHoursPerDay, 'd'},
       {rest / kSixty / kSixty % kHoursPerDay, 'h'},
       {rest / kSixty % kSixty, 'm'},
       {rest % kSixty, 's'}}};
  std::string text;
  for (const auto& [number, unit] : parts)
    if (number > 0 || !text.empty()) text += fmt::format("{:02}{}", number, unit);
  if (milli > 0 || !text.empty()) text += fmt::format("{:03}ms", milli);
  return text + fmt::format("{:07.3f}us", micro);
}

std::string text_of(const MetricsText& metrics) {
  std::string text;
  for (const auto& [name, series] : metrics.metrics) {
    if (series.seconds.empty()) continue;
    const double sum = std::accumulate(series.seconds.begin(), series.seconds.end(), 0.0);
    text += fmt::format("Metric: {}\n  TotalSamples: {}\n  Accumulator: {}\n{}  Percentiles: {}\n",
                        name, series.seconds.size(), metric_time_text(sum), rates_text(series),
                        percentiles_text(series.seconds));
  }
  for (const auto& [name, value] : metrics.counters)
    if (value != 0) text += fmt::format("Counter: {}\n  Value: {}\n", name, value);
  return text;
}

}  // namespace understudy::configs
