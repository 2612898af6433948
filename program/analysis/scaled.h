// SPDX-License-Identifier: Apache-2.0
// Values as constant multiples of others: a mean is a sum times a factor. Pure functions.
#pragma once

#include <cstddef>
#include <optional>

#include "program/analysis/flow.h"

namespace understudy::program::analysis {

// The node is `factor` times its input `input`, element by element or moved about.
struct LinearStep {
  std::size_t input = 0;
  double factor = 1;
};
std::optional<LinearStep> linear_step(const passes::Draft& draft, const Node& node);

// A value is `factor` times `core`, and no step further can be taken.
struct Scaled {
  NodePointer core = nullptr;
  double factor = 1;
};
Scaled scaled(const passes::Draft& draft, NodePointer node);

// Elements that are no data were put beside data, and nothing masks them since.
bool is_padded(NodePointer node);

}  // namespace understudy::program::analysis
