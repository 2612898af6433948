// SPDX-License-Identifier: Apache-2.0
#include "configs/receipt/metrics_text.h"

#include <gtest/gtest.h>

namespace understudy::configs {
namespace {

TEST(MetricTime, HasTheFormOfTorchXla) {
  EXPECT_EQ(metric_time_text(0), "000.000us");
  EXPECT_EQ(metric_time_text(0.0000015), "001.500us");
  EXPECT_EQ(metric_time_text(0.0025), "002ms500.000us");
  EXPECT_EQ(metric_time_text(1.6), "01s600ms000.000us");
  EXPECT_EQ(metric_time_text(3723.000001), "01h02m03s000ms001.000us");
  EXPECT_EQ(metric_time_text(90000), "01d01h00m00s000ms000.000us");
}

TEST(MetricsText, PrintsMetricsThenCountersWithoutTheEmptyOnes) {
  RecordContent record;
  Compiled compiled;
  compiled.compile_seconds = 0.5;
  compiled.cache.emplace();
  compiled.cache->lock_wait_seconds = {0.001, 0.003};
  Totals totals;
  totals.counters = {{"UncachedCompile", 1}, {"CachedCompile", 0}};
  record.observations = {compiled, Stepped{0, 0, 1'000'000, {}},
                         Stepped{1, 1'000'000, 2'000'000, {}}, totals};
  EXPECT_EQ(text_of(metrics_of({record, std::nullopt})),
            "Metric: CacheLockWaitTime\n"
            "  TotalSamples: 2\n"
            "  Accumulator: 004ms000.000us\n"
            "  Percentiles: 1%=001ms000.000us; 5%=001ms000.000us; 10%=001ms000.000us; "
            "20%=001ms000.000us; 50%=003ms000.000us; 80%=003ms000.000us; 90%=003ms000.000us; "
            "95%=003ms000.000us; 99%=003ms000.000us\n"
            "Metric: CompileTime\n"
            "  TotalSamples: 1\n"
            "  Accumulator: 500ms000.000us\n"
            "  Percentiles: 1%=500ms000.000us; 5%=500ms000.000us; 10%=500ms000.000us; "
            "20%=500ms000.000us; 50%=500ms000.000us; 80%=500ms000.000us; 90%=500ms000.000us; "
            "95%=500ms000.000us; 99%=500ms000.000us\n"
            "Metric: ExecuteReplicatedTime\n"
            "  TotalSamples: 2\n"
            "  Accumulator: 002ms000.000us\n"
            "  ValueRate: 02s000ms000.000us / second\n"
            "  Rate: 2000 / second\n"
            "  Percentiles: 1%=001ms000.000us; 5%=001ms000.000us; 10%=001ms000.000us; "
            "20%=001ms000.000us; 50%=001ms000.000us; 80%=001ms000.000us; 90%=001ms000.000us; "
            "95%=001ms000.000us; 99%=001ms000.000us\n"
            "Counter: UncachedCompile\n"
            "  Value: 1\n");
}

}  // namespace
}  // namespace understudy::configs
