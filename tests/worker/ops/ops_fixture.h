// SPDX-License-Identifier: Apache-2.0
// One instruction on small tensors: inputs lie in arguments, outputs in results.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "gtest/gtest.h"

#include "program/executable/executable.h"
#include "program/kernels/kernels.h"
#include "worker/chip/execution.h"
#include "worker/chip/executor.h"
#include "worker/ops/bind.h"

namespace understudy::worker {

using E = program::ElementType;
using program::Shape;

inline std::uint16_t bf16(float x) {
  std::uint16_t y = 0;
  program::kernels::select("").convert(E::f32, E::bf16)(&x, &y, 1);
  return y;
}
inline float from_bf16(std::uint16_t x) {
  float y = 0;
  program::kernels::select("").convert(E::bf16, E::f32)(&x, &y, 1);
  return y;
}

// The element type that a C++ type stands for; others are named.
template <class T>
constexpr E element_for() {
  if constexpr (std::is_same_v<T, float>) return E::f32;
  if constexpr (std::is_same_v<T, double>) return E::f64;
  if constexpr (std::is_same_v<T, std::int8_t>) return E::i8;
  if constexpr (std::is_same_v<T, std::int32_t>) return E::i32;
  if constexpr (std::is_same_v<T, std::int64_t>) return E::i64;
  if constexpr (std::is_same_v<T, std::uint32_t>) return E::ui32;
  if constexpr (std::is_same_v<T, std::uint64_t>) return E::ui64;
  if constexpr (std::is_same_v<T, std::uint16_t>) return E::bf16;
  if constexpr (std::is_same_v<T, std::uint8_t>) return E::pred;
}

class OpTest : public testing::Test {
 protected:
  // Adds an argument and names it.
  template <class T>
  program::Operand in(Shape shape, const std::vector<T>& values, E element = element_for<T>()) {
    auto bytes = std::make_unique<std::vector<std::byte>>(values.size() * sizeof(T) + 64);
    if (!values.empty()) std::memcpy(bytes->data(), values.data(), values.size() * sizeof(T));
    held_.push_back(std::move(bytes));
    execution_.arguments.push_back(held_.back()->data());
    program::Operand operand;
    operand.at = {program::Space::argument,
                  static_cast<std::uint32_t>(execution_.arguments.size() - 1), 0};
    operand.type = {element, std::move(shape)};
    EXPECT_EQ(operand.type.elements(), static_cast<std::int64_t>(values.size()));
    return operand;
  }
  program::Operand out(E element, Shape shape) {
    program::Operand operand;
    operand.type = {element, std::move(shape)};
    held_.push_back(std::make_unique<std::vector<std::byte>>(
        static_cast<std::size_t>(operand.type.bytes()) + 64, std::byte{0xa5}));
    execution_.results.push_back(held_.back()->data());
    results_.push_back(held_.back().get());
    operand.at = {program::Space::result, static_cast<std::uint32_t>(execution_.results.size() - 1),
                  0};
    return operand;
  }
  void run(program::Work work, std::vector<program::Operand> inputs,
           std::vector<program::Operand> outputs) {
    program::Code code(1);
    code[0].work = std::move(work);
    code[0].inputs = std::move(inputs);
    code[0].outputs = std::move(outputs);
    code[0].op = 7;
    const std::vector<std::vector<std::byte>> before = contents(code[0]);
    const std::uint64_t draws = execution_.rng_draws, first = status_.instructions;
    worker::run(code, execution_);
    EXPECT_EQ(vmem_.used(), 0U) << "scratch was not given back";
    const std::uint64_t counted = status_.instructions;
    run_bound(std::move(code), before, draws);
    EXPECT_EQ(status_.instructions - counted, counted - first);
    status_.instructions = counted;
  }
  template <class T>
  std::vector<T> values(const program::Operand& operand) const {
    std::vector<T> got(static_cast<std::size_t>(operand.type.elements()));
    const std::byte* const at = execution_.address(operand.at);
    if (!got.empty()) std::memcpy(got.data(), at, got.size() * sizeof(T));
    EXPECT_EQ(at[static_cast<std::size_t>(operand.type.bytes())],
              operand.at.space == program::Space::result ? std::byte{0xa5} : std::byte{0})
        << "written past the end";
    return got;
  }
  // Runs and reads the single result.
  template <class T>
  std::vector<T> result(program::Work work, std::vector<program::Operand> inputs, Shape shape,
                        E element = element_for<T>()) {
    const program::Operand to = out(element, std::move(shape));
    run(std::move(work), std::move(inputs), {to});
    return values<T>(to);
  }

  // A lanewise body out = op(a, b) on scalars.
  static program::Body body_of(program::Work work, E in, E out) {
    program::Body body;
    const auto slot = [](std::uint64_t i, E element) {
      program::Operand operand;
      operand.at = {program::Space::frame, 0, i * 16};
      operand.type = {element, {}};
      return operand;
    };
    body.parameters = {slot(0, in), slot(1, in)};
    body.results = {slot(2, out)};
    body.code.resize(1);
    body.code[0].work = std::move(work);
    body.code[0].inputs = body.parameters;
    body.code[0].outputs = body.results;
    body.frame_bytes = 48;
    return body;
  }

  const program::kernels::KernelTable& kernels_ = program::kernels::select("");
  Vmem vmem_{std::uint64_t{8} << 20};
  Mxu mxu_{kernels_};
  configs::StatusCell status_;
  Execution execution_ = fresh();

 private:
  // Of the buffers that an instruction writes.
  std::vector<std::vector<std::byte>> contents(const program::Instruction& instruction) const {
    std::vector<std::vector<std::byte>> all;
    for (const program::Operand& output : instruction.outputs)
      all.push_back(*results_.at(output.at.index));
    return all;
  }

  // The same code as the executor of loaded programs runs it, from the same contents: equal bytes.
  void run_bound(program::Code code, const std::vector<std::vector<std::byte>>& before,
                 std::uint64_t draws) {
    const std::vector<std::vector<std::byte>> plain = contents(code[0]);
    for (std::size_t i = 0; i < before.size(); ++i)
      *results_.at(code[0].outputs[i].at.index) = before[i];
    program::Executable executable;
    // The binder asks for their number only.
    executable.arguments.resize(execution_.arguments.size());
    executable.results.resize(execution_.results.size());
    executable.code = std::move(code);
    execution_.rng_draws = draws;
    const Checks checks = execution_.checks;
    BoundCode bound = ops::bind(executable, kernels_);
    worker::run(bound, execution_);
    execution_.checks = checks;
    EXPECT_EQ(contents(executable.code[0]), plain) << "bound code gives other bytes";
    EXPECT_EQ(vmem_.used(), 0U);
  }

  Execution fresh() {
    Execution execution;
    execution.vmem = &vmem_;
    execution.mxu = &mxu_;
    execution.kernels = &kernels_;
    execution.status = &status_;
    return execution;
  }
  std::vector<std::unique_ptr<std::vector<std::byte>>> held_;
  std::vector<std::vector<std::byte>*> results_;  // in held_
};

inline std::vector<float> counting(std::size_t n, float from = 0, float step = 1) {
  std::vector<float> values(n);
  for (std::size_t i = 0; i < n; ++i) values[i] = from + step * static_cast<float>(i);
  return values;
}

}  // namespace understudy::worker
