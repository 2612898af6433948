// SPDX-License-Identifier: Apache-2.0
// Combines small all_reduces, one list of instructions at a time. Those over the same groups with
// the same reducer become one instruction with all their operands (a combined all_reduce), placed
// where the last of them stood. The cost of a small all_reduce is latency, so a chip that would
// wait for its peers once per gradient waits once per combined all_reduce. The worker packs the
// operands of one element type into a bucket (worker/pod/buckets.h). Only independent instructions
// are reordered, and every chip compiles the same code, so all chips still agree on the order.
// Equivalents: XLA's AllReduceCombiner, gradient buckets of PyTorch DDP.
#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

#include "program/passes/draft.h"
#include "program/passes/nested.h"

namespace understudy::program::passes {

namespace {

// Bytes of one combined instruction. A larger one would delay its first operand until the last
// one is computed, with no latency left to save.
// 1 MiB: at that size bandwidth dominates the latency that combining saves.
constexpr std::uint64_t kMaxCombinedInstructionBytes = 1 << 20;  // bytes of one instruction

// All_reduces that will become one instruction. A batch that is not open has a member whose
// operands or results were touched since, so no member may move further down.
struct Batch {
  std::vector<std::size_t> members;  // positions in the list
  std::uint64_t bytes = 0;
  bool is_open = true;
};

bool has_several(const Batch& batch) { return batch.members.size() > 1; }

// What all members of a batch agree in. The channel id is left out: groups are processes here, and
// the combined instruction keeps the id of its first member.
// A reduction and its groups; element types may differ (the worker forms a bucket per type).
using Kind = std::tuple<Reduction, std::vector<ProcessGroup>>;

class Combiner {
 public:
  explicit Combiner(Code& code) : code_(code) {}

  void run() {
    for (std::size_t i = 0; i < code_.size(); ++i) {
      // An instruction that is not combinable may still use a member's operands or results.
      if (const auto bytes = combinable_bytes(code_[i])) {
        add(i, *bytes);
      } else {
        close_those_that(code_[i]);
      }
    }
    if (std::ranges::any_of(batches_, has_several)) merge();
  }

 private:
  // Reducers that are not a known reduction (Reduction::none) run a body per instruction and
  // cannot be shared. One large operand is bandwidth-bound and gains nothing.
  static std::optional<std::uint64_t> combinable_bytes(const Instruction& instruction) {
    const auto* const work = std::get_if<Collective>(&instruction.work);
    if (work == nullptr || work->kind != CollectiveKind::all_reduce ||
        work->reduction == Reduction::none)
      return std::nullopt;
    std::uint64_t sum = 0;
    for (const Operand& input : instruction.inputs) {
      const auto bytes = static_cast<std::uint64_t>(input.type.bytes());
      if (bytes > kMaxCombinableOperandBytes) return std::nullopt;
      sum += bytes;
    }
    return sum;
  }

  void add(std::size_t position, std::uint64_t bytes) {
    close_those_that(code_[position]);
    const auto& work = std::get<Collective>(code_[position].work);
    const Kind kind{work.reduction, work.groups};
    // The newest batch of this kind, open or not.
    const auto [newest, fresh] = newest_.try_emplace(kind, batches_.size());
    // Only the newest batch of a kind is considered, which keeps the pass linear. Members of an
    // older batch are further away, and it is usually closed or full.
    const bool fits = !fresh && batches_[newest->second].is_open &&
                      batches_[newest->second].bytes + bytes <= kMaxCombinedInstructionBytes;
    if (!fits) {
      newest->second = batches_.size();
      batches_.emplace_back();
    }
    Batch& batch = batches_[newest->second];
    batch.members.push_back(position);
    batch.bytes += bytes;
    touched_.add(code_[position], newest->second);
  }

  // Closes every batch with a member whose result this instruction uses, or whose operand or
  // result it overwrites: members move down to the last one, and cannot move past this
  // instruction.
  void close_those_that(const Instruction& instruction) {
    for (const std::size_t met : touched_.take_met_by(instruction)) batches_[met].is_open = false;
  }

  void merge() {
    std::vector<bool> gone(code_.size(), false);
    for (const Batch& batch : batches_) {
      if (!has_several(batch)) continue;
      Instruction merged = std::move(code_[batch.members.front()]);
      auto& ops = std::get<Collective>(merged.work).ops;
      // `ops` keeps the source operation of each operand, so that reports and counters still
      // name the operations of the program.
      ops.assign(merged.inputs.size(), merged.op);
      for (auto member = batch.members.begin() + 1; member != batch.members.end(); ++member) {
        Instruction& next = code_[*member];
        ops.insert(ops.end(), next.inputs.size(), next.op);
        std::ranges::move(next.inputs, std::back_inserter(merged.inputs));
        std::ranges::move(next.outputs, std::back_inserter(merged.outputs));
      }
      // The last position is the only one where all operands are computed.
      // All members vanish except the last position, which holds the merged one.
      for (const std::size_t member : batch.members) gone[member] = true;
      gone[batch.members.back()] = false;
      code_[batch.members.back()] = std::move(merged);
    }
    remove_marked(code_, gone);
  }

  Code& code_;
  std::vector<Batch> batches_;
  std::map<Kind, std::size_t> newest_;  // batch of each kind
  Touched touched_;                     // by the members of batches
};

// Inner lists first; all_reduces never move between lists, as loops and branches decide how often
// they run.
void combine_in(Code& code) {
  for (Instruction& instruction : code)
    for_each_nested(instruction, [](Code& nested) { combine_in(nested); });
  Combiner(code).run();
}

}  // namespace

void combine_all_reduces(Draft& draft) { combine_in(draft.code); }

}  // namespace understudy::program::passes
