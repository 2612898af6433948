// SPDX-License-Identifier: Apache-2.0
#include "program/analysis/memory.h"

#include <utility>
#include <variant>

namespace understudy::program::analysis {

// Changes of the inner scope are changes of the outer one too. note() keeps only the first of each
// place per scope, so the outer scope records what was there when it began.
std::vector<Memory::Change> Memory::leave() {
  const Scope inner = std::move(scopes_.back());
  scopes_.pop_back();
  std::vector<Change> changes;
  changes.reserve(inner.changes.size());
  for (const Noted& noted : inner.changes) {
    // The outer scope may have noted this place before, and must find its own note again.
    noted_[noted.place] = noted.outer;
    note(noted.place, noted.before);
    changes.push_back(noted);
  }
  return changes;
}

// A write covers its place if it writes every byte of the temporary. Strided copies may skip
// elements: their number of moved elements decides.
bool covers(const passes::Draft& draft, const Instruction& instruction, const Operand& out) {
  // Smaller than the buffer: a part of it is written.
  if (out.at.space == Space::temporary &&
      static_cast<std::uint64_t>(out.type.bytes()) < draft.bytes.at(out.at.index))
    return false;
  const auto* copy = std::get_if<StridedCopy>(&instruction.work);
  if (copy == nullptr) return true;
  std::int64_t moved = 1;
  for (const std::int64_t size : copy->sizes) moved *= size;
  return moved >= out.type.elements();
}

}  // namespace understudy::program::analysis
