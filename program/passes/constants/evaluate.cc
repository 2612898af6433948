// SPDX-License-Identifier: Apache-2.0
#include "program/passes/constants/evaluate.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "program/passes/copies.h"

namespace understudy::program::passes {

namespace {

// A kernel that the table does not have computes nothing.
template <class Kernel, class... Arguments>
bool call(Kernel kernel, Arguments... arguments) {
  if (kernel != nullptr) kernel(arguments...);
  return kernel != nullptr;
}

void fill(const TensorType& type, const std::byte* one, std::byte* out) {
  const std::size_t bytes = byte_size(type.element);
  for (std::int64_t i = 0; i < type.elements(); ++i, out += bytes) std::memcpy(out, one, bytes);
}

bool count(const Iota& work, const TensorType& type, const kernels::KernelTable& kernels,
           std::byte* out) {
  const auto dimension = static_cast<std::size_t>(work.dimension);
  std::int64_t inner = 1;
  for (std::size_t d = dimension + 1; d < type.shape.size(); ++d) inner *= type.shape[d];
  std::vector<std::int64_t> numbers;
  for (std::int64_t i = 0; i < type.elements(); ++i)
    numbers.push_back(i / inner % type.shape[dimension]);
  return call(kernels.convert(ElementType::i64, type.element), numbers.data(), out, numbers.size());
}

// One dimension of a copy and those in it; strides and places in elements.
void copy(const StridedCopy& work, std::size_t d, std::size_t bytes, const std::byte* in,
          std::byte* out) {
  if (d == work.sizes.size()) {
    std::memcpy(out, in, bytes);
    return;
  }
  const auto size = static_cast<std::int64_t>(bytes);
  for (std::int64_t i = 0; i < work.sizes[d]; ++i)
    copy(work, d + 1, bytes, in + i * work.in_strides[d] * size,
         out + i * work.out_strides[d] * size);
}

}  // namespace

bool evaluate(const Instruction& instruction, const kernels::KernelTable& kernels,
              std::span<const std::byte* const> in, std::byte* out) {
  const TensorType& type = instruction.outputs[0].type;
  if (const auto* iota = std::get_if<Iota>(&instruction.work))
    return count(*iota, type, kernels, out);
  if (std::holds_alternative<Fill>(instruction.work)) {
    fill(type, in[0], out);
    return true;
  }
  if (const auto* work = std::get_if<StridedCopy>(&instruction.work)) {
    if (!fills_in_order(instruction)) return false;
    const std::size_t bytes = byte_size(type.element);
    copy(*work, 0, bytes, in[0] + work->in_base * static_cast<std::int64_t>(bytes), out);
    return true;
  }
  if (in.empty()) return false;
  const auto n = static_cast<std::size_t>(type.elements());
  const ElementType from = instruction.inputs[0].type.element, to = type.element;
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
