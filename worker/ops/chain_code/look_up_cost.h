// SPDX-License-Identifier: Apache-2.0
// How long this CPU takes to look up 16 numbers in a table. Measured once per process.
#pragma once

#include <cstddef>

namespace understudy::worker::ops::chain_code {

constexpr std::size_t kQuickLookUp = 23;

// By vpgatherdd, in halves of cycles, at least kQuickLookUp. CPUs differ: microcode against
// CVE-2022-40982 (gather data sampling) slows Intel's from Skylake to Ice Lake. SIZE_MAX without
// AVX-512.
std::size_t look_up_cost();

}  // namespace understudy::worker::ops::chain_code
