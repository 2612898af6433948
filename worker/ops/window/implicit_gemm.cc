// SPDX-License-Identifier: Apache-2.0
#include "worker/ops/window/implicit_gemm.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <vector>

#include "worker/chip/copy.h"
#include "worker/chip/mxu/channel_products.h"
#include "worker/chip/mxu/mxu_places.h"
#include "worker/ops/operands.h"
#include "worker/ops/window/convolution_side.h"
#include "worker/ops/window/padded_input.h"

namespace understudy::worker::ops {
namespace {

using program::ElementType;

// Sums of at most so many products (over columns) are folded in the order of the specification
// (docs/numerics.md), and a panel of the kernel with more rows leaves the second-level cache.
constexpr std::int64_t kMostInOrder = 256, kMostDeep = 4096;
// Fewer columns leave most of a panel idle; shorter lines cost more calls than a second pass.
constexpr std::int64_t kFewestColumns = 8, kShortestLine = 64;

bool is_taken(ElementType type) { return type == ElementType::f32 || type == ElementType::bf16; }

// All sums of one number of each list.
std::vector<std::int64_t> sums_of(const std::vector<std::vector<std::int64_t>>& lists) {
  std::vector<std::int64_t> all = {0};
  for (const auto& list : lists) {
    std::vector<std::int64_t> more;
    more.reserve(all.size() * list.size());
    for (const std::int64_t one : all)
      for (const std::int64_t other : list) more.push_back(one + other);
    all = std::move(more);
  }
  return all;
}

std::vector<std::int64_t> steps_of(std::int64_t first, std::int64_t count, std::int64_t step) {
  std::vector<std::int64_t> all;
  for (std::int64_t i = 0; i < count; ++i) all.push_back(first + i * step);
  return all;
}

class ImplicitGemm {
 public:
  ImplicitGemm(const program::Convolution& work, const Instruction& instruction,
               Execution& execution)
      : work_(work),
        execution_(execution),
        x_(instruction.inputs[0]),
        kernel_(instruction.inputs[1]),
        out_(instruction.outputs[0]),
        passes_(passes_of(execution.numerics, work.lhs_precision, work.rhs_precision)),
        features_(kernel_.type.shape[index(work.kernel_input_feature)]),
        columns_(kernel_.type.shape[index(work.kernel_output_feature)] / work.feature_groups),
        is_depthwise_(multiplies_channels()) {}

  bool is_possible() const {
    if (work_.batch_groups != 1 || work_.input_batch != 0 || work_.output_batch != 0 ||
        passes_ == Passes::three || !(is_depthwise_ || execution_.mxu->reads_places(is_of_bf16())))
      return false;
    if (!is_taken(x_.type.element) || !is_taken(kernel_.type.element) ||
        !is_taken(out_.type.element))
      return false;
    const std::int64_t depth =
        features_ * static_cast<std::int64_t>(elements_of(work_.window.dimensions));
    const bool is_wide = is_depthwise_ ? work_.feature_groups >= kFewestColumns
                                       : columns_ >= kFewestColumns &&
                                             depth * columns_ > kMostInOrder && depth <= kMostDeep;
    return is_wide && out_.type.elements() / out_.type.shape[0] <= static_cast<std::int64_t>(1)
                                                                       << 22;
  }

  // False where VMEM has no room for one image.
  bool run() {
    for (std::size_t s = 0; s < work_.input_spatial.size(); ++s)
      sides_.emplace_back(work_.window, s, x_.type.shape[index(work_.input_spatial[s])],
                          out_.type.shape[index(work_.output_spatial[s])]);
    const Vmem::Scope scope(*execution_.vmem);
    if (!make_room()) return false;
    kernel_at_ =
        in_f32(kernel_, execution_.address(kernel_.at), kernel_.type.elements(), kernel_room_);
    Shape phases;
    for (const Side& side : sides_) phases.push_back(std::min(side.phases, side.output));
    Counter phase(phases);
    do {
      add_phase(phase.at());
    } while (phase.next());
    for (std::int64_t i = 0; i < x_.type.shape[0]; ++i) convolve_image(i);
    return true;
  }

 private:
  // Whether bf16 has all that the products need.
  bool is_of_bf16() const {
    const auto is_bf16 = [](const Operand& x) { return x.type.element == ElementType::bf16; };
    return passes_ == Passes::one || (is_bf16(x_) && is_bf16(kernel_));
  }
  // The products of one phase and one group.
  struct Piece {
    std::size_t places;  // in places_
    std::int64_t group;
    std::vector<float> panels;
  };
  struct Places {
    std::vector<std::int64_t> rows, columns, c_rows;
  };

  // One feature and one column a group, all of them side by side in memory.
  bool multiplies_channels() const {
    const auto is_last = [](const Operand& operand, std::int64_t feature) {
      return static_cast<std::size_t>(feature) + 1 == operand.type.shape.size();
    };
    return features_ == 1 && columns_ == 1 && is_last(x_, work_.input_feature) &&
           is_last(kernel_, work_.kernel_output_feature) && is_last(out_, work_.output_feature);
  }

  static std::int64_t of_image(const Operand& operand) {
    return operand.type.elements() / operand.type.shape[0];
  }

  bool make_room() {
    padded_ = x_.type.shape;
    padded_[0] = 1;
    for (std::size_t s = 0; s < sides_.size(); ++s)
      padded_[index(work_.input_spatial[s])] = sides_[s].padded();
    padded_steps_ = strides_of(padded_);
    is_padded_ = elements_of(padded_) != static_cast<std::uint64_t>(of_image(x_));
    is_direct_ = out_.type.element == ElementType::f32 && has_features_last();
    const auto image = static_cast<std::uint64_t>(of_image(x_));
    const auto result = is_direct_ ? 0 : static_cast<std::uint64_t>(of_image(out_)) * 2;
    const auto weights = static_cast<std::uint64_t>(kernel_.type.elements());
    const std::uint64_t all = image + elements_of(padded_) + result + weights;
    Vmem& vmem = *execution_.vmem;
    if (all * 4 + 1024 > vmem.left()) return false;
    const auto room = [&](std::uint64_t n) { return reinterpret_cast<float*>(vmem.take(n * 4)); };
    kernel_room_ = room(weights);
    image_room_ = room(image);
    if (is_padded_) {
      padded_room_ = room(elements_of(padded_));
      std::memset(padded_room_, 0, elements_of(padded_) * 4);
    }
    if (!is_direct_) sums_ = room(result);
    return true;
  }

  // Results as the sums are made: [position][feature].
  bool has_features_last() const {
    const Shape steps = strides_of(out_.type.shape);
    std::int64_t step = out_.type.shape[index(work_.output_feature)];
    if (steps[index(work_.output_feature)] != 1) return false;
    for (std::size_t s = sides_.size(); s-- > 0; step *= sides_[s].output)
      if (sides_[s].output != 1 && steps[index(work_.output_spatial[s])] != step) return false;
    return true;
  }

  // The elements as they are multiplied.
  const float* in_f32(const Operand& operand, const std::byte* at, std::int64_t n, float* room) {
    const bool rounds = passes_ == Passes::one;
    if (operand.type.element == ElementType::bf16) {
      execution_.kernels->convert(ElementType::bf16, ElementType::f32)(at, room,
                                                                       static_cast<std::size_t>(n));
      return room;
    }
    const auto* const numbers = reinterpret_cast<const float*>(at);
    if (!rounds) return numbers;
    round_to_bf16(numbers, room, n);
    return room;
  }

  void add_phase(const Shape& phase) {
    std::vector<std::vector<std::int64_t>> rows, columns, weights, results;
    std::int64_t step = work_.feature_groups * columns_;
    const Shape kernel_steps = strides_of(kernel_.type.shape);
    for (std::size_t s = 0; s < sides_.size(); ++s) {
      const Side& side = sides_[s];
      const std::int64_t in_step = padded_steps_[index(work_.input_spatial[s])];
      const std::int64_t kernel_step = kernel_steps[index(work_.kernel_spatial[s])];
      const bool reversed = s < work_.reversal.size() && work_.reversal[s];
      rows.push_back(steps_of(0, side.count(phase[s]), side.step * in_step));
      columns.emplace_back();
      weights.emplace_back();
      for (const Meeting& one : side.meetings(phase[s])) {
        columns.back().push_back((one.first + side.before) * in_step);
        weights.back().push_back((reversed ? side.window - 1 - one.window : one.window) *
                                 kernel_step);
      }
    }
    for (std::size_t s = sides_.size(); s-- > 0; step *= sides_[s].output)
      results.insert(results.begin(),
                     steps_of(phase[s] * step, sides_[s].count(phase[s]), sides_[s].phases * step));
    columns.push_back(steps_of(0, features_, padded_steps_[index(work_.input_feature)]));
    weights.push_back(steps_of(0, features_, kernel_steps[index(work_.kernel_input_feature)]));
    places_.push_back({sums_of(rows), sums_of(columns), sums_of(results)});
    const auto places = sums_of(weights);
    if (is_depthwise_) return pieces_.push_back({places_.size() - 1, 0, channels_of(places)});
    for (std::int64_t group = 0; group < work_.feature_groups; ++group)
      pieces_.push_back(
          {places_.size() - 1, group,
           panels_of(places, group, kernel_steps[index(work_.kernel_output_feature)])});
  }

  // The weights of all channels, window position after window position.
  std::vector<float> channels_of(const std::vector<std::int64_t>& places) const {
    std::vector<float> all;
    for (const std::int64_t place : places)
      all.insert(all.end(), kernel_at_ + place, kernel_at_ + place + work_.feature_groups);
    return all;
  }

  std::vector<float> panels_of(const std::vector<std::int64_t>& places, std::int64_t group,
                               std::int64_t step) const {
    constexpr std::int64_t kPanel = PlacesProduct::kPanel;
    std::vector<float> panels;
    panels.reserve(static_cast<std::size_t>((columns_ + kPanel - 1) / kPanel * kPanel) *
                   places.size());
    for (std::int64_t column = 0; column < columns_; column += kPanel) {
      const std::int64_t count = std::min(kPanel, columns_ - column);
      for (const std::int64_t place : places) {
        const float* const from = kernel_at_ + place + (group * columns_ + column) * step;
        for (std::int64_t j = 0; j < count; ++j) panels.push_back(from[j * step]);
        panels.insert(panels.end(), static_cast<std::size_t>(kPanel - count), 0.0F);
      }
    }
    return panels;
  }

  // An image in the type of the products, with its padding around it.
  const float* image_of(const std::byte* at) {
    if (!is_padded_) return in_f32(x_, at, of_image(x_), image_room_);
    Shape shape = x_.type.shape;
    shape[0] = 1;
    std::int64_t first = 0;
    for (std::size_t s = 0; s < sides_.size(); ++s)
      first += sides_[s].before * padded_steps_[index(work_.input_spatial[s])];
    float* const to = padded_room_ + first;
    if (!convert_lines(shape, at, to))
      CopyPlan(shape, strides_of(shape), padded_steps_, 4)
          .run(reinterpret_cast<const std::byte*>(in_f32(x_, at, of_image(x_), image_room_)),
               reinterpret_cast<std::byte*>(to));
    return padded_room_;
  }

  // Straight into the padded image, in one pass over memory. False, with nothing done, where lines
  // between paddings are short, or are not converted.
  bool convert_lines(const Shape& shape, const std::byte* at, float* to) {
    if (x_.type.element == ElementType::f32 && passes_ != Passes::one) return false;
    std::size_t d = shape.size() - 1;
    std::int64_t run = shape[d];
    while (padded_[d] == shape[d]) run *= shape[--d];
    if (run < kShortestLine) return false;
    const Shape steps = strides_of(shape);
    Counter line(Shape(shape.begin(), shape.begin() + static_cast<std::ptrdiff_t>(d)));
    do {
      const Shape& place = line.at();
      const auto offset = [&](const Shape& by) {
        return std::inner_product(place.begin(), place.end(), by.begin(), std::int64_t{0});
      };
      in_f32(x_, at + offset(steps) * static_cast<std::int64_t>(element_bytes(x_)), run,
             to + offset(padded_steps_));
    } while (line.next());
    return true;
  }

  void convolve_image(std::int64_t i) {
    const auto in_bytes = static_cast<std::int64_t>(element_bytes(x_));
    const std::byte* const at = execution_.address(x_.at) + i * of_image(x_) * in_bytes;
    const float* const image = image_of(at);
    std::byte* const to = execution_.writable(out_.at) +
                          i * of_image(out_) * static_cast<std::int64_t>(element_bytes(out_));
    float* const sums = is_direct_ ? reinterpret_cast<float*>(to) : sums_;
    for (const Piece& piece : pieces_) {
      const Places& places = places_[piece.places];
      const auto depth = static_cast<std::int64_t>(places.columns.size());
      const auto rows = static_cast<std::int64_t>(places.rows.size());
      if (is_depthwise_) {
        multiply_channels({rows, work_.feature_groups, depth, image, places.rows.data(),
                           places.columns.data(), piece.panels.data(), sums, places.c_rows.data()});
        continue;
      }
      multiply_places({rows, columns_, depth,
                       image + piece.group * features_ * padded_steps_[index(work_.input_feature)],
                       places.rows.data(), places.columns.data(), piece.panels.data(),
                       PlacesProduct::kPanel, PlacesProduct::kPanel * depth,
                       sums + piece.group * columns_, places.c_rows.data()});
    }
    if (!is_direct_) store(to);
  }

  void store(std::byte* to) const {
    const std::byte* from = reinterpret_cast<const std::byte*>(sums_);
    const std::int64_t n = of_image(out_);
    if (out_.type.element != ElementType::f32) {
      std::byte* const narrow = reinterpret_cast<std::byte*>(sums_ + n);
      execution_.kernels->convert(ElementType::f32, out_.type.element)(from, narrow,
                                                                       static_cast<std::size_t>(n));
      from = narrow;
    }
    const Shape steps = strides_of(out_.type.shape);
    Axes axes;
    for (std::size_t s = 0; s < sides_.size(); ++s)
      axes.add(sides_[s].output, steps[index(work_.output_spatial[s])], 0);
    axes.add(work_.feature_groups * columns_, steps[index(work_.output_feature)], 0);
    axes.make_dense(1);
    CopyPlan(axes.sizes, axes.to, axes.from, element_bytes(out_)).run(from, to);
  }

  const program::Convolution& work_;
  Execution& execution_;
  const Operand &x_, &kernel_, &out_;
  Passes passes_;
  std::int64_t features_, columns_;  // of a group
  bool is_depthwise_;
  std::vector<Side> sides_;
  Shape padded_, padded_steps_;
  bool is_padded_ = false, is_direct_ = true;
  const float* kernel_at_ = nullptr;
  float *kernel_room_ = nullptr, *image_room_ = nullptr, *padded_room_ = nullptr, *sums_ = nullptr;
  std::vector<Places> places_;
  std::vector<Piece> pieces_;
};

}  // namespace

bool convolve_by_implicit_gemm(const program::Convolution& work, const Instruction& instruction,
                               Execution& execution) {
  ImplicitGemm convolution(work, instruction, execution);
  return convolution.is_possible() && convolution.run();
}

}  // namespace understudy::worker::ops
