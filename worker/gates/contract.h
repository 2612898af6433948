// SPDX-License-Identifier: Apache-2.0
// The first gate. Every worker computed the launch contract from what it found itself; here all
// ranks compare it section by section. Digests are exchanged first; lines only of sections whose
// digests differ, so that the error can name the rank, its host and the variable. Call from the
// executor thread, on all ranks.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "configs/launch/contract.h"
#include "worker/pod/control_channel.h"

namespace understudy::worker {

class ContractGate {
 public:
  // All outlive it. `inputs` as this worker found them; nullptr for a worker started by hand.
  ContractGate(ControlChannel& control_channel, const configs::RunPlan& plan, std::string machine,
               const configs::LaunchInputs* inputs)
      : control_channel_(control_channel),
        plan_(plan),
        machine_(std::move(machine)),
        inputs_(inputs) {}

  // `own`: the contract as this worker computed it; `alike`: sections that the launcher does not
  // know but that must be equal on all ranks (build id, library versions). *Throws* Error{protocol}
  // on every rank.
  void check(const configs::Contract& own, const std::vector<configs::ContractSection>& alike);

  // The first divergent rank, where this rank is not divergent itself.
  std::optional<Rank> culprit() const { return culprit_; }

 private:
  struct DivergentRank {
    std::size_t rank = 0;
    std::vector<std::size_t> sections;  // that differ
  };
  std::vector<DivergentRank> divergent_ranks_in(
      const std::vector<std::vector<std::string>>& digests) const;
  // The lines of the differing sections of all ranks, by rank and section; those of sections
  // without differences stay empty. Collective.
  std::vector<std::vector<configs::ContractSection>> exchange_lines(
      const std::vector<configs::ContractSection>& own,
      const std::vector<DivergentRank>& divergent);
  [[noreturn]] void refuse(const std::vector<configs::ContractSection>& own,
                           const std::vector<DivergentRank>& divergent,
                           const std::vector<std::string>& machines);
  std::vector<configs::LineDifference> lines_of(
      const DivergentRank& one, const std::vector<DivergentRank>& all,
      const std::vector<std::vector<configs::ContractSection>>& told) const;
  std::size_t identity() const { return plan_.contract_sections.size(); }

  ControlChannel& control_channel_;
  const configs::RunPlan& plan_;
  std::string machine_;
  const configs::LaunchInputs* inputs_;
  std::optional<Rank> culprit_;
};

}  // namespace understudy::worker
