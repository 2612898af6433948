// SPDX-License-Identifier: Apache-2.0
#include "worker/ops/machine_code/forms.h"

namespace understudy::worker::ops::machine {
namespace {

using program::ElementType;
using program::Instruction;

// As long as so many others take to be made.
constexpr std::size_t kFunctionSteps = 12;

template <class Row, class Op>
Emit find(std::span<const Row> rows, Op op, Family family) {
  for (const Row& row : rows)
    if (row.op == op && row.family == family) return row.emit;
  return nullptr;
}

Emit emit_of(const program::Unary& work, ElementType from, ElementType to) {
  if (from != to) return nullptr;
  const Family family = family_of(from);
  const Emit simple = find(family == Family::floating ? float_unary_forms() : integer_unary_forms(),
                           work.op, family);
  return simple == nullptr && from == ElementType::f32 ? number_function(work.op) : simple;
}

Emit emit_of(const program::Binary& work, ElementType from, ElementType to) {
  if (from != to) return nullptr;
  const Family family = family_of(from);
  return find(family == Family::floating ? float_binary_forms() : integer_binary_forms(), work.op,
              family);
}

Emit emit_of(const program::Compare& work, ElementType from, ElementType /*to*/) {
  return work.total_order || family_of(from) == Family::none ? nullptr : compare_form();
}

Emit emit_of(const program::Select& /*work*/, ElementType /*from*/, ElementType to) {
  const auto kind = kind_of(to);
  return kind ? select_form(*kind) : nullptr;
}

Emit emit_of(const program::Convert& /*work*/, ElementType from, ElementType to) {
  return convert_form(from, to);
}

Emit emit_of(const program::BitcastConvert& /*work*/, ElementType from, ElementType to) {
  // Bound steps are of elements of the same number of bits.
  return kind_of(from) && kind_of(to) ? bitcast_form(*kind_of(from), *kind_of(to)) : nullptr;
}

template <class Work>
Emit emit_of(const Work& /*work*/, ElementType /*from*/, ElementType /*to*/) {
  return nullptr;
}

}  // namespace

Family family_of(ElementType type) {
  const auto kind = kind_of(type);
  if (!kind) return Family::none;
  if (program::is_pred(type)) return Family::pred;
  if (is_float(*kind)) return Family::floating;
  return program::is_integer(type) ? Family::integer : Family::none;
}

Simple copy_of(ElementType type) {
  Simple copy;
  copy.emit = copy_form(*kind_of(type));
  copy.from = copy.to = type;
  copy.inputs = 1;
  return copy;
}

std::optional<Simple> form_of(const Instruction& part) {
  if (part.inputs.empty() || part.inputs.size() > 3 || part.outputs.size() != 1)
    return std::nullopt;
  Simple form;
  // The first input of a selection is its pred.
  form.from = part.inputs[part.inputs.size() == 3 ? 1 : 0].type.element;
  form.to = part.outputs[0].type.element;
  form.inputs = part.inputs.size();
  form.emit =
      std::visit([&](const auto& work) { return emit_of(work, form.from, form.to); }, part.work);
  if (form.emit == nullptr) return std::nullopt;
  if (const auto* unary = std::get_if<program::Unary>(&part.work))
    if (form.from == ElementType::f32 && form.emit == number_function(unary->op))
      form.steps = kFunctionSteps;
  if (const auto* compare = std::get_if<program::Compare>(&part.work)) {
    form.role = Simple::Role::compare;
    form.direction = compare->direction;
  } else if (std::holds_alternative<program::Select>(part.work)) {
    form.role = Simple::Role::select;
  } else if (const auto* binary = std::get_if<program::Binary>(&part.work)) {
    const bool is_both = binary->op == program::BinaryOp::logical_and;
    if (is_both && program::is_pred(form.to)) form.role = Simple::Role::both;
  }
  return form;
}

}  // namespace understudy::worker::ops::machine
