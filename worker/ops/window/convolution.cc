// SPDX-License-Identifier: Apache-2.0
// convolution in full generality (StableHLO spec) as matrix products on the MXU ("im2col"): for
// each group the kernel becomes a matrix [window positions x input features, output features], and
// runs of output positions copy their patches into VMEM as the other factor. Padding and base
// dilation are written out once, around a copy of the input, so that a patch is a strided copy; the
// product itself is one code path with the precision rules of dots.
#include <algorithm>
#include <cstring>
#include <functional>
#include <numeric>

#include "worker/chip/copy.h"
#include "worker/chip/ops.h"
#include "worker/ops/operands.h"
#include "worker/ops/window/implicit_gemm.h"
#include "worker/ops/window/padded_input.h"

namespace understudy::worker::ops {
namespace {

constexpr std::uint64_t kPatchBytes =
    4 << 20;  // of one run of patches and products: stays in the last-level cache

Product product_of(const program::Convolution& work, const Instruction& instruction,
                   const Execution& execution) {
  const Shape& kernel = instruction.inputs[1].type.shape;
  Product product;
  product.n = kernel[index(work.kernel_output_feature)] / (work.feature_groups * work.batch_groups);
  product.k = static_cast<std::int64_t>(elements_of(work.window.dimensions)) *
              kernel[index(work.kernel_input_feature)];
  product.lhs.element = instruction.inputs[0].type.element;
  product.rhs = {instruction.inputs[1].type.element, product.n, 1};
  product.out = instruction.outputs[0].type.element;
  product.passes = passes_of(execution.numerics, work.lhs_precision, work.rhs_precision);
  return product;
}

// One-pass products round their operands to bf16: before the patches are gathered, an element is
// rounded once, not at each window position, and patches take half of the memory.
const std::byte* narrowed(const Operand& lhs, const Operand& rhs, Product& product,
                          Execution& execution) {
  const std::byte* const at = execution.address(lhs.at);
  const program::ElementType other = rhs.type.element;
  const auto elements = static_cast<std::uint64_t>(lhs.type.elements());
  if (lhs.type.element != program::ElementType::f32 || product.passes != Passes::one ||
      (other != program::ElementType::f32 && other != program::ElementType::bf16) ||
      elements > execution.vmem->left() / 4)
    return at;
  std::byte* const narrow = execution.vmem->take(elements * 2);
  execution.kernels->convert(program::ElementType::f32, program::ElementType::bf16)(at, narrow,
                                                                                    elements);
  product.lhs.element = program::ElementType::bf16;
  return narrow;
}

// One part of a convolution, feature group by feature group.
class Patches {
 public:
  Patches(const program::Convolution& work, const Instruction& instruction, const Part& part,
          Execution& execution)
      : work_(work),
        part_(part),
        execution_(execution),
        x_(instruction.inputs[0].type.shape),
        kernel_(instruction.inputs[1].type.shape),
        out_(instruction.outputs[0].type.shape),
        product_(product_of(work, instruction, execution)),
        rhs_(execution.address(instruction.inputs[1].at)),
        rhs_bytes_(element_bytes(instruction.inputs[1])),
        out_bytes_(element_bytes(instruction.outputs[0])),
        to_(execution.writable(instruction.outputs[0].at)) {
    const std::int64_t batches = x_[index(work.input_batch)];
    const std::byte* input = execution.address(instruction.inputs[0].at);
    if (part.count == batches && part.row == 0)
      input = narrowed(instruction.inputs[0], instruction.inputs[1], product_, execution);
    lhs_bytes_ = program::byte_size(product_.lhs.element);
    padded_ = padded_input_of(work, x_, part, out_, input, lhs_bytes_, *execution.vmem);
    const Shape steps = strides_of(out_);
    std::int64_t to = part.first * steps[index(work.output_batch)];
    if (!work.output_spatial.empty()) to += part.row * steps[index(work.output_spatial[0])];
    to_ += to * static_cast<std::int64_t>(out_bytes_);
    list_positions();
    list_depth();
  }

  void run() {
    const auto depth = static_cast<std::uint64_t>(product_.k);
    const auto columns = static_cast<std::uint64_t>(product_.n);
    choose_chunk(std::min(kPatchBytes, execution_.vmem->left() / 4) /
                 std::max<std::uint64_t>(1, depth * lhs_bytes_ + columns * out_bytes_));
    Vmem& vmem = *execution_.vmem;
    packed_kernel_ = vmem.take(depth * columns * rhs_bytes_);
    const auto rows = static_cast<std::uint64_t>(inner_ * step_);
    patches_ = vmem.take(rows * depth * lhs_bytes_);
    if (!is_direct()) products_ = vmem.take(rows * columns * out_bytes_);
    // Feature groups split the input's features, batch groups its batches; the spec allows only
    // one of the two above 1. Both split the output's features.
    const std::int64_t features = kernel_[index(work_.kernel_input_feature)];
    for (std::int64_t group = 0; group < work_.feature_groups; ++group) {
      const std::int64_t slice = group + part_.group;
      pack_kernel(slice);
      for_each_chunk(group * features * step_in(work_.input_feature),
                     slice * product_.n * feature_step_);
    }
  }

 private:
  std::int64_t step_in(std::int64_t d) const { return padded_.strides[index(d)]; }

  // Positions of results, the evenest in the input last: then patches are copied in long runs.
  void list_positions() {
    const Shape out_strides = strides_of(out_);
    positions_.add(part_.count, step_in(work_.input_batch), out_strides[index(work_.output_batch)]);
    for (std::size_t s = 0; s < work_.output_spatial.size(); ++s)
      positions_.add(s == 0 ? part_.rows : out_[index(work_.output_spatial[s])],
                     step_in(work_.input_spatial[s]) * work_.window.strides[s],
                     out_strides[index(work_.output_spatial[s])]);
    feature_step_ = out_strides[index(work_.output_feature)];
    depth_first_ = step_in(work_.input_feature) == 1;
    if (depth_first_) return;
    std::vector<std::size_t> order(positions_.sizes.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, std::greater{},
                             [&](std::size_t d) { return positions_.from[d]; });
    Axes sorted;
    for (const std::size_t d : order)
      sorted.add(positions_.sizes[d], positions_.from[d], positions_.to[d]);
    positions_ = sorted;
  }

  // What is summed: window positions, then features.
  void list_depth() {
    for (std::size_t s = 0; s < work_.input_spatial.size(); ++s)
      depth_.add(work_.window.dimensions[s],
                 step_in(work_.input_spatial[s]) * work_.window.window_dilations[s], 0);
    depth_.add(kernel_[index(work_.kernel_input_feature)], step_in(work_.input_feature), 0);
  }

  // A chunk is `step_` indices of dimension `split_` and all of the later ones, which are `inner_`
  // positions.
  void choose_chunk(std::uint64_t most) {
    const auto room = std::max<std::int64_t>(1, static_cast<std::int64_t>(most));
    split_ = positions_.sizes.size() - 1;
    while (split_ > 0 && inner_ * positions_.sizes[split_] <= room)
      inner_ *= positions_.sizes[split_--];
    step_ = std::clamp<std::int64_t>(room / inner_, 1,
                                     std::max<std::int64_t>(1, positions_.sizes[split_]));
  }

  void for_each_chunk(std::int64_t from, std::int64_t to) {
    Counter outer(Shape(positions_.sizes.begin(),
                        positions_.sizes.begin() + static_cast<std::ptrdiff_t>(split_)));
    for (bool more = !outer.empty(); more; more = outer.next()) {
      std::int64_t in = from, out = to;
      for (std::size_t d = 0; d < split_; ++d) {
        in += outer.at()[d] * positions_.from[d];
        out += outer.at()[d] * positions_.to[d];
      }
      for (std::int64_t i = 0; i < positions_.sizes[split_]; i += step_)
        multiply(std::min(step_, positions_.sizes[split_] - i), in + i * positions_.from[split_],
                 out + i * positions_.to[split_]);
    }
  }

  // The chunk of `count` indices of the split dimension whose first element is at `in`.
  void multiply(std::int64_t count, std::int64_t in, std::int64_t out) {
    Axes rows;
    for (std::size_t d = split_; d < positions_.sizes.size(); ++d)
      rows.add(d == split_ ? count : positions_.sizes[d], positions_.from[d], positions_.to[d]);
    product_.m = rows.count();
    copy_patches(rows, padded_.at + in * static_cast<std::int64_t>(lhs_bytes_));
    product_.lhs.row_stride = depth_first_ ? product_.k : 1;
    product_.lhs.column_stride = depth_first_ ? 1 : product_.m;
    std::byte* const to = to_ + out * static_cast<std::int64_t>(out_bytes_);
    std::byte* const products = products_ == nullptr ? to : products_;
    execution_.mxu->multiply(product_, patches_, packed_kernel_, products, *execution_.vmem);
    if (products_ == nullptr) return;
    rows.from = rows.to;
    rows.make_dense(product_.n);
    rows.add(product_.n, feature_step_, 1);
    CopyPlan(rows.sizes, rows.to, rows.from, out_bytes_).run(products_, to);
  }

  void copy_patches(const Axes& rows, const std::byte* from) {
    Axes all = depth_first_ ? rows : depth_;
    const Axes& rest = depth_first_ ? depth_ : rows;
    for (std::size_t d = 0; d < rest.sizes.size(); ++d) all.add(rest.sizes[d], rest.from[d], 0);
    all.make_dense(1);
    CopyPlan(all.sizes, all.from, all.to, lhs_bytes_).run(from, patches_);
  }

  // The kernel of one group as [window position][input feature][output feature], reversed along
  // the dimensions with window_reversal.
  void pack_kernel(std::int64_t group) {
    const Shape strides = strides_of(kernel_);
    const std::int64_t column = strides[index(work_.kernel_output_feature)];
    std::int64_t base = group * product_.n * column;
    Axes axes;
    for (std::size_t s = 0; s < work_.window.dimensions.size(); ++s) {
      const std::int64_t size = work_.window.dimensions[s];
      const std::int64_t step = strides[index(work_.kernel_spatial[s])];
      const bool reversed = s < work_.reversal.size() && work_.reversal[s];
      if (reversed) base += (size - 1) * step;
      axes.add(size, reversed ? -step : step, 0);
    }
    axes.add(kernel_[index(work_.kernel_input_feature)], strides[index(work_.kernel_input_feature)],
             0);
    axes.add(product_.n, column, 0);
    axes.make_dense(1);
    CopyPlan(axes.sizes, axes.from, axes.to, rhs_bytes_)
        .run(rhs_ + base * static_cast<std::int64_t>(rhs_bytes_), packed_kernel_);
  }

  // Whether chunks of products are chunks of the output.
  bool is_direct() const {
    if (feature_step_ != 1 || work_.feature_groups * work_.batch_groups > 1) return false;
    Axes dense = positions_;
    dense.make_dense(product_.n);
    for (std::size_t d = split_; d < dense.sizes.size(); ++d)
      if (dense.sizes[d] != 1 && dense.to[d] != positions_.to[d]) return false;
    return true;
  }

  const program::Convolution& work_;
  const Part& part_;
  Execution& execution_;
  const Shape &x_, &kernel_, &out_;
  Product product_;
  const std::byte* rhs_;
  std::size_t lhs_bytes_ = 0, rhs_bytes_, out_bytes_;
  std::byte* to_;
  PaddedInput padded_;
  Axes positions_, depth_;
  std::int64_t feature_step_ = 1;  // of the output
  bool depth_first_ = true;        // patches are [position][depth], else [depth][position]
  std::size_t split_ = 0;
  std::int64_t inner_ = 1, step_ = 1;
  std::byte* packed_kernel_ = nullptr;
  std::byte* patches_ = nullptr;
  std::byte* products_ = nullptr;  // null: straight to the output
};

}  // namespace

void run(const program::Convolution& work, const Instruction& instruction, Execution& execution) {
  const Shape& out = instruction.outputs[0].type.shape;
  if (instruction.outputs[0].type.elements() == 0) return;
  if (convolve_by_implicit_gemm(work, instruction, execution)) return;
  for (const Part& part : parts_of(work, instruction.inputs[0].type, out, execution.vmem->left())) {
    const Vmem::Scope scope(*execution.vmem);
    Patches(work, instruction, part, execution).run();
  }
}

}  // namespace understudy::worker::ops
