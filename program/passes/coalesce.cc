// SPDX-License-Identifier: Apache-2.0
// Copy coalescing, one list of instructions at a time, innermost first. Lowering writes a value to
// a fresh temporary and then copies it where a result, a loop's carried value or a branch result
// must be. A copy `to = from` is removed when all uses of `from` are in this list and nothing uses
// `to` between the first write of `from` and the copy: `from` is then written into `to` directly.
// An update of a result (dynamic_update_slice, scatter) whose operand dies in it is merged in the
// same way, and stays as an update in place. The equivalent is copy elision in xla::CopyInsertion.
#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>

#include "program/passes/draft.h"
#include "program/passes/nested.h"

namespace understudy::program::passes {

namespace {

// A temporary or a result as one number: the id, with bit 32 set for results. Arguments, constants
// and frames have no name, as nothing may be merged into them.
using Name = std::uint64_t;
constexpr Name kResult = Name{1} << 32;

std::optional<Name> name_of(const Buffer& buffer) {
  if (buffer.space == Space::temporary) return buffer.index;
  if (buffer.space == Space::result) return kResult | buffer.index;
  return std::nullopt;
}

// Where in the current list a name is used. When two names become one, the smaller record is merged
// into the larger, so that a chain of n merges costs n log n, not n squared.
struct Uses {
  std::map<std::size_t, bool> first_writes;  // by position: whether its first use there writes
  std::set<std::size_t> writes;              // positions
  std::size_t count = 0;                     // of operands

  void add(std::size_t position, bool is_write) {
    first_writes.try_emplace(position, is_write);
    if (is_write) writes.insert(position);
    ++count;
  }
  void take(Uses&& other) {
    // Smaller into larger: each position moves at most log n times.
    if (other.first_writes.size() > first_writes.size()) std::swap(*this, other);
    for (const auto& [position, is_write] : other.first_writes) first_writes[position] |= is_write;
    writes.merge(other.writes);
    count += other.count;
  }
  // Forgets the copy itself, which reads one name and writes the other.
  void drop(std::size_t position, std::size_t operands) {
    first_writes.erase(position);
    writes.erase(position);
    count -= operands;
  }
  // A position of `positions` in (after, before).
  template <class Positions>
  static bool any_between(const Positions& positions, std::size_t after, std::size_t before) {
    const auto next = positions.upper_bound(after);
    return next != positions.end() && position_of(*next) < before;
  }

 private:
  static std::size_t position_of(std::size_t position) { return position; }
  static std::size_t position_of(const std::pair<const std::size_t, bool>& use) {
    return use.first;
  }
};
using AllUses = std::unordered_map<Name, Uses>;

class Coalescer {
 public:
  explicit Coalescer(Draft& draft) : draft_(draft) {}

  void run() {
    count_all(draft_.code);
    process(draft_.code);
  }

 private:
  // Uses in the whole program. A name with more uses there than in the list at hand is visible to
  // other lists (a loop around it, or nested code reached another way), and its copy must stay.
  void count_all(const Code& code) {
    for (const Instruction& instruction : code)
      // Operands are counted once each, also those of nested code.
      visit_operands(instruction, [&](const Operand& operand, Access) {
        if (const auto name = name_of(operand.at)) ++total_[*name];
      });
  }

  void process(Code& code) {
    // Innermost first: a copy in a loop's body is often the reason for one outside of it.
    for (Instruction& instruction : code)
      for_each_nested(instruction, [this](Code& nested) { process(nested); });
    // Most lists have no copies: do not build the use tables for them.
    if (std::ranges::any_of(code, joins_buffers)) merge_copies(code);
  }

  static bool joins_buffers(const Instruction& instruction) {
    return is_whole_copy(instruction) || is_update(instruction);
  }
  // An update that copies its operand first, unless both have one buffer.
  static bool is_update(const Instruction& instruction) {
    return (std::holds_alternative<DynamicUpdateSlice>(instruction.work) ||
            std::holds_alternative<Scatter>(instruction.work)) &&
           may_run_in_place(instruction, 0);
  }

  // Uses of the names that whole copies and updates read or write; no other name can be merged. An
  // operand of nested code counts at the position of the instruction that holds it.
  static AllUses uses_in(const Code& code) {
    AllUses uses;
    for (const Instruction& instruction : code) {
      if (!joins_buffers(instruction)) continue;
      for (const Operand& operand : {instruction.inputs[0], instruction.outputs[0]})
        if (const auto name = name_of(operand.at)) uses[*name];
    }
    // Second pass: names that no copy touches are not recorded.
    for (std::size_t i = 0; i < code.size(); ++i)
      visit_operands(code[i], [&](const Operand& operand, Access access) {
        const auto name = name_of(operand.at);
        const auto found = name ? uses.find(*name) : uses.end();
        if (found != uses.end()) found->second.add(i, access == Access::write);
      });
    return uses;
  }

  void merge_copies(Code& code) {
    AllUses uses = uses_in(code);
    std::unordered_map<Name, Buffer> renamed;
    std::vector<bool> gone(code.size(), false);
    // Last copy first: in a chain c = b, b = a the later copy decides the final buffer, and the
    // earlier one then merges into that.
    for (std::size_t i = code.size(); i-- > 0;) {
      if (!joins_buffers(code[i])) continue;
      const bool is_copy = is_whole_copy(code[i]);
      const Buffer from = final_of(renamed, code[i].inputs[0].at);
      const Buffer to = final_of(renamed, code[i].outputs[0].at);
      if (!fits(code[i], from, to) || !may_merge(code, uses, renamed, i, from, to)) continue;
      if (!is_copy && !ends_in_update(code[i], uses, renamed, i, from, to)) continue;
      merge(uses, i, from, to, is_copy);
      renamed[*name_of(from)] = to;
      gone[i] = is_copy;
    }
    if (!renamed.empty()) rewrite(code, renamed, gone);
  }

  // Follows a chain of merges. Offsets add up, as an operand may address a part of a merged
  // temporary.
  static Buffer final_of(const std::unordered_map<Name, Buffer>& renamed, Buffer buffer) {
    for (auto name = name_of(buffer); name; name = name_of(buffer)) {
      // Offsets add up along the chain.
      const auto found = renamed.find(*name);
      if (found == renamed.end()) break;
      const std::uint64_t offset = buffer.offset;
      buffer = found->second;
      buffer.offset += offset;
    }
    return buffer;
  }

  // Both sides must be whole temporaries (`to` may be a result) of exactly the size that the copy
  // moves. Otherwise a part of `to` outside the copy would be overwritten.
  bool fits(const Instruction& copy, const Buffer& from, const Buffer& to) const {
    if (from.space != Space::temporary || from.offset != 0 || to.offset != 0 || from == to ||
        !name_of(to))
      return false;
    const auto bytes = static_cast<std::uint64_t>(copy.outputs[0].type.bytes());
    // The whole temporary, so no byte of `to` outside of the copy is touched.
    return draft_.bytes[from.index] == bytes &&
           (to.space == Space::result || draft_.bytes[to.index] == bytes);
  }

  // The conditions under which `from` and `to` never hold different live values at the same time:
  // - every use of `from` is in this list, its first use is a write before the copy, and none of
  // its
  //   writes comes after the copy;
  // - `to` is neither read nor written between that first write and the copy;
  // - `to` is not written while `from` is still read after the copy;
  // - `to` is not used by the instruction that first writes `from`, unless that is element-wise.
  bool may_merge(const Code& code, const AllUses& all,
                 const std::unordered_map<Name, Buffer>& renamed, std::size_t copy,
                 const Buffer& from, const Buffer& to) const {
    const Uses& source = all.at(*name_of(from));
    const Uses& target = all.at(*name_of(to));
    // Someone outside of this list reads or writes it.
    if (source.count != total_.at(*name_of(from))) return false;  // known outside this list
    const auto [born, is_born_written] = *source.first_writes.begin();
    if (!is_born_written || born >= copy) return false;
    if (*source.writes.rbegin() > copy) return false;
    const std::size_t dies = std::max(copy, source.first_writes.rbegin()->first);
    // Between birth and copy `to` must not be used; until the death of `from` it must not be
    // written.
    if (Uses::any_between(target.first_writes, born, copy) ||
        Uses::any_between(target.writes, copy, dies + 1))
      return false;
    return !target.first_writes.contains(born) || shares_birth(code[born], renamed, to);
  }

  // Whether the operand `from` of an update is not read afterwards, nor by the update another time.
  // Between temporaries the plan decides, which knows the whole program.
  static bool ends_in_update(const Instruction& update, const AllUses& all,
                             const std::unordered_map<Name, Buffer>& renamed, std::size_t position,
                             const Buffer& from, const Buffer& to) {
    for (std::size_t i = 1; i < update.inputs.size(); ++i)
      if (name_of(final_of(renamed, update.inputs[i].at)) == name_of(from)) return false;
    return to.space == Space::result &&
           all.at(*name_of(from)).first_writes.rbegin()->first == position;
  }

  // The instruction that first writes `from` also reads `to`. That is allowed only if it reads
  // `to` element by element at the place that it then writes, and does not write `to` itself.
  static bool shares_birth(const Instruction& instruction,
                           const std::unordered_map<Name, Buffer>& renamed, const Buffer& to) {
    // The body of an update that runs in place is a known function.
    const bool calls_body = !bodies_of(instruction).empty() && !is_update(instruction);
    if (instruction.outputs.size() != 1 || calls_body ||
        std::holds_alternative<Case>(instruction.work) ||
        name_of(final_of(renamed, instruction.outputs[0].at)) == name_of(to))
      return false;
    for (std::size_t i = 0; i < instruction.inputs.size(); ++i) {
      const Buffer input = final_of(renamed, instruction.inputs[i].at);
      if (name_of(input) != name_of(to)) continue;
      if (input.offset != 0 || !may_run_in_place(instruction, i)) return false;
    }
    return true;
  }

  void merge(AllUses& all, std::size_t copy, const Buffer& from, const Buffer& to, bool vanishes) {
    const Name from_name = *name_of(from);
    const Name to_name = *name_of(to);
    Uses& target = all.at(to_name);
    target.take(std::move(all.at(from_name)));
    all.erase(from_name);
    // A copy's own two operands disappear.
    if (vanishes) target.drop(copy, 2);
    total_[to_name] += total_[from_name] - (vanishes ? 2 : 0);
    total_[from_name] = 0;
  }

  static void rewrite(Code& code, const std::unordered_map<Name, Buffer>& renamed,
                      const std::vector<bool>& gone) {
    remove_marked(code, gone);
    for (Instruction& instruction : code)
      visit_operands(instruction,
                     [&](Operand& operand, Access) { operand.at = final_of(renamed, operand.at); });
  }

  Draft& draft_;
  std::unordered_map<Name, std::uint64_t> total_;
};

}  // namespace

void coalesce_copies(Draft& draft) { Coalescer(draft).run(); }

}  // namespace understudy::program::passes
