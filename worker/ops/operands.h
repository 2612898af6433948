// SPDX-License-Identifier: Apache-2.0
// Shared by the ops: operands as runs of elements, bodies as functions, shapes as strides.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "program/executable/executable.h"
#include "worker/chip/execution.h"

namespace understudy::worker::ops {

using program::Operand;
using program::Shape;

// Row-major strides in elements.
Shape strides_of(const Shape& shape);
std::size_t element_bytes(const Operand& operand);
// The number of elements that an instruction computes for this output: in the frame of a lanewise
// body, `lanes` of each.
std::size_t count_of(const Operand& output, const Execution& execution);
// `count` elements of `operand`: in place, or, for a single element that all lanes share, a run of
// copies in VMEM.
const std::byte* read(const Operand& operand, std::size_t count, Execution& execution);
// Copies one element to `count` places.
void replicate(const std::byte* element, std::size_t bytes, std::byte* out, std::size_t count);
// The value of an integer or pred scalar.
std::int64_t integer_at(const Operand& operand, const Execution& execution);
std::int64_t integer_of(program::ElementType type, const std::byte* at);

// Steps through the indices of a shape, last dimension fastest.
class Counter {
 public:
  explicit Counter(Shape shape);
  const Shape& at() const { return at_; }
  // Moves to the next index; false after the last one, and then at the first index again.
  bool next();
  bool empty() const { return empty_; }

 private:
  Shape shape_;
  Shape at_;
  bool empty_ = false;
};

// A body as a function with a frame of its own: fill the parameters, call(), read the results. Only
// one may be active per Execution at a time; the frame is in VMEM until the instruction ends.
class BodyCall {
 public:
  // Chooses the number of lanes: as many as keep the frame in the cache, at most `wanted`; 1 unless
  // the body is lanewise.
  BodyCall(const program::Body& body, Execution& execution, std::size_t wanted);

  std::size_t lanes() const { return lanes_; }
  // Memory for `count` <= lanes() elements of parameter i. Its address depends on `count`.
  std::byte* parameter(std::size_t i, std::size_t count) const;
  void call(std::size_t count);
  // Copies `count` elements of result i to `out`.
  void result(std::size_t i, std::byte* out, std::size_t count) const;
  // The first element of result i.
  const std::byte* result(std::size_t i) const;

 private:
  const program::Body& body_;
  Execution& execution_;
  std::size_t lanes_ = 1;
  std::size_t last_count_ = 1;
  std::byte* frame_ = nullptr;
};

}  // namespace understudy::worker::ops
