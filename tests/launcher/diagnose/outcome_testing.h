// SPDX-License-Identifier: Apache-2.0
// Records of a pod of four chips on two hosts, of which a test makes an outcome.
#pragma once

#include <csignal>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gtest/gtest.h"

#include "launcher/diagnose/outcome.h"
#include "program/ir/source.h"
#include "program/read.h"

namespace understudy::launcher {

inline constexpr const char* kOutcomeProgram = R"(module @m {
  func.func public @main(%arg0: tensor<f32>) -> tensor<f32> {
    %0 = stablehlo.add %arg0, %arg0 : tensor<f32>
    return %0 : tensor<f32>
  }
}
)";

class OutcomeTest : public testing::Test {
 protected:
  OutcomeTest()
      : module_(program::parse(std::make_shared<program::Source>("p.mlir", kOutcomeProgram))) {
    plan_.chips = 4;
    plan_.host_of = {HostId(0), HostId(0), HostId(1), HostId(1)};
    for (std::int64_t rank = 0; rank < 4; ++rank) {
      configs::RecordContent record;
      record.rank = rank;
      record.phase = configs::Phase::finished;
      watched_.records.emplace_back(record);
      chips_.push_back({ChipId(10 + rank), Rank(rank), HostId(rank / 2), {}});
    }
  }
  Outcome outcome(const std::string& mpirun_output = "banner") const {
    return outcome_of(watched_, plan_, chips_, OpLocations(*module_), mpirun_output);
  }
  void fail(std::size_t rank, configs::FailureKind kind, const std::string& message,
            std::vector<std::int64_t> missing = {},
            std::optional<configs::Evidence> evidence = {}) {
    if (!evidence && kind == configs::FailureKind::timeout)
      evidence = configs::Evidence::no_progress;
    if (!evidence && kind == configs::FailureKind::protocol) evidence = configs::Evidence::mismatch;
    watched_.records[rank]->phase = configs::Phase::failed;
    watched_.records[rank]->observations.push_back(
        configs::Failed{kind,
                        message,
                        configs::Phase::programs_allowed,
                        "stablehlo.add",
                        0,
                        std::move(missing),
                        evidence.value_or(configs::Evidence::own_error),
                        {}});
  }
  // A signal in the record of a rank, as its worker writes it before it leaves.
  void signal(std::size_t rank, int number, bool from_pod, std::int64_t at_ns = 1) {
    watched_.records[rank]->observations.push_back(
        configs::SignalSeen{number, 4711, from_pod ? "mpirun" : "bash", from_pod, at_ns});
    fail(rank, configs::FailureKind::interrupted, "received a signal", {},
         from_pod ? configs::Evidence::interrupted : configs::Evidence::own_signal);
  }
  static LostWorker killed(std::int64_t rank, std::uint32_t op = 0) {
    return {rank, Loss::by(LossKind::killed), configs::Phase::programs_allowed, op};
  }
  static LostWorker stopped(std::int64_t rank) {
    return {rank, Loss::by(LossKind::stopped, SIGSTOP), configs::Phase::programs_allowed, 1};
  }
  void grow(std::int64_t ranks) {
    for (std::int64_t rank = 4; rank < ranks; ++rank) {
      plan_.host_of.emplace_back(0);
      watched_.records.push_back(watched_.records.front());
      watched_.records.back()->rank = rank;
    }
    plan_.chips = ranks;
  }

  configs::RunPlan plan_;
  std::vector<configs::Chip> chips_;
  std::unique_ptr<program::Module> module_;
  WatchedRun watched_;
};

}  // namespace understudy::launcher
