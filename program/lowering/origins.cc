// SPDX-License-Identifier: Apache-2.0
#include "program/lowering/origins.h"

#include <utility>

#include "program/passes/module/attributes.h"

namespace understudy::program::passes {

template <class Known>
void Origins::remember(Entries<Known>& entries, const Operand& x, Known known) const {
  if (x.at.space == Space::temporary)
    entries[x.at.index] = {x.type, std::move(known), {updates_, code_}};
}

// Whole temporaries, seen as they were made.
template <class Known>
const Origins::Entry<Known>* Origins::find(const Entries<Known>& entries, const Operand& x) const {
  if (lowered_ == Lowered::as_written || x.at.space != Space::temporary || x.at.offset != 0)
    return nullptr;
  const auto found = entries.find(x.at.index);
  return found != entries.end() && found->second.type == x.type ? &found->second : nullptr;
}

bool Origins::may_read_source(const Value& value) const {
  const auto found = slices_.find(&value);
  return found != slices_.end() && found->second == updates_;
}

void Origins::remember_joined(const Operand& whole, Joined joined) {
  remember(joined_, whole, std::move(joined));
}

const Origins::Joined* Origins::joined(const Operand& x) const {
  const auto* const found = find(joined_, x);
  return found != nullptr && found->moment == now() ? &found->known : nullptr;
}

void Origins::remember_reshaped(const Operand& whole, Reshaped reshaped) {
  remember(reshaped_, whole, std::move(reshaped));
}

const Origins::Reshaped* Origins::reshaped(const Operand& x) const {
  const auto* const found = find(reshaped_, x);
  return found != nullptr && found->moment == now() ? &found->known : nullptr;
}

void Origins::remember_spread(const Operand& x, Spread spread) {
  remember(spread_, x, std::move(spread));
}

const Origins::Spread* Origins::spread(const Operand& x) const {
  const auto* const found = find(spread_, x);
  return found != nullptr && found->moment == now() ? &found->known : nullptr;
}

void Origins::remember_elements(const Operand& x, Elements elements) {
  remember(elements_, x, std::move(elements));
}

Origins::Elements Origins::elements_of(const Operand& x) const {
  const auto* const found = find(elements_, x);
  if (found != nullptr && found->moment == now()) return found->known;
  return {x, row_major_strides(x.type.shape), 0};
}

void Origins::remember_iota(const Operand& x, std::size_t dimension) {
  remember(counted_, x, dimension);
}

std::optional<std::size_t> Origins::iota_dimension(const Operand& x) const {
  // Numbers need nothing to be read.
  const auto* const found = find(counted_, x);
  return found != nullptr ? std::optional(found->known) : std::nullopt;
}

}  // namespace understudy::program::passes
