// SPDX-License-Identifier: Apache-2.0
// One launch of an executable on one chip, in this thread. The test gives arguments and, where the
// program has them, collectives; the rest is here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include "program/executable/executable.h"
#include "program/kernels/kernels.h"
#include "worker/chip/bound_code.h"
#include "worker/chip/executor.h"
#include "worker/chip/mxu/mxu.h"
#include "worker/chip/vmem.h"
#include "worker/ops/bind.h"

namespace understudy::worker {

using Bytes = std::vector<std::byte>;

// Kernels may read and write a little beyond the end of an array.
inline constexpr std::size_t kSlack = 64;

// `count` values: least, least + step, ... With a step that is a power of two, small sums of them
// are exact in any order.
struct ValueGrid {
  double least, step;
  unsigned count;
};
// Arguments of random values of the grid, with kSlack bytes behind each.
inline std::vector<Bytes> random_arguments(const program::Executable& executable,
                                           std::uint32_t seed, const ValueGrid& grid) {
  std::mt19937 random(seed);
  std::vector<Bytes> all;
  for (const program::TensorType& type : executable.arguments) {
    std::vector<double> values(static_cast<std::size_t>(type.elements()));
    for (double& x : values)
      x = grid.least + static_cast<double>(random() % grid.count) * grid.step;
    Bytes bytes(static_cast<std::size_t>(type.bytes()) + kSlack);
    program::kernels::select("").convert(program::ElementType::f64, type.element)(
        values.data(), bytes.data(), values.size());
    all.push_back(std::move(bytes));
  }
  return all;
}

class OneChip {
 public:
  // The executable outlives this.
  explicit OneChip(const program::Executable& executable,
                   const program::kernels::KernelTable& kernels = program::kernels::select(""),
                   Mxu::Make make = Mxu::Make::automatic, std::uint64_t vmem_bytes = 128 << 20)
      : executable_(executable),
        vmem_(vmem_bytes),
        mxu_(kernels, make),
        temporaries_(executable.temporary_bytes + kSlack),
        host_(executable.host_temporary_bytes + kSlack) {
    // A pattern, so that a result that nobody writes is not taken for zeros.
    for (const program::TensorType& type : executable.results)
      results_.emplace_back(static_cast<std::size_t>(type.bytes()) + kSlack, std::byte{0xa5});
    for (Bytes& result : results_) execution.results.push_back(result.data());
    execution.temporaries = temporaries_.data();
    execution.host = host_.data();
    execution.constants = executable.constants.data();
    execution.numerics = executable.numerics;
    execution.kernels = &kernels;
    execution.vmem = &vmem_;
    execution.mxu = &mxu_;
    // Every chain is machine code.
    execution.chains.hot_elements = execution.chains.links_per_call = 0;
  }
  OneChip(const OneChip&) = delete;
  OneChip& operator=(const OneChip&) = delete;

  // Each argument with kSlack bytes behind it. The results have as many.
  std::vector<Bytes> run(const std::vector<Bytes>& arguments) {
    for (const Bytes& argument : arguments) execution.arguments.push_back(argument.data());
    BoundCode bound = ops::bind(executable_, *execution.kernels);
    worker::run(bound, execution);
    return std::move(results_);
  }
  // The same, instruction by instruction.
  std::vector<Bytes> run_plainly(const std::vector<Bytes>& arguments) {
    for (const Bytes& argument : arguments) execution.arguments.push_back(argument.data());
    worker::run(executable_.code, execution);
    return std::move(results_);
  }

  Execution execution;

 private:
  const program::Executable& executable_;
  Vmem vmem_;
  Mxu mxu_;
  Bytes temporaries_, host_;
  std::vector<Bytes> results_;
};

}  // namespace understudy::worker
