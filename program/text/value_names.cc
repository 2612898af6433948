// SPDX-License-Identifier: Apache-2.0
#include "program/text/value_names.h"

#include <algorithm>
#include <charconv>
#include <system_error>

namespace understudy::program {
namespace {

// Numbered names ("%12") index a vector, other names a hash map. The vector may exceed the number
// of bound names by this much, so a file cannot allocate memory with one large number.
constexpr std::size_t kLead = 4096;

}  // namespace

// The number of "%12"; nothing where it is another name ("%012" is one).
std::optional<std::size_t> ValueNames::slot_of(std::string_view name) const {
  // Names keep their '%', so a number starts at 1.
  if (name.size() < 2 || (name[1] == '0' && name.size() > 2)) return std::nullopt;
  std::size_t number = 0;
  const char* const end = name.data() + name.size();
  const auto read = std::from_chars(name.data() + 1, end, number);
  if (read.ec != std::errc{} || read.ptr != end) return std::nullopt;
  return number;
}

const ValueNames::Binding* ValueNames::find(std::string_view name) const {
  // The number may be bound in the map if it was far ahead then.
  const std::optional<std::size_t> slot = slot_of(name);
  if (slot && *slot < numbered_.size() && numbered_[*slot].count > 0) return &numbered_[*slot];
  const auto found = named_.find(name);
  return found == named_.end() ? nullptr : &found->second;
}

bool ValueNames::bind(std::string_view name, const Binding& binding) {
  if (find(name) != nullptr) return false;
  const std::optional<std::size_t> slot = slot_of(name);
  if (slot && *slot < 2 * bound_.size() + kLead) {
    // Grows by doubling, so that n names take O(n) steps.
    if (*slot >= numbered_.size()) numbered_.resize(std::max(*slot + 1, 2 * numbered_.size()));
    numbered_[*slot] = binding;
  } else {
    named_.emplace(name, binding);
  }
  bound_.push_back(name);
  return true;
}

// Names of a region end with it, so another region may use them again.
void ValueNames::forget(std::size_t mark) {
  while (bound_.size() > mark) {
    const std::optional<std::size_t> slot = slot_of(bound_.back());
    // As in find(): where it was bound depends on how far ahead it was.
    if (slot && *slot < numbered_.size() && numbered_[*slot].count > 0) {
      numbered_[*slot] = {};
    } else {
      named_.erase(bound_.back());
    }
    bound_.pop_back();
  }
}

}  // namespace understudy::program
