// SPDX-License-Identifier: Apache-2.0
// The numbers of one chip generation, read from configs/chips/<name>.json (embedded in the binary).
// Plain values. Capacities are decimal bytes, rates per second.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace understudy::configs {

// Which axes of a slice wrap around.
enum class WrapRule : std::uint8_t {
  axis_length,  // an axis of exactly wrap_length chips
  whole_cubes,  // every axis, when all are multiples of wrap_length
  whole_pod,    // every axis, of the largest shape only
};

// The main memory of a machine with this number of chips.
struct HostMemory {
  std::int64_t chips = 0;
  std::uint64_t bytes = 0;
};

struct ChipSpec {
  std::string name;                   // "v6e"
  std::vector<std::string> aliases;   // "v5litepod"
  std::string accelerator_type;       // prefix of the cloud's slice names: "v5litepod"
  std::string device_kind;            // "TPU v6 lite"
  std::int64_t tensor_cores = 1;      // per chip
  std::int64_t devices_per_chip = 1;  // as frameworks list them
  bool suffix_counts_cores = false;   // slice names count TensorCores: v5p-8 is 4 chips
  std::uint64_t hbm_bytes = 0;
  double hbm_bytes_per_second = 0;
  double bf16_flops_per_second = 0, int8_ops_per_second = 0;
  std::int64_t mxu_per_core = 0, mxu_rows = 0, mxu_columns = 0;
  std::uint64_t vmem_bytes = 0;          // per core
  double ici_link_bytes_per_second = 0;  // of one link, both directions together
  std::int64_t ici_ports = 0;
  std::optional<double> dcn_bytes_per_second;  // per host, both directions together
  std::int64_t torus_ndims = 2;
  WrapRule wrap_rule = WrapRule::axis_length;
  std::int64_t wrap_length = 0;
  // Valid slice shapes: fewest chips first, then the most compact.
  std::vector<std::vector<std::int64_t>> shapes;
  std::vector<std::int64_t> host_shape;  // chips of one host in a multi-host slice: 2x2 or 2x2x1
  std::int64_t single_host_chips = 4;    // slices up to this many chips are one host
  std::int64_t physical_host_chips = 4;
  std::vector<HostMemory> host_memory;  // fewest chips first; empty if unknown
  std::string digest;                   // of the JSON document
};

// Names of the embedded generations, oldest first.
std::vector<std::string> chip_names();
// By name or alias; throws Error{usage} with the nearest valid names.
const ChipSpec& chip_spec(const std::string& name);
// Reads and validates a document (`--chip-spec FILE`, configs/schema/chip.json). Throws
// Error{config} with file, line, column and pointer.
ChipSpec read_chip_spec(const std::string& text, const std::string& path);

}  // namespace understudy::configs
