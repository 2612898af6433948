// SPDX-License-Identifier: Apache-2.0
// A program that this process compiled: what the chips load, and what frameworks ask about it.
// Compilation runs in the caller's thread and needs no chip. Immutable; shared by the handles of
// the C API and by launches.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "pjrt/core/compile/compile_options.h"
#include "pjrt/core/device.h"
#include "pjrt/core/memory/array_layout.h"
#include "program/executable/executable.h"
#include "program/partitioner.h"

namespace understudy::pjrt {

struct CompiledParameter {
  program::TensorType type;  // of one chip
  MemoryKind memory = MemoryKind::device;
  bool donated = false;  // an argument that the launch may consume
  // A token orders effects and carries no data. Frameworks pass an array without elements for it;
  // the chips get none.
  bool token = false;
  std::string sharding;  // OpSharding, over the partitions; empty: of one partition
  LayoutRef layout;      // that the program asks for
};

// Which numbers frameworks are told: per chip, of one launch.
struct CompiledCost {
  double flops = 0, bytes_accessed = 0, transcendentals = 0;
};

struct Compiled {
  std::string name;         // "jit_step"
  std::string fingerprint;  // of the executable: equal on all hosts for equal programs
  CompileOptions options;
  std::vector<CompiledParameter> arguments, results;
  // Results that continue in the memory of donated arguments; indices count tokens as well.
  std::vector<program::Donation> donations;
  std::int64_t replicas = 1, partitions = 1;
  std::string archive;           // cache/archive.h, without constants
  std::vector<std::byte> image;  // of its code, in HBM: the constants first
  std::uint64_t constants_bytes = 0, temporary_bytes = 0, hbm_bytes = 0;
  std::uint64_t host_temporary_bytes = 0;  // that the chip's worker allocates
  std::shared_ptr<const std::vector<std::string>> op_names;
  CompiledCost cost;
  std::string code, format;  // what the framework gave
  std::string partitioned;   // the program of one chip; empty: no partitioner was needed

  std::int64_t processes() const { return replicas * partitions; }
};
using CompiledRef = std::shared_ptr<const Compiled>;

// `code` is StableHLO: text, or a portable artifact. A global-view program goes to the partitioner
// first. *Throws* Error{input}, Error{unsupported} with the places in the user's source where the
// program has them, and what the partitioner throws.
CompiledRef compile_program(std::string_view code, std::string_view format, CompileOptions options,
                            program::Numerics numerics, program::Partitioner& partitioner);

// For caches of frameworks; only this build reads it again. *Throws* Error{input} for other bytes.
std::string serialize(const Compiled& compiled);
CompiledRef deserialize(std::string_view bytes);

}  // namespace understudy::pjrt
