// SPDX-License-Identifier: Apache-2.0
// reduce whose body no kernel knows (StableHLO spec, reduce): the body runs on many lanes at once.
// A lane is a result; of few results with many elements each, it is one of the blocks that divide a
// result's elements in their order, and the results of the blocks are combined in that order. How
// many blocks there are depends on the shapes alone.
#include "worker/ops/reduce_body.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include "worker/chip/copy.h"
#include "worker/chip/ops.h"
#include "worker/ops/element_units.h"
#include "worker/ops/reduce_shape.h"

namespace understudy::worker::ops {
namespace {

// With fewer results, the calls of the body would cost more than their lanes.
constexpr std::int64_t kFewResults = 128, kMostBlocks = 512, kShortestBlock = 16;
// Of each lane so many bytes are fetched at once: a few cache lines.
constexpr std::size_t kFetchedBytes = 256;

// Gathers the elements in[shift + at[i]] into a dense run: the lanes of a body's parameter.
void gather(const std::byte* in, std::size_t bytes, std::span<const std::int64_t> at,
            std::int64_t shift, std::byte* out) {
  with_unit(bytes, [&](auto unit) {
    const auto* from = reinterpret_cast<const decltype(unit)*>(in) + shift;
    auto* to = reinterpret_cast<decltype(unit)*>(out);
    for (std::size_t i = 0; i < at.size(); ++i) to[i] = from[at[i]];
  });
}

// How far neighbours are apart, if all are equally far.
std::optional<std::int64_t> step_of(std::span<const std::int64_t> offsets) {
  if (offsets.size() < 2) return 1;
  const std::int64_t step = offsets[1] - offsets[0];
  for (std::size_t i = 2; i < offsets.size(); ++i)
    if (offsets[i] - offsets[i - 1] != step) return std::nullopt;
  return step;
}

// The kept and the reduced dimensions, without those of size 1, neighbours merged.
struct Dimensions {
  Shape sizes, strides;
  void add(std::int64_t size, std::int64_t stride) {
    if (size == 1) return;
    if (!sizes.empty() && strides.back() == stride * size) {
      sizes.back() *= size;
      strides.back() = stride;
      return;
    }
    sizes.push_back(size);
    strides.push_back(stride);
  }
};

class BodyReducer {
 public:
  BodyReducer(const program::Reduce& work, const Instruction& instruction, Execution& execution)
      : instruction_(instruction), execution_(execution), n_(instruction.outputs.size()) {
    const Shape& shape = instruction.inputs[0].type.shape;
    const Shape strides = strides_of(shape);
    Dimensions kept, reduced;
    for (std::size_t d = 0; d < shape.size(); ++d) {
      const bool is_reduced =
          std::ranges::find(work.dimensions, static_cast<std::int64_t>(d)) != work.dimensions.end();
      (is_reduced ? reduced : kept).add(shape[d], strides[d]);
    }
    results_ = offsets_of(kept.sizes, kept.strides);
    outer_ = offsets_of(without_last(reduced.sizes), without_last(reduced.strides));
    if (!reduced.sizes.empty()) {
      length_ = reduced.sizes.back();
      stride_ = reduced.strides.back();
    }
    const auto count = static_cast<std::int64_t>(results_.size());
    if (work.body.lanewise && reduced.sizes.size() == 1 && count < kFewResults)
      blocks_ = std::clamp<std::int64_t>(length_ / kShortestBlock, 1, kMostBlocks / count);
    body_.emplace(work.body, execution, static_cast<std::size_t>(count * blocks_));
    for (std::size_t i = 0; i < n_; ++i) {
      fetched_.push_back(execution.vmem->take(fetched_elements(i) * lanes() * bytes_of(i)));
      sums_.push_back(blocks_ == 1 ? execution.writable(instruction.outputs[i].at)
                                   : execution.vmem->take(size_of(count * blocks_) * bytes_of(i)));
    }
  }

  void run() {
    if (blocks_ == 1) {
      start_at_init();
      return for_lanes(results_, [&](std::span<const std::int64_t> bases) {
        for (const std::int64_t step : outer_) add_line(bases, step, length_);
      });
    }
    const std::int64_t block = length_ / blocks_;
    std::vector<std::int64_t> starts;
    for (const std::int64_t result : results_)
      for (std::int64_t b = 0; b < blocks_; ++b) starts.push_back(result + b * block * stride_);
    for_lanes(starts, [&](std::span<const std::int64_t> bases) {
      for (std::size_t i = 0; i < n_; ++i) gather(input(i), bytes_of(i), bases, 0, sums(i));
      add_line(bases, stride_, block - 1);
    });
    combine_blocks(block);
  }

 private:
  static std::size_t size_of(std::int64_t n) { return static_cast<std::size_t>(n); }
  std::size_t lanes() const { return body_->lanes(); }
  std::size_t bytes_of(std::size_t i) const { return element_bytes(instruction_.outputs[i]); }
  std::size_t fetched_elements(std::size_t i) const { return kFetchedBytes / bytes_of(i); }
  const std::byte* input(std::size_t i) const {
    return execution_.address(instruction_.inputs[i].at);
  }
  std::byte* sums(std::size_t i) const { return sums_[i] + first_ * bytes_of(i); }

  // Calls use(bases) for as many lanes at a time as the body takes; sums() are those of the first.
  template <class Use>
  void for_lanes(const std::vector<std::int64_t>& all, const Use& use) {
    for (first_ = 0; first_ < all.size(); first_ += lanes())
      use(std::span(all).subspan(first_, std::min(lanes(), all.size() - first_)));
    first_ = 0;
  }

  void start_at_init() {
    for (std::size_t i = 0; i < n_; ++i)
      replicate(execution_.address(instruction_.inputs[n_ + i].at), bytes_of(i), sums_[i],
                results_.size());
  }

  // The next `count` elements of each lane, from `base` + `shift` on.
  void add_line(std::span<const std::int64_t> bases, std::int64_t shift, std::int64_t count) {
    const auto step = step_of(bases);
    std::size_t most = SIZE_MAX;
    for (std::size_t i = 0; i < n_; ++i) most = std::min(most, fetched_elements(i));
    for (std::int64_t done = 0; done < count; done += static_cast<std::int64_t>(most)) {
      const std::int64_t some = std::min(count - done, static_cast<std::int64_t>(most));
      const std::int64_t from = shift + done * stride_;
      for (std::size_t i = 0; i < n_; ++i) fetch(i, bases, step, from, some);
      for (std::int64_t k = 0; k < some; ++k) {
        for (std::size_t i = 0; i < n_; ++i) {
          const std::size_t bytes = bases.size() * bytes_of(i);
          std::memcpy(body_->parameter(n_ + i, bases.size()), fetched_[i] + size_of(k) * bytes,
                      bytes);
        }
        apply(bases.size());
      }
    }
  }

  // Lanes in the order of memory, element after element: a transposition where lines are reduced.
  void fetch(std::size_t i, std::span<const std::int64_t> bases, std::optional<std::int64_t> step,
             std::int64_t from, std::int64_t count) {
    const auto width = static_cast<std::int64_t>(bases.size());
    const std::size_t bytes = bytes_of(i);
    if (step) {
      const std::byte* const first =
          input(i) + (bases[0] + from) * static_cast<std::int64_t>(bytes);
      CopyPlan({count, width}, {stride_, *step}, {width, 1}, bytes).run(first, fetched_[i]);
      return;
    }
    for (std::int64_t k = 0; k < count; ++k)
      gather(input(i), bytes, bases, from + k * stride_, fetched_[i] + size_of(k * width) * bytes);
  }

  // The body, of the sums and its last parameters, to the sums.
  void apply(std::size_t count) {
    for (std::size_t i = 0; i < n_; ++i)
      std::memcpy(body_->parameter(i, count), sums(i), count * bytes_of(i));
    body_->call(count);
    for (std::size_t i = 0; i < n_; ++i) body_->result(i, sums(i), count);
  }

  // From the initial value: the results of the blocks, then the elements after the last block.
  void combine_blocks(std::int64_t block) {
    const std::vector<std::byte*> parts = sums_;
    for (std::size_t i = 0; i < n_; ++i) sums_[i] = execution_.writable(instruction_.outputs[i].at);
    start_at_init();
    std::vector<std::int64_t> firsts;  // of each result
    for (std::size_t r = 0; r < results_.size(); ++r)
      firsts.push_back(static_cast<std::int64_t>(r) * blocks_);
    for_lanes(firsts, [&](std::span<const std::int64_t> some) {
      for (std::int64_t b = 0; b < blocks_; ++b) {
        for (std::size_t i = 0; i < n_; ++i)
          gather(parts[i], bytes_of(i), some, b, body_->parameter(n_ + i, some.size()));
        apply(some.size());
      }
      const auto bases = std::span(results_).subspan(first_, some.size());
      add_line(bases, block * blocks_ * stride_, length_ - block * blocks_);
    });
  }

  const Instruction& instruction_;
  Execution& execution_;
  std::size_t n_;
  std::vector<std::int64_t> results_;     // where the first element of each is
  std::vector<std::int64_t> outer_;       // offsets of the lines that are reduced
  std::int64_t length_ = 1, stride_ = 1;  // of a line
  std::int64_t blocks_ = 1;               // of each line
  std::optional<BodyCall> body_;
  std::size_t first_ = 0;                   // of the present lanes
  std::vector<std::byte*> fetched_, sums_;  // per input: elements of a few steps; so far
};

}  // namespace

void reduce_by_body(const program::Reduce& work, const Instruction& instruction,
                    Execution& execution) {
  BodyReducer(work, instruction, execution).run();
}

}  // namespace understudy::worker::ops
