// SPDX-License-Identifier: Apache-2.0
// Convolutions of dilated inputs (gradients of strided convolutions, transposed convolutions)
// without the zeros between the elements. With dilation s, tap t of the kernel meets elements only
// where the result's position o is s * j + padding - r and t is s * m + r: for each residue r of
// the taps a convolution of the input itself with every s-th tap. Residues with as many taps are
// features of one convolution, whose result is copied to its places. Each sum has the products it
// had but for those with the zeros, so a kernel's infinity makes no NaN of them; the blocking of a
// sum may differ (docs/numerics.md). Equivalents: sub-pixel convolution, the phases of cuDNN's
// strided data gradient.
#include <algorithm>
#include <utility>
#include <vector>

#include "program/ir/types.h"
#include "program/passes/copies.h"
#include "program/passes/draft.h"
#include "program/passes/module/attributes.h"
#include "program/passes/nested.h"

namespace understudy::program::passes {

namespace {

// Of one spatial dimension.
struct Spatial {
  std::int64_t dilation, taps, padding, input, output;
  std::int64_t kernel_stride, output_stride;  // in elements
  bool is_reversed;
};

std::int64_t floor_quotient(std::int64_t a, std::int64_t b) {
  return a / b - static_cast<std::int64_t>(a % b != 0 && (a < 0) != (b < 0));
}
std::int64_t ceiling_quotient(std::int64_t a, std::int64_t b) { return -floor_quotient(-a, b); }

// Residues of one dimension that have the same number of taps, and the places j of their results.
struct Residues {
  std::int64_t first = 0, count = 1, taps = 1;
  std::int64_t start = 0, places = 0;  // of j
};
std::int64_t first_place(const Spatial& s, std::int64_t residue) {
  return ceiling_quotient(residue - s.padding, s.dilation);
}
std::int64_t places_from_start(const Spatial& s, std::int64_t residue) {
  return floor_quotient(s.output - 1 - s.padding + residue, s.dilation) - first_place(s, residue) +
         1;
}
std::vector<Residues> residues_of(const Spatial& s) {
  const std::int64_t more = s.taps % s.dilation, least = s.taps / s.dilation;
  std::vector<Residues> all;
  if (more > 0) all.push_back({0, more, least + 1});
  if (least > 0) all.push_back({more, s.dilation - more, least});
  for (Residues& group : all) {
    const std::int64_t last = group.first + group.count - 1;
    group.start = first_place(s, group.first);
    group.places = first_place(s, last) + places_from_start(s, last) - group.start;
  }
  std::erase_if(all, [](const Residues& group) { return group.places <= 0; });
  return all;
}

// Residues of a group whose results begin at the same place and are as many: one copy. Features are
// in the order of the result, so that of the last residue comes first.
struct Run {
  std::int64_t feature, count;  // in the group
  std::int64_t place, places;   // from the group's start
  std::int64_t output;          // the position of the first result
};
std::vector<Run> runs_of(const Spatial& s, const Residues& group) {
  std::vector<Run> runs;
  for (std::int64_t f = 0; f < group.count; ++f) {
    const std::int64_t residue = group.first + group.count - 1 - f;
    const std::int64_t start = first_place(s, residue), places = places_from_start(s, residue);
    if (places <= 0) continue;
    const Run run{f, 1, start - group.start, places, s.dilation * start + s.padding - residue};
    if (!runs.empty() && runs.back().feature + runs.back().count == f &&
        runs.back().place == run.place && runs.back().places == run.places) {
      ++runs.back().count;
    } else {
      runs.push_back(run);
    }
  }
  return runs;
}

// Calls use(choice) for each choice of one element of each list.
template <class T, class Use>
void for_each_choice(const std::vector<std::vector<T>>& lists, const Use& use) {
  std::vector<T> choice;
  const auto next = [&](const auto& self) -> void {
    if (choice.size() == lists.size()) return use(choice);
    for (const T& one : lists[choice.size()]) {
      choice.push_back(one);
      self(self);
      choice.pop_back();
    }
  };
  next(next);
}

std::size_t at(std::int64_t dimension) { return static_cast<std::size_t>(dimension); }

class Dilations {
 public:
  explicit Dilations(Draft& draft) : draft_(draft) {}

  void append(Instruction&& instruction, Code& code) {
    if (is_dilated(instruction)) return split(instruction, code);
    code.push_back(std::move(instruction));
  }

 private:
  static bool is_dilated(const Instruction& instruction) {
    const auto* const work = std::get_if<Convolution>(&instruction.work);
    if (work == nullptr || work->feature_groups != 1 || work->batch_groups != 1) return false;
    const Window& window = work->window;
    bool dilated = false;
    for (std::size_t d = 0; d < window.dimensions.size(); ++d) {
      if (window.strides[d] != 1 || window.window_dilations[d] != 1) return false;
      dilated = dilated || window.base_dilations[d] > 1;
    }
    return dilated && instruction.outputs[0].type.elements() > 0 &&
           std::ranges::all_of(instruction.inputs,
                               [](const Operand& in) { return in.type.elements() > 0; });
  }

  static std::vector<Spatial> dimensions_of(const Convolution& work,
                                            const Instruction& instruction) {
    const Shape &x = instruction.inputs[0].type.shape, &kernel = instruction.inputs[1].type.shape,
                &out = instruction.outputs[0].type.shape;
    const Shape kernel_strides = row_major_strides(kernel), out_strides = row_major_strides(out);
    std::vector<Spatial> all;
    for (std::size_t d = 0; d < work.kernel_spatial.size(); ++d)
      all.push_back({work.window.base_dilations[d], work.window.dimensions[d],
                     work.window.padding_low[d], x[at(work.input_spatial[d])],
                     out[at(work.output_spatial[d])], kernel_strides[at(work.kernel_spatial[d])],
                     out_strides[at(work.output_spatial[d])],
                     !work.reversal.empty() && work.reversal[d]});
    return all;
  }

  void split(const Instruction& instruction, Code& code) {
    const auto& work = std::get<Convolution>(instruction.work);
    const std::vector<Spatial> dimensions = dimensions_of(work, instruction);
    std::vector<std::vector<Residues>> groups;
    bool is_all = true;  // each position of the result has taps
    for (const Spatial& s : dimensions) {
      groups.push_back(residues_of(s));
      is_all = is_all && s.taps >= s.dilation;
    }
    const Operand& out = instruction.outputs[0];
    if (!is_all)
      code.push_back({.work = Fill{},
                      .inputs = {new_zero(draft_, out.type.element)},
                      .outputs = {out},
                      .op = instruction.op});
    for_each_choice(groups, [&](const std::vector<Residues>& chosen) {
      convolve(instruction, dimensions, chosen, code);
    });
  }

  // The residues of one group in each dimension.
  void convolve(const Instruction& instruction, const std::vector<Spatial>& dimensions,
                const std::vector<Residues>& chosen, Code& code) {
    const auto& work = std::get<Convolution>(instruction.work);
    const Operand &x = instruction.inputs[0], &out = instruction.outputs[0];
    const std::size_t rank = dimensions.size();
    const std::int64_t batches = x.type.shape[at(work.input_batch)],
                       features = out.type.shape[at(work.output_feature)];
    Convolution small = work;
    small.reversal.assign(rank, false);
    small.output_batch = 0;
    small.output_feature = small.kernel_output_feature = static_cast<std::int64_t>(rank) + 1;
    small.kernel_input_feature = static_cast<std::int64_t>(rank);
    Shape shape{batches};
    std::int64_t columns = features;
    for (std::size_t d = 0; d < rank; ++d) {
      const Residues& group = chosen[d];
      const auto place = static_cast<std::int64_t>(d);
      small.kernel_spatial[d] = place;
      small.output_spatial[d] = place + 1;
      small.window.dimensions[d] = group.taps;
      small.window.base_dilations[d] = 1;
      small.window.padding_low[d] = -group.start;
      small.window.padding_high[d] =
          group.places - dimensions[d].input + group.start + group.taps - 1;
      shape.push_back(group.places);
      columns *= group.count;
    }
    shape.push_back(columns);
    const Operand kernel = kernel_of(instruction, dimensions, chosen, columns, code);
    const Operand result = new_temporary(draft_, {out.type.element, shape});
    code.push_back({.work = std::move(small),
                    .inputs = {x, kernel},
                    .outputs = {result},
                    .op = instruction.op});
    std::vector<std::vector<Run>> runs;
    for (std::size_t d = 0; d < rank; ++d) runs.push_back(runs_of(dimensions[d], chosen[d]));
    for_each_choice(runs, [&](const std::vector<Run>& run) {
      place(instruction, dimensions, chosen, run, result, code);
    });
  }

  // Every s-th tap of each residue: [taps..., input features, residues..., output features].
  Operand kernel_of(const Instruction& instruction, const std::vector<Spatial>& dimensions,
                    const std::vector<Residues>& chosen, std::int64_t columns, Code& code) {
    const auto& work = std::get<Convolution>(instruction.work);
    const Operand& kernel = instruction.inputs[1];
    const Shape strides = row_major_strides(kernel.type.shape);
    const std::int64_t inputs = kernel.type.shape[at(work.kernel_input_feature)];
    StridedCopy copy;
    const auto add = [&](std::int64_t size, std::int64_t stride) {
      copy.sizes.push_back(size);
      copy.in_strides.push_back(stride);
    };
    Shape shape;
    for (std::size_t d = 0; d < dimensions.size(); ++d) {
      const Spatial& s = dimensions[d];
      const std::int64_t step = s.is_reversed ? -s.kernel_stride : s.kernel_stride;
      if (s.is_reversed) copy.in_base += (s.taps - 1) * s.kernel_stride;
      copy.in_base += (chosen[d].first + chosen[d].count - 1) * step;
      add(chosen[d].taps, s.dilation * step);
      shape.push_back(chosen[d].taps);
    }
    add(inputs, strides[at(work.kernel_input_feature)]);
    for (std::size_t d = 0; d < dimensions.size(); ++d)
      add(chosen[d].count,
          dimensions[d].is_reversed ? dimensions[d].kernel_stride : -dimensions[d].kernel_stride);
    add(kernel.type.shape[at(work.kernel_output_feature)], strides[at(work.kernel_output_feature)]);
    copy.out_strides = row_major_strides(copy.sizes);
    shape.push_back(inputs);
    shape.push_back(columns);
    const Operand to = new_temporary(draft_, {kernel.type.element, shape});
    code.push_back(
        {.work = simplified(copy), .inputs = {kernel}, .outputs = {to}, .op = instruction.op});
    return to;
  }

  // The results of one run of residues in each dimension.
  static void place(const Instruction& instruction, const std::vector<Spatial>& dimensions,
                    const std::vector<Residues>& chosen, const std::vector<Run>& run,
                    const Operand& result, Code& code) {
    const auto& work = std::get<Convolution>(instruction.work);
    const Operand& out = instruction.outputs[0];
    const Shape from = row_major_strides(result.type.shape), to = row_major_strides(out.type.shape);
    const std::int64_t features = out.type.shape[at(work.output_feature)];
    StridedCopy copy;
    const auto add = [&](std::int64_t size, std::int64_t in, std::int64_t stride) {
      copy.sizes.push_back(size);
      copy.in_strides.push_back(in);
      copy.out_strides.push_back(stride);
    };
    add(result.type.shape[0], from[0], to[at(work.output_batch)]);
    std::int64_t step = features;  // from residue to residue of the last dimension
    Shape steps(dimensions.size());
    for (std::size_t d = dimensions.size(); d-- > 0; step *= chosen[d].count) steps[d] = step;
    for (std::size_t d = 0; d < dimensions.size(); ++d) {
      const Spatial& s = dimensions[d];
      add(run[d].places, from[d + 1], s.dilation * s.output_stride);
      add(run[d].count, steps[d], s.output_stride);
      copy.in_base += run[d].place * from[d + 1] + run[d].feature * steps[d];
      copy.out_base += run[d].output * s.output_stride;
    }
    add(features, 1, to[at(work.output_feature)]);
    code.push_back(
        {.work = in_order(copy), .inputs = {result}, .outputs = {out}, .op = instruction.op});
  }

  // By falling strides of the result, as passes and kernels expect.
  static StridedCopy in_order(const StridedCopy& copy) {
    std::vector<std::size_t> order;
    for (std::size_t d = 0; d < copy.sizes.size(); ++d)
      if (copy.sizes[d] != 1) order.push_back(d);
    std::ranges::stable_sort(order, std::greater<>(),
                             [&](std::size_t d) { return copy.out_strides[d]; });
    StridedCopy sorted;
    sorted.in_base = copy.in_base;
    sorted.out_base = copy.out_base;
    for (const std::size_t d : order) {
      sorted.sizes.push_back(copy.sizes[d]);
      sorted.in_strides.push_back(copy.in_strides[d]);
      sorted.out_strides.push_back(copy.out_strides[d]);
    }
    return simplified(sorted);
  }

  Draft& draft_;
};

}  // namespace

void split_dilations(Draft& draft) {
  Dilations dilations(draft);
  rebuild(draft.code, [&](Instruction&& instruction, Code& code) {
    dilations.append(std::move(instruction), code);
  });
}

}  // namespace understudy::program::passes
