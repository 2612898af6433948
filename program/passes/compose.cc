// SPDX-License-Identifier: Apache-2.0
#include "program/passes/compose.h"

#include <algorithm>
#include <cstddef>
#include <optional>

#include "program/passes/copies.h"

namespace understudy::program::passes {

namespace {

// The strides of one row-major shape of the array, innermost first: of all steps that copies take
// there. The last one is the number of its elements.
class ShapeLevels {
 public:
  explicit ShapeLevels(std::int64_t elements) : strides_{1, elements} {}

  // Negative steps stay out: they are no steps of a shape.
  void add(const StridedCopy& copy, const Shape& strides) {
    for (std::size_t d = 0; d < copy.sizes.size(); ++d)
      if (copy.sizes[d] > 1 && strides[d] != 0) strides_.push_back(strides[d]);
  }
  // Whether they are the strides of a shape.
  bool close() {
    std::ranges::sort(strides_);
    const auto repeated = std::ranges::unique(strides_);
    strides_.erase(repeated.begin(), repeated.end());
    if (strides_.front() != 1) return false;
    for (std::size_t k = 1; k < strides_.size(); ++k)
      if (strides_[k] % strides_[k - 1] != 0) return false;
    return true;
  }
  std::size_t count() const { return strides_.size() - 1; }
  std::int64_t size(std::size_t k) const { return strides_[k + 1] / strides_[k]; }
  std::int64_t stride(std::size_t k) const { return strides_[k]; }
  std::size_t level_of(std::int64_t stride) const {
    return static_cast<std::size_t>(std::ranges::find(strides_, stride) - strides_.begin());
  }

 private:
  Shape strides_;
};

// The elements that a copy touches in one dimension of the array: [first, first + size), which are
// `step` apart on the other side of the copy.
struct Touch {
  std::int64_t first = 0, size = 1, step = 0;
  bool moves = false;  // a dimension of the copy steps through it
};
struct CopyDimension {
  std::size_t level = 0;
  std::int64_t size = 0, step = 0;  // of one that repeats, which has no level
  bool repeats = false;
};
struct TouchedBox {
  std::vector<Touch> ranges;         // by level
  std::vector<CopyDimension> order;  // dimensions of the copy, outermost first
};

// The box of the array that a copy touches with `strides` from `base` on; `steps` are those of its
// other side. nullopt where it is none.
std::optional<TouchedBox> touched_by(const ShapeLevels& levels, const StridedCopy& copy,
                                     const Shape& strides, const Shape& steps, std::int64_t base) {
  TouchedBox box;
  for (std::size_t k = 0; k < levels.count(); ++k)
    box.ranges.push_back({base / levels.stride(k) % levels.size(k)});
  for (std::size_t d = 0; d < copy.sizes.size(); ++d) {
    std::int64_t left = copy.sizes[d], step = steps[d];
    if (left == 1) continue;
    if (strides[d] == 0) {
      box.order.push_back({0, left, step, true});
      continue;
    }
    const auto place = static_cast<std::ptrdiff_t>(box.order.size());
    for (std::size_t k = levels.level_of(strides[d]); left > 1; ++k) {
      if (k >= levels.count() || box.ranges[k].moves) return std::nullopt;
      Touch& range = box.ranges[k];
      const std::int64_t here = std::min(left, levels.size(k));
      if (left % here != 0 || range.first + here > levels.size(k)) return std::nullopt;
      range = {range.first, here, step, true};
      box.order.insert(box.order.begin() + place, {k});
      left /= here;
      step *= here;
    }
  }
  return box;
}

}  // namespace

bool compose(const StridedCopy& reader, const StridedCopy& writer, std::int64_t elements,
             std::vector<StridedCopy>& to) {
  ShapeLevels levels(elements);
  levels.add(writer, writer.out_strides);
  levels.add(reader, reader.in_strides);
  if (!levels.close()) return false;
  const auto written =
      touched_by(levels, writer, writer.out_strides, writer.in_strides, writer.out_base);
  const auto read =
      touched_by(levels, reader, reader.in_strides, reader.out_strides, reader.in_base);
  if (!written || !read) return false;
  StridedCopy both{{}, {}, {}, writer.in_base, reader.out_base};
  std::vector<std::int64_t> sizes(levels.count());
  for (std::size_t k = 0; k < levels.count(); ++k) {
    const Touch &from = written->ranges[k], &by = read->ranges[k];
    const std::int64_t first = std::max(from.first, by.first);
    sizes[k] = std::min(from.first + from.size, by.first + by.size) - first;
    if (sizes[k] <= 0) return true;
    both.in_base += (first - from.first) * from.step;
    both.out_base += (first - by.first) * by.step;
  }
  for (const CopyDimension& dimension : read->order) {
    const std::size_t k = dimension.level;
    both.sizes.push_back(dimension.repeats ? dimension.size : sizes[k]);
    both.in_strides.push_back(dimension.repeats ? 0 : written->ranges[k].step);
    both.out_strides.push_back(dimension.repeats ? dimension.step : read->ranges[k].step);
  }
  to.push_back(simplified(both));
  return true;
}

}  // namespace understudy::program::passes
