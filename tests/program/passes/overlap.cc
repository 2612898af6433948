// SPDX-License-Identifier: Apache-2.0
#include "overlap.h"

#include <algorithm>
#include <map>
#include <span>
#include <string>

#include "configs/base/digest.h"

namespace understudy::program {

namespace {

std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
  std::uint64_t x = a ^ (b + 0x9E3779B97F4A7C15 + (a << 6) + (a >> 2));
  x ^= x >> 31;
  x *= 0xBF58476D1CE4E5B9;
  return x ^ (x >> 29);
}

std::uint64_t key(const Buffer& at) {
  return (static_cast<std::uint64_t>(at.space) << 32) | at.index;
}

class Memory {
 public:
  // The tokens of `bytes` bytes from `at` on; of arguments and constants they are made up.
  std::uint64_t* at(const Buffer& at, std::uint64_t bytes) {
    auto& space = spaces_[key(at)];
    if (space.size() < at.offset + bytes) {
      const bool made_up = at.space == Space::argument || at.space == Space::constant;
      for (std::uint64_t i = space.size(); i < at.offset + bytes; ++i)
        space.push_back(made_up ? mix(key(at), i) : 0);
    }
    return space.data() + at.offset;
  }
  std::uint64_t digest(const Operand& operand) {
    const auto bytes = static_cast<std::uint64_t>(operand.type.bytes());
    const std::uint64_t* tokens = at(operand.at, bytes);
    const std::string hex = digest_of(std::as_bytes(std::span(tokens, bytes)));
    return std::stoull(hex.substr(0, 16), nullptr, 16);
  }

 private:
  std::map<std::uint64_t, std::vector<std::uint64_t>> spaces_;
};

class Tracer {
 public:
  void run(const Code& code) {
    for (const Instruction& instruction : code) step(instruction);
  }
  void read(const Operand& operand) { trace.push_back(memory_.digest(operand)); }

  std::vector<std::uint64_t> trace;

 private:
  void step(const Instruction& instruction) {
    if (const auto* loop = std::get_if<While>(&instruction.work)) {
      run(loop->condition);
      for (int i = 0; i < 3; ++i) {
        read(loop->predicate);
        run(loop->body);
        run(loop->condition);
      }
    } else if (const auto* branch = std::get_if<Case>(&instruction.work)) {
      const Memory before = memory_;
      for (const Code& code : branch->branches) {
        memory_ = before;
        run(code);
        for (const Operand& out : instruction.outputs) read(out);
      }
    } else if (const auto* copy = std::get_if<StridedCopy>(&instruction.work)) {
      move(*copy, instruction.inputs[0], instruction.outputs[0]);
    } else {
      work(instruction);
    }
  }

  // Element by element, as the contract of StridedCopy says it.
  void move(const StridedCopy& copy, const Operand& from, const Operand& to) {
    const std::uint64_t size = byte_size(to.type.element);
    memory_.at(to.at, static_cast<std::uint64_t>(to.type.bytes()));  // may move the space of `from`
    const std::uint64_t* source =
        memory_.at(from.at, static_cast<std::uint64_t>(from.type.bytes()));
    std::uint64_t* target = memory_.at(to.at, static_cast<std::uint64_t>(to.type.bytes()));
    Shape index(copy.sizes.size(), 0);
    while (true) {
      std::int64_t in = copy.in_base;
      std::int64_t out = copy.out_base;
      for (std::size_t d = 0; d < index.size(); ++d) {
        in += index[d] * copy.in_strides[d];
        out += index[d] * copy.out_strides[d];
      }
      std::copy_n(source + static_cast<std::uint64_t>(in) * size, size,
                  target + static_cast<std::uint64_t>(out) * size);
      std::size_t d = index.size();
      while (d > 0 && ++index[d - 1] == copy.sizes[d - 1]) index[--d] = 0;
      if (d == 0) return;
    }
  }

  void work(const Instruction& instruction) {
    std::uint64_t seen = mix(instruction.work.index(), instruction.op);
    for (const Operand& input : instruction.inputs) seen = mix(seen, memory_.digest(input));
    for (const Body* body : passes::bodies_of(instruction))
      for (const Instruction& inner : body->code)
        for (const Operand& input : inner.inputs)
          if (input.at.space != Space::frame) seen = mix(seen, memory_.digest(input));
    for (std::size_t i = 0; i < instruction.outputs.size(); ++i) {
      const Operand& out = instruction.outputs[i];
      const auto bytes = static_cast<std::uint64_t>(out.type.bytes());
      std::uint64_t* tokens = memory_.at(out.at, bytes);
      const std::uint64_t first = mix(seen, i);
      for (std::uint64_t b = 0; b < bytes; ++b) tokens[b] = first + b;
    }
    trace.push_back(seen);
  }

  Memory memory_;
};

}  // namespace

std::vector<std::uint64_t> trace_of(const Code& code, const std::vector<TensorType>& results) {
  Tracer tracer;
  tracer.run(code);
  for (std::size_t i = 0; i < results.size(); ++i)
    tracer.read({{Space::result, static_cast<std::uint32_t>(i), 0}, results[i]});
  return tracer.trace;
}

Code laid_apart(passes::Draft draft) {
  std::vector<std::uint64_t> offsets;
  std::uint64_t end = 0;
  for (const std::uint64_t bytes : draft.bytes) {
    offsets.push_back(end);
    end += bytes;
  }
  for (Instruction& instruction : draft.code)
    passes::visit_operands(instruction, [&](Operand& operand, passes::Access) {
      if (operand.at.space != Space::temporary) return;
      operand.at.offset += offsets[operand.at.index];
      operand.at.index = 0;
    });
  return draft.code;
}

}  // namespace understudy::program
