// SPDX-License-Identifier: Apache-2.0
#include "worker/ops/sort/sort_keys.h"

#include <array>
#include <cstring>
#include <map>

namespace understudy::worker::ops {
namespace {

using program::BinaryOp;
using program::Direction;
using program::ElementType;
using program::Instruction;
using program::Operand;
using program::Space;

// A value of the comparator as an expression of its parameters. Equal expressions have one node.
struct Node {
  enum class Kind : std::uint8_t { parameter, constant, compare, select, both, either };
  Kind kind = Kind::parameter;
  std::size_t number = 0;  // of the parameter
  std::uint64_t bits = 0;  // of the constant
  Direction direction = Direction::eq;
  bool total_order = false;
  std::array<std::size_t, 3> inputs = {};
  ElementType element = ElementType::pred;
  bool operator==(const Node&) const = default;
};

// A float, or what is compared: one parameter, after what the comparator did to it.
struct Value {
  std::size_t parameter = 0;
  ElementType element = ElementType::f32;
  bool zeros_equal = false, nans_equal = false;
  bool same_treatment(const Value& other) const {
    return zeros_equal == other.zeros_equal && nans_equal == other.nans_equal;
  }
};

bool is_key_type(ElementType type) {
  return program::is_integer(type) || program::is_pred(type) || type == ElementType::f16 ||
         type == ElementType::bf16 || type == ElementType::f32 || type == ElementType::f64;
}

// Exponent bits all set, no mantissa.
std::uint64_t infinity_of(ElementType type) {
  switch (type) {
    case ElementType::f16:
      return 0x7C00;
    case ElementType::bf16:
      return 0x7F80;
    case ElementType::f32:
      return 0x7F800000;
    default:
      return 0x7FF0000000000000;
  }
}

class Reader {
 public:
  Reader(const program::Body& body, const Execution& execution)
      : body_(body), execution_(execution) {}

  std::optional<std::vector<SortKey>> read() {
    // The reader recurses into operands; longer comparators are no known form.
    constexpr std::size_t kLongest = 512;
    if (!body_.lanewise || body_.results.size() != 1 || body_.code.size() > kLongest)
      return std::nullopt;
    for (std::size_t i = 0; i < body_.parameters.size(); ++i) {
      Node node;
      node.number = i;
      node.element = body_.parameters[i].type.element;
      define(body_.parameters[i], node);
    }
    for (const Instruction& instruction : body_.code)
      if (!add(instruction)) return std::nullopt;
    const auto result = find(body_.results[0]);
    return result ? order(*result) : std::nullopt;
  }

 private:
  void define(const Operand& place, const Node& node) {
    std::size_t at = 0;
    while (at < nodes_.size() && !(nodes_[at] == node)) ++at;
    if (at == nodes_.size()) nodes_.push_back(node);
    at_[place.at.offset] = at;
  }
  std::optional<std::size_t> find(const Operand& place) const {
    if (place.at.space != Space::frame) return std::nullopt;
    const auto found = at_.find(place.at.offset);
    return found == at_.end() ? std::nullopt : std::optional(found->second);
  }

  bool add(const Instruction& instruction) {
    if (instruction.outputs.size() != 1) return false;
    Node node;
    node.element = instruction.outputs[0].type.element;
    if (std::holds_alternative<program::Fill>(instruction.work)) {
      // A captured value that is not a constant would have to be read at each call.
      const Operand& from = instruction.inputs[0];
      if (from.at.space != Space::constant || program::byte_size(node.element) > 8) return false;
      node.kind = Node::Kind::constant;
      std::memcpy(&node.bits, execution_.address(from.at), program::byte_size(node.element));
      define(instruction.outputs[0], node);
      return true;
    }
    for (std::size_t i = 0; i < instruction.inputs.size() && i < node.inputs.size(); ++i) {
      const auto input = find(instruction.inputs[i]);
      if (!input) return false;
      node.inputs[i] = *input;
    }
    if (const auto* compare = std::get_if<program::Compare>(&instruction.work)) {
      node.kind = Node::Kind::compare;
      node.direction = compare->direction;
      node.total_order = compare->total_order;
    } else if (std::holds_alternative<program::Select>(instruction.work)) {
      node.kind = Node::Kind::select;
    } else if (const auto* binary = std::get_if<program::Binary>(&instruction.work)) {
      if (binary->op != BinaryOp::logical_and && binary->op != BinaryOp::logical_or) return false;
      node.kind = binary->op == BinaryOp::logical_and ? Node::Kind::both : Node::Kind::either;
    } else {
      return false;
    }
    define(instruction.outputs[0], node);
    return true;
  }

  // A parameter, or select(x == 0, 0, x), or select(x != x, NaN, x), or one inside the other.
  std::optional<Value> value(std::size_t at) const {
    const Node& node = nodes_[at];
    if (node.kind == Node::Kind::parameter && is_key_type(node.element))
      return Value{node.number, node.element, false, false};
    if (node.kind != Node::Kind::select) return std::nullopt;
    const Node& test = nodes_[node.inputs[0]];
    const Node& fixed = nodes_[node.inputs[1]];
    auto inner = value(node.inputs[2]);
    if (!inner || test.kind != Node::Kind::compare || test.total_order ||
        fixed.kind != Node::Kind::constant || !program::is_float(inner->element))
      return std::nullopt;
    const auto tested = value(test.inputs[0]);
    if (!tested || tested->parameter != inner->parameter) return std::nullopt;
    if (test.direction == Direction::ne && test.inputs[0] == test.inputs[1]) {
      if (fixed.bits <= infinity_of(inner->element) || is_negative(fixed)) return std::nullopt;
      inner->nans_equal = true;
      return inner;
    }
    const Node& zero = nodes_[test.inputs[1]];
    if (test.direction != Direction::eq || zero.kind != Node::Kind::constant || !is_zero(zero) ||
        !is_zero(fixed))
      return std::nullopt;
    inner->zeros_equal = true;
    return inner;
  }
  static std::uint64_t sign_of(const Node& node) {
    return std::uint64_t{1} << (8 * program::byte_size(node.element) - 1);
  }
  static bool is_negative(const Node& node) { return (node.bits & sign_of(node)) != 0; }
  static bool is_zero(const Node& node) { return (node.bits & ~sign_of(node)) == 0; }

  // The inputs of a comparison, if it is of the two elements of one input, treated alike.
  struct Sides {
    Value left;
    bool swapped = false;
  };
  std::optional<Sides> sides(const Node& compare) const {
    const auto left = value(compare.inputs[0]);
    const auto right = value(compare.inputs[1]);
    if (!left || !right || !left->same_treatment(*right)) return std::nullopt;
    if (left->parameter / 2 != right->parameter / 2 || left->parameter == right->parameter)
      return std::nullopt;
    return Sides{*left, left->parameter % 2 == 1};
  }

  std::optional<SortKey> key(std::size_t at) const {
    const Node& node = nodes_[at];
    if (node.kind != Node::Kind::compare) return std::nullopt;
    const bool less = node.direction == Direction::lt;
    if (!less && node.direction != Direction::gt) return std::nullopt;
    const auto found = sides(node);
    if (!found) return std::nullopt;
    const Value& left = found->left;
    const bool partial = program::is_float(left.element) && !node.total_order;
    return SortKey{left.parameter / 2,          left.element,    less == found->swapped,
                   left.zeros_equal || partial, left.nans_equal, partial};
  }

  // Whether node `at` says that the elements are equal by `key`.
  bool says_equal(std::size_t at, const SortKey& key) const {
    const Node& node = nodes_[at];
    if (node.kind != Node::Kind::compare || node.direction != Direction::eq) return false;
    const auto found = sides(node);
    if (!found || found->left.parameter / 2 != key.input) return false;
    const bool partial = program::is_float(found->left.element) && !node.total_order;
    return (found->left.zeros_equal || partial) == key.zeros_equal && partial == key.no_nans &&
           found->left.nans_equal == key.nans_equal;
  }

  // "first", or "first, or equal by it and rest".
  std::optional<std::vector<SortKey>> order(std::size_t at) const {
    if (const auto only = key(at)) return std::vector{*only};
    const Node& node = nodes_[at];
    if (node.kind == Node::Kind::select)  // equal ? rest : first
      return joined(node.inputs[2], node.inputs[0], node.inputs[1]);
    if (node.kind != Node::Kind::either) return std::nullopt;
    for (const std::size_t i : {0U, 1U}) {
      const Node& both = nodes_[node.inputs[1 - i]];
      if (both.kind != Node::Kind::both) continue;
      for (const std::size_t j : {0U, 1U})
        if (auto found = joined(node.inputs[i], both.inputs[j], both.inputs[1 - j])) return found;
    }
    return std::nullopt;
  }
  std::optional<std::vector<SortKey>> joined(std::size_t first, std::size_t equal,
                                             std::size_t rest) const {
    const auto most = key(first);
    if (!most || !says_equal(equal, *most)) return std::nullopt;
    auto keys = order(rest);
    if (keys) keys->insert(keys->begin(), *most);
    return keys;
  }

  const program::Body& body_;
  const Execution& execution_;
  std::vector<Node> nodes_;
  std::map<std::uint64_t, std::size_t> at_;  // the node that a frame offset holds
};

}  // namespace

std::optional<std::vector<SortKey>> keys_of(const program::Body& comparator,
                                            const Execution& execution) {
  return Reader(comparator, execution).read();
}

}  // namespace understudy::worker::ops
