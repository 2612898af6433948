// SPDX-License-Identifier: Apache-2.0
// Numbers and literals as bytecode stores them.
#include <charconv>
#include <fmt/format.h>

#include "program/bytecode/decode.h"
#include "program/ir/dense.h"
#include "program/ir/literal.h"

namespace understudy::program::bytecode {
namespace {

// A literal of all its elements, or of one that stands for all (a splat).
Attribute literal(const LiteralType& type, bool is_splat, std::vector<std::byte> data) {
  DenseAttribute out =
      is_splat
          ? DenseAttribute{type.tensor, false, true,
                           std::make_shared<const std::vector<std::byte>>(std::move(data)), false}
          : program::dense_of(type.tensor, std::move(data));
  out.is_index = type.is_index;
  return {std::move(out)};
}

std::vector<std::byte> copied(std::string_view blob) {
  const auto* bytes = reinterpret_cast<const std::byte*>(blob.data());
  return {bytes, bytes + blob.size()};
}

// i1 literals are packed eight to a byte, lowest bit first. Exceptions: a splat is one byte, 0xFF
// or 0x00; old artifacts have a byte per element. One byte is ambiguous for up to eight elements:
// it is a splat only if it is 0x00 or 0xFF, which gives the same elements either way.
Attribute flags_of(const LiteralType& type, std::string_view blob, const Cursor& in) {
  const auto count = static_cast<std::size_t>(type.tensor.elements());
  const auto first = static_cast<std::uint8_t>(blob.empty() ? 0 : blob[0]);
  const auto flag = [](bool value) { return value ? std::byte{1} : std::byte{0}; };
  // Eight to a byte. For one element this is also the form with a byte per element.
  const bool packed = blob.size() == (count + 7) / 8;
  const bool splat = blob.size() == 1 && (count == 1 || first == 0 || first == 0xFF || !packed);
  if (splat) return literal(type, true, {flag(first != 0)});
  if (!packed && blob.size() != count) {
    in.fail(fmt::format("{} bytes are not a literal of {}", blob.size(), text_of(type.tensor)));
  }
  std::vector<std::byte> data(count);
  for (std::size_t i = 0; i < count; ++i) {
    const auto byte = static_cast<std::uint8_t>(blob[packed ? i / 8 : i]);
    data[i] = flag(packed ? ((byte >> (i % 8)) & 1) != 0 : byte != 0);
  }
  return literal(type, false, std::move(data));
}

// Elements narrower than a byte are stored one per byte. The upper bits of integers are unspecified
// and are replaced by copies of the sign; those of floats must be zero.
void check_narrow(ElementType element, std::vector<std::byte>& data, const Cursor& in) {
  const int width = bit_width(element);
  const auto mask = static_cast<std::uint8_t>((1 << width) - 1);
  for (std::byte& byte : data) {
    const auto bits = std::to_integer<std::uint8_t>(byte);
    if (!is_integer(element)) {
      if ((bits & ~mask) != 0)
        in.fail(fmt::format("{} is not a valid {}", bits, mlir_name(element)));
      continue;
    }
    // The other bits are not part of the element.
    byte = static_cast<std::byte>(*bits_of_integer(element, false, bits & mask));
  }
}

std::int64_t sign_extended(std::uint64_t bits, int width) {
  const int unused = 64 - width;
  return static_cast<std::int64_t>(bits << unused) >> unused;
}

// Width of an integer type that is not an element type, such as si32 or i5 (both occur as attribute
// types only); 0 if it is above 64, or not an integer type.
int width_of_name(std::string_view name) {
  constexpr int kMost = 64;
  // "i5", "si5" and "ui5" have the same digits after the 'i'.
  if (!is_integer_name(name)) return 0;
  const std::string_view digits = name.substr(name.find('i') + 1);
  int width = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), width);
  return width <= kMost ? width : 0;
}

}  // namespace

// MLIR writes integers of up to 8 bits as one byte, up to 64 as a zigzag varint. The result is
// zero-extended.
std::uint64_t bits_in(Cursor& in, int width, std::string_view what) {
  if (width <= 8) return in.byte(what) & ((1u << width) - 1);
  // The sign of a zigzag varint is gone after the mask; integer_in() extends it again.
  const auto bits = static_cast<std::uint64_t>(in.svarint(what));
  return width == 64 ? bits : bits & ((std::uint64_t{1} << width) - 1);
}

double float64_in(Cursor& in, std::string_view what) {
  return float_of_bits(ElementType::f64, bits_in(in, 64, what));
}

// varint type, then the integer in as many bits as the type has; index counts as 64.
Attribute integer_in(Cursor& in, Tables& tables) {
  constexpr int kIndexBits = 64;
  // A copy of the cursor, so that a message points at the type and not behind it.
  const Cursor at = in;
  const Type& type = tables.type(in, "the type of an integer");
  tables.budget().charge(type, in);
  // Index has no element type of its own; MLIR stores it as 64 bits.
  if (type.kind == Type::Kind::index) {
    return {
        IntegerAttribute{static_cast<std::int64_t>(bits_in(in, kIndexBits, "an integer")), type}};
  }
  const auto element = scalar_of(type);
  // i1 is a pred here, and an integer in bytecode.
  const bool known = element && (is_integer(*element) || is_pred(*element));
  const int width = known ? bit_width(*element) : width_of_name(type.text);
  if (width == 0) {
    at.unsupported_at(at.offset(),
                      fmt::format("integers of type {} are not supported", text_of(type)));
  }
  const std::uint64_t bits = bits_in(in, width, "an integer");
  const bool is_signed = known ? is_signed_integer(*element) : type.text[0] != 'u';
  const std::int64_t value =
      is_signed ? sign_extended(bits, width) : static_cast<std::int64_t>(bits);
  return {IntegerAttribute{value, known ? Type::of(TensorType{*element, {}}) : type}};
}

// varint type, then the bits of the float.
Attribute float_in(Cursor& in, Tables& tables) {
  const Cursor at = in;
  const Type& type = tables.type(in, "the type of a float");
  const auto element = scalar_of(type);
  if (!element || !is_float(*element)) {
    at.unsupported_at(at.offset(),
                      fmt::format("floats of type {} are not supported", text_of(type)));
  }
  const double value = float_of_bits(*element, bits_in(in, bit_width(*element), "a float"));
  return {FloatAttribute{value, Type::of(TensorType{*element, {}})}};
}

// All elements, or one for a splat: told apart by the number of bytes alone.
Attribute dense_of(const LiteralType& type, std::string_view blob, const Cursor& in) {
  const auto count = static_cast<std::uint64_t>(type.tensor.elements());
  // No bytes at all, which would otherwise count as a wrong size.
  if (count == 0) return literal(type, false, {});
  if (is_pred(type.tensor.element)) return flags_of(type, blob, in);
  const std::size_t width = byte_size(type.tensor.element);
  // The text reader calls one element a splat, too.
  const bool splat = blob.size() == width;
  if (!splat && blob.size() != count * width) {
    in.fail(fmt::format("{} bytes are not a literal of {}, which takes {}", blob.size(),
                        text_of(type.tensor), count * width));
  }
  std::vector<std::byte> data = copied(blob);
  if (bit_width(type.tensor.element) < 8) check_narrow(type.tensor.element, data, in);
  return literal(type, splat, std::move(data));
}

}  // namespace understudy::program::bytecode
