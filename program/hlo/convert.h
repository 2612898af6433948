// SPDX-License-Identifier: Apache-2.0
// From an HLO module to StableHLO, private to program/hlo. Tuples are flattened: each instruction
// stands for the values of its leaves. Fusions, and computations that an operation applies, are
// inlined into the caller or its regions; calls become functions. One family of opcodes per file,
// each with a table from opcode to function. Thread-compatible.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "program/hlo/hlo.h"

namespace understudy::program::hlo {

using Values = std::vector<Value*>;

class Converter;
using ConvertFunction = void (*)(Converter&, const Instruction&);
using ConvertTable = std::unordered_map<std::string_view, ConvertFunction>;

class Converter {
 public:
  Converter(const HloModule& in, Module& out) : in_(in), out_(out) {}
  void run();

  const HloModule& module() const { return in_; }
  Module& out() { return out_; }

  // ---- operands and results of the instruction at work
  const Values& operand(std::size_t index) const;
  // Its only leaf. Throws Error{input} where the operand is a tuple.
  Value& single(std::size_t index) const;
  Values all_operands() const;
  const Instruction& operand_instruction(std::size_t index) const;
  std::size_t operand_count() const;
  void bind_pending(Values values);  // for the -done of the instruction
  // Of an opcode X-start the values are only for X-done.
  void bind(Values values);
  // The instruction's shape; of X-start that of the result, without operands and contexts.
  const HloShape& result_shape() const;

  // ---- building
  // A new operation in the current block, with results of these types.
  Operation& emit(std::string_view name, Values operands, std::vector<Type> results,
                  std::vector<NamedAttribute> attributes = {});
  // The operation of the instruction: its shape's leaves are the results, which are bound.
  Operation& emit_result(std::string_view name, Values operands,
                         std::vector<NamedAttribute> attributes = {});
  // Gives the operation a region with the called computation: arguments of these types.
  void add_region(Operation& op, std::uint32_t computation, const std::vector<Type>& arguments,
                  std::string_view terminator = "stablehlo.return");
  // The same where the computation's parameters are values from outside.
  void add_branch(Operation& op, std::uint32_t computation, const Values& outside);
  Value& constant(DenseAttribute literal);
  Value& reshape(Value& value, const Shape& shape);
  std::vector<Type> types_of(const HloShape& shape) const;
  std::vector<Type> scalars_of(std::uint32_t computation) const;  // parameters of a reducer
  const Computation& computation(std::uint32_t index) const { return in_.computations[index]; }
  // The instructions of a computation in the current block; its parameters have these values.
  Values inlined(std::uint32_t computation, const Values& parameters);
  std::string function_for(std::uint32_t computation);
  Block& block() { return *block_; }
  Location here() const;

  // Collects what has no equivalent; all is reported in one error.
  void unsupported(const Instruction& at, const std::string& what);
  [[noreturn]] void refuse(const std::string& why) const;  // a contradiction, at the instruction

  // Manual computations of Shardy that the module carries as custom calls (convert_shardy.cc).
  struct Manual {
    Operation* op = nullptr;  // once the body has been called
    Values globals;
    Attribute in_shardings, manual_axes;
    bool closed = false;
  };
  std::vector<Manual>& manuals() { return manuals_; }
  std::unordered_map<const Value*, std::pair<std::size_t, std::size_t>>& manual_values() {
    return manual_values_;  // a local value: which manual computation, which argument
  }
  // A value that no operation defines: it stands for an argument of the body until that is called.
  Value& placeholder(const Type& type);
  Operation& emit_manual(const Instruction& in, const Values& globals, const Values& locals);
  // The sharding that a result of the entry gets (xla.sdy.FuncResultSharding).
  std::unordered_map<const Value*, Attribute>& result_shardings() { return result_shardings_; }
  // Throws Error{unsupported} for manual computations that nothing ends.
  void finish_manuals();

 private:
  // The computation that is being converted: what its instructions stand for.
  struct Frame {
    const Computation* computation = nullptr;
    const Instruction* at = nullptr;
    std::vector<Values> values, pending;
    std::vector<bool> bound;
  };
  class Nest;

  void entry();
  void instruction(const Instruction& in);
  void dispatch(const Instruction& in);
  void check_bound(const Instruction& in);
  Values converted(const Computation& computation, const std::vector<Values>& parameters);
  std::vector<Values> split(const Computation& computation, const Values& leaves) const;
  Function& new_function(const Computation& computation, const std::string& name);
  void terminate(std::string_view name, const Values& values);
  std::unique_ptr<Region> new_region(const std::vector<Type>& arguments);
  void report() const;

  const HloModule& in_;
  Module& out_;
  Block* block_ = nullptr;
  Frame* frame_ = nullptr;
  int depth_ = 0;
  std::uint64_t emitted_ = 0;
  std::vector<std::string> functions_;  // names by computation; empty: none yet
  std::vector<std::pair<Location, std::string>> unsupported_;
  std::vector<Manual> manuals_;
  std::vector<std::unique_ptr<Value>> placeholders_;
  std::unordered_map<const Value*, std::pair<std::size_t, std::size_t>> manual_values_;
  std::unordered_map<const Value*, Attribute> result_shardings_;
};

// ---- attributes
NamedAttribute number(std::string_view name, std::int64_t value);
NamedAttribute number32(std::string_view name, std::int64_t value);
NamedAttribute flag(std::string_view name, bool value);
NamedAttribute text(std::string_view name, std::string value);
NamedAttribute word(std::string_view name, std::string value);
NamedAttribute list(std::string_view name, const Ints& values);  // array<i64: ...>
NamedAttribute table(std::string_view name, const Rows& rows, std::size_t least = 0,
                     std::int64_t padding = -1);
NamedAttribute structure(std::string_view name, std::string_view mnemonic,
                         std::vector<NamedAttribute> fields,
                         std::string_view dialect = "stablehlo");
Attribute number_of(std::int64_t value);
Attribute list_of(const Ints& values);  // [1, 2]
Attribute dictionary_of(const Words& words);
// What stands after '=' in MLIR text, parsed; Error{input} at the place where it is none.
Attribute parsed(const std::string& text, const Location& where);

// The families.
void add_elementwise(ConvertTable& table);
void add_movement(ConvertTable& table);
void add_algebra(ConvertTable& table);
void add_control(ConvertTable& table);
void add_collectives(ConvertTable& table);
void add_transfers(ConvertTable& table);
void add_custom_calls(ConvertTable& table);
const ConvertTable& convert_table();

// The entry as @main: shardings of arguments and results, replicas and partitions, meshes
// (convert_module.cc).
void describe_module(Converter& converter);
void describe_entry(Converter& converter, Function& main, const Values& results);
// Shardy in custom calls and frontend attributes; false where the call is none of it.
bool convert_shardy_call(Converter& converter, const Instruction& in);
bool convert_manual_body(Converter& converter, const Instruction& in);

}  // namespace understudy::program::hlo
