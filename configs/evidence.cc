// SPDX-License-Identifier: Apache-2.0
#include "configs/evidence.h"

#include <algorithm>
#include <array>

#include "configs/base/error.h"

namespace understudy::configs {
namespace {

// By Evidence.
constexpr std::array<std::string_view, 7> kNames = {
    "own_error", "mismatch", "stopped", "gone", "no_progress", "peer_gave_up", "interrupted"};

}  // namespace

std::string_view name_of(Evidence evidence) { return kNames[static_cast<std::size_t>(evidence)]; }

Evidence evidence_of(const Failed& failed) {
  if (failed.evidence) {
    const auto known = std::ranges::find(kNames, *failed.evidence);
    if (known != kNames.end()) return static_cast<Evidence>(known - kNames.begin());
  }
  if (failed.kind == "interrupted") return Evidence::interrupted;
  if (failed.kind == understudy::name_of(ErrorKind::timeout)) return Evidence::no_progress;
  if (failed.kind == understudy::name_of(ErrorKind::protocol)) return Evidence::mismatch;
  return Evidence::own_error;
}

bool is_first_hand(Evidence evidence) { return evidence < Evidence::peer_gave_up; }

}  // namespace understudy::configs
