// SPDX-License-Identifier: Apache-2.0
// What the names of values stand for while a function is read. Printers number nearly all of them
// (%0, %1, ...), so those lie in a vector; the others in a map. Names are views of the source.
// Thread-compatible. Equivalent: the symbol table of mlir::OperationParser.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "program/ir/ir.h"

namespace understudy::program {

class ValueNames {
 public:
  // Results [first, first + count) of `op`, or `argument`.
  struct Binding {
    Value* argument = nullptr;
    Operation* op = nullptr;
    std::uint32_t first = 0;
    std::uint32_t count = 0;  // 0: nothing
    std::uint64_t offset = 0;
  };

  const Binding* find(std::string_view name) const;  // nullptr: not bound
  // False where the name is bound already. *Requires* binding.count > 0.
  bool bind(std::string_view name, const Binding& binding);

  // A region's end forgets what was bound since its beginning.
  std::size_t mark() const { return bound_.size(); }
  void forget(std::size_t mark);

 private:
  std::optional<std::size_t> slot_of(std::string_view name) const;

  std::vector<Binding> numbered_;
  std::unordered_map<std::string_view, Binding> named_;
  std::vector<std::string_view> bound_;  // newest last
};

}  // namespace understudy::program
