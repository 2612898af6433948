// SPDX-License-Identifier: Apache-2.0
// Custom calls with a known meaning. Any other target is refused before the run, as its semantics
// are in a library that only the producer has.
#include "program/lowering/custom_call/custom_call.h"

#include <algorithm>
#include <fmt/format.h>

#include "program/lowering/custom_call/lapack.h"
#include "program/lowering/exported_calls.h"
#include "program/lowering/lowering.h"
#include "program/passes/module/attributes.h"

namespace understudy::program::passes {

void lower_identity(Lowering& lowering, const Operation& op) {
  lowering.bind_all(op.results, lowering.parts(op));
}

namespace {

// Operand 1 is the shape of operand 0, which refine() gives to the result.
void lower_shape_wrapper(Lowering& lowering, const Operation& op) {
  lowering.bind(*op.results[0], lowering.parts(op, 0, 1));
}

// The message of a failed assertion: {0}, {1}, ... stand for the operands after the predicate.
std::string assertion_text(Lowering& lowering, const Operation& op) {
  std::string text = string_of(op, "error_message", "shape_assertion failed");
  // A placeholder of a value that is only known at run time stays as it is.
  for (std::size_t i = 1; i < op.operands.size(); ++i) {
    const auto value = lowering.known_operand(op, i);
    const std::string name = fmt::format("{{{}}}", i - 1);
    const std::string number = value ? fmt::format("{}", value->front()) : name;
    // Searching goes on behind the number, so a number is never replaced in its turn.
    for (std::size_t at = text.find(name); at != std::string::npos;
         at = text.find(name, at + number.size()))
      text.replace(at, name.size(), number);
  }
  return text;
}

// JAX's checks of polymorphic shapes: decided now if the predicate is known, else at run time.
void lower_shape_assertion(Lowering& lowering, const Operation& op) {
  const auto holds = lowering.known_operand(op, 0);
  // At run time the worker has only the predicate, so the numbers of the message are not filled in.
  if (!holds)
    return lowering.emit(Assert{string_of(op, "error_message", "shape_assertion failed")},
                         lowering.parts(op), Parts());
  if (holds->front() == 0)
    throw error_at(op.location, ErrorKind::check, assertion_text(lowering, op));
}

// No value depends on it: nothing, or the operand.
void lower_mark(Lowering& lowering, const Operation& op) {
  if (!op.results.empty()) lower_identity(lowering, op);
}

// Memory that nobody has written: zeros, so that a program that reads it gives the same each time.
void lower_buffer(Lowering& lowering, const Operation& op) {
  for (std::size_t i = 0; i < op.results.size(); ++i)
    lowering.bind(*op.results[i], lowering.splat(lowering.result_type(op, i), 0));
}

// A copy in the other memory. What its users make of it without computing (slices, updates, loops)
// stays there: passes/host_memory.cc.
void lower_placement(Lowering& lowering, const Operation& op) {
  const Attribute* attributes = op.find("mhlo.frontend_attributes");
  const auto* entries = attributes == nullptr ? nullptr : attributes->dictionary();
  const Attribute* place = entries == nullptr ? nullptr : entries->find("_xla_buffer_placement");
  const auto* kind = place == nullptr ? nullptr : place->get<StringAttribute>();
  constexpr std::string_view kKinds[] = {"device", "pinned_host", "unpinned_host"};
  if (kind == nullptr || std::ranges::find(kKinds, kind->value) == std::end(kKinds))
    throw error_at(op.location, ErrorKind::unsupported,
                   fmt::format("{} @annotate_device_placement: expected the memory kind device, "
                               "pinned_host or unpinned_host, got \"{}\"",
                               op.name, kind == nullptr ? "" : kind->value));
  lowering.emit_result(op, HostMove{kind->value != "device"}, {lowering.operand(op, 0)});
}

constexpr std::string_view kNoPython =
    "a callback into Python, which is not there when the program runs: return the value as a "
    "result instead of jax.debug.print, and compute with JAX operations instead of pure_callback";
constexpr std::string_view kNoGpu =
    "the program was lowered for a GPU: lower it with platforms=[\"tpu\"]";
constexpr std::string_view kNoPallas =
    "a Pallas kernel, which only the TPU compiler can translate: pass interpret=True to "
    "pallas_call, which lowers the kernel to operations that run here";
constexpr std::string_view kNoMemoryReference =
    "pinned buffers have memref types: lower the function without them";

// Sharding annotations are identities: interface_of() has checked that no data has to move for any
// of them.
constexpr CustomCallRow kCustomCalls[] = {
    {"AllocateBuffer", "JAX: lax.empty", lower_buffer, "zeros"},
    {"ApproxTopK", "JAX: approx_max_k, approx_min_k", lower_approximate_top_k,
     "exact, which satisfies every recall target"},
    {"InspectSharding", "JAX: inspect_array_sharding", lower_mark, "shows nothing"},
    {"LayoutConstraint", "JAX: with_layout_constraint", lower_identity, "layouts have no effect"},
    {"Sharding", "JAX, PyTorch/XLA", lower_identity, "checked before the run"},
    {"SPMDFullToShardShape", "JAX: shard_map", lower_identity, "checked before the run"},
    {"SPMDShardToFullShape", "JAX: shard_map", lower_identity, "checked before the run"},
    {"TopK", "XLA", lower_top_k, ""},
    {"annotate_device_placement", "JAX: memory kinds", lower_placement,
     "a copy to host memory, or back"},
    {"dce_sink", "JAX: dce_sink", lower_mark, "nothing"},
    {"mhlo.copy", "artifacts", lower_identity, ""},
    {"mhlo.topk", "JAX 0.4 artifacts: top_k", lower_mhlo_top_k, ""},
    {"mhlo.*", "artifacts, PyTorch/XLA", nullptr, "element-wise functions of one operand"},
    {"ragged_all_to_all", "JAX: ragged_all_to_all", lower_ragged_all_to_all, ""},
    {"shape_assertion", "JAX: symbolic shapes", lower_shape_assertion, "checked"},
    {"stablehlo.dynamic_approx_top_k", "JAX: symbolic shapes", lower_approximate_top_k,
     "exact; the k must be known from the shapes of the arguments"},
    {"stablehlo.dynamic_reduce_window", "JAX: symbolic shapes", lower_dynamic_reduce_window, ""},
    {"stablehlo.dynamic_rng_bit_generator", "JAX: symbolic shapes", lower_rng_bit_generator, ""},
    {"stablehlo.dynamic_top_k", "JAX: symbolic shapes", lower_top_k,
     "the k must be known from the shapes of the arguments"},
    {"stablehlo.shape_refinement_operand_wrapper", "JAX: symbolic shapes", lower_shape_wrapper, ""},
    {"xla.sdy.FuncResultSharding", "JAX: Shardy", lower_identity, "checked before the run"},
    // ---- refused
    {"CreateBuffer", "JAX: pinned buffers", nullptr, kNoMemoryReference},
    {"CustomSPMDPartitioning", "JAX: custom_partitioning", nullptr,
     "its code is a Python function that XLA's partitioner calls: call the function inside "
     "shard_map, without custom_partitioning"},
    {"Pin", "JAX: pinned buffers", nullptr, kNoMemoryReference},
    {"Unpin", "JAX: pinned buffers", nullptr, kNoMemoryReference},
    {"__cublas*", "XLA for GPUs", nullptr, kNoGpu},
    {"__cudnn*", "JAX for GPUs", nullptr, kNoGpu},
    {"__gpu$*", "JAX for GPUs: Triton", nullptr, kNoGpu},
    {"cpu_csr_sparse_dense_ffi", "JAX for CPUs: sparse matrices", nullptr,
     "lower it with platforms=[\"tpu\"], which makes a gather and a sum of it"},
    {"cu*", "JAX for GPUs", nullptr, kNoGpu},
    {"hip*", "JAX for GPUs", nullptr, kNoGpu},
    {"mosaic_gpu*", "JAX for GPUs: Pallas", nullptr, kNoGpu},
    {"tf.call_tf_function", "jax2tf.call_tf", nullptr,
     "a call of a TensorFlow function, which is not there when the program runs: compute with "
     "JAX operations"},
    {"tpu_custom_call", "JAX for TPUs: Pallas", nullptr, kNoPallas},
    {"triton_kernel_call", "JAX for GPUs: Triton", nullptr, kNoGpu},
    {"xla_buffer_*", "JAX: buffer_callback", nullptr, kNoPython},
    {"xla_ffi_partitioned_python_*", "JAX: callbacks", nullptr, kNoPython},
    {"xla_ffi_python_*", "JAX: callbacks", nullptr, kNoPython},
    {"xla_python_*", "JAX 0.4: callbacks", nullptr, kNoPython},
};

// torch_xla writes element-wise functions that StableHLO lacks as custom calls: @mhlo.erf is the
// unary operation erf.
constexpr std::string_view kMhlo = "mhlo.";

void lower_mhlo_unary(Lowering& lowering, const Operation& op) {
  const std::string target = string_of(op, "call_target_name", "");
  const auto unary = unary_op_of(std::string_view(target).substr(kMhlo.size()));
  const Operand x = lowering.operand(op, 0);
  if (is_expanded(*unary, x.type.element))
    return lowering.bind(*op.results[0], expanded(lowering, *unary, x));
  lowering.emit_result(op, Unary{*unary}, {x});
}

bool is_mhlo_unary(const Operation& op, std::string_view target) {
  return target.starts_with(kMhlo) && op.operands.size() == 1 &&
         unary_op_of(target.substr(kMhlo.size()));
}

// How a target is lowered, or nothing where it is refused or not known.
LowerFunction target_of(const Operation& op) {
  const std::string target = string_of(op, "call_target_name", "");
  if (const LowerFunction routine = lapack_target(target)) return routine;
  if (is_check_call(target)) return lower_check_call;
  if (is_mhlo_unary(op, target)) return lower_mhlo_unary;
  const CustomCallRow* row = custom_call_row(target);
  return row == nullptr ? nullptr : row->lower;
}

// Leaves in the order of the tuple's type, depth first: the order of Lowering's parts.
void add_leaves(const Type& type, Operation& op) {
  for (const Type& element : type.elements) add_leaves(element, op);
  if (!type.is_tensor()) return;
  const auto index = static_cast<std::uint32_t>(op.results.size());
  op.results.push_back(std::make_unique<Value>(Value{type, &op, nullptr, index, op.location}));
}

// XLA writes several results as one tuple. A call with the leaves as results is lowered instead.
void lower_tuple_call(Lowering& lowering, const Operation& op, LowerFunction lower) {
  Operation flat{op.name, op.operands, {}, op.attributes, {}, op.location, op.operand_locations};
  add_leaves(op.results[0]->type, flat);
  lower(lowering, flat);
  Operation tuple{"stablehlo.tuple", {}, {}, {}, {}, op.location, {}};
  for (const auto& result : flat.results) tuple.operands.push_back(result.get());
  lowering.bind(*op.results[0], lowering.parts(tuple));
}

void lower_custom_call(Lowering& lowering, const Operation& op) {
  if (const LowerFunction lower = target_of(op)) {
    // A tuple without elements has no leaves and is not taken apart.
    const bool has_tuple = op.results.size() == 1 && !op.results[0]->type.elements.empty();
    return has_tuple ? lower_tuple_call(lowering, op, lower) : lower(lowering, op);
  }
  const std::string target = string_of(op, "call_target_name", "");
  Error error = error_at(op.location, ErrorKind::unsupported,
                         fmt::format("{}: unsupported target @{}", op.name, target));
  if (std::string advice = advice_for_target(target); !advice.empty())
    error.note(std::move(advice));
  throw error;
}

}  // namespace

std::string advice_for_target(std::string_view target) {
  const CustomCallRow* row = custom_call_row(target);
  // Targets of the element-wise row are not refused for its remark.
  return row == nullptr || row->target.starts_with(kMhlo) ? "" : std::string(row->remark);
}

std::span<const CustomCallRow> custom_call_rows() { return kCustomCalls; }

// '*' stands for any end, '?' for one letter (the LAPACK type letter).
bool is_target(std::string_view row, std::string_view target) {
  if (row.ends_with('*')) return target.starts_with(row.substr(0, row.size() - 1));
  if (row.size() != target.size()) return false;
  for (std::size_t i = 0; i < row.size(); ++i)
    if (row[i] != target[i] && row[i] != '?') return false;
  return true;
}

const CustomCallRow* custom_call_row(std::string_view target) {
  // The first row that fits wins, so exact names stand before families.
  for (const CustomCallRow& row : kCustomCalls)
    if (is_target(row.target, target)) return &row;
  return nullptr;
}

bool can_lower_custom_call(const Operation& op) { return target_of(op) != nullptr; }

std::vector<std::string_view> custom_call_targets() {
  // The row of the family has no function of its own; it is listed here because some names of it
  // run.
  std::vector<std::string_view> names{"mhlo.*"};
  for (const CustomCallRow& row : kCustomCalls)
    if (row.lower != nullptr) names.push_back(row.target);
  for (const LapackTargetName& target : lapack_targets())
    if (std::ranges::find(names, target.name) == names.end()) names.push_back(target.name);
  return names;
}

void add_custom_calls(LowerTable& table) {
  table.emplace("stablehlo.custom_call", lower_custom_call);
}

}  // namespace understudy::program::passes
