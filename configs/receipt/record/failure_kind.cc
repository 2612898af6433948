// SPDX-License-Identifier: Apache-2.0
#include "configs/receipt/record/failure_kind.h"

namespace understudy::configs {

std::string_view name_of(FailureKind kind) {
  return EnumNames<FailureKind>::kNames[static_cast<std::size_t>(kind)];
}

// Both enumerations have the same values in the same order, up to `system`.
FailureKind failure_kind_of(ErrorKind kind) { return static_cast<FailureKind>(kind); }
static_assert(static_cast<int>(ErrorKind::system) == static_cast<int>(FailureKind::system));

std::optional<ErrorKind> error_kind_of(FailureKind kind) {
  if (kind == FailureKind::interrupted) return std::nullopt;
  return static_cast<ErrorKind>(kind);
}

std::string_view name_of(Evidence evidence) {
  return EnumNames<Evidence>::kNames[static_cast<std::size_t>(evidence)];
}

// Evidence is declared from the strongest to the weakest.
bool is_first_hand(Evidence evidence) { return evidence < Evidence::peer_gave_up; }

}  // namespace understudy::configs
