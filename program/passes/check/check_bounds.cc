// SPDX-License-Identifier: Apache-2.0
// Checks a loaded executable before it runs: every operand inside its space, every dimension number
// in range, nested code and bodies included. Cached executables are read from disk, so the executor
// relies on these checks instead of testing each access.
#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "configs/base/error.h"
#include "program/executable/executable.h"
#include "program/passes/check/check_work.h"
#include "program/passes/check/kernel_check.h"
#include "program/passes/draft.h"

namespace understudy::program {

namespace {

// Bytes of a frame slot; the same constant as in lowering/region.cc.
constexpr std::uint64_t kSlot = 16;
// Twice what lowering produces.
constexpr int kMaxDepth = 1024;

class Check {
 public:
  explicit Check(const Executable& executable) : executable_(executable) {}

  void run() {
    // Types first: sizes of buffers are computed from them below.
    for (const TensorType& type : executable_.arguments) passes::check_type(type);
    for (const TensorType& type : executable_.results) passes::check_type(type);
    if (executable_.replicas < 1 || executable_.partitions < 1)
      throw Error(ErrorKind::internal, "executable: no replicas or partitions");
    processes_ = checked_multiply(executable_.replicas, executable_.partitions);
    ascending(executable_.host_arguments, executable_.arguments.size());
    ascending(executable_.host_results, executable_.results.size());
    check_donations();
    check(executable_.code);
  }

 private:
  // Indices of arguments or results, each once.
  static void ascending(const std::vector<std::uint32_t>& indices, std::size_t count) {
    if (!std::ranges::is_sorted(indices, std::less_equal{}) && indices.size() > 1)
      throw Error(ErrorKind::internal, "executable: indices of host memory are not ascending");
    if (!indices.empty() && indices.back() >= count)
      throw Error(ErrorKind::internal, "executable: an index of host memory is out of range");
  }

  // Two buffers that share memory have the same size and are both in HBM.
  void check_donations() const {
    std::set<std::uint32_t> arguments, results;
    for (const Donation& one : executable_.donations)
      if (one.argument >= executable_.arguments.size() ||
          one.result >= executable_.results.size() || !arguments.insert(one.argument).second ||
          !results.insert(one.result).second ||
          executable_.arguments[one.argument].bytes() != executable_.results[one.result].bytes() ||
          std::ranges::binary_search(executable_.host_arguments, one.argument) ||
          std::ranges::binary_search(executable_.host_results, one.result))
        throw Error(ErrorKind::internal, "executable: a donation joins buffers that do not fit");
  }

  // Adds the instruction's operation to the message.
  void check(const Code& code) {
    // Nesting comes from the file, so recursion is bounded.
    if (++depth_ > kMaxDepth) throw Error(ErrorKind::internal, "executable: nested too deep");
    const std::vector<std::uint32_t> outer = std::exchange(located_, {});
    for (const Instruction& instruction : code) {
      op_ = instruction.op;
      if (op_ >= executable_.op_names.size())
        throw Error(ErrorKind::internal, fmt::format("executable: op {} is out of range: {} names",
                                                     op_, executable_.op_names.size()));
      try {
        for (const Operand& input : instruction.inputs) inside(input, false);
        const bool locates = std::holds_alternative<LocateSlice>(instruction.work);
        if (locates) locate(instruction);
        for (const Operand& output : instruction.outputs) inside(output, !locates);
        passes::check_work(instruction);
        passes::check_groups(instruction, processes_);
        if (!passes::has_kernel(instruction.work, instruction.inputs, instruction.outputs))
          throw Error(ErrorKind::internal, "no kernel for its element types");
      } catch (const Error& error) {
        throw Error(ErrorKind::internal,
                    fmt::format("executable: {} (op {}): {}", executable_.op_names[op_], op_,
                                error.message()));
      }
      check_nested(instruction);
    }
    // A list that may not have run has found nothing.
    for (const std::uint32_t slice : located_) slices_.erase(slice);
    located_ = outer;
    --depth_;
  }

  // From here on to the end of the list the slice has a place.
  void locate(const Instruction& instruction) {
    if (instruction.inputs.empty() || instruction.outputs.size() != 1)
      throw Error(ErrorKind::internal, "wrong number of operands");
    const Operand& part = instruction.outputs[0];
    passes::check_type(part.type);
    const Slice slice{static_cast<std::uint64_t>(part.type.bytes()),
                      is_read_only(instruction.inputs[0].at)};
    if (!slices_.try_emplace(part.at.index, slice).second)
      throw Error(ErrorKind::internal, "a slice is located twice");
    located_.push_back(part.at.index);
  }

  bool is_read_only(const Buffer& at) const {
    if (at.space == Space::slice) return slices_.at(at.index).is_read_only;
    return at.space == Space::argument || at.space == Space::constant;
  }

  void check_nested(const Instruction& instruction) {
    // The predicate is read between condition and body.
    if (const auto* loop = std::get_if<While>(&instruction.work)) {
      check(loop->condition);
      inside(loop->predicate, false);
      check(loop->body);
    } else if (const auto* branch = std::get_if<Case>(&instruction.work)) {
      for (const Code& code : branch->branches) check(code);
    } else {
      for (const Body* body : passes::bodies_of(instruction)) check(*body);
    }
  }

  // Frames of nested bodies are not visible to each other.
  void check(const Body& body) {
    const Body* outer = body_;
    body_ = &body;
    for (const Operand& parameter : body.parameters) inside(parameter, true);
    for (const Operand& result : body.results) inside(result, false);
    check(body.code);
    if (body.lanewise) check_lanes(body);
    body_ = outer;
  }

  // A lane-wise body runs on many elements at once, which only works for scalars.
  void check_lanes(const Body& body) const {
    const auto scalar = [&](const Operand& operand) {
      if (operand.type.elements() != 1)
        throw Error(ErrorKind::internal, "executable: a lane-wise body contains a tensor");
    };
    for (const Operand& operand : body.parameters) scalar(operand);
    for (const Operand& operand : body.results) scalar(operand);
    for (const Instruction& instruction : body.code) {
      for (const Operand& operand : instruction.inputs) scalar(operand);
      for (const Operand& operand : instruction.outputs) scalar(operand);
    }
  }

  // The size of an operand's space; 0 if the space does not exist, so that nothing fits.
  std::uint64_t room(const Buffer& at) const {
    switch (at.space) {
      case Space::argument:
        return at.index < executable_.arguments.size()
                   ? static_cast<std::uint64_t>(executable_.arguments[at.index].bytes())
                   : 0;
      case Space::result:
        return at.index < executable_.results.size()
                   ? static_cast<std::uint64_t>(executable_.results[at.index].bytes())
                   : 0;
      case Space::temporary:
        return executable_.temporary_bytes;
      case Space::constant:
        // Constants are bytes in the executable.
        return executable_.constants.size();
      case Space::host:
        return executable_.host_temporary_bytes;
      case Space::slice: {
        const auto found = slices_.find(at.index);
        return found == slices_.end() ? 0 : found->second.bytes;
      }
      case Space::frame:
        return body_ == nullptr ? 0 : body_->frame_bytes;
    }
    return 0;
  }

  void inside(const Operand& operand, bool written) const {
    passes::check_type(operand.type);
    const auto bytes = static_cast<std::uint64_t>(operand.type.bytes());
    const std::uint64_t room_there = room(operand.at);
    const Buffer& at = operand.at;
    // Only arguments, results and slices are many; the other spaces have index 0. The order of the
    // comparisons keeps offset + bytes from overflowing.
    // Compared by subtraction.
    const bool indexed =
        at.space == Space::argument || at.space == Space::result || at.space == Space::slice;
    const bool is_missing = at.space == Space::slice && !slices_.contains(at.index);
    if (is_missing || (!indexed && at.index != 0) || at.offset > room_there ||
        bytes > room_there - at.offset)
      throw Error(ErrorKind::internal,
                  fmt::format("operand outside its memory space: {} bytes at {} of space {}, index "
                              "{}, which has {} bytes",
                              bytes, at.offset, static_cast<int>(at.space), at.index, room_there));
    // Lane-wise bodies address slots of 16 bytes, which the executor widens to lanes.
    if (at.space == Space::frame &&
        (body_ == nullptr || (body_->lanewise && at.offset % kSlot != 0)))
      throw Error(ErrorKind::internal, "operand not in a slot of its frame");
    if (written && is_read_only(at))
      throw Error(ErrorKind::internal, "write to an argument or constant");
  }

  const Executable& executable_;
  const Body* body_ = nullptr;
  struct Slice {
    std::uint64_t bytes = 0;
    bool is_read_only = false;
  };
  std::unordered_map<std::uint32_t, Slice> slices_;  // that have a place, by number
  std::vector<std::uint32_t> located_;               // in the present list
  std::uint32_t op_ = 0;
  std::int64_t processes_ = 1;
  int depth_ = 0;
};

}  // namespace

void check_bounds(const Executable& executable) { Check(executable).run(); }

}  // namespace understudy::program
