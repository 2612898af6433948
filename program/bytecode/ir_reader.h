// SPDX-License-Identifier: Apache-2.0
// The IR section: operations, regions and values. Private to the bytecode reader.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "program/bytecode/operations.h"
#include "program/bytecode/tables.h"
#include "program/ir/ir.h"

namespace understudy::program::bytecode {

class IrReader {
 public:
  IrReader(const Container& container, Tables& tables, Budget& budget, Places& places);

  // The module as an operation whose region holds functions ("func.func") and meshes ("sdy.mesh"),
  // all with the attributes of their generic form.
  std::unique_ptr<Operation> module();

 private:
  // The surroundings of an operation.
  struct Around {
    std::string_view parent;  // name of the operation whose region this is; empty: the file
    int depth = 0;
  };
  // Bits of an operation's encoding mask: which parts follow.
  enum Has : std::uint8_t {
    kHasAttributes = 0x01,
    kHasResults = 0x02,
    kHasOperands = 0x04,
    kHasSuccessors = 0x08,
    kHasRegions = 0x10,
    kHasUseLists = 0x20,
    kHasProperties = 0x40,
    kHasUnknown = 0x80,
  };
  // One operation being read: what precedes its regions.
  struct Head {
    const KnownOp* known = nullptr;
    std::uint64_t offset = 0;
    std::uint8_t mask = 0;
  };

  void read_properties_section();  // if this version of the bytecode has one
  std::unique_ptr<Operation> operation(Cursor& in, const Around& around);
  Head head(Cursor& in);
  void place_check(const Operation& op, const Around& around, const Cursor& in) const;
  std::vector<NamedAttribute> attributes(Cursor& in, const Head& head, Operation& op);
  void add_properties(Cursor& in, const KnownOp& known, std::vector<NamedAttribute>& into);
  void results(Cursor& in, Operation& op);
  void operands(Cursor& in, Operation& op);
  void regions(Cursor& in, Operation& op, const Around& around);
  void region(Cursor& in, Operation& op, const Around& around);
  void block(Cursor& in, Block& block, const Around& around);
  void arguments(Cursor& in, Block& block);
  void define(Value* value, const Cursor& in);
  void use_lists(Cursor& in, std::uint64_t values) const;
  bool is_cast(const Operation& op, const Cursor& in);

  const Container& container_;
  Tables& tables_;
  Budget& budget_;
  Places& places_;
  std::vector<const KnownOp*> known_;  // by index of the operation name
  std::vector<Cursor> properties_;
  std::vector<Value*> values_;  // of the scope, by number; nullptr: not defined yet
  std::size_t next_value_ = 0;
};

// Functions, meshes and attributes from what IrReader::module() gives.
std::unique_ptr<Module> module_of(Operation& op);

}  // namespace understudy::program::bytecode
