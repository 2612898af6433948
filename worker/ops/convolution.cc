// SPDX-License-Identifier: Apache-2.0
// convolution in full generality (StableHLO spec) as matrix products on the MXU ("im2col"): for
// each group the kernel becomes a matrix [window positions x input features, output features], and
// runs of output positions gather their patches into VMEM as rows of the other factor. Padding,
// strides, dilations and reversal only change which elements are gathered, so the product itself is
// one code path with the precision rules of dots.
#include <algorithm>
#include <cstring>

#include "worker/chip/ops.h"
#include "worker/ops/operands.h"

namespace understudy::worker::ops {
namespace {

constexpr std::uint64_t kPatchBytes =
    4 << 20;  // of one run of patches and products: stays in the last-level cache

// Sizes and strides of one convolution, resolved once.
class Shapes {
 public:
  Shapes(const program::Convolution& work, const Instruction& instruction)
      : work_(work),
        lhs_(instruction.inputs[0].type.shape),
        rhs_(instruction.inputs[1].type.shape),
        out_(instruction.outputs[0].type.shape),
        lhs_strides_(strides_of(lhs_)),
        rhs_strides_(strides_of(rhs_)),
        out_strides_(strides_of(out_)) {}

  std::int64_t lhs_size(std::int64_t d) const { return lhs_[index(d)]; }
  std::int64_t lhs_stride(std::int64_t d) const { return lhs_strides_[index(d)]; }
  std::int64_t rhs_size(std::int64_t d) const { return rhs_[index(d)]; }
  std::int64_t rhs_stride(std::int64_t d) const { return rhs_strides_[index(d)]; }
  std::int64_t out_size(std::int64_t d) const { return out_[index(d)]; }
  std::int64_t out_stride(std::int64_t d) const { return out_strides_[index(d)]; }

  // Of one group.
  // The kernel's input features are already per group, its output features are not.
  std::int64_t features() const { return rhs_size(work_.kernel_input_feature); }
  std::int64_t groups() const { return work_.feature_groups * work_.batch_groups; }
  std::int64_t columns() const { return rhs_size(work_.kernel_output_feature) / groups(); }
  std::int64_t batches() const { return lhs_size(work_.input_batch) / work_.batch_groups; }
  Shape positions() const {  // batch, then the output's spatial dimensions
    Shape shape{batches()};
    for (const std::int64_t d : work_.output_spatial) shape.push_back(out_size(d));
    return shape;
  }
  std::int64_t depth() const {  // products in one sum
    return program::TensorType{program::ElementType::f32, work_.window.dimensions}.elements() *
           features();
  }

 private:
  static std::size_t index(std::int64_t d) { return static_cast<std::size_t>(d); }

  const program::Convolution& work_;
  const Shape &lhs_, &rhs_, &out_;
  Shape lhs_strides_, rhs_strides_, out_strides_;
};

// Copies `count` elements between places that are from_step and to_step elements apart. The common
// sizes are constants: a copy of one element is then a move, not a call.
void copy_elements(const std::byte* from, std::int64_t from_step, std::byte* to,
                   std::int64_t to_step, std::int64_t count, std::size_t bytes) {
  const auto each = [&](auto size) {
    const auto width = static_cast<std::int64_t>(size());
    for (std::int64_t i = 0; i < count; ++i)
      std::memcpy(to + i * to_step * width, from + i * from_step * width, size());
  };
  if (from_step == 1 && to_step == 1) {
    std::memcpy(to, from, static_cast<std::size_t>(count) * bytes);
  } else if (bytes == 4) {
    each([] { return std::size_t{4}; });
  } else if (bytes == 2) {
    each([] { return std::size_t{2}; });
  } else {
    each([bytes] { return bytes; });
  }
}

// The kernel of one group as [window position][input feature][output feature], reversed along the
// dimensions with window_reversal.
void gather_kernel(const program::Convolution& work, const Shapes& shapes, std::int64_t group,
                   const std::byte* rhs, std::size_t bytes, std::byte* out) {
  Counter window(work.window.dimensions);
  const std::int64_t columns = shapes.columns();
  for (bool more = !window.empty(); more; more = window.next()) {
    std::int64_t base = group * columns * shapes.rhs_stride(work.kernel_output_feature);
    for (std::size_t d = 0; d < window.at().size(); ++d) {
      const bool reversed = d < work.reversal.size() && work.reversal[d];
      const std::int64_t at =
          reversed ? work.window.dimensions[d] - 1 - window.at()[d] : window.at()[d];
      base += at * shapes.rhs_stride(work.kernel_spatial[d]);
    }
    for (std::int64_t f = 0; f < shapes.features(); ++f) {
      const std::int64_t at = base + f * shapes.rhs_stride(work.kernel_input_feature);
      copy_elements(rhs + static_cast<std::size_t>(at) * bytes,
                    shapes.rhs_stride(work.kernel_output_feature), out, 1, columns, bytes);
      out += static_cast<std::size_t>(columns) * bytes;
    }
  }
}

// Gathers one row of patches: the input elements under the kernel at one output position, zero
// where padding or base dilation has none. The window counter wraps around, so it is at its start
// before and after each call.
void gather_patch(const program::Convolution& work, const Shapes& shapes, const Shape& position,
                  std::int64_t feature, const std::byte* lhs, std::size_t bytes, Counter& window,
                  std::byte* out) {
  const std::size_t run = static_cast<std::size_t>(shapes.features()) * bytes;
  const std::int64_t step = shapes.lhs_stride(work.input_feature);
  for (bool more = !window.empty(); more; more = window.next(), out += run) {
    std::int64_t at = position[0] * shapes.lhs_stride(work.input_batch) + feature * step;
    bool inside = true;
    for (std::size_t d = 0; d < window.at().size() && inside; ++d) {
      const std::int64_t padded = position[d + 1] * work.window.strides[d] +
                                  window.at()[d] * work.window.window_dilations[d] -
                                  work.window.padding_low[d];
      // Base dilation puts dilation - 1 holes between input elements: only multiples hit one.
      const std::int64_t dilation = work.window.base_dilations[d];
      inside = padded >= 0 && padded % dilation == 0 &&
               padded / dilation < shapes.lhs_size(work.input_spatial[d]);
      at += padded / dilation * shapes.lhs_stride(work.input_spatial[d]);
    }
    if (!inside) {
      std::memset(out, 0, run);
      continue;
    }
    const std::byte* const from = lhs + static_cast<std::size_t>(at) * bytes;
    copy_elements(from, step, out, 1, shapes.features(), bytes);
  }
}

// Where the row of products of one output position starts in the output, in elements.
std::int64_t place_of_row(const program::Convolution& work, const Shapes& shapes,
                          const Shape& position, std::int64_t group) {
  const std::int64_t step = shapes.out_stride(work.output_feature);
  std::int64_t at =
      position[0] * shapes.out_stride(work.output_batch) + group * shapes.columns() * step;
  for (std::size_t d = 0; d + 1 < position.size(); ++d) {
    at += position[d + 1] * shapes.out_stride(work.output_spatial[d]);
  }
  return at;
}

// Copies one row of products to its place in the output.
void scatter_row(const program::Convolution& work, const Shapes& shapes, std::int64_t at,
                 const std::byte* row, std::size_t bytes, std::byte* out) {
  const std::int64_t step = shapes.out_stride(work.output_feature);
  copy_elements(row, 1, out + static_cast<std::size_t>(at) * bytes, step, shapes.columns(), bytes);
}

Product product_of(const program::Convolution& work, const Instruction& instruction,
                   const Shapes& shapes, const Execution& execution) {
  Product product;
  product.n = shapes.columns();
  product.k = shapes.depth();
  product.lhs = {instruction.inputs[0].type.element, product.k, 1};
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

}  // namespace

// Over 40 lines: one loop nest over groups and runs of positions, whose steps share the tile in
// VMEM and its sizes.
void run(const program::Convolution& work, const Instruction& instruction, Execution& execution) {
  const Operand& out = instruction.outputs[0];
  if (out.type.elements() == 0) return;
  const Shapes shapes(work, instruction);
  const std::size_t rhs_bytes = element_bytes(instruction.inputs[1]);
  const std::size_t out_bytes = element_bytes(out);
  Product product = product_of(work, instruction, shapes, execution);
  const Vmem::Scope scope(*execution.vmem);
  const std::byte* const input =
      narrowed(instruction.inputs[0], instruction.inputs[1], product, execution);
  const std::size_t lhs_bytes = program::byte_size(product.lhs.element);
  const auto depth = static_cast<std::uint64_t>(product.k);
  const auto columns = static_cast<std::uint64_t>(product.n);
  // Output positions per product. At least one, whatever its size.
  const auto most = std::max<std::uint64_t>(
      1, kPatchBytes / std::max<std::uint64_t>(1, depth * lhs_bytes + columns * out_bytes));
  std::byte* const kernel = execution.vmem->take(depth * columns * rhs_bytes);
  std::byte* const patches = execution.vmem->take(most * depth * lhs_bytes);
  std::byte* const rows = execution.vmem->take(most * columns * out_bytes);
  std::vector<std::int64_t> places;  // output places of the current rows of products
  Counter window(work.window.dimensions);
  // One product per group and run of positions: groups share no kernel.
  for (std::int64_t group = 0; group < shapes.groups(); ++group) {
    gather_kernel(work, shapes, group, execution.address(instruction.inputs[1].at), rhs_bytes,
                  kernel);
    // Feature groups split the input's features, batch groups its batches; the spec allows only one
    // of the two above 1. Both split the output's features.
    const std::int64_t feature = work.feature_groups > 1 ? group * shapes.features() : 0;
    const std::int64_t first_batch = work.batch_groups > 1 ? group * shapes.batches() : 0;
    const std::byte* const lhs =
        input +
        static_cast<std::size_t>(first_batch * shapes.lhs_stride(work.input_batch)) * lhs_bytes;
    Counter position(shapes.positions());
    for (bool more = !position.empty(); more;) {
      places.clear();
      for (; more && places.size() < most; more = position.next()) {
        gather_patch(work, shapes, position.at(), feature, lhs, lhs_bytes, window,
                     patches + places.size() * depth * lhs_bytes);
        places.push_back(place_of_row(work, shapes, position.at(), group));
      }
      product.m = static_cast<std::int64_t>(places.size());
      execution.mxu->multiply(product, patches, kernel, rows, *execution.vmem);
      for (std::size_t i = 0; i < places.size(); ++i) {
        scatter_row(work, shapes, places[i], rows + i * columns * out_bytes, out_bytes,
                    execution.writable(out.at));
      }
    }
  }
}

}  // namespace understudy::worker::ops
