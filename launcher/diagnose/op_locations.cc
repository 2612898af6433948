// SPDX-License-Identifier: Apache-2.0
#include "launcher/diagnose/op_locations.h"

#include "configs/base/error.h"
#include "program/compile.h"
#include "program/text/python_place.h"

namespace understudy::launcher {

OpLocations::OpLocations(const program::Module& module, std::string_view text)
    : programs_{program::operations_in_order(module)}, text_(text) {}

void OpLocations::add(const program::Module& module, const std::vector<std::int64_t>& ranks) {
  for (const std::int64_t rank : ranks) others_[rank] = programs_.size();
  programs_.push_back(program::operations_in_order(module));
}

const program::Operation* OpLocations::operation(std::int64_t rank, std::int64_t op) const {
  const auto other = others_.find(rank);
  const Operations& operations = programs_[other == others_.end() ? 0 : other->second];
  if (op < 0 || op >= static_cast<std::int64_t>(operations.size())) return nullptr;
  return operations[static_cast<std::size_t>(op)];
}

std::optional<OpLocations::Entry> OpLocations::find(std::int64_t rank, std::int64_t op) const {
  const program::Operation* const found = operation(rank, op);
  if (found == nullptr) return std::nullopt;
  Entry entry{std::string(found->name), std::nullopt, std::nullopt};
  const SourcePlace place = program::place_of(found->location);
  if (!place.path.empty()) entry.place = text_of(place);
  // Once for a failure: the lines of the program are not kept split.
  if (!others_.contains(rank) && !text_.empty())
    entry.python = program::PythonPlaces(text_).of_line(place.line);
  return entry;
}

std::optional<std::string> OpLocations::place(std::int64_t rank, std::int64_t op) const {
  const program::Operation* const found = operation(rank, op);
  if (found == nullptr) return std::nullopt;
  const SourcePlace place = program::place_of(found->location);
  return place.path.empty() ? std::nullopt : std::optional(text_of(place));
}

}  // namespace understudy::launcher
