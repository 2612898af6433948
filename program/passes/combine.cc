// SPDX-License-Identifier: Apache-2.0
// Combines small all_reduces, one list of instructions at a time. Those over the same groups with
// the same reducer become one instruction with all their operands (a combined all_reduce), placed
// where all of these are computed. The cost of a small all_reduce is latency, so a chip that would
// wait for its peers once per gradient waits once per combined all_reduce. The worker packs the
// operands of one element type into a bucket (worker/pod/buckets.h). What needs a result of one
// moves behind the combined one. Only independent instructions are reordered, and every chip
// compiles the same code, so all chips still agree on the order. Equivalents: XLA's
// AllReduceCombiner, gradient buckets of PyTorch DDP.
#include <algorithm>
#include <iterator>
#include <optional>
#include <unordered_set>
#include <utility>

#include "program/passes/draft.h"
#include "program/passes/nested.h"

namespace understudy::program::passes {

namespace {

// Bytes of one combined instruction. A larger one would delay its first operand until the last
// one is computed, with no latency left to save.
// 1 MiB: at that size bandwidth dominates the latency that combining saves.
constexpr std::uint64_t kMaxCombinedInstructionBytes = 1 << 20;  // bytes of one instruction

// What all members of a batch agree in. The channel id is left out: groups are processes here, and
// the combined instruction keeps the id of its first member.
// A reduction and its groups; element types may differ (the worker forms a bucket per type).
bool is_same_kind(const Instruction& a, const Instruction& b) {
  const auto& one = std::get<Collective>(a.work);
  const auto& other = std::get<Collective>(b.work);
  return one.reduction == other.reduction && one.groups == other.groups;
}

// Reducers that are not a known reduction (Reduction::none) run a body per instruction and cannot
// be shared. One large operand is bandwidth-bound and gains nothing.
std::optional<std::uint64_t> combinable_bytes(const Instruction& instruction) {
  const auto* const work = std::get_if<Collective>(&instruction.work);
  if (work == nullptr || work->kind != CollectiveKind::all_reduce ||
      work->reduction == Reduction::none || !work->ops.empty())  // combined already
    return std::nullopt;
  std::uint64_t sum = 0;
  for (const Operand& input : instruction.inputs) {
    const auto bytes = static_cast<std::uint64_t>(input.type.bytes());
    if (bytes > kMaxCombinableOperandBytes) return std::nullopt;
    sum += bytes;
  }
  return sum;
}

// The buffers that some instructions name, nested code included. Unlike Touched it forgets none:
// each later conflict counts.
class NamedBuffers {
 public:
  void add(const Instruction& instruction) {
    visit_operands(instruction, [this](const Operand& operand, Access access) {
      if (operand.at.space == Space::frame) return;  // of one body
      (access == Access::read ? read_ : written_).insert(whole_of(operand.at));
    });
  }
  // Whether the instruction cannot change places with these: one of the two writes what the other
  // reads or writes.
  bool conflict_with(const Instruction& instruction) const {
    bool conflict = false;
    visit_operands(instruction, [&](const Operand& operand, Access access) {
      if (operand.at.space == Space::frame) return;
      const Buffer buffer = whole_of(operand.at);
      conflict |= written_.contains(buffer) || (access == Access::write && read_.contains(buffer));
    });
    return conflict;
  }

 private:
  std::unordered_set<Buffer, BufferHash> read_, written_;
};

// All_reduces that become one instruction, and those between them that need a result of one: a
// gradient is summed and then applied, before the next one is summed.
struct Batch {
  std::vector<std::size_t> members, delayed;  // positions in the list, ascending
};

class Combiner {
 public:
  explicit Combiner(Code& code) : code_(code) {}

  void run() {
    for (std::size_t i = 0; i < code_.size();) {
      const Batch batch = combinable_bytes(code_[i]) ? batch_from(i) : Batch{};
      if (batch.members.size() > 1) {
        arrange(batch);  // what is at this position now may begin another batch
      } else {
        ++i;
      }
    }
  }

 private:
  // Beyond this the first results would be kept for long, and the pass would be slow.
  static constexpr std::size_t kMostDelayed = 256;

  Batch batch_from(std::size_t first) const {
    Batch batch{{first}, {}};
    NamedBuffers moved;  // of the members and of what they delay
    moved.add(code_[first]);
    std::uint64_t bytes = *combinable_bytes(code_[first]);
    std::size_t counted = 0;  // of the delayed ones, those before the last member
    for (std::size_t i = first + 1; i < code_.size(); ++i) {
      const Instruction& next = code_[i];
      if (moved.conflict_with(next)) {
        // Effects keep their order.
        if (holds_effect(next) || batch.delayed.size() - counted >= kMostDelayed) break;
        batch.delayed.push_back(i);
        moved.add(next);
        continue;
      }
      const auto more = combinable_bytes(next);
      if (!more || bytes + *more > kMaxCombinedInstructionBytes ||
          !is_same_kind(code_[first], next))
        continue;
      batch.members.push_back(i);
      bytes += *more;
      counted = batch.delayed.size();
      moved.add(next);
    }
    batch.delayed.resize(counted);
    return batch;
  }

  // As early as its operands allow, but behind collectives that begin there, which then run during
  // this one where they are asynchronous.
  static std::size_t place_of(const Instruction& merged, const Code& staying) {
    NamedBuffers named;
    named.add(merged);
    std::size_t place = staying.size();
    while (place > 0 && !named.conflict_with(staying[place - 1])) --place;
    while (place < staying.size() && std::holds_alternative<Collective>(staying[place].work))
      ++place;
    return place;
  }

  // What needs no member keeps its order; the delayed ones follow.
  void arrange(const Batch& batch) {
    const std::size_t first = batch.members.front(), last = batch.members.back();
    Code staying, delayed;
    auto member = batch.members.begin();
    auto late = batch.delayed.begin();
    Instruction merged = merge(batch.members);
    for (std::size_t i = first; i <= last; ++i) {
      if (member != batch.members.end() && *member == i) {
        ++member;
      } else if (late != batch.delayed.end() && *late == i) {
        delayed.push_back(std::move(code_[i]));
        ++late;
      } else {
        staying.push_back(std::move(code_[i]));
      }
    }
    const auto place = static_cast<std::ptrdiff_t>(place_of(merged, staying));
    staying.insert(staying.begin() + place, std::move(merged));
    auto to = code_.begin() + static_cast<std::ptrdiff_t>(first);
    to = std::ranges::move(staying, to).out;
    to = std::ranges::move(delayed, to).out;
    code_.erase(to, code_.begin() + static_cast<std::ptrdiff_t>(last) + 1);
  }

  Instruction merge(const std::vector<std::size_t>& members) {
    Instruction merged = std::move(code_[members.front()]);
    auto& ops = std::get<Collective>(merged.work).ops;
    // `ops` keeps the source operation of each operand, so that reports and counters still name the
    // operations of the program.
    ops.assign(merged.inputs.size(), merged.op);
    for (auto member = members.begin() + 1; member != members.end(); ++member) {
      Instruction& next = code_[*member];
      ops.insert(ops.end(), next.inputs.size(), next.op);
      std::ranges::move(next.inputs, std::back_inserter(merged.inputs));
      std::ranges::move(next.outputs, std::back_inserter(merged.outputs));
    }
    return merged;
  }

  Code& code_;
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
