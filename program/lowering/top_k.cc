// SPDX-License-Identifier: Apache-2.0
// The k largest elements and their indices: chlo.top_k and the custom calls that mean it.
#include <fmt/format.h>

#include "program/lowering/custom_call/custom_call.h"
#include "program/passes/module/attributes.h"

namespace understudy::program::passes {

namespace {

// The first elements along each dimension of a result that is no larger than x.
void bind_first(Lowering& lowering, const Operation& op, std::size_t result, const Operand& x) {
  const TensorType& type = lowering.result_type(op, result);
  bool fits = type.element == x.type.element && type.shape.size() == x.type.shape.size();
  for (std::size_t d = 0; fits && d < type.shape.size(); ++d)
    fits = type.shape[d] <= x.type.shape[d];
  if (!fits)
    throw error_at(op.location, ErrorKind::input,
                   fmt::format("{}: result {} is {}, which is not a part of {}", op.name, result,
                               text_of(type), text_of(x.type)));
  lowering.bind(*op.results[result],
                lowering.gather_strided(x, type, row_major_strides(x.type.shape), 0));
}

// Sorted in total order (NaN is above infinity), equal values by ascending index, then cut to k.
// The index is sorted along as a second operand; the sort is stable.
void sort_and_cut(Lowering& lowering, const Operation& op, bool largest) {
  const Operand x = lowering.operand(op, 0);
  if (x.type.shape.empty() || op.results.size() != 2)
    throw error_at(
        op.location, ErrorKind::input,
        fmt::format("{}: expected an operand of at least one dimension, and two results", op.name));
  Sort work;
  work.dimension = x.type.ndims() - 1;
  // A comparator takes two elements of each array: values, then indices, which it ignores.
  const ElementType values = x.type.element;
  const ElementType parameters[] = {values, values, ElementType::i32, ElementType::i32};
  const Direction direction = largest ? Direction::gt : Direction::lt;
  work.comparator = lowering.built_body(parameters, [&](const Parts& p) {
    return Parts{lowering.emit(Compare{direction, is_float(values)}, {p[0], p[1]},
                               TensorType{ElementType::pred, {}})};
  });
  const TensorType index_type{ElementType::i32, x.type.shape};
  const Operand index = lowering.emit(Iota{work.dimension}, {}, index_type);
  const Operand sorted = lowering.make(x.type);
  const Operand order = lowering.make(index_type);
  lowering.emit(std::move(work), {x, index}, {sorted, order});
  bind_first(lowering, op, 0, sorted);
  bind_first(lowering, op, 1, order);
}

const Attribute* entry_of(const Operation& op, std::string_view dictionary, std::string_view name) {
  const Attribute* found = op.find(dictionary);
  const DictionaryAttribute* entries = found == nullptr ? nullptr : found->dictionary();
  return entries == nullptr ? nullptr : entries->find(name);
}

}  // namespace

void lower_top_k(Lowering& lowering, const Operation& op) { sort_and_cut(lowering, op, true); }

// mhlo.attributes = {k = 3 : i64, largest = true}. The result's shape has the k.
void lower_mhlo_top_k(Lowering& lowering, const Operation& op) {
  const Attribute* largest = entry_of(op, "mhlo.attributes", "largest");
  const auto* flag = largest == nullptr ? nullptr : largest->get<IntegerAttribute>();
  sort_and_cut(lowering, op, flag == nullptr || flag->value != 0);
}

// The exact result satisfies every recall. Operands: the arrays, then an initial value of each, and
// a k where that is dynamic. A call that leaves candidates unaggregated has longer results: they
// get as many elements, best first.
void lower_approximate_top_k(Lowering& lowering, const Operation& op) {
  const std::size_t count = op.results.size();
  const Attribute* dimension = entry_of(op, "mhlo.backend_config", "reduction_dim");
  if (dimension == nullptr) dimension = entry_of(op, "backend_config", "reduction_dim");
  const Attribute* called = op.find("called_computations");
  const ArrayAttribute* names = called == nullptr ? nullptr : called->array();
  if (count == 0 || op.operands.size() < 2 * count || dimension == nullptr || names == nullptr ||
      names->elements.size() != 1 || names->elements[0].get<SymbolAttribute>() == nullptr)
    throw error_at(op.location, ErrorKind::input,
                   fmt::format("{}: expected arrays and initial values, reduction_dim in "
                               "mhlo.backend_config, and one comparator in called_computations",
                               op.name));
  const std::string& name = names->elements[0].get<SymbolAttribute>()->name;
  const Function* comparator = lowering.module().find_function(name);
  if (comparator == nullptr || comparator->body.blocks.empty())
    throw error_at(op.location, ErrorKind::input,
                   fmt::format("{}: no function @{}", op.name, name));
  const Parts inputs = lowering.parts(op, 0, count);
  Sort work;
  // What is no number becomes -1, which is refused below.
  work.dimension = number_of(*dimension, -1);
  work.comparator = lowering.body(comparator->block());
  if (work.dimension < 0 || work.dimension >= inputs[0].type.ndims() ||
      work.comparator.parameters.size() != 2 * count)
    throw error_at(
        op.location, ErrorKind::input,
        fmt::format("{}: reduction_dim or the comparator does not fit the arrays", op.name));
  Parts sorted;
  // The initial values are for a partial reduction; a full sort does not need them.
  for (const Operand& input : inputs) sorted.push_back(lowering.make(input.type));
  lowering.emit(std::move(work), inputs, sorted);
  for (std::size_t i = 0; i < count; ++i) bind_first(lowering, op, i, sorted[i]);
}

}  // namespace understudy::program::passes
