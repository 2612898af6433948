// SPDX-License-Identifier: Apache-2.0
#include "program/ir/ir.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <fmt/format.h>

#include "program/ir/source.h"

namespace understudy::program {
namespace {

const Attribute* find_in(const std::vector<NamedAttribute>& entries, std::string_view name) {
  for (const auto& [key, value] : entries) {
    if (key == name) return &value;
  }
  return nullptr;
}

// Elements are stored little-endian in byte_size() bytes. Signed ones narrower than 64 bits are
// sign-extended from their stored width.
std::int64_t element_of(const DenseAttribute& dense, std::size_t index) {
  const std::size_t width = byte_size(dense.type.element);
  const std::byte* at = dense.data->data() + index * width;
  std::uint64_t bits = 0;
  // Little-endian: the low bytes of the element are the low bytes of `bits`.
  std::memcpy(&bits, at, width);
  const bool negative = !is_unsigned_integer(dense.type.element) && !is_pred(dense.type.element) &&
                        width < 8 && (bits >> (8 * width - 1)) != 0;
  if (negative) bits |= ~std::uint64_t{0} << (8 * width);
  return static_cast<std::int64_t>(bits);
}

std::vector<std::int64_t> integers_of_dense(const DenseAttribute& dense) {
  if (!is_integer(dense.type.element) && !is_pred(dense.type.element)) {
    throw Error(ErrorKind::input,
                fmt::format("expected integers, got elements of {}", text_of(dense.type)));
  }
  constexpr std::int64_t kLongestSplat = 1 << 20;  // one element may stand for any number
  if (dense.is_splat && dense.type.elements() > kLongestSplat) {
    throw Error(ErrorKind::input,
                fmt::format("{} is too long for a list of integers", text_of(dense.type)));
  }
  std::vector<std::int64_t> out(static_cast<std::size_t>(dense.type.elements()));
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = element_of(dense, dense.is_splat ? 0 : i);
  return out;
}

[[noreturn]] void refuse(const Operation& op, std::string_view attribute, std::string_view what) {
  throw error_at(op.location, ErrorKind::input,
                 fmt::format("{}: attribute '{}' must be {}", op.name, attribute, what));
}

}  // namespace

// By bits: NaN equals itself, and -0 differs from +0, as their texts do.
bool FloatAttribute::operator==(const FloatAttribute& other) const {
  return std::bit_cast<std::uint64_t>(value) == std::bit_cast<std::uint64_t>(other.value) &&
         type == other.type;
}

bool DenseAttribute::operator==(const DenseAttribute& other) const {
  return type == other.type && is_array == other.is_array && is_splat == other.is_splat &&
         is_index == other.is_index && *data == *other.data;
}

// Recursive attributes are held by shared pointers, so copies of an attribute share their parts.
template <class T>
const T* pointed(const Attribute& attribute) {
  const auto* pointer = attribute.get<std::shared_ptr<const T>>();
  return pointer == nullptr ? nullptr : pointer->get();
}

const ArrayAttribute* Attribute::array() const { return pointed<ArrayAttribute>(*this); }
const DictionaryAttribute* Attribute::dictionary() const {
  return pointed<DictionaryAttribute>(*this);
}
const DialectAttribute* Attribute::dialect() const { return pointed<DialectAttribute>(*this); }

// Pointers are compared by content, not by address.
bool Attribute::operator==(const Attribute& other) const {
  if (data.index() != other.data.index()) return false;
  // Index equality holds, so the other side has the same kind.
  if (array() != nullptr) return array()->elements == other.array()->elements;
  if (dictionary() != nullptr) return dictionary()->entries == other.dictionary()->entries;
  if (dialect() != nullptr) {
    return dialect()->dialect == other.dialect()->dialect &&
           dialect()->mnemonic == other.dialect()->mnemonic &&
           dialect()->parameters == other.dialect()->parameters;
  }
  return data == other.data;
}

const Attribute* DictionaryAttribute::find(std::string_view name) const {
  return find_in(entries, name);
}
const Attribute* DialectAttribute::find(std::string_view name) const {
  return find_in(parameters, name);
}
const Attribute* Operation::find(std::string_view attribute) const {
  return find_in(attributes, attribute);
}
const Attribute* Module::find(std::string_view attribute) const {
  return find_in(attributes, attribute);
}

void Operation::set(std::string_view attribute, Attribute value) {
  for (auto& [key, old] : attributes) {
    if (key == attribute) {
      old = std::move(value);
      return;
    }
  }
  attributes.emplace_back(attribute, std::move(value));
}

void Operation::erase(std::string_view attribute) {
  std::erase_if(attributes, [&](const NamedAttribute& entry) { return entry.first == attribute; });
}

// Declarations are kept apart: a function without a body can be named, but not called.
bool Module::add(std::unique_ptr<Function>& function) {
  // False leaves the function with the caller, which reports the duplicate with its place.
  if (!by_name_.try_emplace(function->name, function.get()).second) return false;
  const bool has_body = !function->block().operations.empty();
  // An empty block is how readers represent a declaration.
  (has_body ? functions : declarations).push_back(std::move(function));
  return true;
}

Function* Module::find_function(std::string_view symbol) const {
  const auto found = by_name_.find(symbol);
  if (found == by_name_.end() || found->second->block().operations.empty()) return nullptr;
  return found->second;
}

const Mesh* Module::find_mesh(std::string_view symbol) const {
  for (const Mesh& mesh : meshes) {
    if (mesh.name == symbol) return &mesh;
  }
  return nullptr;
}

SourcePlace place_of(const Location& location) {
  if (location.source == nullptr) return {};
  return location.source->place(location.offset);
}

Error error_at(const Location& location, ErrorKind kind, std::string message) {
  if (location.source == nullptr) return Error(kind, std::move(message));
  return Error(kind, place_of(location), std::move(message));
}

std::vector<std::int64_t> integers_of(const Attribute& attribute) {
  if (const auto* dense = attribute.get<DenseAttribute>()) return integers_of_dense(*dense);
  const ArrayAttribute* array = attribute.array();
  if (array == nullptr) throw Error(ErrorKind::input, "expected a list of integers");
  std::vector<std::int64_t> out;
  for (const Attribute& element : array->elements) {
    const auto* number = element.get<IntegerAttribute>();
    if (number == nullptr) throw Error(ErrorKind::input, "expected a list of integers");
    out.push_back(number->value);
  }
  return out;
}

// Errors of the attribute alone know no place; here they get the operation's.
std::vector<std::int64_t> integers_of(const Operation& op, std::string_view attribute) {
  const Attribute* found = op.find(attribute);
  if (found == nullptr) return {};
  const auto* dense = found->get<DenseAttribute>();
  const bool fits = dense != nullptr ? !is_float(dense->type.element) : found->array() != nullptr;
  if (!fits) refuse(op, attribute, "a list of integers");
  try {
    return integers_of(*found);
  } catch (const Error&) {
    refuse(op, attribute, "a list of integers");
  }
}

std::int64_t integer_of(const Operation& op, std::string_view attribute, std::int64_t fallback) {
  const Attribute* found = op.find(attribute);
  if (found == nullptr) return fallback;
  const auto* number = found->get<IntegerAttribute>();
  if (number == nullptr) refuse(op, attribute, "an integer");
  return number->value;
}

// A flag is a unit attribute, or true or false as portable artifacts write it.
bool flag_of(const Operation& op, std::string_view attribute, bool fallback) {
  const Attribute* found = op.find(attribute);
  if (found == nullptr) return fallback;
  if (found->get<UnitAttribute>() != nullptr) return true;
  const auto* number = found->get<IntegerAttribute>();
  if (number == nullptr) refuse(op, attribute, "true or false");
  return number->value != 0;
}

}  // namespace understudy::program
