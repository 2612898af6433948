// SPDX-License-Identifier: Apache-2.0
// The way between a host's memory and its chip. Copies pass through the premapped buffer, as those
// of libtpu do (TPU_PREMAPPED_BUFFER_SIZE), and are counted. Call from the executor thread only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace understudy::worker {

class Pcie {
 public:
  struct Count {
    std::int64_t transfers = 0;
    std::int64_t bytes = 0;
  };

  // `premapped_bytes`: of the buffer, of which only a small part is ever touched; 0: there is none,
  // and copies go directly.
  explicit Pcie(std::uint64_t premapped_bytes);

  // *Requires*: the ranges do not overlap.
  void to_chip(std::byte* to, const std::byte* from, std::size_t bytes);
  void to_host(std::byte* to, const std::byte* from, std::size_t bytes);

  const Count& to_chip() const { return to_chip_; }
  const Count& to_host() const { return to_host_; }
  // Adds the counters of a receipt, in transfers and bytes.
  void add_to(std::map<std::string, std::int64_t>& counters) const;

 private:
  void copy(std::byte* to, const std::byte* from, std::size_t bytes);

  std::vector<std::byte> premapped_;
  Count to_chip_, to_host_;
};

}  // namespace understudy::worker
