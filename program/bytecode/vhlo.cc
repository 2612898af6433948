// SPDX-License-Identifier: Apache-2.0
// The versioned dialect of portable artifacts: its attributes, as the stablehlo dialect has them.
#include <array>
#include <fmt/format.h>

#include "program/bytecode/decode.h"

namespace understudy::program::bytecode {
namespace {

Attribute read_array(Cursor& in, Tables& tables) {
  return array_of(attributes_in(in, tables, "an element of an array"));
}

Attribute read_boolean(Cursor& in, Tables& /*tables*/) {
  // A varint, unlike the single byte of an MLIR i1.
  return boolean_of(in.varint("true or false") != 0);
}

// Enumerations are stored as numbers, which StableHLO and VHLO share. An empty word marks a number
// without a meaning.
template <const auto& kWords>
Attribute read_enum(Cursor& in, Tables& /*tables*/) {
  const std::uint64_t at = in.offset();
  const std::uint64_t value = in.varint("a value of an enumeration");
  if (value >= kWords.size() || kWords[value].empty()) {
    in.fail_at(at, fmt::format("{} is not a value of this enumeration", value));
  }
  return {EnumAttribute{std::string(kWords[value])}};
}

using Words = std::string_view;
constexpr std::array<Words, 6> kDirections = {"EQ", "NE", "GE", "GT", "LE", "LT"};
constexpr std::array<Words, 5> kComparisons = {"NOTYPE", "FLOAT", "TOTALORDER", "SIGNED",
                                               "UNSIGNED"};
constexpr std::array<Words, 4> kFftTypes = {"FFT", "IFFT", "RFFT", "IRFFT"};
constexpr std::array<Words, 3> kPrecisions = {"DEFAULT", "HIGH", "HIGHEST"};
constexpr std::array<Words, 3> kRngAlgorithms = {"DEFAULT", "THREE_FRY", "PHILOX"};
constexpr std::array<Words, 3> kRngDistributions = {"", "UNIFORM", "NORMAL"};
constexpr std::array<Words, 4> kTransposes = {"TRANSPOSE_INVALID", "NO_TRANSPOSE", "TRANSPOSE",
                                              "ADJOINT"};
constexpr std::array<Words, 3> kAccuracyModes = {"DEFAULT", "HIGHEST", "TOLERANCE"};

// In text the API version of a custom call is an i32, not a word.
Attribute read_api_version(Cursor& in, Tables& /*tables*/) {
  constexpr std::uint64_t kNewest = 4;  // typed FFI
  const std::uint64_t at = in.offset();
  const std::uint64_t value = in.varint("an API version");
  if (value > kNewest)
    in.fail_at(at, fmt::format("unknown API version {} of a custom call", value));
  return {IntegerAttribute{static_cast<std::int64_t>(value),
                           Type::of(TensorType{ElementType::i32, {}})}};
}

Attribute read_dictionary(Cursor& in, Tables& tables) {
  return dictionary_of(entries_in(in, tables));
}

// Three lists: svarints of the output tuple, svarint operand, svarints of the operand tuple.
Attribute read_alias(Cursor& in, Tables& /*tables*/) {
  const std::vector<std::int64_t> outputs = numbers_in(in, "an output's index");
  const std::int64_t operand = in.svarint("an operand's index");
  const std::vector<std::int64_t> operands = numbers_in(in, "an operand's index");
  return dialect_of("stablehlo", "output_operand_alias",
                    {{"output_tuple_indices", numbers_of(outputs)},
                     {"operand_index", number_of(operand)},
                     {"operand_tuple_indices", numbers_of(operands)}});
}

Attribute read_string(Cursor& in, Tables& tables) {
  return text_attribute(tables.string(in, "text"));
}

// varint type, varint bytes, the bytes: the elements as a builtin dense literal has them.
Attribute read_tensor(Cursor& in, Tables& tables) {
  const LiteralType type = tables.literal_type(in);
  // A copy of the cursor, so that a message points at the size.
  const Cursor at = in;
  return dense_of(type, in.take(in.varint("the size of a literal"), "a literal"), at);
}

Attribute read_type(Cursor& in, Tables& tables) {
  const Type& type = tables.type(in, "a type");
  tables.budget().charge(type, in);
  return {TypeAttribute{type}};
}

// varint count, count x svarint; an unknown bound is written as the dynamic size.
Attribute read_bounds(Cursor& in, Tables& /*tables*/) {
  std::string text;
  for (const std::int64_t bound : numbers_in(in, "a bound")) {
    text += text.empty() ? "" : ", ";
    text += bound == kDynamic ? "?" : fmt::format("{}", bound);
  }
  return raw_of("stablehlo", "bounds", std::move(text));
}

// f64 absolute, f64 relative, svarint ulps, varint mode attribute (VHLO 1.9 and later).
Attribute read_accuracy(Cursor& in, Tables& tables) {
  const Type f64 = Type::of(TensorType{ElementType::f64, {}});
  const double absolute = float64_in(in, "an absolute tolerance");
  const double relative = float64_in(in, "a relative tolerance");
  const std::int64_t ulps = in.svarint("a tolerance in units in the last place");
  std::vector<NamedAttribute> fields;  // as in text, without those that are zero
  if (absolute != 0) fields.emplace_back("atol", Attribute{FloatAttribute{absolute, f64}});
  if (relative != 0) fields.emplace_back("rtol", Attribute{FloatAttribute{relative, f64}});
  if (ulps != 0) fields.emplace_back("ulps", number_of(ulps));
  const Attribute& mode = tables.attribute(in, "an accuracy mode");
  tables.budget().charge(mode, in);
  fields.emplace_back("mode", mode);
  return dialect_of("stablehlo", "result_accuracy", std::move(fields));
}

// Indexed by the codes of the VHLO dialect. Codes 21 to 25 came with version 1.16 (mesh replica
// groups).
constexpr std::array<AttributeCode, 26> kAttributeCodes = {{
    {"code 0", nullptr},
    {"array", read_array},
    {"boolean", read_boolean},
    {"comparison direction", read_enum<kDirections>},
    {"comparison type", read_enum<kComparisons>},
    {"API version", read_api_version},
    {"dictionary", read_dictionary},
    {"FFT type", read_enum<kFftTypes>},
    {"float", float_in},
    {"integer", integer_in},
    {"alias", read_alias},
    {"precision", read_enum<kPrecisions>},
    {"RNG algorithm", read_enum<kRngAlgorithms>},
    {"RNG distribution", read_enum<kRngDistributions>},
    {"string", read_string},
    {"tensor", read_tensor},
    {"transpose", read_enum<kTransposes>},
    {"type", read_type},
    {"bounds", read_bounds},
    {"accuracy mode", read_enum<kAccuracyModes>},
    {"accuracy", read_accuracy},
    {"sub-axis", vhlo_sub_axis},
    {"axis reference", vhlo_axis_reference},
    {"replica groups of mesh axes", vhlo_mesh_groups},
    {"mesh axis", vhlo_mesh_axis},
    {"mesh", vhlo_mesh},
}};

}  // namespace

Attribute vhlo_attribute(Cursor& in, Tables& tables) {
  return decode_attribute(kAttributeCodes, "vhlo", in, tables);
}

}  // namespace understudy::program::bytecode
