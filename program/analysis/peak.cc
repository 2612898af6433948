// SPDX-License-Identifier: Apache-2.0
#include "program/analysis/peak.h"

#include <algorithm>
#include <map>

#include "program/ir/sizes.h"
#include "program/passes/draft.h"

namespace understudy::program::analysis {

namespace {

using passes::Access;

// The operation whose result it is: of a fused loop, that of the step which writes it.
std::uint32_t op_of_output(const Instruction& instruction, const Operand& out) {
  const auto* const fused = std::get_if<Fused>(&instruction.work);
  if (fused == nullptr) return instruction.op;
  const auto number = static_cast<std::uint32_t>(&out - instruction.outputs.data());
  for (const Instruction& step : fused->steps)
    if (step.outputs[0].at == Buffer{Space::result, number, 0}) return step.op;
  return instruction.op;
}

// Values by the place where they begin. A write starts a new value there once the old one was read;
// until then it adds to the old one (parts of a concatenation, updates in place).
class Values {
 public:
  void walk(const Code& code) {
    for (const Instruction& instruction : code) visit(instruction);
  }

  std::vector<LiveBuffer> at_peak() const {
    std::map<std::uint64_t, std::vector<std::pair<bool, std::size_t>>> events;
    for (std::size_t i = 0; i < values_.size(); ++i) {
      events[values_[i].first].emplace_back(true, i);
      events[values_[i].last + 1].emplace_back(false, i);
    }
    std::uint64_t now = 0, most = 0, peak = 0;
    for (const auto& [position, changes] : events) {
      // Ends before beginnings at one position: an instruction may write where its operand ended.
      for (const auto& [begins, i] : changes)
        if (!begins) now -= values_[i].buffer.bytes;
      for (const auto& [begins, i] : changes)
        if (begins) now = sum_of_bytes(now, values_[i].buffer.bytes);
      if (now > most) most = now, peak = position;
    }
    std::vector<LiveBuffer> live;
    for (const Value& value : values_)
      if (value.first <= peak && peak <= value.last && most > 0) live.push_back(value.buffer);
    std::ranges::stable_sort(live, std::greater{}, &LiveBuffer::bytes);
    return live;
  }

 private:
  struct Value {
    LiveBuffer buffer;
    std::uint64_t first = 0, last = 0;
    bool read = false;
  };

  void visit(const Instruction& instruction) {
    ++now_;
    for (const Operand& input : instruction.inputs) read(input);
    const auto* const loop = std::get_if<While>(&instruction.work);
    const auto* const branch = std::get_if<Case>(&instruction.work);
    if (loop != nullptr) {
      // Carried values are read by the loop itself, before the first and after each iteration.
      for (const Operand& carried : instruction.outputs) read(carried);
      loops_.push_back(values_.size());
      walk(loop->condition);
      read(loop->predicate);
      walk(loop->body);
      for (const Operand& carried : instruction.outputs) read(carried);
      ++now_;
      // What is older than the loop and read in it is needed to its end.
      for (const std::size_t value : read_in_loop_) values_[value].last = now_;
      loops_.pop_back();
      if (loops_.empty()) read_in_loop_.clear();
      return;
    }
    if (branch != nullptr) {
      for (const Code& nested : branch->branches) walk(nested);
      return;
    }
    for (const Body* body : passes::bodies_of(instruction))
      for (const Instruction& inner : body->code)
        for (const Operand& input : inner.inputs) read(input);
    for (const Operand& out : instruction.outputs) write(out, op_of_output(instruction, out));
  }

  void read(const Operand& operand) {
    if (operand.at.space != Space::temporary) return;
    // The value that begins at or last before the place.
    // Views into a buffer begin inside of the value that holds it.
    auto at = current_.upper_bound(operand.at.offset);
    if (at == current_.begin()) return;
    Value& value = values_[std::prev(at)->second];
    value.read = true;
    value.last = now_;
    // Indexes below the count at the outermost loop belong to values from before it.
    if (!loops_.empty() && std::prev(at)->second < loops_.front())
      read_in_loop_.push_back(std::prev(at)->second);
  }

  void write(const Operand& out, std::uint32_t op) {
    if (out.at.space != Space::temporary || out.type.bytes() == 0) return;
    const auto bytes = static_cast<std::uint64_t>(out.type.bytes());
    const auto found = current_.find(out.at.offset);
    if (found != current_.end() && !values_[found->second].read &&
        // Not read yet, and large enough: this write adds a part to the same value.
        values_[found->second].buffer.bytes >= bytes) {
      values_[found->second].last = now_;
      return;
    }
    // A value that reuses the memory of its operand is not counted twice.
    if (found != current_.end())
      // The old value ends before this instruction.
      values_[found->second].last = std::min(values_[found->second].last, now_ - 1);
    current_[out.at.offset] = values_.size();
    values_.push_back({{bytes, out.type, op}, now_, now_, false});
  }

  std::vector<Value> values_;
  std::map<std::uint64_t, std::size_t> current_;  // by offset
  std::vector<std::size_t> loops_;                // how many values there were before each
  std::vector<std::size_t> read_in_loop_;
  std::uint64_t now_ = 0;
};

}  // namespace

std::vector<LiveBuffer> live_at_peak(const Code& code) {
  Values values;
  values.walk(code);
  return values.at_peak();
}

}  // namespace understudy::program::analysis
