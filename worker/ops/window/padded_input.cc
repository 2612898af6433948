// SPDX-License-Identifier: Apache-2.0
#include "worker/ops/window/padded_input.h"

#include <algorithm>
#include <cstring>

#include "worker/chip/copy.h"

namespace understudy::worker::ops {
namespace {

// Where the first element of a spatial dimension lies in the padded input of the part.
std::int64_t low_of(const program::Convolution& work, std::size_t s, const Part& part) {
  return work.window.padding_low[s] - (s == 0 ? part.row * work.window.strides[0] : 0);
}

// The elements of a spatial dimension that the windows of so many positions reach.
std::int64_t reach(const program::Window& window, std::size_t d, std::int64_t positions) {
  return (positions - 1) * window.strides[d] +
         (window.dimensions[d] - 1) * window.window_dilations[d] + 1;
}

std::int64_t first_batch(const program::Convolution& work, const Shape& x, const Part& part) {
  return part.group * (x[index(work.input_batch)] / work.batch_groups) + part.first;
}

// Copies the elements of `x` that lie in the padded input; zeros are between and around them.
void fill_padded(const program::Convolution& work, const Shape& x, const Part& part,
                 const std::byte* in, std::size_t bytes, const PaddedInput& padded,
                 std::byte* out) {
  Axes axes;
  const Shape strides = strides_of(x);
  for (std::size_t d = 0; d < x.size(); ++d) axes.add(x[d], strides[d], padded.strides[d]);
  const std::size_t batch = index(work.input_batch);
  axes.sizes[batch] = part.count;
  std::int64_t from = first_batch(work, x, part) * strides[batch], to = 0;
  for (std::size_t s = 0; s < work.input_spatial.size(); ++s) {
    const std::size_t d = index(work.input_spatial[s]);
    const std::int64_t step = work.window.base_dilations[s], low = low_of(work, s, part);
    const std::int64_t first = low >= 0 ? 0 : (-low + step - 1) / step;
    const std::int64_t room = padded.shape[d] - 1 - low;
    const std::int64_t last = room < 0 ? -1 : std::min(x[d] - 1, room / step);
    axes.sizes[d] = std::max<std::int64_t>(0, last - first + 1);
    axes.to[d] *= step;
    from += first * strides[d];
    to += (low + first * step) * padded.strides[d];
  }
  std::memset(out, 0, elements_of(padded.shape) * bytes);
  if (elements_of(axes.sizes) == 0) return;
  CopyPlan(axes.sizes, axes.from, axes.to, bytes)
      .run(in + from * static_cast<std::int64_t>(bytes),
           out + to * static_cast<std::int64_t>(bytes));
}

// The memory of the padded input is still to be made where it is not the input.
PaddedInput shape_of_padded(const program::Convolution& work, const Shape& x, const Part& part,
                            const Shape& out) {
  PaddedInput padded{nullptr, x, strides_of(x), true};
  for (std::size_t s = 0; s < work.input_spatial.size(); ++s) {
    const std::size_t d = index(work.input_spatial[s]);
    const std::int64_t low = low_of(work, s, part);
    padded.shape[d] =
        reach(work.window, s, s == 0 ? part.rows : out[index(work.output_spatial[s])]);
    padded.is_input = padded.is_input && low <= 0 && padded.shape[d] - low <= x[d] &&
                      work.window.base_dilations[s] == 1;
  }
  padded.shape[index(work.input_batch)] = part.count;
  if (!padded.is_input) padded.strides = strides_of(padded.shape);
  return padded;
}

}  // namespace

std::vector<Part> parts_of(const program::Convolution& work, const program::TensorType& x,
                           const Shape& out, std::uint64_t room) {
  const std::int64_t batches = x.shape[index(work.input_batch)] / work.batch_groups;
  const std::int64_t rows = work.output_spatial.empty() ? 1 : out[index(work.output_spatial[0])];
  // Kernel, patches and tiles need some room as well.
  const auto share = static_cast<double>(room) / 4;
  const auto bytes_of = [&](const Part& part) {
    const PaddedInput padded = shape_of_padded(work, x.shape, part, out);
    return padded.is_input ? 0.0
                           : static_cast<double>(elements_of(padded.shape)) *
                                 static_cast<double>(program::byte_size(x.element));
  };
  std::int64_t count = batches, height = rows;
  while (count > 1 && bytes_of({0, 0, count, 0, rows}) > share) count = (count + 1) / 2;
  while (height > 1 && bytes_of({0, 0, count, 0, height}) > share) height = (height + 1) / 2;
  std::vector<Part> parts;
  for (std::int64_t group = 0; group < work.batch_groups; ++group)
    for (std::int64_t first = 0; first < batches; first += count)
      for (std::int64_t row = 0; row < rows; row += height)
        parts.push_back(
            {group, first, std::min(count, batches - first), row, std::min(height, rows - row)});
  return parts;
}

PaddedInput padded_input_of(const program::Convolution& work, const Shape& x, const Part& part,
                            const Shape& out, const std::byte* in, std::size_t bytes, Vmem& vmem) {
  PaddedInput padded = shape_of_padded(work, x, part, out);
  if (padded.is_input) {
    std::int64_t from = first_batch(work, x, part) * padded.strides[index(work.input_batch)];
    for (std::size_t s = 0; s < work.input_spatial.size(); ++s)
      from -= low_of(work, s, part) * padded.strides[index(work.input_spatial[s])];
    padded.at = in + from * static_cast<std::int64_t>(bytes);
    return padded;
  }
  std::byte* const at = vmem.take(elements_of(padded.shape) * bytes);
  fill_padded(work, x, part, in, bytes, padded, at);
  padded.at = at;
  return padded;
}

}  // namespace understudy::worker::ops
