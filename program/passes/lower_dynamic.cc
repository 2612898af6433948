// SPDX-License-Identifier: Apache-2.0
// Operations whose shapes are values: they run where the result's type is static all the same and
// the numbers beyond it are known now.
#include <fmt/format.h>

#include "program/passes/attributes.h"
#include "program/passes/lowering.h"
#include "program/passes/pad.h"

namespace understudy::program::passes {

namespace {

Shape known(Lowering& lowering, const Operation& op, std::size_t index, std::string_view what) {
  if (auto values = lowering.known_integers(lowering.operand(op, index))) return std::move(*values);
  throw error_at(op.location, ErrorKind::unsupported,
                 fmt::format("{}: {} that is only known at run time", op.name, what));
}

void lower_dynamic_reshape(Lowering& lowering, const Operation& op) {
  const Operand x = lowering.operand(op, 0);
  lowering.bind(*op.results[0], Operand{x.at, lowering.result_type(op)});
}

void lower_dynamic_broadcast(Lowering& lowering, const Operation& op) {
  lowering.bind(*op.results[0],
                lowering.broadcast(lowering.operand(op, 0), integers_of(op, "broadcast_dimensions"),
                                   lowering.result_type(op)));
}

void lower_dynamic_iota(Lowering& lowering, const Operation& op) {
  lowering.emit_result(op, Iota{integer_of(op, "iota_dimension", 0)}, {});
}

void lower_dynamic_pad(Lowering& lowering, const Operation& op) {
  const Padding padding{known(lowering, op, 2, "a lower edge"),
                        known(lowering, op, 3, "an upper edge"),
                        known(lowering, op, 4, "an interior padding")};
  lowering.bind(*op.results[0], pad(lowering, lowering.operand(op, 0), lowering.operand(op, 1),
                                    padding, lowering.result_type(op)));
}

// Steps are known; starts may be values of the run where every step is one.
void lower_real_dynamic_slice(Lowering& lowering, const Operation& op) {
  const Operand x = lowering.operand(op, 0);
  const Operand starts = lowering.operand(op, 1);
  const Shape steps = known(lowering, op, 3, "a stride");
  const TensorType& type = lowering.result_type(op);
  const auto known_starts = lowering.known_integers(starts);
  if (!known_starts) {
    Parts inputs{x};
    for (std::size_t d = 0; d < steps.size(); ++d) {
      if (steps[d] != 1) known(lowering, op, 1, "a start of a strided slice");
      inputs.push_back(lowering.gather_strided(starts, {starts.type.element, {}}, {},
                                               static_cast<std::int64_t>(d)));
    }
    return lowering.emit_result(op, DynamicSlice{}, std::move(inputs));
  }
  Shape strides = row_major_strides(x.type.shape);
  std::int64_t base = 0;
  for (std::size_t d = 0; d < steps.size(); ++d) {
    base += known_starts->at(d) * strides[d];
    strides[d] *= steps[d];
  }
  lowering.bind(*op.results[0], lowering.gather_strided(x, type, std::move(strides), base));
}

}  // namespace

void add_dynamic(LowerTable& table) {
  table.emplace("stablehlo.dynamic_reshape", lower_dynamic_reshape);
  table.emplace("stablehlo.dynamic_broadcast_in_dim", lower_dynamic_broadcast);
  table.emplace("stablehlo.dynamic_iota", lower_dynamic_iota);
  table.emplace("stablehlo.dynamic_pad", lower_dynamic_pad);
  table.emplace("stablehlo.real_dynamic_slice", lower_real_dynamic_slice);
}

}  // namespace understudy::program::passes
