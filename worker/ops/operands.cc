// SPDX-License-Identifier: Apache-2.0
#include "worker/ops/operands.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "configs/base/error.h"
#include "worker/chip/executor.h"
#include "worker/chip/vector_code.h"
#include "worker/ops/dense_runs.h"
#include "worker/ops/element_units.h"

namespace understudy::worker::ops {
namespace {

constexpr std::size_t kFrameBytes =
    64 * 1024;  // of a lanewise body: stays in the second-level cache
// Beyond this the dispatch per instruction is amortised.
constexpr std::size_t kMostLanes = 1024;

// Switches the execution to the body's frame for the lifetime of this object. Bodies nest.
class FrameSwap {
 public:
  FrameSwap(Execution& execution, std::byte* frame, std::size_t lanes)
      : execution_(execution), frame_(execution.frame), lanes_(execution.lanes) {
    execution.frame = frame;
    execution.lanes = lanes;
  }
  ~FrameSwap() {
    execution_.frame = frame_;
    execution_.lanes = lanes_;
  }
  FrameSwap(const FrameSwap&) = delete;
  FrameSwap& operator=(const FrameSwap&) = delete;

 private:
  Execution& execution_;
  std::byte* frame_;
  std::size_t lanes_;
};

}  // namespace

Shape strides_of(const Shape& shape) {
  Shape strides(shape.size(), 1);
  for (std::size_t d = shape.size(); d-- > 1;) strides[d - 1] = strides[d] * shape[d];
  return strides;
}

std::size_t element_bytes(const Operand& operand) {
  return program::byte_size(operand.type.element);
}

std::size_t count_of(const Operand& output, const Execution& execution) {
  const auto elements = static_cast<std::size_t>(output.type.elements());
  return output.at.space == program::Space::frame ? elements * execution.lanes : elements;
}

namespace {

// Elements of one number, by vectors. Nothing needs to be aligned.
void fill_numbers(const std::byte* element, std::size_t bytes, std::byte* out, std::size_t count) {
  with_unsigned(bytes, [&](auto unit) {
    using Unit = decltype(unit);
    const auto value = load<Unit>(element);
    auto* const to = reinterpret_cast<InMemory<Unit>*>(out);
    for (std::size_t i = 0; i < count; ++i) to[i].value = value;
  });
}

}  // namespace

void replicate(const std::byte* element, std::size_t bytes, std::byte* out, std::size_t count) {
  if (count == 0) return;
  // Doubles the filled part with each copy, until it fills a part of the first-level cache, which
  // is then copied again and again.
  constexpr std::size_t kPiece = 16 * 1024;
  const std::size_t most = std::max<std::size_t>(1, kPiece / bytes);
  const bool is_number = bytes <= 8 && (bytes & (bytes - 1)) == 0;
  std::size_t done = 1;
  if (is_number) {
    done = std::min(count, most);
    fill_numbers(element, bytes, out, done);
  } else if (out != element) {
    std::memcpy(out, element, bytes);
  }
  const bool streams = count * bytes >= static_cast<std::size_t>(kStreamedBytes);
  while (done < count) {
    const std::size_t more = std::min({done, count - done, most});
    // What was streamed is not read again.
    const auto copy = streams && done >= most ? &stream_bytes : &copy_run;
    copy(out, out + done * bytes, more * bytes);
    done += more;
  }
  if (streams) finish_stream();
}

const std::byte* read(const Operand& operand, std::size_t count, Execution& execution) {
  const std::byte* const at = execution.address(operand.at);
  const bool whole = count_of(operand, execution) == count;
  if (whole) return at;
  std::byte* const run = execution.vmem->take(count * element_bytes(operand));
  replicate(at, element_bytes(operand), run, count);
  return run;
}

// Integers narrower than a byte occupy one byte each, already extended to it.
std::int64_t integer_of(program::ElementType type, const std::byte* at) {
  const bool is_signed = program::is_signed_integer(type);
  return with_unsigned(program::byte_size(type), [&](auto unit) {
    const auto value = load<decltype(unit)>(at);
    return is_signed
               ? static_cast<std::int64_t>(static_cast<std::make_signed_t<decltype(unit)>>(value))
               : static_cast<std::int64_t>(value);
  });
}

std::int64_t integer_at(const Operand& operand, const Execution& execution) {
  return integer_of(operand.type.element, execution.address(operand.at));
}

Counter::Counter(Shape shape) : shape_(std::move(shape)), at_(shape_.size(), 0) {
  empty_ = std::find(shape_.begin(), shape_.end(), 0) != shape_.end();
}

bool Counter::next() {
  for (std::size_t d = shape_.size(); d-- > 0;) {
    if (++at_[d] < shape_[d]) return true;
    at_[d] = 0;
  }
  return false;
}

BodyCall::BodyCall(const program::Body& body, Execution& execution, std::size_t wanted)
    : body_(body), execution_(execution) {
  const std::size_t frame_bytes = std::max<std::size_t>(body.frame_bytes, 16);
  if (body.lanewise) {
    // At least 16 lanes even for a large frame: kernels have 16 logical lanes.
    const std::size_t room = std::clamp<std::size_t>(kFrameBytes / frame_bytes, 16, kMostLanes);
    lanes_ = std::max<std::size_t>(1, std::min(wanted, room));
  }
  frame_ = execution.vmem->take(frame_bytes * lanes_);
}

std::byte* BodyCall::parameter(std::size_t i, std::size_t count) const {
  const Operand& parameter = body_.parameters[i];
  UNDERSTUDY_ASSERT(parameter.at.space == program::Space::frame);
  // The frame is laid out for `count` lanes, see Execution::writable().
  return frame_ + parameter.at.offset * count;
}

void BodyCall::call(std::size_t count) {
  const FrameSwap swap(execution_, frame_, count);
  last_count_ = count;
  worker::run(body_.code, execution_);
}

const std::byte* BodyCall::result(std::size_t i) const {
  const Operand& result = body_.results[i];
  if (result.at.space == program::Space::frame) return frame_ + result.at.offset * last_count_;
  return execution_.address(result.at);
}

void BodyCall::result(std::size_t i, std::byte* out, std::size_t count) const {
  const Operand& result = body_.results[i];
  const std::size_t bytes = element_bytes(result);
  if (result.at.space == program::Space::frame) {
    std::memcpy(out, this->result(i), count * bytes);
  } else {
    // The body returns a constant or a captured scalar: the same for all lanes.
    replicate(this->result(i), bytes, out, count);
  }
}

}  // namespace understudy::worker::ops
