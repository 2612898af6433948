// SPDX-License-Identifier: Apache-2.0
// Read-outs of StableHLO's own attributes that every family needs. Lenient in form (dense, array<>
// and lists; enumerations bare or in their dialect's brackets), strict in meaning: each throws
// Error{input} at the operation. Pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "program/executable/executable.h"
#include "program/ir/ir.h"

namespace understudy::program::passes {

// The word of an enumeration: EQ, HIGHEST, ...; empty where it is none.
std::string word_of(const Attribute& attribute);
std::string word_of(const Operation& op, std::string_view attribute, std::string_view fallback);

std::string string_of(const Operation& op, std::string_view attribute, std::string_view fallback);
// A symbol or a string that names one.
std::string symbol_of(const Operation& op, std::string_view attribute);

// A field of a structured attribute (#stablehlo.dot<...>): empty or 0 where it is absent.
Shape dimensions_of(const Operation& op, std::string_view attribute, std::string_view field);
std::int64_t number_of(const Operation& op, std::string_view attribute, std::string_view field);
std::int64_t number_of(const Attribute& attribute, std::int64_t fallback);

// As many integers as `count`, a splat spread out, `fallback` in each where it is absent.
Shape integers_or(const Operation& op, std::string_view attribute, std::size_t count,
                  std::int64_t fallback);
// An N x 2 table: first column, second column.
std::pair<Shape, Shape> pairs_or(const Operation& op, std::string_view attribute, std::size_t count,
                                 std::int64_t fallback);
// Rows of a G x S table.
std::vector<Shape> rows_of(const Operation& op, const Attribute& attribute);

// precision_config and algorithm of a dot or convolution.
std::pair<Precision, Precision> precisions_of(const Operation& op);

// Of a channel_handle; 0 where the operation names none.
std::int64_t channel_of(const Operation& op);

Shape row_major_strides(const Shape& shape);

}  // namespace understudy::program::passes
