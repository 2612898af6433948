// SPDX-License-Identifier: Apache-2.0
#include "launcher/cache/explain.h"

#include <algorithm>
#include <fmt/format.h>

#include "cache/entry.h"
#include "configs/base/error.h"
#include "configs/base/units.h"
#include "program/compile.h"

namespace understudy::launcher {
namespace {

std::map<std::string, std::string> parts_map(const cache::NamedParts& parts) {
  return {parts.begin(), parts.end()};
}

// Compares the operations of the program with those of the cached executable. The cache stores no
// source text, so operation names in order are all that can be compared.
std::vector<std::string> program_details(const program::Module& module,
                                         const cache::EntrySeen& against) {
  const std::optional<program::Executable> entry = cache::load_entry(against.contents).executable;
  if (!entry) return {"the program of the entry cannot be read: it was written by another build"};
  const program::Executable& there = *entry;
  std::vector<std::string> details;
  std::vector<std::string> here;
  for (const program::Operation* op : program::operations_in_order(module))
    here.push_back(op->name);
  if (here.size() != there.op_names.size())
    details.push_back(fmt::format("{} operations in the program, {} in the entry", here.size(),
                                  there.op_names.size()));
  const std::size_t both = std::min(here.size(), there.op_names.size());
  for (std::size_t i = 0; i < both; ++i) {
    if (here[i] == there.op_names[i]) continue;
    details.push_back(fmt::format("operation {} is {} in the program, {} in the entry", i, here[i],
                                  there.op_names[i]));
    break;
  }
  if (details.empty())
    details.emplace_back(
        "both have the same operations in the same order; constants, attributes or types differ");
  return details;
}

}  // namespace

// Must name the same parts as the key of a worker, else every explanation would report a miss.
cache::KeyParts key_parts_of(const LoadedProgram& program, const configs::Slice& slice,
                             const RunOptions& options, const configs::Profile& profile) {
  return {.program = program.digest,
          .numerics = options.numerics,
          .replicas = program.interface.replicas,
          .chip = slice.chip.name,
          .chip_digest = slice.chip.digest,
          .profile = configs::code_values(profile)};
}

configs::CacheEntry entry_document(const cache::EntrySeen& seen) {
  return {seen.path, seen.key, seen.bytes, std::string(words_for(seen.refusal)),
          parts_map(seen.parts)};
}

// Key parts are compared one by one. Only if the program part differs are the programs themselves
// compared.
configs::CacheExplanation explain(const program::Module& module, const cache::KeyParts& parts,
                                  const cache::EntrySeen& against) {
  const cache::NamedParts named = named_parts(parts);
  configs::CacheExplanation explanation;
  explanation.key = cache::key_of(named);
  explanation.parts = parts_map(named);
  explanation.against = entry_document(against);
  explanation.hit = explanation.key == against.key && against.refusal == cache::Refusal::none;
  // Damaged entries and those of another format.
  if (against.parts.empty()) {
    explanation.details.push_back(fmt::format("the entry is {}, so its key parts cannot be read",
                                              words_for(against.refusal)));
    return explanation;
  }
  bool other_program = false;
  for (const cache::PartDifference& one : cache::differences(named, against.parts)) {
    explanation.differences.push_back({one.part, one.here, one.there});
    other_program = other_program || one.part == "program";
  }
  if (other_program) explanation.details = program_details(module, against);
  return explanation;
}

// Ties go to the first entry of the listing.
const cache::EntrySeen* nearest_entry(const cache::KeyParts& parts,
                                      const std::vector<cache::EntrySeen>& entries) {
  const cache::NamedParts named = named_parts(parts);
  const cache::EntrySeen* nearest = nullptr;
  std::size_t fewest = 0;
  for (const cache::EntrySeen& entry : entries) {
    if (entry.parts.empty()) continue;
    const std::size_t count = cache::differences(named, entry.parts).size();
    if (nearest != nullptr && count >= fewest) continue;
    nearest = &entry;
    fewest = count;
  }
  return nearest;
}

std::string explanation_text(const configs::CacheExplanation& explanation) {
  std::string text = fmt::format("{}: key {}\n", explanation.program, explanation.key);
  if (!explanation.against) {
    for (const auto& [name, value] : explanation.parts)
      text += fmt::format("  {:<14} {}\n", name, value);
    return text + "the cache has no entry to compare with";
  }
  const configs::CacheEntry& there = *explanation.against;
  text += fmt::format("{}: key {}, {}, {}\n", there.path, there.key, bytes_text(there.bytes),
                      there.state);
  if (explanation.hit) return text + "the keys are equal: this entry would be used";
  if (explanation.differences.empty() && there.state == "good") return text + "the parts are equal";
  for (const configs::KeyDifference& one : explanation.differences)
    text += fmt::format("  {:<14} program: {}, entry: {}\n", one.part, one.here.value_or("none"),
                        one.there.value_or("none"));
  for (const std::string& detail : explanation.details) text += "  " + detail + '\n';
  std::string parts;
  for (const configs::KeyDifference& one : explanation.differences)
    parts += (parts.empty() ? "" : ", ") + one.part;
  return text + (parts.empty() ? "a miss: the entry cannot be used"
                               : "a miss: the keys differ in " + parts);
}

}  // namespace understudy::launcher
