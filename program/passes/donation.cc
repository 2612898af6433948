// SPDX-License-Identifier: Apache-2.0
#include "program/passes/donation.h"

#include <algorithm>
#include <limits>

#include "program/passes/module/memory_kinds.h"
#include "program/passes/slices.h"

namespace understudy::program::passes {

namespace {

constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();

// Positions count instructions in program order, nested code included, as in plan.cc. What a loop
// reads it may read again in its last iteration.
class BufferUses {
 public:
  // Arguments that nothing reads have position 0: they may be overwritten from the start.
  BufferUses(std::size_t arguments, std::size_t results)
      : last_read_(arguments, 0), first_write_(results, kNever), writer_(results, nullptr) {}

  void walk(const Code& code) {
    for (const Instruction& instruction : code) visit(instruction);
  }

  bool may_share(std::uint32_t argument, std::uint32_t result) const {
    // Different positions: the last read must come before the first write.
    if (last_read_[argument] != first_write_[result])
      return last_read_[argument] < first_write_[result];
    return in_place(*writer_[result], argument, result);
  }

 private:
  void visit(const Instruction& instruction) {
    const std::uint64_t position = ++now_;
    slices_.note(instruction);
    const auto* const loop = std::get_if<While>(&instruction.work);
    const auto* const branch = std::get_if<Case>(&instruction.work);
    if (loop == nullptr && branch == nullptr) {
      visit_operands(instruction, [&](const Operand& operand, Access access) {
        access == Access::read ? read(operand, position) : write(operand, position, instruction);
      });
      return;
    }
    for (const Operand& input : instruction.inputs) read(input, position);
    for (const Operand& output : instruction.outputs) write(output, position, instruction);
    // A branch may run or not: its uses count as they stand.
    if (branch != nullptr)
      for (const Code& nested : branch->branches) walk(nested);
    if (loop == nullptr) return;
    const bool is_outermost = read_in_loop_ == nullptr;
    std::vector<std::uint32_t> read_here;
    if (is_outermost) read_in_loop_ = &read_here;
    walk(loop->condition);
    read(loop->predicate, now_);
    walk(loop->body);
    ++now_;
    if (!is_outermost) return;
    read_in_loop_ = nullptr;
    // What was read in a loop is needed until its end.
    for (const std::uint32_t argument : read_here) last_read_[argument] = now_;
  }

  void read(const Operand& operand, std::uint64_t position) {
    const Buffer at = slices_.array_of(operand.at);
    if (at.space != Space::argument) return;
    last_read_[at.index] = position;
    if (read_in_loop_ != nullptr) read_in_loop_->push_back(at.index);
  }

  void write(const Operand& operand, std::uint64_t position, const Instruction& writer) {
    // Only the first write matters: from there on the argument's contents are gone.
    const Buffer at = slices_.array_of(operand.at);
    if (at.space != Space::result || first_write_[at.index] != kNever) return;
    first_write_[at.index] = position;
    writer_[at.index] = &writer;
  }

  // Whether the instruction that reads the argument last may write the result over it: a whole copy
  // onto itself, or element by element from equal places, and no other operand reads the argument
  // another way. Bodies read single elements at any time.
  bool in_place(const Instruction& writer, std::uint32_t argument, std::uint32_t result) const {
    const auto of_argument = [&](const Operand& operand) {
      return whole_of(slices_.array_of(operand.at)) == Buffer{Space::argument, argument, 0};
    };
    for (const Body* body : bodies_of(writer))
      for (const Instruction& inner : body->code)
        if (std::ranges::any_of(inner.inputs, of_argument)) return false;
    const auto is_slice = [](const Operand& x) { return x.at.space == Space::slice; };
    if (std::ranges::any_of(writer.outputs, is_slice) ||
        std::ranges::any_of(writer.inputs, is_slice))
      return false;
    for (std::size_t o = 0; o < writer.outputs.size(); ++o) {
      const Operand& out = writer.outputs[o];
      if (out.at.space != Space::result || out.at.index != result) continue;
      if (out.at.offset != 0) return false;
      for (std::size_t i = 0; i < writer.inputs.size(); ++i) {
        const Operand& in = writer.inputs[i];
        if (!of_argument(in)) continue;
        if (in.at.offset != 0 || (!is_whole_copy(writer) && !may_run_in_place(writer, i, o)))
          return false;
      }
    }
    return true;
  }

  std::vector<std::uint64_t> last_read_, first_write_;
  std::vector<const Instruction*> writer_;  // the first
  std::vector<std::uint32_t>* read_in_loop_ = nullptr;
  SliceArrays slices_;
  std::uint64_t now_ = 0;
};

}  // namespace

std::vector<Donation> donations_of(const Function& main, const Draft& draft,
                                   const std::vector<TensorType>& arguments,
                                   const std::vector<TensorType>& results) {
  std::vector<MemoryKinds::Donor> donors = memory_kinds_of(main).donors;
  if (donors.empty()) return {};
  BufferUses uses(arguments.size(), results.size());
  uses.walk(draft.code);
  std::vector<Donation> donations;
  std::vector<bool> taken(results.size(), false);
  // Host results are in other memory than the arguments.
  for (std::uint32_t i = 0; i < results.size(); ++i)
    taken[i] = std::ranges::binary_search(draft.host_results, i);
  // Results that are named go first.
  std::ranges::stable_partition(donors, [](const auto& one) { return one.result.has_value(); });
  for (const MemoryKinds::Donor& donor : donors) {
    if (std::ranges::binary_search(draft.host_arguments, donor.argument)) continue;
    // A donor with a named result may share with that one only.
    for (std::uint32_t i = donor.result.value_or(0); i < results.size(); ++i) {
      if (!taken[i] && results[i] == arguments[donor.argument] &&
          uses.may_share(donor.argument, i)) {
        donations.push_back({donor.argument, i});
        taken[i] = true;
        break;
      }
      if (donor.result) break;
    }
  }
  return donations;
}

}  // namespace understudy::program::passes
