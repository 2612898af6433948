// SPDX-License-Identifier: Apache-2.0
// Targets of custom calls: those that run, and those that are refused with advice. Pure functions.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "program/ir/ir.h"
#include "program/lowering/lowering.h"

namespace understudy::program::passes {

// In `target`, '?' stands for one letter of an element type (s d c z), a '*' at the end for any
// text.
struct CustomCallRow {
  std::string_view target;
  std::string_view from;    // who emits it
  LowerFunction lower;      // nullptr: it is refused
  std::string_view remark;  // how it runs, or what to do instead
};

// All rows but those of lapack_targets().
std::span<const CustomCallRow> custom_call_rows();
// Whether a target fits the name of a row.
bool is_target(std::string_view row, std::string_view target);
// The row of a target; nullptr where none is known.
const CustomCallRow* custom_call_row(std::string_view target);

// What to do instead of a call that is refused; empty where nothing is known.
std::string advice_for_target(std::string_view target);

// Values pass through unchanged; tuples are their parts.
void lower_identity(Lowering& lowering, const Operation& op);

// top_k.cc: a sort, cut to the size of the results.
void lower_top_k(Lowering& lowering, const Operation& op);
void lower_mhlo_top_k(Lowering& lowering, const Operation& op);
void lower_approximate_top_k(Lowering& lowering, const Operation& op);

}  // namespace understudy::program::passes
