// SPDX-License-Identifier: Apache-2.0
// Longer than 300 lines: one function for each kind of work, in the order of work.h.
#include "program/passes/check/check_work.h"

#include <algorithm>
#include <functional>

#include "configs/base/error.h"
#include "program/executable/dense_run.h"
#include "program/passes/check/check_fit.h"

namespace understudy::program::passes {

namespace {

// The numbers come from a cache archive, whose digest does not prove that they make sense. Sums and
// products that overflow count as out of bounds.
std::int64_t sum_of(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  need(!__builtin_add_overflow(a, b, &sum), "copy outside its buffer");
  return sum;
}

std::int64_t product_of(std::int64_t a, std::int64_t b) {
  std::int64_t product = 0;
  need(!__builtin_mul_overflow(a, b, &product), "copy outside its buffer");
  return product;
}

// The lowest and highest element that a strided access touches; strides may be negative.
void reaches(const Shape& sizes, const Shape& strides, std::int64_t base, std::int64_t elements) {
  std::int64_t low = base;
  std::int64_t high = base;
  for (std::size_t d = 0; d < sizes.size(); ++d) {
    need(sizes[d] > 0, "empty copy");
    const std::int64_t reach = product_of(sizes[d] - 1, strides[d]);
    std::int64_t& end = reach < 0 ? low : high;
    end = sum_of(end, reach);
  }
  need(low >= 0 && high < elements, "copy outside its buffer");
}

void copies(const StridedCopy& work, const TensorType& in, const TensorType& out) {
  need(work.in_strides.size() == work.sizes.size() && work.out_strides.size() == work.sizes.size(),
       "strides and sizes differ in length");
  need(byte_size(in.element) == byte_size(out.element), "element sizes differ");
  reaches(work.sizes, work.in_strides, work.in_base, in.elements());
  reaches(work.sizes, work.out_strides, work.out_base, out.elements());
}

}  // namespace

// Internal errors: the compiler never produces such work, so the archive or the compiler is at
// fault.
void need(bool holds, const char* what) {
  if (!holds) throw Error(ErrorKind::internal, what);
}

bool within(const Shape& dimensions, std::int64_t ndims) {
  return std::ranges::all_of(dimensions, [&](auto d) { return d >= 0 && d < ndims; });
}

// All dimensions are in range and distinct.
bool distinct(Shape dimensions, std::int64_t ndims) {
  if (!within(dimensions, ndims)) return false;
  std::ranges::sort(dimensions);
  return std::ranges::adjacent_find(dimensions) == dimensions.end();
}

bool no_larger(const Shape& a, const Shape& b) {
  return a.size() == b.size() && std::ranges::equal(a, b, std::less_equal<>());
}

bool is_index(const Operand& operand) {
  return is_integer(operand.type.element) && operand.type.elements() == 1;
}

void InstructionChecker::counts(std::size_t inputs, std::size_t outputs) const {
  need(in_.size() == inputs && out_.size() == outputs, "wrong number of operands");
}

void InstructionChecker::same_shape() const {
  for (const Operand& in : in_) need(in.type.shape == out_[0].type.shape, "shapes differ");
}

// Predicates and bounds may be scalars for all elements.
bool InstructionChecker::scalar_or_same(const Operand& operand) const {
  return operand.type.elements() == 1 || operand.type.shape == out_[0].type.shape;
}

// One integer scalar per dimension, after the first `first` operands.
void InstructionChecker::starts(std::size_t first, std::int64_t ndims) const {
  need(in_.size() == first + static_cast<std::size_t>(ndims), "wrong number of start indices");
  need(std::all_of(in_.begin() + static_cast<std::ptrdiff_t>(first), in_.end(), is_index),
       "start index is not an integer scalar");
}

// The body has as many parameters and results as its caller passes and reads.
void InstructionChecker::takes(const Body& body, std::size_t parameters,
                               std::size_t results) const {
  need(body.parameters.size() == parameters && body.results.size() == results,
       "parameters or results of the body do not match");
}

// Shapes that the transport relies on: the gathered or scattered dimension must be a multiple of
// the piece, and all_to_all splits into one part per member.
void InstructionChecker::collective_shapes(const Collective& work) const {
  const std::int64_t ndims = in_[0].type.ndims();
  const bool gathers = work.kind == CollectiveKind::all_gather;
  if (gathers || work.kind == CollectiveKind::reduce_scatter) {
    need(within({work.dimension}, ndims), "dimension out of range");
    const auto d = static_cast<std::size_t>(work.dimension);
    for (std::size_t i = 0; i < in_.size(); ++i) {
      const TensorType& small = gathers ? in_[i].type : out_[i].type;
      const TensorType& large = gathers ? out_[i].type : in_[i].type;
      need(small.shape.size() == large.shape.size(), "dimensions differ");
      need(small.shape.at(d) > 0 ? large.shape.at(d) % small.shape[d] == 0 : true,
           "sizes do not divide");
    }
  }
  if (work.kind == CollectiveKind::all_to_all) {
    need(within({work.split_dimension, work.concat_dimension}, ndims), "dimension out of range");
    need(work.split_count > 0 && in_[0].type.elements() == out_[0].type.elements(),
         "the split count or the number of elements is wrong");
  }
}

void InstructionChecker::operator()(const Unary&) const {
  counts(1, 1);
  same_shape();
}
void InstructionChecker::operator()(const Binary&) const {
  counts(2, 1);
  same_shape();
  need(in_[0].type.element == in_[1].type.element, "operands have different element types");
}
void InstructionChecker::operator()(const Compare&) const {
  counts(2, 1);
  same_shape();
  need(in_[0].type.element == in_[1].type.element && is_pred(out_[0].type.element),
       "compared types differ, or the result is not a pred");
}
void InstructionChecker::operator()(const Select&) const {
  counts(3, 1);
  need(is_pred(in_[0].type.element), "the selector is not a pred");
  need(in_[1].type == out_[0].type && in_[2].type == out_[0].type, "types differ");
  need(scalar_or_same(in_[0]), "the selector has a different shape");
}
void InstructionChecker::operator()(const Clamp&) const {
  counts(3, 1);
  need(in_[1].type == out_[0].type && scalar_or_same(in_[0]) && scalar_or_same(in_[2]),
       "the bounds have a different shape");
  need(in_[0].type.element == out_[0].type.element && in_[2].type.element == out_[0].type.element,
       "the bounds have a different element type");
}
void InstructionChecker::operator()(const Convert&) const {
  counts(1, 1);
  same_shape();
}
void InstructionChecker::operator()(const ReducePrecision&) const {
  counts(1, 1);
  need(in_[0].type == out_[0].type, "types differ");
}
void InstructionChecker::operator()(const BitcastConvert&) const {
  counts(1, 1);
  need(in_[0].type.elements() * bit_width(in_[0].type.element) ==
           out_[0].type.elements() * bit_width(out_[0].type.element),
       "bit widths differ");
}
void InstructionChecker::operator()(const Iota& work) const {
  counts(0, 1);
  need(within({work.dimension}, out_[0].type.ndims()), "dimension out of range");
}
void InstructionChecker::operator()(const ProcessIndex&) const {
  counts(0, 1);
  need(is_index(out_[0]), "not an integer scalar");
}
void InstructionChecker::operator()(const Poison&) const {
  counts(0, 1);
  need(out_[0].type.element == ElementType::ui8, "not bytes");
}
void InstructionChecker::operator()(const HostMove&) const {
  counts(1, 1);
  need(in_[0].type == out_[0].type, "types differ");
}
// The kernel copies elements as bytes, so the types may differ but not their sizes. Both patterns
// must stay inside of their buffers for every index, with negative strides too.
void InstructionChecker::operator()(const StridedCopy& work) const {
  counts(1, 1);
  copies(work, in_[0].type, out_[0].type);
}
void InstructionChecker::operator()(const Join& work) const {
  counts(work.parts.size(), 1);
  for (std::size_t i = 0; i < in_.size(); ++i) copies(work.parts[i], in_[i].type, out_[0].type);
}
void InstructionChecker::operator()(const TakeElements& work) const {
  counts(2, 1);
  need(is_integer(in_[1].type.element) && in_[0].type.element == out_[0].type.element,
       "types differ");
  need(work.size > 0 && work.stride >= 0 && !work.sizes.empty() &&
           work.strides.size() == work.sizes.size(),
       "strides and sizes differ in length");
  std::int64_t results = 1;
  for (std::size_t d = 0; d < work.sizes.size(); ++d) {
    need(work.sizes[d] > 0 && work.strides[d] >= 0, "invalid sizes of the result");
    results = product_of(results, work.sizes[d]);
  }
  need(results == out_[0].type.elements() && results == in_[1].type.elements(),
       "indices and results differ in number");
  Shape sizes = work.sizes, strides = work.strides;
  sizes.push_back(work.size);
  strides.push_back(work.stride);
  reaches(sizes, strides, 0, in_[0].type.elements());
}
void InstructionChecker::operator()(const Fill&) const {
  counts(1, 1);
  need(in_[0].type.elements() == 1 &&
           byte_size(in_[0].type.element) == byte_size(out_[0].type.element),
       "not one element of the same size");
}
// Start indices are clamped at run time so that the slice stays inside of the operand. That needs a
// slice that is no larger.
void InstructionChecker::operator()(const DynamicSlice&) const {
  need(!in_.empty() && out_.size() == 1, "wrong number of operands");
  need(no_larger(out_[0].type.shape, in_[0].type.shape), "slice larger than its operand");
  need(out_[0].type.element == in_[0].type.element, "element types differ");
  starts(1, in_[0].type.ndims());
}
void InstructionChecker::operator()(const DynamicUpdateSlice&) const {
  need(in_.size() >= 2 && out_.size() == 1, "wrong number of operands");
  need(in_[0].type == out_[0].type && in_[1].type.element == in_[0].type.element &&
           no_larger(in_[1].type.shape, in_[0].type.shape),
       "the update does not fit");
  starts(2, in_[0].type.ndims());
}
// Readers and writers of the slice take it for a dense array.
void InstructionChecker::operator()(const LocateSlice&) const {
  (*this)(DynamicSlice{});
  need(out_[0].at.space == Space::slice && out_[0].at.offset == 0, "not the place of a slice");
  need(run_of(in_[0].type.shape, out_[0].type.shape).has_value(), "the slice is not dense");
}
// Inputs first..first + count hold one integer per dimension of input 0.
void InstructionChecker::vectors(std::size_t first, std::size_t count) const {
  counts(first + count, 1);
  for (std::size_t i = first; i < in_.size(); ++i)
    need(is_integer(in_[i].type.element) && in_[i].type.elements() == in_[0].type.ndims(),
         "not one integer per dimension");
  need(in_[0].type.element == out_[0].type.element && in_[0].type.ndims() == out_[0].type.ndims(),
       "types differ");
}
void InstructionChecker::operator()(const DynamicPad&) const {
  vectors(2, 3);
  need(in_[1].type.element == in_[0].type.element && in_[1].type.elements() == 1,
       "the padding value is not a scalar");
}
void InstructionChecker::operator()(const RealDynamicSlice&) const { vectors(1, 3); }
void InstructionChecker::operator()(const Assert&) const {
  need(!in_.empty() && out_.empty(), "wrong number of operands");
  need(is_pred(in_[0].type.element) && in_[0].type.elements() == 1, "not a pred scalar");
  need(std::all_of(in_.begin() + 1, in_.end(), is_index), "not an integer scalar");
}
// Carried values are outputs only: the lowering copies initial values there before the loop.
void InstructionChecker::operator()(const While& work) const {
  need(in_.empty(), "a loop must have no inputs");
  need(is_pred(work.predicate.type.element) && work.predicate.type.elements() == 1,
       "the predicate is not a pred scalar");
}
// A pred has two branches, the first for true. An integer may have any number: out of range selects
// the last.
void InstructionChecker::operator()(const Case& work) const {
  need(in_.size() == 1 && in_[0].type.elements() == 1, "the index is not a scalar");
  need(is_pred(in_[0].type.element) ? work.branches.size() == 2 : !work.branches.empty(),
       "wrong number of branches");
  need(is_pred(in_[0].type.element) || is_integer(in_[0].type.element),
       "the index is neither a pred nor an integer");
}
// operand, output, then offsets and sizes of slices.
void InstructionChecker::ragged() const {
  counts(6, 1);
  need(in_[1].type == out_[0].type && in_[0].type.element == out_[0].type.element &&
           in_[0].type.ndims() >= 1 && in_[0].type.ndims() == out_[0].type.ndims() &&
           std::equal(in_[0].type.shape.begin() + 1, in_[0].type.shape.end(),
                      out_[0].type.shape.begin() + 1),
       "rows have different types");
  for (std::size_t i = 2; i < in_.size(); ++i)
    need(in_[i].type == in_[2].type && in_[i].type.element == ElementType::i64,
         "offsets or sizes are not i64 or differ in shape");
}
void InstructionChecker::operator()(const Collective& work) const {
  if (work.kind == CollectiveKind::ragged_all_to_all) return ragged();
  need(!in_.empty() && in_.size() == out_.size(), "wrong number of operands");
  for (std::size_t i = 0; i < in_.size(); ++i)
    need(in_[i].type.element == out_[i].type.element, "element types differ");
  const bool reduces =
      work.kind == CollectiveKind::all_reduce || work.kind == CollectiveKind::reduce_scatter;
  if (reduces) takes(work.body, 2, 1);
  if (work.kind == CollectiveKind::all_reduce || work.kind == CollectiveKind::collective_permute ||
      work.kind == CollectiveKind::collective_broadcast)
    for (std::size_t i = 0; i < in_.size(); ++i) need(in_[i].type == out_[i].type, "types differ");
  collective_shapes(work);
  need(work.lane <= kAsyncLanes, "lane out of range");
  need(work.ops.empty() || work.ops.size() == in_.size(), "operands do not match the operation");
}
void InstructionChecker::operator()(const CollectiveDone& work) const {
  need(out_.empty() && work.lane >= 1 && work.lane <= kAsyncLanes, "lane out of range");
}
void InstructionChecker::operator()(const Transfer& work) const {
  need(work.sends ? out_.empty() : in_.empty(),
       "a send must have no results, and a receive no inputs");
}
void InstructionChecker::operator()(const Expect& work) const {
  need(in_.size() == (work.demand == Demand::equal_probed ? 1U : 2U), "wrong number of operands");
  need(in_.size() == 1 || in_[0].type == in_[1].type, "types differ");
  need(out_.empty() || (out_.size() == 1 && is_pred(out_[0].type.element)), "not a pred");
}
void InstructionChecker::operator()(const Probe&) const { counts(1, 0); }
void InstructionChecker::operator()(const InfeedTurn&) const {
  counts(0, 1);
  need(is_index(out_[0]), "not an integer scalar");
}

void check_work(const Instruction& instruction) {
  std::visit(InstructionChecker(instruction), instruction.work);
}

void check_type(const TensorType& type) {
  need(static_cast<std::size_t>(type.element) < kElementTypes, "unknown element type");
  need(type.is_static(), "the shape is not static");
  need(std::ranges::all_of(type.shape, [](auto size) { return size >= 0; }), "negative size");
}

}  // namespace understudy::program::passes
