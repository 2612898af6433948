// SPDX-License-Identifier: Apache-2.0
// chlo.scan: a loop along one dimension. Each step gets a slice of every input and the carried
// values, and gives a slice of every output and the next carried values.
#include <fmt/format.h>

#include "program/lowering/lowering.h"
#include "program/passes/module/attributes.h"

namespace understudy::program::passes {

namespace {

struct Scan {
  std::size_t inputs = 0, outputs = 0, carries = 0;
  std::size_t dimension = 0;
  std::int64_t size = 0;
  bool reverse = false;
};

// Operands are inputs, then initial values. An input has one dimension more than its block
// argument, as the region sees one slice.
Scan scan_of(Lowering& lowering, const Operation& op) {
  const auto& arguments = op.block().arguments;
  Scan scan;
  scan.dimension = static_cast<std::size_t>(integer_of(op, "dimension", 0));
  scan.size = integer_of(op, "scan_dim_size", 0);
  scan.reverse = flag_of(op, "is_reverse", false);
  if (arguments.size() != op.operands.size())
    throw error_at(op.location, ErrorKind::input,
                   fmt::format("{}: {} operands do not match a region with {} arguments", op.name,
                               op.operands.size(), arguments.size()));
  // The inputs end at the first argument that has as many dimensions as its operand.
  while (scan.inputs < arguments.size() && lowering.operand_type(op, scan.inputs).ndims() ==
                                               arguments[scan.inputs]->type.tensor.ndims() + 1)
    ++scan.inputs;
  scan.carries = arguments.size() - scan.inputs;
  if (op.results.size() < scan.carries)
    throw error_at(op.location, ErrorKind::input,
                   fmt::format("{}: {} results for {} carried values", op.name, op.results.size(),
                               scan.carries));
  scan.outputs = op.results.size() - scan.carries;
  const TensorType& first =
      scan.inputs > 0 ? lowering.operand_type(op, 0) : lowering.result_type(op);
  // scan_dim_size counts only where no array has the dimension.
  if (scan.inputs > 0 || scan.outputs > 0) scan.size = first.shape.at(scan.dimension);
  return scan;
}

// Starts of the slice at `index` along the scanned dimension.
Parts starts_of(Lowering& lowering, const Scan& scan, const Operand& index, std::int64_t ndims) {
  Parts starts(static_cast<std::size_t>(ndims), lowering.scalar(ElementType::i64, 0));
  starts.at(scan.dimension) = index;
  return starts;
}

TensorType slice_type(const Scan& scan, TensorType type) {
  type.shape.at(scan.dimension) = 1;
  return type;
}

TensorType dropped(const Scan& scan, TensorType type) {
  type.shape.erase(type.shape.begin() + static_cast<std::ptrdiff_t>(scan.dimension));
  return type;
}

// One step of the loop: computes what it carries next (counter, outputs, carried values).
Parts step(Lowering& lowering, const Operation& op, const Scan& scan, const Parts& loop) {
  // Backwards: last - counter.
  const std::int64_t last[] = {scan.size - 1};
  const Operand index =
      scan.reverse ? lowering.binary(BinaryOp::subtract,
                                     lowering.integers({ElementType::i64, {}}, last), loop[0])
                   : loop[0];
  Parts arguments;
  for (std::size_t i = 0; i < scan.inputs; ++i) {
    const Operand x = lowering.operand(op, i);
    Parts inputs = starts_of(lowering, scan, index, x.type.ndims());
    inputs.insert(inputs.begin(), x);
    Operand slice = lowering.emit(DynamicSlice{}, inputs, slice_type(scan, x.type));
    // The same bytes without the dimension of size 1.
    slice.type = dropped(scan, x.type);
    arguments.push_back(slice);
  }
  const auto carries = loop.begin() + 1 + static_cast<std::ptrdiff_t>(scan.outputs);
  arguments.insert(arguments.end(), carries, loop.end());
  const Parts returned = lowering.run_block(op.block(), arguments);
  // The loop's values, in the order of `loop`: counter, outputs, carried values.
  Parts next = {lowering.binary(BinaryOp::add, loop[0], lowering.scalar(ElementType::i64, 1))};
  for (std::size_t i = 0; i < scan.outputs; ++i) {
    const Operand& out = loop[1 + i];
    Parts inputs = starts_of(lowering, scan, index, out.type.ndims());
    inputs.insert(inputs.begin(), {out, {returned.at(i).at, slice_type(scan, out.type)}});
    next.push_back(lowering.emit(DynamicUpdateSlice{}, inputs, out.type));
  }
  next.insert(next.end(), returned.begin() + static_cast<std::ptrdiff_t>(scan.outputs),
              returned.end());
  return next;
}

// A While over a counter, the stacked outputs and the carried values. Each step reads a slice of
// every input and writes a slice of every output, in reverse order if is_reverse is set. A scan of
// no steps returns its initial values.
void lower_scan(Lowering& lowering, const Operation& op) {
  const Scan scan = scan_of(lowering, op);
  const TensorType counter{ElementType::i64, {}};
  Parts initial = {lowering.scalar(ElementType::i64, 0)};
  for (std::size_t i = 0; i < scan.outputs; ++i)
    initial.push_back(lowering.splat(lowering.result_type(op, i), 0));
  for (std::size_t i = 0; i < scan.carries; ++i)
    initial.push_back(lowering.operand(op, scan.inputs + i));
  // Reading a slice of an empty array would be out of bounds even if the loop never runs.
  if (scan.size == 0)
    return lowering.bind_all(op.results, Parts(initial.begin() + 1, initial.end()));
  Parts loop;
  for (const Operand& value : initial) loop.push_back(lowering.make(value.type));
  lowering.move_all(initial, loop);
  const std::int64_t size[] = {scan.size};
  While work;
  work.condition = lowering.nested([&] {
    work.predicate =
        lowering.emit(Compare{Direction::lt}, {loop[0], lowering.integers(counter, size)},
                      TensorType{ElementType::pred, {}});
  });
  work.body = lowering.nested([&] { lowering.move_all(step(lowering, op, scan, loop), loop); });
  lowering.emit(std::move(work), {}, loop);
  lowering.bind_all(op.results, Parts(loop.begin() + 1, loop.end()));
}

}  // namespace

void add_scan(LowerTable& table) { table.emplace("chlo.scan", lower_scan); }

}  // namespace understudy::program::passes
