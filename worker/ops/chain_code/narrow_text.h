// SPDX-License-Identifier: Apache-2.0
// The links of a chain of integers of 8 and 16 bits as one iteration of machine instructions, over
// lanes that are no wider than they are. Pure function.
#pragma once

#include <optional>

#include "worker/ops/chain_code/chain_text.h"

namespace understudy::worker::ops::chain_code {

// Of the chain's lane_bytes, of AVX2: AVX-512 has no vectors of bytes on every processor. nullopt
// where a link has no instructions.
std::optional<Body> narrow_body_of(const ChainText& text, std::size_t lane_bytes);

}  // namespace understudy::worker::ops::chain_code
