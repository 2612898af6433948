// SPDX-License-Identifier: Apache-2.0
#include "configs/receipt/diff.h"

#include <algorithm>

namespace understudy::configs {
namespace {

// Removes the first key of a pointer: "/a/b" gives "a" and leaves "/b".
std::string_view next_key(std::string_view& rest) {
  rest.remove_prefix(1);
  const std::size_t end = std::min(rest.find('/'), rest.size());
  const std::string_view key = rest.substr(0, end);
  rest.remove_prefix(end);
  return key;
}

std::optional<std::string> value_at(const std::map<std::string, std::string>& leaves,
                                    const std::string& field) {
  const auto found = leaves.find(field);
  return found == leaves.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace

// Key by key; a pattern that ends first matches everything below it.
bool matches(std::string_view pointer, std::string_view pattern) {
  while (!pattern.empty()) {
    if (pointer.empty()) return false;
    const std::string_view want = next_key(pattern), key = next_key(pointer);
    if (want != "*" && want != key) return false;
  }
  return true;
}

// On the leaves of the JSON documents, so a new field of the receipt is compared without a change
// here.
std::vector<FieldDifference> differences_of(const Receipt& cold, const Receipt& restored) {
  const std::map<std::string, std::string> one = leaves_of_receipt(cold);
  const std::map<std::string, std::string> other = leaves_of_receipt(restored);
  std::map<std::string, std::string> names = one;
  names.insert(other.begin(), other.end());
  std::vector<FieldDifference> all;
  for (const auto& [field, any] : names) {
    const bool anew = std::ranges::any_of(
        volatile_fields(), [&](const std::string& pattern) { return matches(field, pattern); });
    FieldDifference difference{field, value_at(one, field), value_at(other, field)};
    if (!anew && difference.cold != difference.restored) all.push_back(std::move(difference));
  }
  return all;
}

}  // namespace understudy::configs
