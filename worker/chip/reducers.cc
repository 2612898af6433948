// SPDX-License-Identifier: Apache-2.0
#include "worker/chip/reducers.h"

#include <algorithm>
#include <cstring>

#include "configs/base/error.h"
#include "worker/chip/executor.h"

namespace understudy::worker {
namespace {

using program::byte_size;
using program::ElementType;
using program::kernels::accumulator_type;

// Elements per evaluation of a body: enough to amortise the dispatch of each instruction, few
// enough that a frame stays in the first-level cache.
constexpr std::size_t kFoldLanes = 256;

}  // namespace

KernelReducer::KernelReducer(const program::kernels::KernelTable& kernels,
                             program::Reduction reduction, ElementType type)
    : element_bytes_(byte_size(type)),
      accumulator_bytes_(byte_size(accumulator_type(type))),
      widen_(kernels.convert(type, accumulator_type(type))),
      narrow_(kernels.convert(accumulator_type(type), type)),
      accumulate_(kernels.accumulate(reduction, type)),
      merge_(kernels.accumulate(reduction, accumulator_type(type))),
      accumulate_all_(kernels.accumulate_all(reduction, type)) {
  // accumulate_all_ is optional: only the common reductions have a kernel for many operands.
  UNDERSTUDY_ASSERT(widen_ != nullptr && narrow_ != nullptr && accumulate_ != nullptr &&
                    merge_ != nullptr);
}

void KernelReducer::widen(const std::byte* elements, std::byte* accumulators, std::size_t n) const {
  widen_(elements, accumulators, n);
}

void KernelReducer::narrow(const std::byte* accumulators, std::byte* elements,
                           std::size_t n) const {
  narrow_(accumulators, elements, n);
}

void KernelReducer::combine(const std::byte* left, const std::byte* right, std::byte* out,
                            std::size_t n) const {
  accumulate_(left, right, out, n);
}

void KernelReducer::combine_all(std::span<const std::byte* const> operands, std::byte* accumulators,
                                std::size_t n) const {
  if (accumulate_all_ == nullptr) return Reducer::combine_all(operands, accumulators, n);
  accumulate_all_(reinterpret_cast<const void* const*>(operands.data()), operands.size(),
                  accumulators, n);
}

void KernelReducer::merge(const std::byte* left, const std::byte* right, std::byte* out,
                          std::size_t n) const {
  merge_(left, right, out, n);
}

BodyReducer::BodyReducer(const program::Body& body, const Execution& execution)
    : body_(body),
      element_bytes_(byte_size(body.parameters.at(0).type.element)),
      most_lanes_(body.lanewise ? kFoldLanes : 1),
      frame_(std::max<std::size_t>(body.frame_bytes, 1) * most_lanes_),
      execution_(execution) {
  UNDERSTUDY_ASSERT(body.parameters.size() == 2 && body.results.size() == 1);
  // A copy of the execution with a frame of its own: the launch's frame may be in use.
  execution_.frame = frame_.data();
}

void BodyReducer::widen(const std::byte* elements, std::byte* accumulators, std::size_t n) const {
  std::memcpy(accumulators, elements, n * element_bytes_);
}

void BodyReducer::narrow(const std::byte* accumulators, std::byte* elements, std::size_t n) const {
  std::memcpy(elements, accumulators, n * element_bytes_);
}

void BodyReducer::combine(const std::byte* left, const std::byte* right, std::byte* out,
                          std::size_t n) const {
  merge(left, right, out, n);
}

// Accumulators are elements, so combine() and merge() are the same. A body that is not lanewise (it
// has array operations or control flow) runs on one element at a time.
void BodyReducer::merge(const std::byte* left, const std::byte* right, std::byte* out,
                        std::size_t n) const {
  const program::Buffer& result = body_.results[0].at;
  for (std::size_t done = 0; done < n; done += execution_.lanes) {
    execution_.lanes = std::min(most_lanes_, n - done);
    const std::size_t bytes = execution_.lanes * element_bytes_, at = done * element_bytes_;
    std::memcpy(execution_.writable(body_.parameters[0].at), left + at, bytes);
    std::memcpy(execution_.writable(body_.parameters[1].at), right + at, bytes);
    run(body_.code, execution_);
    const std::byte* from = execution_.address(result);
    if (result.space == program::Space::frame) {
      std::memcpy(out + at, from, bytes);
      continue;
    }
    for (std::size_t lane = 0; lane < execution_.lanes;
         ++lane) {  // the body returns a captured scalar
      std::memcpy(out + at + lane * element_bytes_, from, element_bytes_);
    }
  }
}

}  // namespace understudy::worker
