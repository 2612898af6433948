// SPDX-License-Identifier: Apache-2.0
// The two listings, private to program/compare. Pure functions.
#pragma once

#include "program/compare/compare.h"
#include "program/hlo/hlo.h"

namespace understudy::program::compare {

Listing list(const Module& module);
Listing list(const hlo::HloModule& module);

// Text longer than this is cut; beyond kLongest it is listed as its beginning and digest.
std::string shortened(const std::string& text, std::size_t most);
std::string shortened(std::string text);

std::vector<CollectiveDifference> collectives_of(const Listing& a, const Listing& b);

}  // namespace understudy::program::compare
