// SPDX-License-Identifier: Apache-2.0
// einsum and unary_einsum (deprecated in StableHLO, defined by numpy's convention). Three steps: a
// label that an operand repeats becomes a diagonal, by adding the strides of its dimensions; a
// label that only one operand has, and the result has not, is summed; the rest is one dot, whose
// result is transposed into the order of the equation.
#include <algorithm>
#include <fmt/format.h>
#include <map>

#include "program/lowering/lowering.h"
#include "program/passes/module/attributes.h"

namespace understudy::program::passes {

namespace {

// Characters below ' ' are labels under an ellipsis.
using Labels = std::string;  // one character per dimension

struct Equation {
  std::vector<Labels> operands;
  Labels result;
};

// Expands an ellipsis to one label per dimension under it: the characters 1, 2, ... counted from
// the last dimension, so that ellipses of different lengths align on the right as numpy broadcasts
// them. No equation can contain these characters.
Labels spelt(const Operation& op, std::string_view term, std::size_t ndims) {
  constexpr std::string_view kEllipsis = "...";
  const std::size_t dots = term.find(kEllipsis);
  if (dots == std::string_view::npos) return Labels(term);
  if (ndims + kEllipsis.size() < term.size())
    throw error_at(
        op.location, ErrorKind::input,
        fmt::format("{}: '{}' has too many labels for {} dimensions", op.name, term, ndims));
  Labels all(term.substr(0, dots));
  // The largest number first: it is farthest from the last dimension.
  for (std::size_t left = ndims + kEllipsis.size() - term.size(); left > 0; --left)
    all += static_cast<char>(left);
  return all + Labels(term.substr(dots + kEllipsis.size()));
}

// numpy's implicit form: the dimensions under ellipses, then every label that occurs once, in
// alphabetical order.
Labels implied(const std::vector<Labels>& operands) {
  std::map<char, int> counts;
  for (const Labels& labels : operands)
    for (const char label : labels) ++counts[label];
  Labels hidden, named;
  for (const auto& [label, count] : counts) {
    // Labels under an ellipsis count from the last dimension, so they are prepended.
    if (label < ' ') hidden.insert(hidden.begin(), label);
    if (label > ' ' && count == 1) named += label;
  }
  return hidden + named;
}

// "ab,bc->ac": labels per operand, separated by commas, and after an arrow those of the result. An
// ellipsis of the result has as many dimensions as the longest one of the operands.
Equation equation_of(Lowering& lowering, const Operation& op) {
  std::string text = string_of(op, "einsum_config", "");
  std::erase(text, ' ');
  // Without an arrow this is npos, and the whole text is the inputs.
  const std::size_t arrow = text.find("->");
  std::string inputs = text.substr(0, arrow);
  Equation equation;
  std::size_t hidden = 0;
  for (std::size_t from = 0; from <= inputs.size();) {
    const std::size_t comma = std::min(inputs.find(',', from), inputs.size());
    const std::size_t index = equation.operands.size();
    // More terms than operands: lower_einsum() compares the numbers.
    if (index >= op.operands.size()) break;
    const auto ndims = static_cast<std::size_t>(lowering.operand_type(op, index).ndims());
    equation.operands.push_back(spelt(op, inputs.substr(from, comma - from), ndims));
    const auto under =
        std::ranges::count_if(equation.operands.back(), [](char c) { return c < ' '; });
    hidden = std::max(hidden, static_cast<std::size_t>(under));
    from = comma + 1;
  }
  if (arrow == std::string::npos) {
    equation.result = implied(equation.operands);
  } else {
    const std::string result = text.substr(arrow + 2);
    // Without the three dots, these are the labels that the result names.
    const std::size_t named = result.size() - (result.find("...") == std::string::npos ? 0 : 3);
    equation.result = spelt(op, result, named + hidden);
  }
  return equation;
}

// An operand whose dimensions have distinct labels.
struct Term {
  Operand value;
  Labels labels;

  std::int64_t at(char label) const { return static_cast<std::int64_t>(labels.find(label)); }
  std::int64_t size(char label) const {
    return value.type.shape[static_cast<std::size_t>(at(label))];
  }
};

using Sizes = std::map<char, std::int64_t>;

// The size of each label; under an ellipsis 1 stands for any size.
Sizes sizes_of(const Lowering& lowering, const Operation& op, const Equation& equation) {
  Sizes sizes;
  for (std::size_t i = 0; i < equation.operands.size(); ++i) {
    const Shape& shape = lowering.operand_type(op, i).shape;
    const Labels& labels = equation.operands[i];
    if (labels.size() != shape.size())
      throw error_at(op.location, ErrorKind::input,
                     fmt::format("{}: operand {} has {} dimensions, but {} labels", op.name, i,
                                 shape.size(), labels.size()));
    for (std::size_t d = 0; d < shape.size(); ++d) {
      // The first operand with the label sets its size.
      const auto [found, fresh] = sizes.try_emplace(labels[d], shape[d]);
      // Only dimensions under an ellipsis broadcast.
      const bool spreads = labels[d] < ' ' && (found->second == 1 || shape[d] == 1);
      if (!fresh && found->second != shape[d] && !spreads)
        throw error_at(op.location, ErrorKind::input,
                       fmt::format("{}: label '{}' has conflicting sizes {} and {}", op.name,
                                   labels[d], found->second, shape[d]));
      if (found->second == 1) found->second = shape[d];
    }
  }
  return sizes;
}

// Makes labels distinct. A repeated label walks the diagonal: its stride is the sum of the strides
// of its dimensions. A dimension of size 1 gets stride 0, which broadcasts it.
Term distinct(Lowering& lowering, const Operand& x, const Labels& labels, const Sizes& sizes) {
  const Shape dense = row_major_strides(x.type.shape);
  Term term;
  Shape strides;
  TensorType type{x.type.element, {}};
  for (std::size_t d = 0; d < labels.size(); ++d) {
    const std::int64_t stride = x.type.shape[d] == 1 ? 0 : dense[d];
    const std::size_t known = term.labels.find(labels[d]);
    if (known != Labels::npos) {
      strides[known] += stride;
      continue;
    }
    term.labels += labels[d];
    strides.push_back(stride);
    type.shape.push_back(sizes.at(labels[d]));
  }
  term.value = lowering.gather_strided(x, type, std::move(strides), 0);
  return term;
}

// Sums over the labels that `keep` does not contain.
Term summed(Lowering& lowering, const Term& term, const Labels& keep) {
  Term result;
  Reduce work;
  TensorType type{term.value.type.element, {}};
  for (const char label : term.labels) {
    if (keep.find(label) == Labels::npos) {
      work.dimensions.push_back(term.at(label));
    } else {
      result.labels += label;
      type.shape.push_back(term.size(label));
    }
  }
  // Nothing to sum: no instruction at all.
  if (work.dimensions.empty()) return term;
  work.body = lowering.binary_body(BinaryOp::add, type.element);
  work.reduction = recognise(work.body);
  result.value =
      lowering.emit(std::move(work), {term.value, lowering.scalar(type.element, 0)}, type);
  return result;
}

// Transposes the term into the order of `labels`.
Operand ordered(Lowering& lowering, const Operation& op, const Term& term, const Labels& labels) {
  const Shape dense = row_major_strides(term.value.type.shape);
  Shape strides;
  TensorType type{term.value.type.element, {}};
  for (const char label : labels) {
    if (term.at(label) < 0 || labels.find(label) != labels.rfind(label))
      throw error_at(
          op.location, ErrorKind::input,
          fmt::format("{}: each label of the result must be unique and appear in an operand",
                      op.name));
    strides.push_back(dense[static_cast<std::size_t>(term.at(label))]);
    type.shape.push_back(term.size(label));
  }
  return lowering.gather_strided(term.value, type, std::move(strides), 0);
}

void bind_result(Lowering& lowering, const Operation& op, const Operand& value) {
  // The declared type may have another element type, but not another shape.
  const TensorType& type = lowering.result_type(op);
  if (value.type.shape != type.shape)
    throw error_at(op.location, ErrorKind::input,
                   fmt::format("{}: the equation gives {}, but the result is {}", op.name,
                               text_of(value.type), text_of(type)));
  lowering.bind(*op.results[0], lowering.convert(value, type.element));
}

// Shared labels are batch dimensions if the result has them, contracting dimensions otherwise; all
// others are free. Dot gives its result as batch, lhs free, rhs free, which `out.labels` records.
Term product(Lowering& lowering, const Operation& op, const Term& lhs, const Term& rhs,
             const Labels& result) {
  Dot work;
  Term out;
  TensorType type{lowering.result_type(op).element, {}};
  const auto add = [&](const Term& from, char label) {
    out.labels += label;
    type.shape.push_back(from.size(label));
  };
  for (const char label : lhs.labels) {
    if (rhs.at(label) < 0) continue;
    const bool kept = result.find(label) != Labels::npos;
    (kept ? work.lhs_batch : work.lhs_contracting).push_back(lhs.at(label));
    (kept ? work.rhs_batch : work.rhs_contracting).push_back(rhs.at(label));
    if (kept) add(lhs, label);
  }
  for (const char label : lhs.labels)
    if (rhs.at(label) < 0) add(lhs, label);
  for (const char label : rhs.labels)
    if (lhs.at(label) < 0) add(rhs, label);
  std::tie(work.lhs_precision, work.rhs_precision) = precisions_of(op);
  out.value = lowering.emit(std::move(work), {lhs.value, rhs.value}, type);
  return out;
}

void lower_einsum(Lowering& lowering, const Operation& op) {
  const Equation equation = equation_of(lowering, op);
  if (equation.operands.size() != op.operands.size())
    throw error_at(
        op.location, ErrorKind::input,
        fmt::format("{}: the equation is for {} operands", op.name, equation.operands.size()));
  const Sizes sizes = sizes_of(lowering, op, equation);
  Labels wanted = equation.result;
  std::vector<Term> terms;
  for (std::size_t i = 0; i < op.operands.size(); ++i) {
    // What the other operand has is not summed before the product.
    const Labels other = op.operands.size() == 2 ? equation.operands[1 - i] : Labels();
    const Term term = distinct(lowering, lowering.operand(op, i), equation.operands[i], sizes);
    terms.push_back(summed(lowering, term, wanted + other));
  }
  const Term all = terms.size() == 1 ? terms[0] : product(lowering, op, terms[0], terms[1], wanted);
  bind_result(lowering, op, ordered(lowering, op, all, wanted));
}

}  // namespace

void add_einsum(LowerTable& table) {
  table.emplace("stablehlo.einsum", lower_einsum);
  table.emplace("stablehlo.unary_einsum", lower_einsum);
}

}  // namespace understudy::program::passes
