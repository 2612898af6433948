// SPDX-License-Identifier: Apache-2.0
// reduce (StableHLO spec). A known reduction (sum, maximum, ...) uses kernels: it folds dense runs,
// or adds dense rows lane by lane; reduce_body.cc evaluates any other body. The order in which the
// elements of one result are combined is row-major along the reduced dimensions (within a dense
// run: the lanes of a fold), whatever the sizes, so results do not depend on the blocking; but sums
// and products of floats by rows take the tree of row_sums.h.
#include <algorithm>
#include <cstring>

#include "configs/base/error.h"
#include "worker/chip/copy.h"
#include "worker/chip/ops.h"
#include "worker/ops/operands.h"
#include "worker/ops/reduce_body.h"
#include "worker/ops/reduce_shape.h"
#include "worker/ops/row_sums.h"

namespace understudy::worker::ops {
namespace {

constexpr std::int64_t kRowTile =
    4096;  // elements of a row accumulated at once: 16 KiB of f32 sums stay in the cache

// The operands and kernels that both methods for known reductions use. Sums are kept in the wider
// accumulator type (bf16 and f16 in f32) and rounded once, or not at all where the result has that
// type.
struct Recognised {
  const program::kernels::KernelTable& kernels;
  program::Reduction reduction;
  program::ElementType element, wide, result;
  std::size_t bytes, wide_bytes, result_bytes;
  const std::byte* in;
  const std::byte* init;
  std::byte* out;

  const std::byte* input(std::int64_t offset) const {
    return in + offset * static_cast<std::int64_t>(bytes);
  }
};

// The accumulators of some results at once, and the initial value in their type.
class Sums {
 public:
  Sums(const Recognised& r, std::int64_t most, Vmem& vmem)
      : r_(r),
        narrow_(r.kernels.convert(r.wide, r.result)),
        at_(r.result == r.wide ? nullptr
                               : vmem.take(static_cast<std::size_t>(most) * r.wide_bytes)) {
    r.kernels.convert(r.result, r.wide)(r.init, start_, 1);
  }
  // Accumulators, which are the results themselves where these have the type.
  std::byte* of(std::byte* results) const { return at_ == nullptr ? results : at_; }
  const std::byte* start() const { return start_; }
  // `count` of them with the initial value.
  std::byte* begin(std::byte* results, std::size_t count) {
    std::byte* const sums = of(results);
    if (count == 1) {
      std::memcpy(sums, start_, r_.wide_bytes);
    } else {
      replicate(start_, r_.wide_bytes, sums, count);
    }
    return sums;
  }
  void end(std::byte* results, std::size_t count) const {
    if (at_ != nullptr) narrow_(at_, results, count);
  }

 private:
  const Recognised& r_;
  program::kernels::UnaryKernel narrow_;
  std::byte* at_;
  // 16 bytes hold one accumulator of any type, c128 included.
  alignas(16) std::byte start_[16];
};

// The dense run is reduced: fold kernels reduce contiguous memory to one result each, for the
// results along the innermost kept dimension in one call.
void fold_runs(const Recognised& r, const Split& split, Vmem& vmem) {
  const auto fold = r.kernels.fold(r.reduction, r.element);
  const auto fold_rows = r.kernels.fold_rows(r.reduction, r.element);
  UNDERSTUDY_ASSERT(fold != nullptr);
  const std::vector<std::int64_t> steps = offsets_of(split.reduced_sizes, split.reduced_strides);
  const Inner inner(split.kept_sizes, split.kept_strides);
  const auto run = static_cast<std::size_t>(split.run);
  Sums sums(r, std::min(inner.size, kRowTile), vmem);
  std::byte* to = r.out;
  for_each_outer(split.kept_sizes, split.kept_strides, [&](std::int64_t outer) {
    for (std::int64_t first = 0; first < inner.size; first += kRowTile) {
      const auto count = static_cast<std::size_t>(std::min(kRowTile, inner.size - first));
      std::byte* const some = sums.begin(to, count);
      const std::int64_t base = outer + first * inner.stride;
      for (const std::int64_t step : steps) {
        if (fold_rows != nullptr) {
          fold_rows(r.input(base + step), count, static_cast<std::size_t>(inner.stride), run, some);
          continue;
        }
        for (std::size_t i = 0; i < count; ++i)
          fold(r.input(base + step + static_cast<std::int64_t>(i) * inner.stride), run,
               some + i * r.wide_bytes);
      }
      sums.end(to, count);
      to += count * r.result_bytes;
    }
  });
}

// The dense run is kept: adds contiguous rows to a row of results, element by element, so memory is
// still read in order.
class RowAdder {
 public:
  RowAdder(const Recognised& r, const Split& split, Vmem& vmem)
      : r_(r),
        split_(split),
        rows_(split.reduced_sizes, split.reduced_strides),
        blocks_(split.kept_sizes, split.kept_strides),
        steps_(offsets_of(without_last(split.reduced_sizes), without_last(split.reduced_strides))),
        adds_(RowSums::of(r.kernels, r.reduction, r.element, steps_.size() * size_of(rows_.size))),
        // Results that follow each other are added up at once.
        at_once_(adds_.levels > 1 || split.run > kRowTile
                     ? 1
                     : std::clamp<std::int64_t>(kRowTile / split.run, 1, blocks_.size)),
        sums_(r, std::min(split.run, kRowTile) * at_once_, vmem),
        level_bytes_(size_of(std::min(split.run, kRowTile)) * r.wide_bytes),
        lower_(adds_.levels == 1 ? nullptr : vmem.take((adds_.levels - 1) * level_bytes_)) {}

  void run() {
    std::byte* to = r_.out;
    for_each_outer(split_.kept_sizes, split_.kept_strides, [&](std::int64_t outer) {
      for (std::int64_t first = 0; first < blocks_.size; first += at_once_)
        for (std::int64_t i = 0; i < split_.run; i += kRowTile) {
          const std::int64_t count = std::min(at_once_, blocks_.size - first);
          const std::int64_t columns = std::min(kRowTile, split_.run - i);
          add(outer + first * blocks_.stride + i, count, columns, to);
          to += size_of(count * columns) * r_.result_bytes;
        }
    });
  }

 private:
  static std::size_t size_of(std::int64_t n) { return static_cast<std::size_t>(n); }

  void add(std::int64_t base, std::int64_t count, std::int64_t columns, std::byte* to) {
    const std::size_t results = size_of(count * columns), rows = size_of(rows_.size);
    if (adds_.levels == 1) {
      std::byte* const some = sums_.begin(to, results);
      for (const std::int64_t step : steps_)
        adds_.add_blocks(r_.input(base + step),
                         {size_of(count), size_of(blocks_.stride), rows, size_of(rows_.stride),
                          size_of(columns)},
                         some);
    } else {
      const RowLevels levels{sums_.of(to), lower_, level_bytes_, size_of(columns)};
      adds_.begin(levels, sums_.start());
      std::size_t done = 0;
      for (const std::int64_t step : steps_) {
        adds_.add(levels, r_.input(base + step), rows, size_of(rows_.stride), done);
        done += rows;
      }
      adds_.end(levels);
    }
    sums_.end(to, results);
  }

  const Recognised& r_;
  const Split& split_;
  Inner rows_, blocks_;
  std::vector<std::int64_t> steps_;
  RowSums adds_;
  std::int64_t at_once_;
  Sums sums_;
  std::size_t level_bytes_;
  std::byte* lower_;  // accumulators of the levels below the last
};

void run_recognised(const program::Reduce& work, const Instruction& instruction,
                    Execution& execution) {
  const Operand& x = instruction.inputs[0];
  const Operand& out = instruction.outputs[0];
  const program::ElementType wide = program::kernels::accumulator_type(x.type.element);
  const Recognised r{*execution.kernels,
                     work.reduction,
                     x.type.element,
                     wide,
                     out.type.element,
                     element_bytes(x),
                     program::byte_size(wide),
                     element_bytes(out),
                     execution.address(x.at),
                     execution.address(instruction.inputs[1].at),
                     execution.writable(out.at)};
  const Split split = split_of(x.type.shape, work.dimensions);
  if (split.run_is_reduced) {
    fold_runs(r, split, *execution.vmem);
  } else {
    RowAdder(r, split, *execution.vmem).run();
  }
}

}  // namespace

void run(const program::Reduce& work, const Instruction& instruction, Execution& execution) {
  const Operand& x = instruction.inputs[0];
  const Operand& out = instruction.outputs[0];
  if (out.type.elements() == 0) return;
  const bool recognised = work.reduction != program::Reduction::none &&
                          instruction.outputs.size() == 1 &&
                          program::kernels::reduces_to(x.type.element, out.type.element);
  if (recognised) {
    run_recognised(work, instruction, execution);
  } else {
    reduce_by_body(work, instruction, execution);
  }
}

}  // namespace understudy::worker::ops
