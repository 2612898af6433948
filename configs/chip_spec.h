// SPDX-License-Identifier: Apache-2.0
// The numbers of one chip generation, read from configs/chips/<name>.json (embedded in the binary).
// Plain values. Capacities are decimal bytes, rates per second.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace understudy::configs {

struct ChipSpec {
  std::string name;                  // "v6e"
  std::vector<std::string> aliases;  // "v5litepod"
  std::string device_kind;           // "TPU v6 lite"
  std::int64_t tensor_cores =
      1;  // per chip; suffixes of slice names count these where suffix_counts_cores
  bool suffix_counts_cores = false;
  std::uint64_t hbm_bytes = 0;
  double hbm_bytes_per_second = 0;
  double bf16_flops_per_second = 0, int8_ops_per_second = 0;
  std::int64_t mxu_per_core = 0, mxu_rows = 0, mxu_columns = 0;
  std::uint64_t vmem_bytes = 0;          // per core
  double ici_link_bytes_per_second = 0;  // one link, both ways together
  std::int64_t ici_ports = 0;
  double dcn_bytes_per_second = 0;  // per host
  std::int64_t torus_ndims = 2;
  std::int64_t wrap_length =
      16;  // an axis of this length wraps (2-D); 3-D: every axis a multiple of 4
  std::vector<std::vector<std::int64_t>> shapes;  // valid slice shapes, smallest first
  std::vector<std::int64_t> host_shape;  // chips of one host in a multi-host slice: 2x2 or 2x2x1
  std::int64_t single_host_chips = 4;    // slices up to this many chips are one host
  std::int64_t physical_host_chips = 4;
  std::string digest;  // of the JSON document
};

// Names of the embedded generations, oldest first: v3, v4, v5e, v5p, v6e.
std::vector<std::string> chip_names();
// By name or alias; throws Error{usage} with the nearest valid names.
const ChipSpec& chip_spec(const std::string& name);
// Reads and validates a document (`--chip-spec FILE`); errors have file, line, column, pointer.
ChipSpec read_chip_spec(const std::string& text, const std::string& path);

}  // namespace understudy::configs
