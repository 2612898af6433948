// SPDX-License-Identifier: Apache-2.0
#include "program/passes/constants/evaluate.h"

namespace understudy::program::passes {

namespace {

// A kernel that the table does not have computes nothing.
template <class Kernel, class... Arguments>
bool call(Kernel kernel, Arguments... arguments) {
  if (kernel != nullptr) kernel(arguments...);
  return kernel != nullptr;
}

}  // namespace

bool evaluate(const Instruction& instruction, const kernels::KernelTable& kernels,
              std::span<const std::byte* const> in, std::byte* out) {
  const auto n = static_cast<std::size_t>(instruction.outputs[0].type.elements());
  const ElementType from = instruction.inputs[0].type.element,
                    to = instruction.outputs[0].type.element;
  if (const auto* unary = std::get_if<Unary>(&instruction.work))
    return call(kernels.unary(unary->op, from), in[0], out, n);
  if (std::holds_alternative<Convert>(instruction.work))
    return call(kernels.convert(from, to), in[0], out, n);
  if (const auto* binary = std::get_if<Binary>(&instruction.work))
    return call(kernels.binary(binary->op, from), in[0], in[1], out, n);
  if (const auto* compare = std::get_if<Compare>(&instruction.work))
    return call(kernels.compare(compare->direction, compare->total_order, from), in[0], in[1], out,
                n);
  // JAX chooses the divisor of every remainder by whether it is 0.
  if (std::holds_alternative<Select>(instruction.work))
    return call(kernels.select(byte_size(to)), in[0], in[1], in[2], out, n);
  return false;
}

}  // namespace understudy::program::passes
