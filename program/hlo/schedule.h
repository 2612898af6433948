// SPDX-License-Identifier: Apache-2.0
// The scheduled program of an XLA compiler as a flat table: what runs in which order, for how many
// cycles by the compiler's own estimate, what is asynchronous, in which memory results are, and
// which algorithm a collective has. Pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "program/hlo/hlo.h"

namespace understudy::program::hlo {

struct ScheduledInstruction {
  std::string computation, name, opcode;
  std::uint32_t depth = 0;             // of the computation: 0 is the entry
  bool in_loop = false;                // runs once per iteration
  std::optional<std::int64_t> cycles;  // estimated by the compiler; nullopt: it says nothing
  // Of a "-start" the row of its "-done", and the reverse.
  std::optional<std::uint32_t> partner;
  std::int64_t memory_space = 0;  // of the (first) result: 0 HBM, 1 VMEM, 2 SMEM
  std::uint64_t bytes = 0;        // of all results, without padding
  // Of a collective, also of one inside a fusion or an asynchronous computation: "all-reduce".
  std::string collective;
  std::uint64_t operand_bytes = 0;  // of the collective, on one chip
  // Of these, each array; types that StableHLO lacks are left out.
  std::vector<TensorType> operand_types;
  Rows groups;  // replica groups, or source and target pairs
  // What the numbers in `groups` are, as in StableHLO: replicas, partitions or processes.
  std::int64_t channel = 0;
  bool global_ids = false;
  std::string algorithm;  // "RotatedPincerEmitter, UniDirection1DRingStrategy"
  std::string op_name;    // metadata
  Location location;
};

struct Schedule {
  std::string module;
  bool scheduled = false;  // false: the order is only that of the list
  std::vector<ScheduledInstruction> rows;
  // The sum over the entry and what it calls once; loop bodies count once.
  std::int64_t cycles = 0;
};

// The entry computation and, behind the instruction that calls them, bodies of loops, conditionals
// and calls. The module must outlive the locations.
Schedule schedule_of(const HloModule& module);

// Bytes of an array or of all parts of a tuple; 0 for types that StableHLO lacks.
std::uint64_t bytes_of(const HloShape& shape);

// The value of a key in a backend_config, which is JSON on one line: "48226" for both
// "key":"48226" and "key":48226; empty if there is none. Only the first one of this name.
std::string config_value(std::string_view config, std::string_view key);

}  // namespace understudy::program::hlo
