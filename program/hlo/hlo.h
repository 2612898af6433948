// SPDX-License-Identifier: Apache-2.0
// HLO modules as XLA dumps them, before they become a program::Module: one structure for text
// (read_text) and protos (read_proto). It keeps every opcode and attribute, known here or not, so
// that programs can be compared which understudy cannot run. Values; thread-compatible.
// Equivalents: xla::HloModule, xla::HloInstruction, xla::Shape.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "program/ir/ir.h"
#include "program/ir/source.h"

namespace understudy::program::hlo {

using Ints = std::vector<std::int64_t>;
using Rows = std::vector<Ints>;
using Words = std::vector<std::pair<std::string, std::string>>;

// An array, a tuple or a token. `text` is the name of an element type that StableHLO lacks, or of
// an opaque shape; such shapes can be compared, not run.
struct HloShape {
  enum class Kind : std::uint8_t { array, tuple, token, opaque };
  Kind kind = Kind::array;
  ElementType element = ElementType::f32;
  Shape dimensions;
  std::vector<bool> dynamic;      // bounded dimensions, one flag per dimension; empty: none
  Ints minor_to_major;            // empty: the default layout, last dimension fastest
  Rows tiles;                     // of a tiled layout
  std::int64_t memory_space = 0;  // of the layout: 0 is HBM, on a TPU 1 is VMEM, 2 is SMEM
  std::vector<HloShape> parts;
  std::string text;

  bool is_dynamic() const;
  std::size_t leaves() const;  // arrays and tokens in it
};
std::string text_of(const HloShape& shape);  // "(f32[2,3], token[])"; without layouts

// The value of one attribute. What each attribute holds: field_kinds() in text_fields.cc.
using FieldValue = std::variant<std::int64_t, bool, double, std::string, Ints, Rows, Words>;
struct Field {
  std::string name;  // as HLO text spells it
  FieldValue value;
};

struct Instruction {
  std::string name, opcode;
  HloShape shape;
  std::vector<std::uint32_t> operands;  // indexes into the computation's instructions, all smaller
  std::vector<std::uint32_t> called;    // indexes into the module's computations, all smaller than
                                        // the caller's: while has body, condition;
                                        // select-and-scatter has select, scatter
  std::vector<Field> fields;
  std::vector<HloShape> operand_layouts;  // of a custom call, if it constrains them
  std::vector<DenseAttribute> literals;   // leaves of a constant; empty if the dump leaves them out
  std::string op_name;                    // metadata
  Location written;                       // where it stands in the file
  Location location;                      // the user's source line if known, else `written`

  template <class T>
  const T* find(std::string_view wanted) const {
    for (const Field& field : fields)
      if (field.name == wanted) return std::get_if<T>(&field.value);
    return nullptr;
  }
  std::int64_t number(std::string_view field, std::int64_t fallback) const;
  bool flag(std::string_view field) const;
  std::string word(std::string_view field, std::string_view fallback = "") const;
  const Ints& ints(std::string_view field) const;  // empty if absent
  const Rows& rows(std::string_view field) const;
  const Words& words(std::string_view field) const;
  // The frontend attribute of this name, or empty.
  std::string frontend(std::string_view key) const;
  void set(std::string_view field, FieldValue value);
};

struct Computation {
  std::string name;
  std::vector<Instruction> instructions;
  std::uint32_t root = 0;
  Location written;
  // Indexes of the parameters in order. Throws Error{input} if one is missing or double.
  std::vector<std::uint32_t> parameters() const;
};

struct HloModule {
  std::string name;
  std::vector<Computation> computations;
  std::uint32_t entry = 0;
  std::int64_t replicas = 0, partitions = 0;  // 0: not said
  Words frontend;
  std::vector<std::string> parameter_shardings;  // of a partitioned module
  std::string output_sharding;
  std::vector<Field> facts;  // what else the module says: is_scheduled, aliases
  // Of a scheduled proto, for each computation: its instructions in the order in which they run;
  // empty where that is the order of the list, as in text.
  std::vector<std::vector<std::uint32_t>> schedule;
  std::vector<std::shared_ptr<const Source>> sources;

  const Computation& entry_computation() const { return computations[entry]; }
};

// The tokens "HloModule" begin HLO text, after comments. A proto is recognised by its structure.
bool is_text(std::string_view bytes);
bool is_proto(std::string_view bytes);

// Both throw Error{input} at the first mistake.
HloModule read_text(std::shared_ptr<const Source> source);
HloModule read_proto(const Source& source);
// The HloModuleProto itself, without HloProto or HloSnapshot around it. The same errors.
std::string_view module_bytes(const Source& source);

// The same program as StableHLO, not yet verified. Throws Error{unsupported} that names all
// opcodes, shapes and attributes without an equivalent, Error{input} for contradictions.
std::unique_ptr<Module> convert(const HloModule& module);

// The element type of an HLO name ("f32", "s8", "pred"), or nothing.
std::optional<ElementType> element_type_of_hlo(std::string_view name);
std::string_view hlo_name(ElementType type);

// Nesting of shapes and of inlined computations; more is refused.
inline constexpr int kDeepest = 100;

// User files that metadata name, each as one Source.
class UserFiles {
 public:
  Location line(const std::string& file, std::int64_t line, std::int64_t column);
  std::vector<std::shared_ptr<const Source>> take() { return std::move(sources_); }

 private:
  std::vector<std::shared_ptr<const Source>> sources_;
};

}  // namespace understudy::program::hlo
