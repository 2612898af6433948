// SPDX-License-Identifier: Apache-2.0
#include "program/hlo/hlo.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace understudy::program::hlo {
namespace {

struct TypeName {
  std::string_view name;
  ElementType type;
};
// HLO's names differ from MLIR's in signedness only: s32 and u32 here, i32 and ui32 there.
constexpr std::array<TypeName, kElementTypes> kTypeNames = {{
    {"pred", ElementType::pred},
    {"s2", ElementType::i2},
    {"s4", ElementType::i4},
    {"s8", ElementType::i8},
    {"s16", ElementType::i16},
    {"s32", ElementType::i32},
    {"s64", ElementType::i64},
    {"u2", ElementType::ui2},
    {"u4", ElementType::ui4},
    {"u8", ElementType::ui8},
    {"u16", ElementType::ui16},
    {"u32", ElementType::ui32},
    {"u64", ElementType::ui64},
    {"f4e2m1fn", ElementType::f4e2m1fn},
    {"f6e2m3fn", ElementType::f6e2m3fn},
    {"f6e3m2fn", ElementType::f6e3m2fn},
    {"f8e3m4", ElementType::f8e3m4},
    {"f8e4m3", ElementType::f8e4m3},
    {"f8e4m3b11fnuz", ElementType::f8e4m3b11fnuz},
    {"f8e4m3fn", ElementType::f8e4m3fn},
    {"f8e4m3fnuz", ElementType::f8e4m3fnuz},
    {"f8e5m2", ElementType::f8e5m2},
    {"f8e5m2fnuz", ElementType::f8e5m2fnuz},
    {"f8e8m0fnu", ElementType::f8e8m0fnu},
    {"bf16", ElementType::bf16},
    {"f16", ElementType::f16},
    {"f32", ElementType::f32},
    {"f64", ElementType::f64},
    {"c64", ElementType::c64},
    {"c128", ElementType::c128},
}};

}  // namespace

std::optional<ElementType> element_type_of_hlo(std::string_view name) {
  for (const TypeName& row : kTypeNames)
    if (row.name == name) return row.type;
  return std::nullopt;
}

std::string_view hlo_name(ElementType type) {
  for (const TypeName& row : kTypeNames)
    if (row.type == type) return row.name;
  // Callers ask for types of IR values only, and each of these has a row (kElementTypes is the size
  // of the table).
  UNDERSTUDY_ASSERT(false);
}

bool HloShape::is_dynamic() const {
  return std::any_of(dynamic.begin(), dynamic.end(), [](bool is) { return is; });
}

std::size_t HloShape::leaves() const {
  if (kind != Kind::tuple) return 1;
  std::size_t count = 0;
  for (const HloShape& part : parts) count += part.leaves();
  return count;
}

std::string text_of(const HloShape& shape) {
  switch (shape.kind) {
    case HloShape::Kind::token:
      return "token[]";
    case HloShape::Kind::opaque:
      return shape.text;
    case HloShape::Kind::array: {
      std::string out(shape.text.empty() ? hlo_name(shape.element) : shape.text);
      out += '[';
      for (std::size_t d = 0; d < shape.dimensions.size(); ++d) {
        if (d > 0) out += ',';
        // Bounded dimensions print as <=N, as in XLA's text.
        if (!shape.dynamic.empty() && shape.dynamic[d]) out += "<=";
        out += std::to_string(shape.dimensions[d]);
      }
      return out + ']';
    }
    case HloShape::Kind::tuple:
      break;
  }
  std::string out = "(";
  for (const HloShape& part : shape.parts) out += (out.size() > 1 ? ", " : "") + text_of(part);
  return out + ')';
}

std::int64_t Instruction::number(std::string_view field, std::int64_t fallback) const {
  const auto* found = find<std::int64_t>(field);
  return found == nullptr ? fallback : *found;
}

bool Instruction::flag(std::string_view field) const {
  const auto* found = find<bool>(field);
  return found != nullptr && *found;
}

std::string Instruction::word(std::string_view field, std::string_view fallback) const {
  const auto* found = find<std::string>(field);
  return found == nullptr ? std::string(fallback) : *found;
}

const Ints& Instruction::ints(std::string_view field) const {
  // Returned by reference where the field is absent; constant, so it may be shared by threads.
  static const Ints kNone;
  const auto* found = find<Ints>(field);
  return found == nullptr ? kNone : *found;
}

const Rows& Instruction::rows(std::string_view field) const {
  static const Rows kNone;
  const auto* found = find<Rows>(field);
  return found == nullptr ? kNone : *found;
}

const Words& Instruction::words(std::string_view field) const {
  static const Words kNone;
  const auto* found = find<Words>(field);
  return found == nullptr ? kNone : *found;
}

// Keys are few, so they are not sorted.
std::string Instruction::frontend(std::string_view key) const {
  for (const auto& [entry, value] : words("frontend_attributes"))
    if (entry == key) return value;
  return "";
}

void Instruction::set(std::string_view field, FieldValue value) {
  // An attribute is set twice where a proto repeats a field: the last one wins, as in protobuf.
  for (Field& old : fields) {
    if (old.name == field) {
      old.value = std::move(value);
      return;
    }
  }
  fields.push_back({std::string(field), std::move(value)});
}

std::vector<std::uint32_t> Computation::parameters() const {
  // Marks a number that no parameter has taken yet.
  constexpr std::uint32_t kMissing = ~std::uint32_t{0};
  std::vector<std::uint32_t> out(
      static_cast<std::size_t>(
          std::count_if(instructions.begin(), instructions.end(),
                        [](const Instruction& each) { return each.opcode == "parameter"; })),
      kMissing);
  for (std::uint32_t i = 0; i < instructions.size(); ++i) {
    if (instructions[i].opcode != "parameter") continue;
    // A negative number becomes a large one and fails the comparison below.
    const auto number = static_cast<std::uint64_t>(instructions[i].number("parameter_number", 0));
    if (number >= out.size() || out[number] != kMissing)
      throw error_at(instructions[i].written, ErrorKind::input,
                     fmt::format("parameter {} of {} is one too many: the numbers of parameters "
                                 "count from 0 without gaps",
                                 number, name));
    out[number] = i;
  }
  return out;
}

// A module names few files, so a linear search is enough.
// A program that came from a pipe has locations in a file "-", which help nobody.
Location UserFiles::line(const std::string& file, std::int64_t line, std::int64_t column) {
  if (file.empty() || file == "-") return {};
  const auto at = [&](const Source& source) {
    // The file itself is not read: it may exist only on the machine that made the dump.
    return Location{&source, Source::elsewhere_offset(
                                 static_cast<std::uint64_t>(std::max<std::int64_t>(line, 0)),
                                 static_cast<std::uint64_t>(std::max<std::int64_t>(column, 0)))};
  };
  for (const auto& source : sources_)
    if (source->path() == file) return at(*source);
  sources_.push_back(Source::elsewhere(file));
  return at(*sources_.back());
}

}  // namespace understudy::program::hlo
