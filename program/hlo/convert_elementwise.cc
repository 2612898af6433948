// SPDX-License-Identifier: Apache-2.0
// Element-wise opcodes, and those that make values from nothing.
#include <algorithm>
#include <cctype>
#include <cstring>
#include <fmt/format.h>

#include "program/hlo/convert.h"
#include "program/ir/dense.h"

namespace understudy::program::hlo {
namespace {

// Opcodes that take arrays of the result's shape and have no attribute that matters.
struct Name {
  std::string_view opcode, operation;
};
// Alphabetical by opcode. CHLO has the functions that StableHLO lacks; both are lowered by
// program/lowering.
constexpr Name kSame[] = {
    {"abs", "stablehlo.abs"},
    {"acos", "chlo.acos"},
    {"acosh", "chlo.acosh"},
    {"add", "stablehlo.add"},
    {"and", "stablehlo.and"},
    {"asin", "chlo.asin"},
    {"asinh", "chlo.asinh"},
    {"atan2", "stablehlo.atan2"},
    {"atanh", "chlo.atanh"},
    {"bitcast-convert", "stablehlo.bitcast_convert"},
    {"cbrt", "stablehlo.cbrt"},
    {"ceil", "stablehlo.ceil"},
    {"clamp", "stablehlo.clamp"},
    {"complex", "stablehlo.complex"},
    {"convert", "stablehlo.convert"},
    {"cosh", "chlo.cosh"},
    {"cosine", "stablehlo.cosine"},
    {"count-leading-zeros", "stablehlo.count_leading_zeros"},
    {"divide", "stablehlo.divide"},
    {"erf", "chlo.erf"},
    {"exponential", "stablehlo.exponential"},
    {"exponential-minus-one", "stablehlo.exponential_minus_one"},
    {"floor", "stablehlo.floor"},
    {"imag", "stablehlo.imag"},
    {"is-finite", "stablehlo.is_finite"},
    {"log", "stablehlo.log"},
    {"log-plus-one", "stablehlo.log_plus_one"},
    {"logistic", "stablehlo.logistic"},
    {"maximum", "stablehlo.maximum"},
    {"minimum", "stablehlo.minimum"},
    {"mulhi", "chlo.mulhi"},
    {"multiply", "stablehlo.multiply"},
    {"negate", "stablehlo.negate"},
    {"not", "stablehlo.not"},
    {"or", "stablehlo.or"},
    {"partition-id", "stablehlo.partition_id"},
    {"popcnt", "stablehlo.popcnt"},
    {"power", "stablehlo.power"},
    {"real", "stablehlo.real"},
    {"remainder", "stablehlo.remainder"},
    {"replica-id", "stablehlo.replica_id"},
    {"round-nearest-afz", "stablehlo.round_nearest_afz"},
    {"round-nearest-even", "stablehlo.round_nearest_even"},
    {"rsqrt", "stablehlo.rsqrt"},
    {"select", "stablehlo.select"},
    {"shift-left", "stablehlo.shift_left"},
    {"shift-right-arithmetic", "stablehlo.shift_right_arithmetic"},
    {"shift-right-logical", "stablehlo.shift_right_logical"},
    {"sign", "stablehlo.sign"},
    {"sine", "stablehlo.sine"},
    {"sinh", "chlo.sinh"},
    {"sqrt", "stablehlo.sqrt"},
    {"subtract", "stablehlo.subtract"},
    {"tan", "stablehlo.tan"},
    {"tanh", "stablehlo.tanh"},
    {"xor", "stablehlo.xor"},
};

Values arrays(const Converter& converter) {
  Values out;
  for (std::size_t i = 0; i < converter.operand_count(); ++i) out.push_back(&converter.single(i));
  return out;
}

void convert_same(Converter& converter, const Instruction& in) {
  const auto* row = std::find_if(std::begin(kSame), std::end(kSame),
                                 [&](const Name& each) { return each.opcode == in.opcode; });
  converter.emit_result(row->operation, arrays(converter));
}

// HLO leaves the comparison type out where it follows from the operands; JAX writes it.
// Floats compare as FLOAT (partial order: NaN is unequal to all), never as TOTALORDER, which HLO
// always writes.
std::string type_for(ElementType element) {
  if (is_float(element) || is_complex(element)) return "FLOAT";
  return is_signed_integer(element) ? "SIGNED" : "UNSIGNED";
}

void convert_compare(Converter& converter, const Instruction& in) {
  const Value& first = converter.single(0);
  const std::string type = in.word("type");
  converter.emit_result("stablehlo.compare", arrays(converter),
                        {word("comparison_direction", in.word("direction")),
                         word("compare_type", !type.empty() || !first.type.is_tensor()
                                                  // A type that is written wins, because TOTALORDER
                                                  // cannot be derived from the operands.
                                                  ? type
                                                  : type_for(first.type.tensor.element))});
}

void convert_reduce_precision(Converter& converter, const Instruction& in) {
  converter.emit_result("stablehlo.reduce_precision", arrays(converter),
                        {number32("exponent_bits", in.number("exponent_bits", 0)),
                         number32("mantissa_bits", in.number("mantissa_bits", 0))});
}

void convert_constant(Converter& converter, const Instruction& in) {
  const std::vector<Type> types = converter.types_of(in.shape);
  // A literal has one leaf per array of the shape; the dump prints "{...}" for large ones, which
  // both readers store as no literal.
  if (in.literals.size() != types.size()) {
    if (!in.literals.empty()) converter.refuse("the literal does not fit the shape");
    converter.unsupported(in,
                          "a constant whose value the dump leaves out: write the text with "
                          "large constants (as_hlo_text(print_large_constants=True)) or "
                          // The text ends in "it" because the message goes on with "is not
                          // supported".
                          "give the proto (--xla_dump_hlo_as_proto); it");
  }
  Values values;
  for (const DenseAttribute& literal : in.literals) values.push_back(&converter.constant(literal));
  converter.bind(std::move(values));
}

void convert_iota(Converter& converter, const Instruction& in) {
  converter.emit_result("stablehlo.iota", {},
                        {number("iota_dimension", in.number("iota_dimension", 0))});
}

void convert_map(Converter& converter, const Instruction& in) {
  if (in.called.size() != 1) converter.refuse("needs one computation");
  Operation& op = converter.emit_result("stablehlo.map", arrays(converter),
                                        {list("dimensions", in.ints("dimensions"))});
  converter.add_region(op, in.called[0], converter.scalars_of(in.called[0]));
}

// rng_default, rng_three_fry, rng_philox
void convert_generator(Converter& converter, const Instruction& in) {
  std::string algorithm = in.word("algorithm", "rng_default");
  constexpr std::string_view kPrefix = "rng_";
  // HLO: rng_default, StableHLO: DEFAULT.
  if (algorithm.starts_with(kPrefix)) algorithm.erase(0, kPrefix.size());
  std::transform(algorithm.begin(), algorithm.end(), algorithm.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  converter.emit_result("stablehlo.rng_bit_generator", arrays(converter),
                        {word("rng_algorithm", std::move(algorithm))});
}

// The shape of the result is an operand in StableHLO.
void convert_rng(Converter& converter, const Instruction& in) {
  const std::string distribution = in.word("distribution");
  const bool uniform = distribution == "rng_uniform";
  if (!uniform && distribution != "rng_normal")
    converter.refuse(fmt::format("unknown distribution '{}'", distribution));
  Values operands = arrays(converter);
  // The sizes are copied byte by byte: a literal has the host's byte order, as all literals of
  // program/ir.
  const Ints sizes(in.shape.dimensions.begin(), in.shape.dimensions.end());
  const TensorType type{ElementType::i64, {static_cast<std::int64_t>(sizes.size())}};
  std::vector<std::byte> bytes(sizes.size() * sizeof(std::int64_t));
  std::memcpy(bytes.data(), sizes.data(), bytes.size());
  operands.push_back(&converter.constant(dense_of(type, std::move(bytes))));
  converter.emit_result("stablehlo.rng", std::move(operands),
                        {word("rng_distribution", uniform ? "UNIFORM" : "NORMAL")});
}

}  // namespace

void add_elementwise(ConvertTable& table) {
  for (const Name& row : kSame) table.emplace(row.opcode, convert_same);
  table.emplace("compare", convert_compare);
  table.emplace("constant", convert_constant);
  table.emplace("iota", convert_iota);
  table.emplace("map", convert_map);
  table.emplace("reduce-precision", convert_reduce_precision);
  table.emplace("rng", convert_rng);
  table.emplace("rng-bit-generator", convert_generator);
}

}  // namespace understudy::program::hlo
