// SPDX-License-Identifier: Apache-2.0
#include "launcher/diagnose/op_locations.h"

#include "configs/base/error.h"
#include "program/compile.h"

namespace understudy::launcher {

OpLocations::OpLocations(const program::Module& module)
    : programs_{program::operations_in_order(module)} {}

void OpLocations::add(const program::Module& module, const std::vector<std::int64_t>& ranks) {
  for (const std::int64_t rank : ranks) others_[rank] = programs_.size();
  programs_.push_back(program::operations_in_order(module));
}

std::optional<OpLocations::Entry> OpLocations::find(std::int64_t rank, std::int64_t op) const {
  const auto other = others_.find(rank);
  const Operations& operations = programs_[other == others_.end() ? 0 : other->second];
  if (op < 0 || op >= static_cast<std::int64_t>(operations.size())) return std::nullopt;
  const program::Operation& found = *operations[static_cast<std::size_t>(op)];
  Entry entry{std::string(found.name), std::nullopt};
  const SourcePlace place = program::place_of(found.location);
  if (!place.path.empty()) entry.place = text_of(place);
  return entry;
}

std::optional<std::string> OpLocations::place(std::int64_t rank, std::int64_t op) const {
  const std::optional<Entry> entry = find(rank, op);
  return entry ? entry->place : std::nullopt;
}

}  // namespace understudy::launcher
