// SPDX-License-Identifier: Apache-2.0
// Shapes of HLO text: f32[2,<=3]{1,0:T(8,128)S(1)}, (s32[], token[]).
#include <algorithm>
#include <fmt/format.h>
#include <numeric>

#include "program/hlo/text_parts.h"

namespace understudy::program::hlo {
namespace {

// {minor_to_major:T(8,128)(2,1)S(1)}; of what follows the colon tiles T and the memory space S are
// kept.
void layout_in(Scanner& in, HloShape& shape) {
  while (in.at_integer()) {
    shape.minor_to_major.push_back(in.integer("a dimension"));
    in.accept(",");
  }
  if (in.accept(":")) {
    std::string_view property;
    while (!in.done() && in.peek() != '}') {
      if (in.peek() != '(') property = in.name("a property of the layout");
      if (in.peek() != '(') continue;
      in.expect("(", "before the numbers");
      // Numbers may be a list in raw form; tiles of more dimensions follow as further values and
      // are skipped.
      Scanner inside = in.raw();
      while (in.accept(",")) in.raw();
      in.expect(")", "after the numbers");
      if (property == "S" && inside.at_integer())
        shape.memory_space = inside.integer("a memory space");
      if (property != "T") continue;
      // A tile may hold '*' for a combined dimension; such a tile is one that nothing else equals.
      shape.tiles.emplace_back();
      if (inside.at_integer()) shape.tiles.back().push_back(inside.integer("a tile's size"));
    }
  }
  in.expect("}", "after the layout");
  // Without a layout `sorted` is empty and the default holds.
  Ints sorted = shape.minor_to_major, all(shape.dimensions.size());
  std::sort(sorted.begin(), sorted.end());
  std::iota(all.begin(), all.end(), 0);
  if (!sorted.empty() && sorted != all)
    in.fail(fmt::format("the layout does not fit {}", text_of(shape)));
}

void dimensions_in(Scanner& in, HloShape& shape) {
  in.expect("[", "after the element type");
  while (!in.accept("]")) {
    if (!shape.dimensions.empty()) in.expect(",", "between dimensions");
    const bool unbounded = in.accept("?");
    const bool bounded = !unbounded && in.accept("<=");
    // "?" has no bound. 0 keeps the size known, and is_dynamic() refuses to run it.
    shape.dimensions.push_back(unbounded ? 0 : in.integer("a dimension"));
    shape.dynamic.push_back(bounded || unbounded);
    if (shape.dimensions.back() < 0) in.fail("a dimension is negative");
  }
  // An empty vector means that nothing is dynamic; the proto reader gives the same.
  if (!shape.is_dynamic()) shape.dynamic.clear();
}

HloShape tuple_in(Scanner& in, int depth) {
  HloShape out;
  out.kind = HloShape::Kind::tuple;
  while (!in.accept(")")) {
    if (!out.parts.empty()) in.expect(",", "between the parts of a tuple");
    out.parts.push_back(shape_in(in, depth + 1));
  }
  return out;
}

}  // namespace

HloShape shape_in(Scanner& in, int depth) {
  if (depth > kDeepest) in.fail("the shape is nested too deeply");
  if (in.accept("(")) return tuple_in(in, depth);
  const std::uint64_t begin = in.at();
  const std::string_view name = in.name("a shape");
  HloShape out;
  if (name == "token")
    out.kind = HloShape::Kind::token;
  else if (name == "opaque")
    out.kind = HloShape::Kind::opaque;
  else if (const auto element = element_type_of_hlo(name))
    out.element = *element;
  // Unknown element types of newer XLA are kept as text; 16 characters keep operands' names from
  // matching.
  else if (name.size() <= 16 && (in.peek() == '[' || in.peek() == '('))
    out.text = name;
  else
    in.fail_at(begin, fmt::format("'{}' is not an element type", name));
  if (out.kind == HloShape::Kind::opaque) out.text = "opaque[]";
  if (in.accept("(")) {  // b(f32[2]), a buffer
    out = shape_in(in, depth + 1);
    in.expect(")", "after the shape in a buffer");
    out.text = fmt::format("b({})", text_of(out));
    out.kind = HloShape::Kind::opaque;
    return out;
  }
  dimensions_in(in, out);
  // A brace behind a blank begins a computation.
  if (in.adjacent('{') && in.accept("{")) layout_in(in, out);
  return out;
}

// An operand is "f32[2] %x", "%x" or "x": a shape has a bracket behind its name, or is a tuple.
// Takes a copy of the scanner, so nothing is consumed.
bool at_shape(Scanner in) {
  if (in.peek() == '(') return true;
  if (!in.at_name()) return false;
  in.name("a name");
  return in.peek() == '[' || in.peek() == '(';
}

}  // namespace understudy::program::hlo
