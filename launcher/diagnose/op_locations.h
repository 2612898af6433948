// SPDX-License-Identifier: Apache-2.0
// Names and source places of the operations of each rank's program. Records store only ordinals.
// Ranks may run different programs. Thread-compatible.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "program/ir/ir.h"

namespace understudy::launcher {

class OpLocations {
 public:
  struct Entry {
    std::string name;                   // "stablehlo.all_reduce"
    std::optional<std::string> place;   // "path:line:column"
    std::optional<std::string> python;  // the same of the Python that it comes from
  };

  // The program of all ranks. `module` and its `text` must outlive this; no text: no Python places.
  explicit OpLocations(const program::Module& module, std::string_view text = {});
  // These ranks run another program.
  void add(const program::Module& module, const std::vector<std::int64_t>& ranks);

  // `op`: ordinal in operations_in_order(); nullopt if out of range.
  std::optional<Entry> find(std::int64_t rank, std::int64_t op) const;
  std::optional<std::string> place(std::int64_t rank, std::int64_t op) const;

 private:
  using Operations = std::vector<const program::Operation*>;
  const program::Operation* operation(std::int64_t rank, std::int64_t op) const;

  std::vector<Operations> programs_;
  std::string_view text_;  // of the first program
  std::map<std::int64_t, std::size_t>
      others_;  // rank -> index in programs_; ranks not listed use 0
};

}  // namespace understudy::launcher
