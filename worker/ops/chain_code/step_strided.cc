// SPDX-License-Identifier: Apache-2.0
// Elements in memory that are a few elements apart: vectors are permuted by twos and threes.
#include "worker/ops/chain_code/step_code.h"

namespace understudy::worker::ops::chain_code {

// Every second or third element of all, then the same of what is left.
ValueId StepCode::strided_at(const Memory& at, std::size_t step, std::size_t turn) {
  std::vector<Part> parts(step);
  for (std::size_t v = 0; v < step; ++v) parts[v] = after(at, v);
  while (step > 1) {
    const std::size_t factor = step % 2 == 0 ? 2 : 3, first = turn % factor;
    step /= factor;
    for (std::size_t v = 0; v < step; ++v) {
      const Part* const in = &parts[v * factor];
      parts[v] = factor == 2 ? every_second(loaded(in[0]), in[1], first)
                             : every_third(loaded(in[0]), loaded(in[1]), in[2], first);
    }
    turn /= factor;
  }
  return parts[0].value;
}

// The first, third, ... of all, then the others; and both by turns. Or by threes.
std::vector<ValueId> StepCode::interleaved(const std::vector<ValueId>& values) {
  if (values.size() == 1) return values;
  const std::size_t factor = values.size() % 2 == 0 ? 2 : 3;
  std::vector<ValueId> parts[3], all;
  for (std::size_t i = 0; i < values.size(); ++i) parts[i % factor].push_back(values[i]);
  for (std::size_t f = 0; f < factor; ++f) parts[f] = interleaved(parts[f]);
  const auto append = [&](const auto& vectors) {
    all.insert(all.end(), vectors.begin(), vectors.end());
  };
  for (std::size_t v = 0; v < parts[0].size(); ++v)
    if (factor == 2)
      append(interleaved(parts[0][v], parts[1][v]));
    else
      append(interleaved(parts[0][v], parts[1][v], parts[2][v]));
  return all;
}

void StepCode::put_strided(asmjit::InstId put, const Memory& at, std::span<const ValueId> values) {
  std::size_t vector = 0;
  for (const ValueId x : interleaved({values.begin(), values.end()}))
    body_.put(put, after(at, vector++), x);
}

}  // namespace understudy::worker::ops::chain_code
