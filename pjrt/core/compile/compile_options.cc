// SPDX-License-Identifier: Apache-2.0
#include "pjrt/core/compile/compile_options.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "configs/base/error.h"
#include "pjrt/core/compile/proto.h"

namespace understudy::pjrt {
namespace {

// Field numbers of the messages.
constexpr std::uint32_t kBuildOptions = 3, kOverrides = 7;  // CompileOptionsProto
constexpr std::uint32_t kKey = 1, kValue = 2;               // an entry of its env_option_overrides
constexpr std::uint32_t kText = 1;                          // OptionOverrideProto.string_field
// ExecutableBuildOptions; the last two are allow_spmd_sharding_propagation_to_...
constexpr std::uint32_t kReplicas = 4, kPartitions = 5, kAssignment = 9, kToOutput = 12,
                        kToParameters = 18;
constexpr std::uint32_t kReplicaCount = 1, kComputations = 2,
                        kEntries = 3;     // DeviceAssignmentProto
constexpr std::uint32_t kReplicaIds = 1;  // DeviceAssignmentProto.ComputationDevice
// Keeps products of replicas and partitions far from overflow; no pod has so many chips.
constexpr std::int64_t kMostProcesses = 1'000'000;

std::vector<bool> flags_in(std::string_view message, std::uint32_t number) {
  std::vector<bool> flags;
  for (const std::int64_t flag : proto_integers(message, number)) flags.push_back(flag != 0);
  return flags;
}

// Options that belong to XLA and its TPU compiler. understudy follows none of them, but programs
// that a TPU refuses are refused here too.
constexpr std::array<std::string_view, 4> kFamilies = {"xla_", "tpu_", "megascale_", "mosaic_"};
// Options of XLA that are switches, of those that programs set per function.
constexpr std::array<std::string_view, 7> kSwitches = {"xla_allow_excess_precision",
                                                       "xla_cpu_enable_fast_math",
                                                       "xla_dump_hlo_as_proto",
                                                       "xla_dump_hlo_as_text",
                                                       "xla_embed_ir_in_executable",
                                                       "xla_hlo_profile",
                                                       "xla_llvm_disable_expensive_passes"};
constexpr std::array<std::string_view, 6> kTruths = {"true", "false", "True", "False", "1", "0"};

// The words are XLA's, as frameworks match them.
void check_override(std::string_view entry) {
  std::string_view name, value;
  for (const ProtoField& field : proto_fields(entry)) {
    if (field.number == kKey) name = field.bytes;
    if (field.number == kValue) value = field.bytes;
  }
  if (std::ranges::none_of(kFamilies, [&](auto family) { return name.starts_with(family); }))
    throw Error(ErrorKind::input, fmt::format("No such compile option: '{}'", name));
  if (std::ranges::find(kSwitches, name) == kSwitches.end()) return;
  for (const ProtoField& field : proto_fields(value))
    if (field.number == kText && std::ranges::find(kTruths, field.bytes) == kTruths.end())
      throw Error(ErrorKind::input,
                  fmt::format("While setting option {}, '{}' is not a valid bool value.", name,
                              field.bytes));
}

// One entry per partition, each with the device of every replica.
void read_assignment(std::string_view bytes, CompileOptions& options) {
  std::vector<std::vector<std::int64_t>> by_partition;
  for (const ProtoField& field : proto_fields(bytes))
    if (field.number == kEntries) by_partition.push_back(proto_integers(field.bytes, kReplicaIds));
  const auto fits = [&](const auto& replicas) {
    return static_cast<std::int64_t>(replicas.size()) == options.replicas;
  };
  if (static_cast<std::int64_t>(by_partition.size()) != options.partitions ||
      !std::ranges::all_of(by_partition, fits))
    throw Error(ErrorKind::input,
                fmt::format("the device assignment does not have {} replicas of {} partitions",
                            options.replicas, options.partitions));
  for (std::size_t replica = 0; replica < static_cast<std::size_t>(options.replicas); ++replica)
    for (const auto& devices : by_partition) options.devices.push_back(devices[replica]);
}

}  // namespace

// Unknown fields are skipped, as protocol buffers require of readers: newer frameworks set more.
CompileOptions read_compile_options(std::string_view bytes) {
  CompileOptions options;
  options.bytes = bytes;
  std::string_view assignment;
  for (const ProtoField& outer : proto_fields(bytes)) {
    if (outer.number == kOverrides) check_override(outer.bytes);
    if (outer.number != kBuildOptions) continue;
    options.propagate_to_parameters = flags_in(outer.bytes, kToParameters);
    options.propagate_to_output = flags_in(outer.bytes, kToOutput);
    for (const ProtoField& field : proto_fields(outer.bytes)) {
      if (field.number == kReplicas) options.replicas = static_cast<std::int64_t>(field.value);
      if (field.number == kPartitions) options.partitions = static_cast<std::int64_t>(field.value);
      if (field.number == kAssignment) assignment = field.bytes;
    }
  }
  // 0: not set.
  options.replicas = std::max<std::int64_t>(options.replicas, 1);
  options.partitions = std::max<std::int64_t>(options.partitions, 1);
  if (options.replicas > kMostProcesses || options.partitions > kMostProcesses / options.replicas)
    throw Error(ErrorKind::input,
                fmt::format("{} replicas of {} partitions", options.replicas, options.partitions));
  if (!assignment.empty()) read_assignment(assignment, options);
  return options;
}

// The inverse of read_assignment(): the proto lists by partition, `devices` by replica.
std::string device_assignment_proto(const CompileOptions& options) {
  ProtoWriter out;
  out.number(kReplicaCount, static_cast<std::uint64_t>(options.replicas));
  out.number(kComputations, static_cast<std::uint64_t>(options.partitions));
  for (std::int64_t partition = 0; partition < options.partitions; ++partition) {
    std::vector<std::int64_t> ids;
    for (std::int64_t replica = 0; replica < options.replicas; ++replica)
      ids.push_back(
          options.devices.at(static_cast<std::size_t>(replica * options.partitions + partition)));
    ProtoWriter entry;
    entry.packed(kReplicaIds, ids);
    out.bytes(kEntries, entry.take());
  }
  return out.take();
}

}  // namespace understudy::pjrt
