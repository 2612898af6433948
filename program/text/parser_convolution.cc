// SPDX-License-Identifier: Apache-2.0
// The pretty form of convolutions.
#include <fmt/format.h>

#include "program/ir/dense.h"
#include "program/text/parser.h"

namespace understudy::program {
// (%x, %k) dim_numbers = [..]x[..]->[..], window = {..}
void Parser::convolution_form(Operation& op) {
  expect("(", "before the operands");
  operands(op);
  expect(")", "after the operands");
  expect_word("dim_numbers", "after the operands");
  expect("=", "after dim_numbers");
  DialectAttribute dims{"stablehlo", "conv", convolution_dimensions()};
  op.set("dimension_numbers", {std::make_shared<const DialectAttribute>(std::move(dims))});
  // The window may be empty, but never absent: MLIR's printer always writes it.
  expect(",", "before the window");
  expect_word("window", "after the dimension numbers");
  expect("=", "after window");
  window(op);
  optional_dictionary_into(op);
  signature(op, Signature::same);
}

// Grammar: '{' (key '=' value),* '}' with the keys stride, pad, lhs_dilate, rhs_dilate and reverse.
// Absent keys leave their attribute absent, which means its default.
void Parser::window(Operation& op) {
  expect("{", "before the window");
  while (!accept("}")) {
    const std::uint64_t offset = token_.offset;
    const std::string_view key = word("a part of the window");
    expect("=", fmt::format("after {}", key));
    if (key == "stride") {
      op.set("window_strides", integers());
    } else if (key == "lhs_dilate") {
      op.set("lhs_dilation", integers());
    } else if (key == "rhs_dilate") {
      op.set("rhs_dilation", integers());
    } else if (key == "pad") {
      std::vector<std::int64_t> pairs;
      expect("[", "before the padding");
      while (!accept("]")) {
        const std::vector<std::int64_t> pair = integers_of(integers());
        // MLIR prints padding as pairs, and StableHLO has a dense attribute of shape [n, 2].
        if (pair.size() != 2) fail_at(offset, "each padding is a pair [low, high]");
        pairs.insert(pairs.end(), pair.begin(), pair.end());
        if (!token_.is("]")) expect(",", "between the pairs");
      }
      const auto count = static_cast<std::int64_t>(pairs.size() / 2);
      op.set("padding", dense_of(TensorType{ElementType::i64, {count, 2}}, pairs));
    } else if (key == "reverse") {
      std::vector<std::int64_t> flags;
      expect("[", "before the flags");
      while (!accept("]")) {
        const bool is_word = token_.kind == TokenKind::word;
        // Old printers write 0 and 1, new ones false and true.
        flags.push_back(is_word ? word("true or false") == "true" : integer("true or false"));
        if (!token_.is("]")) expect(",", "between the flags");
      }
      op.set("window_reversal", array_of(ElementType::pred, flags));
    } else {
      fail_at(offset, fmt::format("unknown part of a window '{}'", key));
    }
    if (!token_.is("}")) expect(",", "between the parts of the window");
  }
}

}  // namespace understudy::program
