// SPDX-License-Identifier: Apache-2.0
#include "worker/gates/gates.h"

#include <fmt/format.h>

#include "configs/base/error.h"

namespace understudy::worker {
namespace {

using configs::Phase;

// Gates are consecutive values of Phase, in the order in which a worker passes them.
Phase after(Phase gate) { return static_cast<Phase>(static_cast<std::uint32_t>(gate) + 1); }

}  // namespace

void Gates::pass(Phase gate, const std::string& detail) {
  // An internal error: the order of gates is in the code of the start, not in any input.
  if (gate != after(reached()) || gate > Phase::programs_allowed) {
    throw Error(ErrorKind::internal,
                fmt::format("gate \"{}\" is out of order: the last gate passed is \"{}\"",
                            name_of(gate), name_of(reached())));
  }
  // Release: whoever sees a phase, in this process or in the record, also sees what was done before
  // it. The record's line follows last, so that a reader never sees a gate before its phase.
  reached_.store(gate, std::memory_order_release);
  record_.status().phase.store(static_cast<std::uint32_t>(gate), std::memory_order_release);
  note(name_of(gate), detail);
}

void Gates::note(std::string_view check, const std::string& detail) {
  const Seconds since = Clock::now() - start_;
  record_.append(configs::GateSeen{std::string(check), since.count(), detail});
}

// A failed gate is in the record too, with its reason in place of a detail.
void Gates::fail(std::string_view check, const std::string& why) {
  const Seconds since = Clock::now() - start_;
  record_.append(configs::GateSeen{std::string(check), since.count(), "", why});
}

void Gates::require(Phase gate, std::string_view what) const {
  if (reached() >= gate) return;
  throw Error(ErrorKind::protocol,
              fmt::format("{} requires gate \"{}\": the last gate passed is \"{}\"", what,
                          name_of(gate), name_of(reached())));
}

}  // namespace understudy::worker
