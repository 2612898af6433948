// SPDX-License-Identifier: Apache-2.0
#include "program/analysis/reassociate.h"

#include <unordered_map>

#include "program/compile.h"
#include "program/ir/element_type.h"
#include "program/ir/literal.h"

namespace understudy::program::analysis {
namespace {

// The operation of a reducer's region, if it is one operation on its two arguments.
std::string reducer_of(const Operation& reduce) {
  if (reduce.regions.size() != 1 || reduce.regions[0]->blocks.size() != 1) return "";
  const Block& block = reduce.block();
  // The operation and its return.
  if (block.operations.size() != 2 || block.operations[0]->operands.size() != 2) return "";
  return block.operations[0]->name;
}

// Groups, channel and whatever else an all_reduce says: equal for two that can be one.
bool same_attributes(const Operation& a, const Operation& b) {
  if (a.attributes.size() != b.attributes.size()) return false;
  for (const auto& [name, value] : a.attributes) {
    // All_reduces of one module usually have a channel each.
    if (name == "channel_handle") continue;  // its number alone may differ
    const Attribute* other = b.find(name);
    if (other == nullptr || !(*other == value)) return false;
  }
  return true;
}

class Reassociation {
 public:
  explicit Reassociation(const Module& module) {
    operations_ = operations_in_order(module);
    for (const Operation* op : operations_)
      for (const Value* value : op->operands) ++uses_[value];
  }

  std::vector<const Operation*> run() {
    std::vector<const Operation*> saved;
    for (const Operation* op : operations_) {
      if (op->operands.size() != 2 || op->results.size() != 1) continue;
      const Operation *a = reduced(op->operands[0]), *b = reduced(op->operands[1]);
      // f(reduce(a), reduce(b)) = reduce(f(a, b)) needs the reducer to be the same operation f.
      if (a == nullptr || b == nullptr || a == b || reducer_of(*a) != op->name ||
          reducer_of(*b) != op->name || !same_attributes(*a, *b))
        continue;
      // All sums of one chain of additions stand for one all_reduce of the sum.
      sums_[op->results[0].get()] = a;
      saved.push_back(b);
    }
    return saved;
  }

 private:
  // The all_reduce of a value that nothing else reads: its own, or that of a sum of such values.
  const Operation* reduced(const Value* value) const {
    const auto used = uses_.find(value);
    // With more readers the separate results are needed anyway.
    if (used == uses_.end() || used->second != 1) return nullptr;
    if (const auto sum = sums_.find(value); sum != sums_.end()) return sum->second;
    const Operation* owner = value->owner;
    return owner != nullptr && owner->name == "stablehlo.all_reduce" && owner->results.size() == 1
               ? owner
               : nullptr;
  }

  std::vector<const Operation*> operations_;
  std::unordered_map<const Value*, std::int64_t> uses_;
  std::unordered_map<const Value*, const Operation*> sums_;
};

std::optional<std::int64_t> constant_of(const Value* value) {
  if (value->owner == nullptr || value->owner->name != "stablehlo.constant") return std::nullopt;
  const Attribute* attribute = value->owner->find("value");
  const auto* dense = attribute == nullptr ? nullptr : attribute->get<DenseAttribute>();
  if (dense == nullptr || dense->data == nullptr || !dense->type.shape.empty()) return std::nullopt;
  // The types that counters of loops have in practice.
  if (dense->type.element != ElementType::i32 && dense->type.element != ElementType::i64)
    return std::nullopt;
  const std::uint64_t bits = stored_bits(dense->type.element, *dense->data, 0);
  return dense->type.element == ElementType::i32
             ? static_cast<std::int64_t>(static_cast<std::int32_t>(bits))
             : static_cast<std::int64_t>(bits);
}

// The number of the loop's value that this argument of one of its regions is.
std::optional<std::size_t> carried(const Value* value, const Block& block) {
  if (value->block != &block) return std::nullopt;
  return value->index;
}

// A constant outside of the loop or in the region, or one that the loop carries unchanged.
std::optional<std::int64_t> constant_in(const Operation& loop, const Block& block,
                                        const Value* value) {
  if (const auto direct = constant_of(value)) return direct;
  const auto index = carried(value, block);
  const Block& body = loop.block(1);
  if (!index || body.terminator()->operands[*index] != body.arguments[*index].get())
    return std::nullopt;
  return constant_of(loop.operands[*index]);
}

}  // namespace

std::vector<const Operation*> reassociable_reductions(const Module& module) {
  return Reassociation(module).run();
}

// Only loops that count up by a constant to a constant; all others have an unknown number of
// iterations.
std::optional<std::int64_t> iterations_of(const Operation& loop) {
  const Block &condition = loop.block(0), &body = loop.block(1);
  const Operation* compare = condition.terminator()->operands.at(0)->owner;
  if (compare == nullptr || compare->name != "stablehlo.compare") return std::nullopt;
  const Attribute* attribute = compare->find("comparison_direction");
  const auto* direction = attribute == nullptr ? nullptr : attribute->get<EnumAttribute>();
  const auto counter = carried(compare->operands[0], condition);
  const auto end = constant_in(loop, condition, compare->operands[1]);
  if (direction == nullptr || !counter || !end) return std::nullopt;
  const Operation* add = body.terminator()->operands.at(*counter)->owner;
  if (add == nullptr || add->name != "stablehlo.add") return std::nullopt;
  const Value* const argument = body.arguments[*counter].get();
  const bool first = add->operands[0] == argument;
  if (!first && add->operands[1] != argument) return std::nullopt;
  const auto step = constant_in(loop, body, add->operands[first ? 1 : 0]);
  const auto start = constant_of(loop.operands[*counter]);
  if (!step || *step <= 0 || !start) return std::nullopt;
  if (direction->word != "LT" && direction->word != "LE") return std::nullopt;
  std::int64_t distance = 0;  // to the last value of the counter that enters the body
  // An overflow means a loop that wraps around; the number is then not told.
  if (__builtin_sub_overflow(*end, *start, &distance)) return std::nullopt;
  if (direction->word == "LT") {
    if (distance <= 0) return 0;
    --distance;
  }
  return distance < 0 ? 0 : distance / *step + 1;
}

}  // namespace understudy::program::analysis
