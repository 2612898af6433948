// SPDX-License-Identifier: Apache-2.0
// Which instructions have machine code for one element, with the bits of their kernels. A row per
// function; whatever has none is called. Pure functions.
#pragma once

#include <optional>
#include <span>

#include "program/executable/executable.h"
#include "worker/ops/machine_code/loop_graph.h"

namespace understudy::worker::ops::machine {

enum class Family : std::uint8_t { none, pred, integer, floating };
Family family_of(program::ElementType type);

// Without its operands; nullopt where there is none.
std::optional<Simple> form_of(const program::Instruction& part);
Simple copy_of(program::ElementType type);

// The rows, by family.
struct UnaryForm {
  program::UnaryOp op;
  Family family;
  Emit emit;
};
struct BinaryForm {
  program::BinaryOp op;
  Family family;
  Emit emit;
};
std::span<const UnaryForm> integer_unary_forms();
std::span<const BinaryForm> integer_binary_forms();
std::span<const UnaryForm> float_unary_forms();
std::span<const BinaryForm> float_binary_forms();
// Of f32; nullptr where there is none.
Emit number_function(program::UnaryOp op);
// Of an f32 to the nearest bf16, as an f32; and of a bf16 to that.
Emit bf16_rounding();
Emit bf16_widening();
Emit copy_form(Kind kind);
// Of kinds with as many bytes.
Emit bitcast_form(Kind from, Kind to);
Emit compare_form();
Emit select_form(Kind kind);
// nullptr where there is none.
Emit convert_form(program::ElementType from, program::ElementType to);

// Integer division (division_forms.cc).
void divide_integers(Emitter& e, const Simple& step);
void remainder_of_integers(Emitter& e, const Simple& step);

}  // namespace understudy::worker::ops::machine
