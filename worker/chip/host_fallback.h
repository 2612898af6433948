// SPDX-License-Identifier: Apache-2.0
// The fault of an operation that the compiler did not lower: it runs on the host. Its operands are
// copied there and its results back, and torch_xla's counter of such operations, `aten::NAME`,
// counts each time. Call from the executor thread only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "program/executable/executable.h"

namespace understudy::worker {

struct Execution;

class HostFallback {
 public:
  // `op`: "dot_general", also "stablehlo.dot_general" and "aten::dot_general".
  explicit HostFallback(const std::string& op);

  // Before a launch: the names of the program's operations, by Instruction::op.
  void begin(const std::vector<std::string>& op_names);
  bool takes(std::uint32_t op) const { return op < taken_.size() && taken_[op]; }
  // A fused loop also where it holds the operation: all its operands travel.
  bool takes(const program::Instruction& instruction) const;
  // Around an instruction that it takes.
  void fetch(const program::Instruction& instruction, const Execution& execution);
  void put_back(const program::Instruction& instruction, Execution& execution);
  // After a launch. An operation that does not appear in the code (it was fused, or the framework
  // could not trace it) counts once and copies `bytes`.
  void end(std::span<std::byte> bytes);

  void add_to(std::map<std::string, std::int64_t>& counters) const;

 private:
  void carry(std::span<const std::byte> bytes);

  std::string name_;         // without a dialect
  std::vector<bool> taken_;  // by Instruction::op
  std::vector<std::byte> host_;
  std::int64_t times_ = 0, times_before_ = 0;
};

}  // namespace understudy::worker
