// SPDX-License-Identifier: Apache-2.0
// The constraints in the words of an operation's row of ops.def: kinds of values, families of
// element types, which of them agree, kinds of attributes. They hold for dynamic shapes too.
// Constraints on numbers (sizes, dimension numbers) are in the rules (verify/rules.h). Constant
// data; pure functions.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "program/verify/check.h"

namespace understudy::program::rules {

// Kinds of values, as bits: element families of tensors, and kinds that are not tensors.
enum Family : std::uint32_t {
  kPred = 1U << 0,
  kI32 = 1U << 10,
  kSigned = 1U << 1,  // all others
  kUi32 = 1U << 11,
  kUnsigned = 1U << 2,  // all others
  kFloat = 1U << 3,
  kPart = 1U << 4,  // f32 and f64, the parts of complex numbers
  kComplex = 1U << 5,
  kToken = 1U << 6,
  kTuple = 1U << 7,
  kFuture = 1U << 8,
  kOther = 1U << 9,
};
inline constexpr std::uint32_t kAnyTensor =
    kPred | kI32 | kSigned | kUi32 | kUnsigned | kFloat | kPart | kComplex;

// One operand or result, or a run of any number of them.
struct Slot {
  std::uint32_t families = 0;
  char element = 0;  // slots with the same letter have one element type; 0: any
  char shape = 0;    // slots with the same letter have one shape
  char rank = 0;     // slots with the same letter have as many dimensions
  int ndims = -1;    // -1: any
  bool is_static = false;
  bool is_run = false;
};

struct NeededAttribute {
  std::string_view name, kind;
  bool is_optional = false;
};

struct Signature {
  std::vector<Slot> operands, results;
  std::vector<NeededAttribute> attributes;
  // Whether two slots have the same letter, for element types, dimensions and shapes.
  bool joins_elements = false, joins_ranks = false, joins_shapes = false;
};

const Signature* find_signature(std::string_view op_name);  // nullptr: unknown

// Throws Error{input} where the operation does not fit its signature.
void check_signature(const Check& check);

// Whether an attribute is of a kind ("i64>=0", "#gather", "{EQ,NE}"), and its description.
bool is_of_kind(const Attribute& attribute, std::string_view kind);
std::string kind_text(std::string_view kind);

}  // namespace understudy::program::rules
