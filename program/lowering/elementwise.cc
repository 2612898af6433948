// SPDX-License-Identifier: Apache-2.0
// Element-wise operations, StableHLO's and CHLO's.
#include <fmt/format.h>

#include "program/lowering/lowering.h"
#include "program/lowering/quantized/quantized.h"
#include "program/passes/module/attributes.h"

namespace understudy::program::passes {

namespace {

struct UnaryRow {
  std::string_view name;
  UnaryOp op;
};
struct BinaryRow {
  std::string_view name;
  BinaryOp op;
};

// The first kStableUnary rows are StableHLO's, the others CHLO's: the dialect is not repeated in
// each row.
constexpr std::size_t kStableUnary = 24;
constexpr UnaryRow kUnary[] = {
    {"cbrt", UnaryOp::cbrt},
    {"ceil", UnaryOp::ceil},
    {"cosine", UnaryOp::cosine},
    {"count_leading_zeros", UnaryOp::count_leading_zeros},
    {"exponential", UnaryOp::exponential},
    {"exponential_minus_one", UnaryOp::exponential_minus_one},
    {"floor", UnaryOp::floor},
    {"is_finite", UnaryOp::is_finite},
    {"log", UnaryOp::log},
    {"log_plus_one", UnaryOp::log_plus_one},
    {"logistic", UnaryOp::logistic},
    {"negate", UnaryOp::negate},
    {"not", UnaryOp::logical_not},
    {"popcnt", UnaryOp::popcnt},
    {"round_nearest_afz", UnaryOp::round_nearest_afz},
    {"round_nearest_even", UnaryOp::round_nearest_even},
    {"rsqrt", UnaryOp::rsqrt},
    {"sign", UnaryOp::sign},
    {"sine", UnaryOp::sine},
    {"sqrt", UnaryOp::sqrt},
    {"tan", UnaryOp::tan},
    {"tanh", UnaryOp::tanh},
    {"abs", UnaryOp::abs},
    {"real", UnaryOp::real},
    {"acos", UnaryOp::acos},
    {"acosh", UnaryOp::acosh},
    {"asin", UnaryOp::asin},
    {"asinh", UnaryOp::asinh},
    {"atan", UnaryOp::atan},
    {"atanh", UnaryOp::atanh},
    {"bessel_i1e", UnaryOp::bessel_i1e},
    {"conj", UnaryOp::conj},
    {"cosh", UnaryOp::cosh},
    {"digamma", UnaryOp::digamma},
    {"erf", UnaryOp::erf},
    {"erf_inv", UnaryOp::erf_inv},
    {"erfc", UnaryOp::erfc},
    {"is_inf", UnaryOp::is_inf},
    {"is_neg_inf", UnaryOp::is_neg_inf},
    {"is_pos_inf", UnaryOp::is_pos_inf},
    {"lgamma", UnaryOp::lgamma},
    {"sinh", UnaryOp::sinh},
    {"square", UnaryOp::square},
    {"tan", UnaryOp::tan},
};

constexpr std::size_t kStableBinary = 16;
constexpr BinaryRow kBinary[] = {
    {"add", BinaryOp::add},
    {"atan2", BinaryOp::atan2},
    {"complex", BinaryOp::complex},
    {"divide", BinaryOp::divide},
    {"maximum", BinaryOp::maximum},
    {"minimum", BinaryOp::minimum},
    {"multiply", BinaryOp::multiply},
    {"power", BinaryOp::power},
    {"remainder", BinaryOp::remainder},
    {"shift_left", BinaryOp::shift_left},
    {"shift_right_arithmetic", BinaryOp::shift_right_arithmetic},
    {"shift_right_logical", BinaryOp::shift_right_logical},
    {"subtract", BinaryOp::subtract},
    {"and", BinaryOp::logical_and},
    {"or", BinaryOp::logical_or},
    {"xor", BinaryOp::logical_xor},
    {"next_after", BinaryOp::next_after},
    {"polygamma", BinaryOp::polygamma},
    {"zeta", BinaryOp::zeta},
};

// Functions of the same name in both dialects (tan) are the same function.
std::string_view without_dialect(std::string_view name) {
  const auto dot = name.find('.');
  return dot == std::string_view::npos ? name : name.substr(dot + 1);
}

void lower_unary(Lowering& lowering, const Operation& op) {
  const UnaryOp unary = *unary_op_of(without_dialect(op.name));
  const Operand x = lowering.operand(op, 0);
  // Of real numbers the real part and the conjugate are the number itself.
  const bool identity =
      (unary == UnaryOp::real || unary == UnaryOp::conj) && !is_complex(x.type.element);
  if (identity) return lowering.bind(*op.results[0], x);
  if (is_expanded(unary, x.type.element))
    return lowering.bind(*op.results[0], expanded(lowering, unary, x));
  lowering.emit_result(op, Unary{unary}, {x});
}

// The imaginary part of a real number is 0.
void lower_imag(Lowering& lowering, const Operation& op) {
  const Operand x = lowering.operand(op, 0);
  if (is_complex(x.type.element)) return lowering.emit_result(op, Unary{UnaryOp::imag}, {x});
  lowering.bind(*op.results[0], lowering.splat(lowering.result_type(op), 0));
}

void lower_binary(Lowering& lowering, const Operation& op) {
  if (op.name == "stablehlo.add")
    if (const auto sum = sum_of_padded(lowering, op)) return lowering.bind(*op.results[0], *sum);
  lowering.emit_result(op, Binary{*binary_op_of(without_dialect(op.name))},
                       {lowering.operand(op, 0), lowering.operand(op, 1)});
}

}  // namespace

Direction direction_of(const Operation& op) {
  const std::string word = word_of(op, "comparison_direction", "");
  constexpr std::pair<std::string_view, Direction> kDirections[] = {
      {"EQ", Direction::eq}, {"NE", Direction::ne}, {"GE", Direction::ge},
      {"GT", Direction::gt}, {"LE", Direction::le}, {"LT", Direction::lt}};
  for (const auto& [name, direction] : kDirections)
    if (word == name) return direction;
  throw error_at(op.location, ErrorKind::input,
                 fmt::format("{}: unknown comparison direction '{}'", op.name, word));
}

namespace {

// TOTALORDER compares floats by IEEE 754 totalOrder; the other types follow from the operands.
void lower_compare(Lowering& lowering, const Operation& op) {
  const bool total = word_of(op, "compare_type", "NOTYPE") == "TOTALORDER";
  lowering.emit_result(op, Compare{direction_of(op), total},
                       {lowering.operand(op, 0), lowering.operand(op, 1)});
}

template <class Work>
void lower_ternary(Lowering& lowering, const Operation& op) {
  lowering.emit_result(op, Work{},
                       {lowering.operand(op, 0), lowering.operand(op, 1), lowering.operand(op, 2)});
}

void lower_convert(Lowering& lowering, const Operation& op) {
  const Operand x = lowering.operand(op, 0);
  // Verified text may hold a convert to the same type.
  lowering.bind(*op.results[0], lowering.convert(x, lowering.result_type(op).element));
}

void lower_reduce_precision(Lowering& lowering, const Operation& op) {
  ReducePrecision work;
  work.exponent_bits = static_cast<std::int32_t>(integer_of(op, "exponent_bits", 8));
  work.mantissa_bits = static_cast<std::int32_t>(integer_of(op, "mantissa_bits", 23));
  lowering.emit_result(op, work, {lowering.operand(op, 0)});
}

// The same bytes under another type, without a copy. Types narrower than a byte are stored one per
// byte, so changing between them and wider ones has to repack.
void lower_bitcast_convert(Lowering& lowering, const Operation& op) {
  const Operand x = lowering.operand(op, 0);
  const TensorType& type = lowering.result_type(op);
  const auto is_packed = [](ElementType element) {
    return static_cast<std::size_t>(bit_width(element)) == 8 * byte_size(element);
  };
  if (bit_width(x.type.element) == bit_width(type.element) ||
      (is_packed(x.type.element) && is_packed(type.element)))
    return lowering.bind(*op.results[0], Operand{x.at, type});
  lowering.emit_result(op, BitcastConvert{}, {x});
}

constexpr std::pair<std::string_view, LowerFunction> kOthers[] = {
    {"stablehlo.imag", lower_imag},
    {"stablehlo.compare", lower_compare},
    {"stablehlo.select", lower_ternary<Select>},
    {"stablehlo.clamp", lower_ternary<Clamp>},
    {"stablehlo.convert", lower_convert},
    {"stablehlo.reduce_precision", lower_reduce_precision},
    {"stablehlo.bitcast_convert", lower_bitcast_convert},
    {"stablehlo.uniform_quantize", lower_uniform_quantize},
    {"stablehlo.uniform_dequantize", lower_uniform_dequantize},
};

// Full names, built once: the keys of the table are views into them.
const std::vector<std::string>& full_names(bool binary) {
  static const std::vector<std::string> unary_names = [] {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < std::size(kUnary); ++i)
      names.push_back(
          fmt::format("{}.{}", i < kStableUnary ? "stablehlo" : "chlo", kUnary[i].name));
    return names;
  }();
  static const std::vector<std::string> binary_names = [] {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < std::size(kBinary); ++i)
      names.push_back(
          fmt::format("{}.{}", i < kStableBinary ? "stablehlo" : "chlo", kBinary[i].name));
    return names;
  }();
  return binary ? binary_names : unary_names;
}

}  // namespace

std::optional<UnaryOp> unary_op_of(std::string_view name) {
  for (const UnaryRow& row : kUnary)
    if (row.name == name) return row.op;
  return std::nullopt;
}

std::optional<BinaryOp> binary_op_of(std::string_view name) {
  for (const BinaryRow& row : kBinary)
    if (row.name == name) return row.op;
  return std::nullopt;
}

void add_elementwise(LowerTable& table) {
  for (const std::string& name : full_names(false)) table.emplace(name, lower_unary);
  for (const std::string& name : full_names(true)) table.emplace(name, lower_binary);
  for (const auto& [name, lower] : kOthers) table.emplace(name, lower);
}

// Asked for every operation of a region, hence a table of its own.
bool is_elementwise(std::string_view op_name) {
  static const LowerTable table = [] {
    LowerTable rows;
    add_elementwise(rows);
    return rows;
  }();
  return table.contains(op_name);
}

}  // namespace understudy::program::passes
