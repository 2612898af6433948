// SPDX-License-Identifier: Apache-2.0
#include "collectives/algorithms/cost.h"

#include "collectives/algorithms/recipes.h"
#include "collectives/collectives.h"

namespace understudy::collectives {

// Schedules of reductions count elements, all others count bytes.
Schedule schedule_of(std::string_view algorithm, Kind kind, const Shape& shape) {
  const Recipe& recipe = recipe_of(algorithm_named(algorithm).name(), kind);
  return recipe.make({.kind = kind,
                      .members = shape.members,
                      .self = shape.self,
                      .items = shape.elements * (reduces(kind) ? 1 : shape.element_bytes),
                      .root = shape.root,
                      .layout = shape.layout,
                      .ranks = shape.ranks});
}

// Partials travel as accumulators, all other messages as elements.
Cost cost_of(const Schedule& schedule, std::size_t element_bytes, std::size_t accumulator_bytes) {
  Cost cost{.steps = schedule.steps.size()};
  for (const Step& step : schedule.steps) {
    for (const Message& message : step.sends) {
      // Partials of bf16 sums travel as f32: twice the bytes of an element.
      const bool wide = message.space == Space::partials;
      ++cost.messages;
      cost.bytes += items_in(message.ranges) * (wide ? accumulator_bytes : element_bytes);
    }
  }
  return cost;
}

Cost cost_of(std::string_view algorithm, Kind kind, const Shape& shape) {
  return cost_of(schedule_of(algorithm, kind, shape), reduces(kind) ? shape.element_bytes : 1,
                 shape.accumulator_bytes);
}

}  // namespace understudy::collectives
