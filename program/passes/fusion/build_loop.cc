// SPDX-License-Identifier: Apache-2.0
#include "program/passes/fusion/build_loop.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "configs/base/error.h"
#include "program/executable/tile.h"

namespace understudy::program::passes {

namespace {

// Makes the Fused instruction of one group. Values of the tile are numbered first (offset = number)
// and placed at the end, when the last use of each is known.
class LoopBuilder {
 public:
  LoopBuilder(const FusionGroup& group, const AccessCounts& all) : all_(all) {
    work_.rows = group.space.rows;
    work_.columns = std::max<std::int64_t>(group.space.columns, 1);
  }

  void count(const Instruction& instruction) { count_accesses(instruction, mine_); }

  void add(Instruction&& instruction) {
    op_ = instruction.op;
    if (std::holds_alternative<Reduce>(instruction.work) && combining_function(instruction)) {
      add_combination(instruction);
    } else if (std::holds_alternative<Clamp>(instruction.work)) {
      add_clamp(instruction);
    } else if (std::holds_alternative<Iota>(instruction.work)) {
      add_iota(instruction);
    } else if (is_apart(instruction)) {
      add_apart(instruction);
    } else if (std::holds_alternative<StridedCopy>(instruction.work)) {
      add_copy(instruction);
    } else if (std::holds_alternative<TakeElements>(instruction.work)) {
      add_take(instruction);
    } else if (std::holds_alternative<Gather>(instruction.work)) {
      add_row_gather(instruction);
    } else if (std::holds_alternative<Join>(instruction.work)) {
      add_join(instruction);
    } else {
      add_plain(std::move(instruction));
    }
  }

  Instruction finish() {
    split_complex(work_, inputs_, value_count_);
    merge_equal_steps(work_);
    const auto joins = [](const Instruction& step) {
      return std::holds_alternative<Join>(step.work);
    };
    // First, so that the steps between them are one chain; a few, as each of them then has a place
    // in the tile.
    constexpr std::ptrdiff_t kMostJoinsAhead = 8;
    if (std::ranges::count_if(work_.steps, joins) <= kMostJoinsAhead)
      std::ranges::stable_partition(work_.steps, joins);
    group_takes(work_, value_count_);
    write_results_directly(work_, inputs_, outputs_);
    place_tile_values(work_, value_count_);
    return {std::move(work_), std::move(inputs_), std::move(outputs_), op_};
  }

 private:
  Shape full() const { return {work_.rows, work_.columns}; }

  // How an operand of that many elements follows the loop.
  Shape shape_of(std::int64_t elements) const {
    if (elements == work_.rows * work_.columns) return full();
    UNDERSTUDY_ASSERT(elements == work_.rows);
    return {work_.rows, 1};
  }

  Operand read(const Operand& operand, Shape shape) {
    const TensorType type{operand.type.element, std::move(shape)};
    if (const auto found = values_.find(operand.at); found != values_.end())
      return {found->second, type};
    return {input(operand, false), type};
  }

  // `elsewhere`: steps read it at other places than those of the tile. One that follows the loop is
  // at other addresses.
  Buffer input(const Operand& operand, bool elsewhere) {
    std::size_t i = 0;
    while (i < inputs_.size() && !(inputs_[i] == operand && elsewhere_[i] == elsewhere)) ++i;
    if (i == inputs_.size()) {
      inputs_.push_back(operand);
      elsewhere_.push_back(elsewhere);
    }
    return {Space::argument, static_cast<std::uint32_t>(i), 0};
  }

  // Only this group's steps access a value of the tile, and one of them writes it.
  bool stays_inside(const Operand& out) const {
    return out.at.space == Space::temporary && all_.at(out.at.index) == mine_.at(out.at.index) &&
           !values_.contains(out.at);
  }

  Operand write(const Operand& out, Shape shape) {
    const TensorType type{out.type.element, std::move(shape)};
    if (stays_inside(out)) {
      const Operand value = new_value(type);
      values_[out.at] = value.at;
      return value;
    }
    const auto written = values_.find(out.at);
    if (written != values_.end()) return {written->second, type};
    const Buffer at{Space::result, static_cast<std::uint32_t>(outputs_.size()), 0};
    outputs_.push_back(out);
    values_[out.at] = at;
    return {at, type};
  }

  Operand new_value(const TensorType& type) { return {{Space::frame, 0, value_count_++}, type}; }

  void emit(Work work, std::vector<Operand> inputs, Operand output) {
    work_.steps.push_back({std::move(work), std::move(inputs), {std::move(output)}, op_});
  }

  // `operand` with the shape of the step; a scalar is repeated first.
  Operand spread(const Operand& operand, const Shape& shape) {
    const auto elements = shape[0] * shape[1];
    if (operand.type.elements() == elements) return read(operand, shape);
    const Operand one = read(operand, {1, 1});
    const Operand many = new_value({operand.type.element, shape});
    emit(Fill{}, {one}, many);
    return many;
  }

  void add_plain(Instruction&& instruction) {
    const Operand& out = instruction.outputs[0];
    Shape shape;
    std::vector<Operand> inputs;
    if (!std::holds_alternative<Reduce>(instruction.work)) shape = shape_of(out.type.elements());
    if (std::holds_alternative<Reduce>(instruction.work)) {
      inputs = {read(instruction.inputs[0], full()), read(instruction.inputs[1], {1, 1})};
      const auto blocks = row_blocks(instruction);
      shape = blocks ? Shape{*blocks, work_.columns} : Shape{work_.rows, 1};
    } else if (std::holds_alternative<Fill>(instruction.work)) {
      inputs = {read(instruction.inputs[0], {1, 1})};
      // Equal fills of a loop are one value.
      if (inputs[0].at.space == Space::argument && stays_inside(out)) {
        for (const auto& [from, to] : fills_)
          if (from == inputs[0] && to.type.shape == shape) {
            values_[out.at] = to.at;
            return;
          }
        const Operand to = write(out, shape);
        fills_.emplace_back(inputs[0], to);
        return emit(Fill{}, std::move(inputs), to);
      }
    } else {
      for (const Operand& input : instruction.inputs) inputs.push_back(spread(input, shape));
    }
    Operand to = write(out, shape);
    emit(std::move(instruction.work), std::move(inputs), std::move(to));
  }

  void add_combination(const Instruction& instruction) {
    const Operand& out = instruction.outputs[0];
    const Shape shape = shape_of(out.type.elements());
    const Operand start = spread(instruction.inputs[1], shape);
    std::vector<Operand> both{start, read(instruction.inputs[0], shape)};
    emit(Binary{*combining_function(instruction)}, std::move(both), write(out, shape));
  }

  // As the executor does it: minimum(maximum(x, least), most).
  void add_clamp(const Instruction& instruction) {
    const Operand& out = instruction.outputs[0];
    const Shape shape = shape_of(out.type.elements());
    std::vector<Operand> raised{read(instruction.inputs[1], shape),
                                spread(instruction.inputs[0], shape)};
    const Operand between = new_value({out.type.element, shape});
    emit(Binary{BinaryOp::maximum}, std::move(raised), between);
    const Operand most = spread(instruction.inputs[2], shape);
    emit(Binary{BinaryOp::minimum}, {between, most}, write(out, shape));
  }

  // The numbers along one dimension of the loop, then repeated along the other.
  void add_iota(const Instruction& instruction) {
    const Operand& out = instruction.outputs[0];
    const Shape shape = shape_of(out.type.elements());
    const std::int64_t size =
        out.type.shape[static_cast<std::size_t>(std::get<Iota>(instruction.work).dimension)];
    if (size == shape[0] * shape[1]) return emit(Iota{0}, {}, write(out, shape));
    const bool by_row = size == shape[0] && instruction_runs_down(instruction);
    const Operand line =
        new_value({out.type.element, by_row ? Shape{size, 1} : Shape{1, shape[1]}});
    emit(Iota{by_row ? 0 : 1}, {}, line);
    emit(Fill{}, {line}, write(out, shape));
  }

  // Whether the numbers are equal along the last dimension of more than one element.
  static bool instruction_runs_down(const Instruction& instruction) {
    const Shape& shape = instruction.outputs[0].type.shape;
    const auto d = static_cast<std::size_t>(std::get<Iota>(instruction.work).dimension);
    return std::any_of(shape.begin() + static_cast<std::ptrdiff_t>(d) + 1, shape.end(),
                       [](auto n) { return n != 1; });
  }

  // A whole copy is a conversion to the same type; others repeat their input along the rows or the
  // columns of the loop, or have its rows at other places.
  void add_copy(const Instruction& instruction) {
    const auto& copy = std::get<StridedCopy>(instruction.work);
    const Operand& in = instruction.inputs[0];
    const Operand& out = instruction.outputs[0];
    if (is_whole_copy(instruction)) {
      const Shape shape = shape_of(out.type.elements());
      const Operand from = read(in, shape);
      return emit(Convert{}, {from}, write(out, shape));
    }
    const bool by_row = spreads_rows(instruction);
    if (copy.sizes == full() && (by_row || spreads_columns(instruction))) {
      const Operand from = read(in, by_row ? Shape{work_.rows, 1} : Shape{1, work_.columns});
      return emit(Fill{}, {from}, write(out, full()));
    }
    add_view(in, with_columns(copy, work_.columns), out);
  }

  void add_view(const Operand& in, StridedCopy copy, const Operand& out) {
    const Operand from = whole(in);
    emit(std::move(copy), {from}, write(out, full()));
  }

  // Each of the copies to one array writes the same output.
  void add_apart(const Instruction& instruction) {
    const Operand& out = instruction.outputs[0];
    const Operand from = spread(instruction.inputs[0], full());
    StridedCopy copy = std::get<StridedCopy>(instruction.work);
    copy.in_strides = {1};
    const auto [found, is_new] = values_.try_emplace(
        out.at, Buffer{Space::result, static_cast<std::uint32_t>(outputs_.size()), 0});
    if (is_new) outputs_.push_back(out);
    emit(std::move(copy), {from}, {found->second, {out.type.element, full()}});
  }

  void add_take(const Instruction& instruction) {
    const Operand& out = instruction.outputs[0];
    const Shape shape = shape_of(out.type.elements());
    const Operand indices = read(instruction.inputs[1], shape), from = whole(instruction.inputs[0]);
    emit(with_columns(std::get<TakeElements>(instruction.work), shape[1]), {from, indices},
         write(out, shape));
  }

  void add_row_gather(const Instruction& instruction) {
    const Operand indices = read(instruction.inputs[1], {work_.rows, 1});
    const Operand from = whole(instruction.inputs[0]);
    emit(take_of_rows(instruction, {work_.rows, work_.columns}), {from, indices},
         write(instruction.outputs[0], full()));
  }

  void add_join(const Instruction& instruction) {
    std::vector<Operand> parts;
    for (const Operand& part : instruction.inputs) parts.push_back(whole(part));
    emit(std::get<Join>(instruction.work), std::move(parts), write(instruction.outputs[0], full()));
  }

  Operand whole(const Operand& in) {
    return {input(in, true), {in.type.element, {in.type.elements(), 1}}};
  }

  const AccessCounts& all_;
  AccessCounts mine_;
  Fused work_;
  std::vector<Operand> inputs_, outputs_;
  std::vector<bool> elsewhere_;                            // of each input
  std::unordered_map<Buffer, Buffer, BufferHash> values_;  // what the steps have written
  std::vector<std::pair<Operand, Operand>> fills_;         // input, value of the tile
  std::uint64_t value_count_ = 0;
  std::uint32_t op_ = 0;
};

}  // namespace

void count_accesses(const Instruction& instruction, AccessCounts& counts) {
  visit_operands(instruction, [&](const Operand& operand, Access) {
    if (operand.at.space == Space::temporary) ++counts[operand.at.index];
  });
}

Instruction build_loop(const Code& code, const FusionGroup& group, const AccessCounts& all) {
  LoopBuilder builder(group, all);
  for (const std::size_t member : group.members) builder.count(code[member]);
  for (const std::size_t member : group.members) builder.add(Instruction(code[member]));
  return builder.finish();
}

}  // namespace understudy::program::passes
