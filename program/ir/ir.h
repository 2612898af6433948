// SPDX-License-Identifier: Apache-2.0
// The one IR for all inputs: modules of functions of single-block regions of operations in SSA
// form, as MLIR has them. Readers build it, the verifier checks it, passes lower it, the printer
// prints it. A Module owns everything below it; a Value* lives as long as the operation or block
// that defines it. Thread-compatible. Equivalents: mlir::ModuleOp, mlir::Operation, mlir::Value,
// mlir::Attribute.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "configs/base/error.h"
#include "program/ir/types.h"

namespace understudy::program {

class Source;
struct Operation;
struct Block;

// Where something stands in a source: byte offset in `source` (nullptr: made by a pass).
struct Location {
  const Source* source = nullptr;
  std::uint64_t offset = 0;
};

// ---- attributes -------------------------------------------------------------------------------

struct Attribute;
using NamedAttribute = std::pair<std::string, Attribute>;

// There or not there: its presence is all that it says.
struct UnitAttribute {
  bool operator==(const UnitAttribute&) const = default;
};
// 8 : i64; bools are `true`/`false` with type i1. Of numbers, `type` is the scalar tensor type.
struct IntegerAttribute {
  std::int64_t value = 0;
  Type type;
  bool operator==(const IntegerAttribute&) const = default;
};
struct FloatAttribute {
  double value = 0;
  Type type;
  bool operator==(const FloatAttribute& other) const;  // by bits: NaN equals itself
};
struct StringAttribute {
  std::string value;
  bool operator==(const StringAttribute&) const = default;
};
// A reference to a function or mesh, without the @.
struct SymbolAttribute {
  std::string name;
  bool operator==(const SymbolAttribute&) const = default;
};
struct TypeAttribute {
  Type type;
  bool operator==(const TypeAttribute&) const = default;
};
// dense<...> : tensor<...>, and array<i64: 1, 2> (is_array). A splat holds one element; readers
// make splats of all literals whose elements have the same bits. Literals of index hold i64
// (is_index).
struct DenseAttribute {
  TensorType type;
  bool is_array = false;
  bool is_splat = false;
  std::shared_ptr<const std::vector<std::byte>> data;
  bool is_index = false;
  bool operator==(const DenseAttribute& other) const;
};
struct ArrayAttribute;
struct DictionaryAttribute;
// #stablehlo.gather<...>, #sdy.sharding<...>: dialect and mnemonic with what stands inside, as
// parameters: key = value pairs; parts without a key have an empty one. Of attributes nobody here
// reads, the only parameter is the text between the angles. Enumerations (EQ, HIGHEST) are
// EnumAttribute. ops.def lists the shapes of all that passes read.
struct DialectAttribute;
struct EnumAttribute {
  std::string word;
  std::string dialect = "stablehlo";  // "chlo" has enumerations of its own
  bool operator==(const EnumAttribute&) const = default;
};

struct Attribute {
  using Data = std::variant<
      UnitAttribute, IntegerAttribute, FloatAttribute, StringAttribute, SymbolAttribute,
      TypeAttribute, DenseAttribute, EnumAttribute, std::shared_ptr<const ArrayAttribute>,
      std::shared_ptr<const DictionaryAttribute>, std::shared_ptr<const DialectAttribute>>;
  Data data;

  template <class T>
  const T* get() const {
    return std::get_if<T>(&data);
  }
  const ArrayAttribute* array() const;  // nullptr where it is no array
  const DictionaryAttribute* dictionary() const;
  const DialectAttribute* dialect() const;
  bool operator==(const Attribute& other) const;  // deep
};

struct ArrayAttribute {
  std::vector<Attribute> elements;
};
struct DictionaryAttribute {
  std::vector<NamedAttribute> entries;
  const Attribute* find(std::string_view name) const;
};
struct DialectAttribute {
  std::string dialect;   // "stablehlo", "sdy"
  std::string mnemonic;  // "gather", "sharding"
  std::vector<NamedAttribute> parameters;
  const Attribute* find(std::string_view name) const;
};

// ---- values, operations, regions --------------------------------------------------------------

struct Value {
  Type type;
  Operation* owner = nullptr;  // the operation that defines it, or nullptr for a block argument
  Block* block = nullptr;      // the block whose argument it is, or nullptr
  std::uint32_t index = 0;     // which result or argument
  Location location;
};

struct Region {
  std::vector<std::unique_ptr<Block>> blocks;
};

struct Operation {
  std::string name;  // full: "stablehlo.add", "func.call", "sdy.manual_computation"
  std::vector<Value*> operands;
  std::vector<std::unique_ptr<Value>> results;
  std::vector<NamedAttribute> attributes;
  std::vector<std::unique_ptr<Region>> regions;
  Location location;                        // of the op's name in the source
  std::vector<Location> operand_locations;  // as many as operands, or empty

  const Attribute* find(std::string_view attribute) const;
  void set(std::string_view attribute, Attribute value);
  void erase(std::string_view attribute);
  // The only block of region i. Requires it to be there.
  Block& block(std::size_t i = 0) const { return *regions[i]->blocks[0]; }
};

struct Block {
  std::vector<std::unique_ptr<Value>> arguments;
  std::vector<std::unique_ptr<Operation>> operations;  // the last is the terminator
  Operation* terminator() const { return operations.empty() ? nullptr : operations.back().get(); }
};

struct Function {
  std::string name;  // without the @
  // At most one of the three; none means public, as MLIR has it.
  bool is_public = false;
  bool is_private = false;
  bool is_nested = false;
  std::vector<std::vector<NamedAttribute>> argument_attributes;  // one list per argument
  std::vector<Type> result_types;
  std::vector<std::vector<NamedAttribute>> result_attributes;
  std::vector<NamedAttribute> attributes;
  Region body;  // one block; its arguments are the function's. A declaration's has no operation.
  Location location;

  Block& block() const { return *body.blocks[0]; }
};

// A mesh that stands inside a sharding is called by its text, mesh<["x"=2]>, which no other is.
inline constexpr std::string_view kInlineMesh = "mesh<";

// sdy.mesh @name = <["x"=2, "y"=4]>, axes in order.
struct Mesh {
  std::string name;
  std::vector<std::pair<std::string, std::int64_t>> axes;
  std::vector<std::int64_t> device_ids;  // empty: iota
  std::vector<NamedAttribute> attributes;
  Location location;
};

struct Module {
  std::string name;  // may be empty
  std::vector<NamedAttribute> attributes;
  std::vector<Mesh> meshes;
  std::vector<std::unique_ptr<Function>> functions;     // add() puts them there
  std::vector<std::unique_ptr<Function>> declarations;  // nothing can call them
  std::vector<std::shared_ptr<const Source>> sources;   // keeps locations valid

  // Takes a function with its final name; false, with nothing done, where that name is taken.
  bool add(std::unique_ptr<Function>& function);
  Function* find_function(std::string_view symbol) const;  // nullptr for a declaration
  const Mesh* find_mesh(std::string_view symbol) const;
  const Attribute* find(std::string_view attribute) const;

 private:
  std::unordered_map<std::string_view, Function*> by_name_;  // the names are the functions' own
};

// An input error at a location; with the source line and a caret where there is a source.
Error error_at(const Location& location, ErrorKind kind, std::string message);
SourcePlace place_of(const Location& location);

// Attribute read-outs used all over the lowering; throw Error{input} at the op when the attribute
// is there with another form. `fallback` is used when it is absent.
std::vector<std::int64_t> integers_of(const Operation& op, std::string_view attribute);
std::vector<std::int64_t> integers_of(
    const Attribute& attribute);  // dense, array<>, [1, 2]; throws input
std::int64_t integer_of(const Operation& op, std::string_view attribute, std::int64_t fallback);
bool flag_of(const Operation& op, std::string_view attribute, bool fallback);

}  // namespace understudy::program
