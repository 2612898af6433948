// SPDX-License-Identifier: Apache-2.0
// What the operations of each chip's program are called and where they stand in its file: records
// only know their ordinals. Ranks may run different programs. Thread-compatible.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "program/ir/ir.h"

namespace understudy::launcher {

class OpLocations {
 public:
  struct Entry {
    std::string name;                  // "stablehlo.all_reduce"
    std::optional<std::string> place;  // "path:line:column"
  };

  // Every rank runs this module, which outlives the book.
  explicit OpLocations(const program::Module& module);
  // But these run that one.
  void add(const program::Module& module, const std::vector<std::int64_t>& ranks);

  // By its ordinal among operations_in_order(); nullopt outside of them.
  std::optional<Entry> find(std::int64_t rank, std::int64_t op) const;
  std::optional<std::string> place(std::int64_t rank, std::int64_t op) const;

 private:
  using Operations = std::vector<const program::Operation*>;

  std::vector<Operations> programs_;
  std::map<std::int64_t, std::size_t> others_;  // rank, program; the first for all others
};

}  // namespace understudy::launcher
