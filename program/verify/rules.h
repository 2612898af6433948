// SPDX-License-Identifier: Apache-2.0
// The type rules of the operations, one function each, in the families of the StableHLO
// specification. They run after the signature (signature.h), whose attributes, families and ranks
// they rely on; sizes may be open. They throw Error{input}. Pure functions.
#pragma once

#include "program/ir/op_table.h"
#include "program/verify/check.h"

namespace understudy::program::rules {

using RuleFunction = void (*)(const Check&);

// The rules that rows of ops.def name. `anything` trusts the written types.
#define UNDERSTUDY_OP(name, operands, results, regions, rule, attributes, format) \
  void rule(const Check& check);
#include "program/ir/ops.def"

// The rule of a row of op_table(), nullptr for `anything`.
RuleFunction rule_of(const OpRow& row);

// elementwise.cc: result 0 has the parts of operand 0.
void complex_parts(const Check& check);
// quantized.cc: an operation on quantized tensors: whether it takes them and they agree, then its
// `rule` (nullptr: none), which asks for sizes and is left out where they are open.
void quantized(const Check& check, RuleFunction rule, bool has_shapes);

}  // namespace understudy::program::rules
