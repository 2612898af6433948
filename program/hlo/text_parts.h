// SPDX-License-Identifier: Apache-2.0
// Parts of HLO text, private to the text reader. All throw Error{input} at the character.
#pragma once

#include <functional>
#include <vector>

#include "program/hlo/groups.h"
#include "program/hlo/hlo.h"
#include "program/hlo/scanner.h"

namespace understudy::program::hlo {

HloShape shape_in(Scanner& in, int depth = 0);
bool at_shape(Scanner in);
// The literal of a constant of this shape; false where the dump leaves it out: {...}.
bool literals_in(Scanner& in, const HloShape& shape, std::vector<DenseAttribute>& out);
Rows replica_groups_in(Scanner& in);
Words words_in(Scanner& in);  // {key="value",key={...}}
std::string sharding_in(Scanner in);

// What the names in an attribute refer to.
struct TextContext {
  std::function<std::uint32_t(std::string_view name, Scanner& at)> computation;
  // The user's line of a stack frame; an empty location where there is none.
  std::function<Location(std::int64_t frame)> frame;
  UserFiles* files = nullptr;
};
// Reads the value of attribute `name` into the instruction.
void field_in(std::string_view name, Scanner in, const TextContext& context, Instruction& out);

}  // namespace understudy::program::hlo
