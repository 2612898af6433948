// SPDX-License-Identifier: Apache-2.0
// The checks of `understudy doctor`. Each compares facts of the machine with the needs of a slice
// and returns a finding with its remedy. Pure functions.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "launcher/doctor/machine_facts.h"

namespace understudy::launcher {

struct SliceNeeds {
  std::string slice;
  std::int64_t chips = 8;
  std::uint64_t hbm_bytes = 0;  // of one chip
};

enum class Health : std::uint8_t { good, doubtful, bad };
std::string_view name_of(Health health);  // "ok", "warning", "problem"

struct Finding {
  Health health = Health::good;
  std::string text;    // what was found
  std::string remedy;  // what to do; empty if there is no problem
};

struct Check {
  std::string_view name;
  Finding (*look)(const MachineFacts& facts, const SliceNeeds& needs);
};

// In display order.
std::span<const Check> checks();

}  // namespace understudy::launcher
