// SPDX-License-Identifier: Apache-2.0
// The operands and results of one instruction as batches of matrices of T: row-major in the chip's
// memory, column-major for LAPACK; narrower floats are computed in float and rounded once. Refers
// to the instruction and the launch. Call from the executor thread only.
#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstring>
#include <limits>
#include <type_traits>
#include <vector>

#include "configs/base/error.h"
#include "worker/chip/copy.h"
#include "worker/chip/execution.h"
#include "worker/lapack/block.h"
#include "worker/lapack/routines.h"

namespace understudy::worker::lapack {

using program::ElementType;
using program::Instruction;
using program::Operand;

template <class T>
inline constexpr ElementType kElement = ElementType::i32;
template <>
inline constexpr ElementType kElement<float> = ElementType::f32;
template <>
inline constexpr ElementType kElement<double> = ElementType::f64;
template <>
inline constexpr ElementType kElement<std::complex<float>> = ElementType::c64;
template <>
inline constexpr ElementType kElement<std::complex<double>> = ElementType::c128;

// out[c * rows + r] = in[r * columns + c].
template <class T>
void transpose(const T* in, std::size_t rows, std::size_t columns, T* out) {
  // From so many elements on a plan costs less than it saves.
  constexpr std::size_t kMostInLoop = 1024;
  if (rows * columns > kMostInLoop) {
    const auto r = static_cast<std::int64_t>(rows), c = static_cast<std::int64_t>(columns);
    return ops::CopyPlan({r, c}, {c, 1}, {1, r}, sizeof(T))
        .run(reinterpret_cast<const std::byte*>(in), reinterpret_cast<std::byte*>(out));
  }
  constexpr std::size_t kSquare = 16;  // stays in the cache
  for (std::size_t r0 = 0; r0 < rows; r0 += kSquare)
    for (std::size_t c0 = 0; c0 < columns; c0 += kSquare)
      for (std::size_t r = r0; r < std::min(r0 + kSquare, rows); ++r)
        for (std::size_t c = c0; c < std::min(c0 + kSquare, columns); ++c)
          out[c * rows + r] = in[r * columns + c];
}

template <class T>
bool is_finite(const T& x) {
  if constexpr (kComplex<T>) {
    return std::isfinite(x.real()) && std::isfinite(x.imag());
  } else {
    return std::isfinite(x);
  }
}

template <class T>
T not_a_number() {
  constexpr auto kNan = std::numeric_limits<Real<T>>::quiet_NaN();
  if constexpr (kComplex<T>) {
    return {kNan, kNan};
  } else {
    return kNan;
  }
}

template <class T>
class Call {
 public:
  Call(const Instruction& instruction, Execution& execution, std::size_t letters)
      : instruction_(instruction), execution_(execution) {
    const program::Shape& shape = instruction.inputs[0].type.shape;
    for (std::size_t d = 0; d + letters < shape.size(); ++d)
      batches_ *= static_cast<std::size_t>(shape[d]);
  }

  std::size_t batches() const { return batches_; }
  // The size of a dimension of an operand or result, counted from the last one.
  int in_size(std::size_t input, std::size_t from_last) const {
    return size(instruction_.inputs[input], from_last);
  }
  int out_size(std::size_t output, std::size_t from_last) const {
    return size(instruction_.outputs[output], from_last);
  }

  // All matrices of an operand or a result where they are elements of U; else null.
  template <class U>
  const U* all_of(std::size_t input) const {
    const Operand& operand = instruction_.inputs[input];
    if (operand.type.element != kElement<U>) return nullptr;
    return reinterpret_cast<const U*>(execution_.address(operand.at));
  }
  template <class U>
  U* all_of_result(std::size_t output) const {
    const Operand& operand = instruction_.outputs[output];
    if (operand.type.element != kElement<U>) return nullptr;
    return reinterpret_cast<U*>(execution_.writable(operand.at));
  }

  // One matrix of an operand, or of a result, in column-major order.
  template <class U>
  void read(std::size_t input, std::size_t batch, U* to, int rows, int columns) {
    const std::byte* const from = take(input, batch, kElement<U>, product(rows, columns));
    transpose(reinterpret_cast<const U*>(from), positive(rows), positive(columns), to);
  }
  template <class U>
  void write(std::size_t output, std::size_t batch, const U* from, int rows, int columns) {
    give(output, batch, kElement<U>, product(rows, columns), [&](std::byte* to) {
      transpose(from, positive(columns), positive(rows), reinterpret_cast<U*>(to));
    });
  }
  // `count` elements as they are: a vector, or a matrix in row-major order.
  template <class U>
  void read_plain(std::size_t input, std::size_t batch, U* to, std::size_t count) {
    const std::byte* const from = take(input, batch, kElement<U>, count);
    if (count > 0) std::memcpy(to, from, count * sizeof(U));
  }
  template <class U>
  void write_plain(std::size_t output, std::size_t batch, const U* from, std::size_t count) {
    give(output, batch, kElement<U>, count, [&](std::byte* to) {
      if (count > 0) std::memcpy(to, from, count * sizeof(U));
    });
  }
  void write_info(std::size_t output, std::size_t batch, int info) {
    write_plain(output, batch, &info, 1);
  }

 private:
  static int size(const Operand& operand, std::size_t from_last) {
    const program::Shape& shape = operand.type.shape;
    return static_cast<int>(shape[shape.size() - 1 - from_last]);
  }
  static std::size_t positive(int size) { return static_cast<std::size_t>(size); }
  static std::size_t product(int rows, int columns) { return positive(rows) * positive(columns); }
  // The elements of a matrix as `type`: in place, or converted.
  const std::byte* take(std::size_t input, std::size_t batch, ElementType type, std::size_t count) {
    const Operand& operand = instruction_.inputs[input];
    const ElementType element = operand.type.element;
    const std::byte* const from =
        execution_.address(operand.at) + batch * count * program::byte_size(element);
    if (element == type) return from;
    staging_.resize(count * program::byte_size(type));
    convert(element, type, from, staging_.data(), count);
    return staging_.data();
  }
  // `fill` writes the elements of a matrix as `type`.
  template <class Fill>
  void give(std::size_t output, std::size_t batch, ElementType type, std::size_t count,
            const Fill& fill) {
    const Operand& operand = instruction_.outputs[output];
    const ElementType element = operand.type.element;
    std::byte* const to =
        execution_.writable(operand.at) + batch * count * program::byte_size(element);
    if (element == type) return fill(to);
    staging_.resize(count * program::byte_size(type));
    fill(staging_.data());
    convert(type, element, staging_.data(), to, count);
  }
  void convert(ElementType from, ElementType to, const std::byte* in, std::byte* out,
               std::size_t count) {
    const auto kernel = execution_.kernels->convert(from, to);
    UNDERSTUDY_ASSERT(kernel != nullptr);
    kernel(in, out, count);
  }

  const Instruction& instruction_;
  Execution& execution_;
  std::size_t batches_ = 1;
  std::vector<std::byte> staging_;
};

}  // namespace understudy::worker::lapack
