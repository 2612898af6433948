// SPDX-License-Identifier: Apache-2.0
// From operations to draft instructions. One Lowering walks @main once, inlining calls; each
// operation goes through a table {op name -> function}, whose rows come from the files of this
// folder, one per family. Reads the module, owns nothing of it. Thread-compatible. Equivalents:
// xla::IrEmitter, mlir conversion patterns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "program/compile.h"
#include "program/executable/executable.h"
#include "program/ir/ir.h"
#include "program/lowering/numbers.h"
#include "program/lowering/origins.h"
#include "program/passes/check/kernel_check.h"
#include "program/passes/draft.h"
#include "program/passes/module/grid.h"

namespace understudy::program::passes {

class Lowering;
using LowerFunction = void (*)(Lowering&, const Operation&);
using LowerTable = std::unordered_map<std::string_view, LowerFunction>;

// The parts of a value: one operand of a tensor, none of a token, all leaves of a tuple.
using Parts = std::vector<Operand>;

// The surroundings of the functions of one interpreter.run_parallel.
struct Parallel {
  std::vector<std::string> infeed;  // functions of the queue
  Wiring wiring;
};

class Lowering {
 public:
  Lowering(const Module& module, const Interface& interface, Draft& draft,
           Lowered lowered = Lowered::to_run);

  // Arguments are in argument space; results are copied to result space at the end.
  void lower_main(const Function& main);
  // The result types of @main with all dimensions known. The draft is unusable afterwards.
  std::vector<TensorType> result_types_of(const Function& main);

  const Interface& interface() const { return interface_; }
  const Module& module() const { return module_; }

  // ---- values
  Operand operand(const Operation& op, std::size_t index);  // of a tensor operand
  Parts parts(const Operation& op, std::size_t first, std::size_t count);
  Parts parts(const Operation& op) { return parts(op, 0, op.operands.size()); }
  void bind(const Value& value, Operand operand);
  void bind(const Value& value, Parts parts);
  void forget(const Value& value) { values_.erase(&value); }
  // Deals parts out over values by their types.
  void bind_all(std::span<const std::unique_ptr<Value>> values, const Parts& parts);
  // Static tensor type of a result: as written, or as refine() found it. Throws Error{unsupported}
  // at op where it is not.
  const TensorType& result_type(const Operation& op, std::size_t index = 0) const;

  // ---- buffers
  Operand make(const TensorType& type);  // a new temporary, or a frame slot inside a body
  Operand constant(const TensorType& type, std::span<const std::byte> bytes);
  Operand scalar(ElementType element, double value);
  Operand integers(const TensorType& type, std::span<const std::int64_t> values);
  // The actual type of a tensor operand whose written type has dynamic dimensions.
  const TensorType& operand_type(const Operation& op, std::size_t index) const;
  // The elements of an integer value known now (a constant, or computed from constants); else
  // nullopt.
  std::optional<std::vector<std::int64_t>> known_integers(const Operand& operand) const;
  std::optional<std::vector<std::int64_t>> known_operand(const Operation& op,
                                                         std::size_t index) const;
  void remember(const Operand& operand, std::vector<std::int64_t> values);
  // What is known of integers that a run computes; nullopt: nothing.
  std::optional<Numbers> numbers(const Operand& operand) const;
  bool is_zero(const Operand& scalar) const;  // a constant whose bits are 0

  Origins& origins() { return origins_; }
  const Origins& origins() const { return origins_; }

  // ---- instructions
  void emit(Work work, Parts inputs, Parts outputs);
  Operand emit(Work work, Parts inputs, const TensorType& type);   // to a new buffer, returned
  void emit_result(const Operation& op, Work work, Parts inputs);  // one result, bound
  Operand binary(BinaryOp op, const Operand& a, const Operand& b);
  Operand unary(UnaryOp op, const Operand& x);
  Operand convert(const Operand& x, ElementType element);
  Operand fill(const Operand& scalar, const TensorType& type);
  Operand splat(const TensorType& type, double value) {
    return fill(scalar(type.element, value), type);
  }
  Operand broadcast(const Operand& x, std::span<const std::int64_t> dimensions,
                    const TensorType& type);
  // A dense value with element i = x[base + sum i_d * strides_d]: a view if that is contiguous, a
  // fill if it is one element, else a copy.
  Operand gather_strided(const Operand& x, const TensorType& type, Shape strides,
                         std::int64_t base);
  void emit_copy(StridedCopy copy, const Operand& from, const Operand& to);  // simplified first
  void copy(const Operand& from, const Operand& to);                         // whole
  // All at once, as parallel assignment: no destination is written before it is read.
  void move_all(Parts from, const Parts& to);

  // How many operations slice a value.
  std::uint32_t slices_of(const Value& value) const {
    const auto found = slices_.find(&value);
    return found != slices_.end() ? found->second : 0;
  }

  // ---- blocks
  Parts run_block(const Block& block, const Parts& arguments);  // what its terminator returns
  Parts call(const Operation& op, std::string_view function, const Parts& arguments);
  Code nested(const std::function<void()>& lower);  // collects what `lower` emits
  Body body(const Block& block);
  // A body of one binary operation, for reductions that no region spells out.
  Body binary_body(BinaryOp op, ElementType element);
  // parameters and results of `element` scalars; `build` returns the results.
  Body built_body(std::span<const ElementType> parameters,
                  const std::function<Parts(const Parts&)>& build);
  bool in_body() const { return frame_ != nullptr; }
  // In a list of a loop or a branch.
  bool is_nested() const { return code_ != &draft_.code; }

  // Inside a run_parallel: its processes and queues; else nullptr.
  const Parallel* parallel() const { return parallel_; }
  class WithParallel {
   public:
    WithParallel(Lowering& lowering, const Parallel& parallel) : lowering_(lowering) {
      lowering_.parallel_ = &parallel;
    }
    ~WithParallel() { lowering_.parallel_ = nullptr; }
    WithParallel(const WithParallel&) = delete;
    WithParallel& operator=(const WithParallel&) = delete;

   private:
    Lowering& lowering_;
  };

 private:
  struct Counted {
    TensorType type;
    Numbers numbers;
  };
  Parts run_main(const Function& main);
  struct Frame {
    std::uint64_t bytes = 0;
    std::uint32_t depth = 0;  // of bodies in bodies
    bool lanewise = true;
    // Outer scalars filled into lanes, by their buffers: the scalar, then its lanes.
    std::unordered_map<Buffer, Parts, BufferHash> expanded;
  };
  struct Known {
    ElementType element;
    std::vector<std::int64_t> values;
  };
  // Finds the static types of results that the program leaves open, and checks written sizes
  // against what the operands make. Throws Error{input} where they disagree, Error{unsupported}
  // where a size is only known at run time.
  void refine(const Operation& op);
  std::optional<std::vector<std::int64_t>> folded(const Work& work, const Parts& inputs,
                                                  const TensorType& out) const;
  std::vector<NumbersIn> numbers_in(const Work& work, const Parts& inputs,
                                    const TensorType& out) const;
  Operand into_frame(const Operand& outer);
  Operand slot(const TensorType& type);
  Body collect_body(bool lanewise, const std::vector<TensorType>& parameters,
                    const std::function<Parts(const Parts&)>& build);
  const Parts& parts_of(const Value& value, const Operation& op) const;

  const Module& module_;
  const Interface& interface_;
  Draft& draft_;
  Code* code_;
  Origins origins_;
  Frame* frame_ = nullptr;
  const Parallel* parallel_ = nullptr;
  std::uint32_t op_ = 0;
  const Operation* at_ = nullptr;  // the operation being lowered
  std::uint64_t emitted_ = 0;
  std::vector<const Block*> active_;  // blocks being lowered, outermost first
  std::unordered_map<const Operation*, std::uint32_t> ordinals_;
  std::unordered_map<const Value*, std::uint32_t> slices_;  // of each value, how many
  std::unordered_map<const Value*, Parts> values_;
  std::unordered_map<std::uint64_t, std::vector<std::uint64_t>> constants_;  // hash -> offsets
  std::unordered_map<std::uint32_t, Known> known_;                           // by temporary
  std::unordered_map<std::uint32_t, Counted> counted_;                       // by temporary
  std::unordered_map<const Value*, TensorType> refined_;  // results whose written type is open
};

// ---- the table and its families ----------------------------------------------------------------

const LowerTable& lower_table();
// Whether the table has a row for it (terminators need none); of a custom call, for its target.
bool can_lower(const Operation& op);
bool can_lower_custom_call(const Operation& op);
// The targets of custom calls that are known; "mhlo.*": element-wise operations of one operand.
std::vector<std::string_view> custom_call_targets();
void add_elementwise(LowerTable& table);
void add_broadcasting(LowerTable& table);
void add_movement(LowerTable& table);
void add_slices(LowerTable& table);
void add_dynamic(LowerTable& table);
void add_indexing(LowerTable& table);
void add_reductions(LowerTable& table);
void add_batch_norm(LowerTable& table);
void add_linear_algebra(LowerTable& table);
void add_einsum(LowerTable& table);
void add_ragged_dot(LowerTable& table);
void add_scan(LowerTable& table);
void add_convolution(LowerTable& table);
void add_collectives(LowerTable& table);
void add_rooted_collectives(LowerTable& table);
void add_control(LowerTable& table);
void add_structure(LowerTable& table);
void add_custom_calls(LowerTable& table);
void add_checks(LowerTable& table);
void add_parallel(LowerTable& table);

// custom_call @check.*: the check dialect in another dress.
bool is_check_call(std::string_view target);
void lower_check_call(Lowering& lowering, const Operation& op);

// The element-wise operation of a name without its dialect ("tanh", "erf"); nullopt for others.
std::optional<UnaryOp> unary_op_of(std::string_view name);
std::optional<BinaryOp> binary_op_of(std::string_view name);
// Whether that function is computed by other operations, and the value of them.
bool is_expanded(UnaryOp op, ElementType element);
Operand expanded(Lowering& lowering, UnaryOp op, const Operand& x);
Direction direction_of(const Operation& op);    // of a comparison
bool is_elementwise(std::string_view op_name);  // full name; works on scalars lane by lane
// False for an element-wise operation whose kernels do not support its element type.
bool operation_has_kernel(const Operation& op);

// The pieces side by side along a dimension.
Operand join_pieces(Lowering& lowering, const Parts& pieces, std::size_t dimension,
                    const TensorType& type);
// The sum of two arrays that are padded with zeros around different elements; nullopt of others.
std::optional<Operand> sum_of_padded(Lowering& lowering, const Operation& op);
// The transposed result of a dot_general without sums, in one step: of element-wise products of
// operands in that order. nullopt, with nothing emitted, of others. `out`: the transposed type.
std::optional<Operand> transposed_product(Lowering& lowering, const Operation& product,
                                          const Shape& permutation, const TensorType& out);
// Also of dynamic_iota, whose size is that of the result.
void lower_iota(Lowering& lowering, const Operation& op);
// The custom call of that name.
void lower_ragged_all_to_all(Lowering& lowering, const Operation& op);

// The reducer that a body is, where the fast kernels know it for operands of that type.
Reduction recognise(const Body& body);
// The body returns its second parameter: an overwriting scatter.
bool returns_second(const Body& body);

}  // namespace understudy::program::passes
