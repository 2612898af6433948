// SPDX-License-Identifier: Apache-2.0
#include "program/lowering/reduce_apart.h"

#include <algorithm>

namespace understudy::program::passes {

std::vector<Body> separate_bodies(const Body& body) {
  const std::size_t count = body.results.size();
  if (body.code.size() != count || body.parameters.size() != 2 * count) return {};
  std::vector<Body> separate;
  for (std::size_t r = 0; r < count; ++r) {
    const auto maker = std::ranges::find_if(body.code, [&](const Instruction& instruction) {
      return instruction.outputs.size() == 1 && instruction.outputs[0] == body.results[r];
    });
    // Each place is one value.
    if (maker == body.code.end() || std::ranges::count(body.parameters, body.results[r]) > 0 ||
        std::ranges::count(body.results, body.results[r]) > 1)
      return {};
    Body one = body;
    one.parameters = {body.parameters[r], body.parameters[count + r]};
    one.results = {body.results[r]};
    one.code = {*maker};
    if (recognise(one) == Reduction::none) return {};
    separate.push_back(std::move(one));
  }
  return separate;
}

}  // namespace understudy::program::passes
