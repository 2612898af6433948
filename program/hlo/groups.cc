// SPDX-License-Identifier: Apache-2.0
#include "program/hlo/groups.h"

#include <algorithm>
#include <numeric>

#include "program/passes/sharding/sharding.h"

namespace understudy::program::hlo {
namespace {

// The product of positive sizes, or nothing where it exceeds the largest pod.
std::optional<std::int64_t> bounded_product(const Ints& sizes) {
  std::int64_t product = 1;
  for (const std::int64_t size : sizes) {
    // Dividing first keeps the product from overflowing.
    if (size < 1 || size > passes::kMostProcesses / product) return std::nullopt;
    product *= size;
  }
  return product;
}

// One axis, or a part of one: `size` places that lie `stride` devices apart.
struct Digit {
  std::int64_t size = 1, stride = 1;
  int order = -1;  // its position in the list of axes; -1: not listed
};

// Cuts axis i of the mesh into [before, size, rest] for a listed part of it.
bool cut(std::vector<std::vector<Digit>>& axes, const MeshAxis& part, int order) {
  if (part.axis >= axes.size()) return false;
  std::vector<Digit>& digits = axes[part.axis];
  // An axis may be cut once. HLO could list two parts of one axis; no compiler is known to write
  // that, and it is refused rather than guessed.
  if (digits.size() != 1 || digits[0].order >= 0) return false;  // listed twice
  const Digit whole = digits[0];
  if (part.size == 0) {
    digits[0].order = order;
    return true;
  }
  if (part.before < 1 || part.size < 1 || whole.size % part.before != 0 ||
      whole.size / part.before % part.size != 0)
    return false;
  const std::int64_t rest = whole.size / part.before / part.size;
  // Row-major inside of the axis: `before` is the slowest part and `rest` the fastest, as in
  // Shardy's sub-axes "x":(before)size.
  digits = {{part.before, part.size * rest * whole.stride, -1},
            {part.size, rest * whole.stride, order},
            {rest, whole.stride, -1}};
  return true;
}

// All sums of one multiple of each stride, the first digit slowest.
Ints positions(const std::vector<Digit>& digits) {
  Ints out{0};
  for (const Digit& digit : digits) {
    // Sizes come from a file; bounded_product() has limited their product before this is called.
    Ints next;
    next.reserve(out.size() * static_cast<std::size_t>(digit.size));
    for (const std::int64_t base : out)
      for (std::int64_t i = 0; i < digit.size; ++i) next.push_back(base + i * digit.stride);
    out = std::move(next);
  }
  return out;
}

}  // namespace

std::optional<Ints> transposed_iota(const Ints& sizes, const Ints& permutation) {
  const auto product = bounded_product(sizes);
  const std::size_t n = sizes.size();
  Ints sorted = permutation;
  std::sort(sorted.begin(), sorted.end());
  Ints counted(n);
  std::iota(counted.begin(), counted.end(), 0);
  if (!product || sorted != counted) return std::nullopt;
  std::vector<Digit> digits(n);
  std::int64_t stride = 1;
  // Strides of the untransposed array, last dimension fastest; the transposition then only reorders
  // the digits.
  for (std::size_t d = n; d-- > 0; stride *= sizes[d]) digits[d] = {sizes[d], stride, -1};
  std::vector<Digit> transposed;
  for (const std::int64_t from : permutation)
    transposed.push_back(digits[static_cast<std::size_t>(from)]);
  return positions(transposed);
}

std::optional<Rows> iota_groups(std::int64_t groups, std::int64_t members, const Ints& sizes,
                                const Ints& permutation) {
  // Both products are bounded, so `members` is positive and the loop below ends.
  const auto count = bounded_product({groups, members});
  const auto ids = transposed_iota(sizes, permutation);
  if (!count || !ids || static_cast<std::size_t>(*count) != ids->size()) return std::nullopt;
  Rows out;
  for (auto at = ids->begin(); at != ids->end(); at += members) out.emplace_back(at, at + members);
  return out;
}

std::optional<Rows> mesh_groups(const GroupMesh& mesh, const std::vector<MeshAxis>& over) {
  Ints sizes;
  for (const auto& [name, size] : mesh.axes) sizes.push_back(size);
  const auto product = bounded_product(sizes);
  if (!product) return std::nullopt;
  if (!mesh.devices.empty() && mesh.devices.size() != static_cast<std::size_t>(*product))
    return std::nullopt;
  // From here on an id is a sum of digits times strides (a mixed radix number): members of a group
  // differ in the listed digits, groups in the others.
  std::vector<std::vector<Digit>> axes(sizes.size());
  std::int64_t stride = 1;
  for (std::size_t d = sizes.size(); d-- > 0; stride *= sizes[d])
    axes[d] = {{sizes[d], stride, -1}};
  for (std::size_t i = 0; i < over.size(); ++i)
    if (!cut(axes, over[i], static_cast<int>(i))) return std::nullopt;
  std::vector<Digit> listed(over.size()), others;
  for (const auto& digits : axes)
    for (const Digit& digit : digits) {
      if (digit.order >= 0)
        listed[static_cast<std::size_t>(digit.order)] = digit;
      else
        others.push_back(digit);
    }
  Rows out;
  // The axes' order in the list, not in the mesh, decides the order of members: their place matters
  // to all-gather and reduce-scatter.
  const Ints members = positions(listed);
  for (const std::int64_t base : positions(others)) {
    out.emplace_back();
    for (const std::int64_t member : members) {
      const auto at = static_cast<std::size_t>(base + member);
      out.back().push_back(mesh.devices.empty() ? base + member : mesh.devices[at]);
    }
  }
  return out;
}

}  // namespace understudy::program::hlo
