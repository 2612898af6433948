// SPDX-License-Identifier: Apache-2.0
#include "program/verify/signature.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <span>

namespace understudy::program::rules {
namespace {

// An operand or result, as messages call it.
struct Place {
  const Type* type;
  bool is_operand;
  std::size_t index;
  std::string name() const {
    return fmt::format("{} {}", is_operand ? "operand" : "result", index);
  }
};

struct Placed {
  Place place;
  const Slot* slot;
};

[[noreturn]] void fail_at(const Check& check, const Place& place, const std::string& why) {
  if (place.is_operand) check.fail_operand(place.index, why);
  check.fail(fmt::format("result {} {}", place.index, why));
}

// i32 and ui32 are families of their own, as some operations accept only these; f32 and f64
// likewise, as the parts of complex numbers.
std::uint32_t family_of(const Type& type) {
  switch (type.kind) {
    // Not a tensor: the kind is the family.
    case Type::Kind::tensor:
      break;
    case Type::Kind::token:
      return kToken;
    case Type::Kind::tuple:
      return kTuple;
    case Type::Kind::future:
      return kFuture;
    default:
      return kOther;
  }
  const ElementType element = type.tensor.element;
  if (is_pred(element)) return kPred;
  if (is_signed_integer(element)) return element == ElementType::i32 ? kI32 : kSigned;
  if (is_unsigned_integer(element)) return element == ElementType::ui32 ? kUi32 : kUnsigned;
  if (is_complex(element)) return kComplex;
  // Parts of complex numbers: f32 of c64, f64 of c128.
  return element == ElementType::f32 || element == ElementType::f64 ? kPart : kFloat;
}

// The families as words for a message. The widest family that fits is named first, so "integers"
// covers signed and unsigned, and is removed before narrower ones are tried.
std::string families_text(std::uint32_t families) {
  struct Name {
    std::uint32_t bits;
    std::string_view one, many;
  };
  constexpr std::uint32_t kSignedAll = kSigned | kI32;
  constexpr std::uint32_t kUnsignedAll = kUnsigned | kUi32;
  constexpr std::array<Name, 13> kNames = {{{kAnyTensor, "a tensor", ""},
                                            {kPred, "", "i1"},
                                            {kSignedAll | kUnsignedAll, "", "integers"},
                                            {kSignedAll, "", "signed integers"},
                                            {kI32, "", "i32"},
                                            {kUnsignedAll, "", "unsigned integers"},
                                            {kUi32, "", "ui32"},
                                            {kFloat | kPart, "", "floats"},
                                            {kPart, "", "f32 or f64"},
                                            {kComplex, "", "complex numbers"},
                                            {kToken, "a token", ""},
                                            {kTuple, "a tuple", ""},
                                            {kFuture, "a future", ""}}};
  std::string out;
  bool of_elements = false;
  for (const Name& name : kNames) {
    if ((families & name.bits) != name.bits) continue;
    families &= ~name.bits;
    if (!out.empty()) out += " or ";
    // "a tensor of" is said once, before the first element family.
    if (!name.many.empty() && !of_elements) out += "a tensor of ";
    of_elements = of_elements || !name.many.empty();
    out += name.one.empty() ? name.many : name.one;
  }
  return out;
}

// Assigns each value to a slot. At most one slot is a run; it takes all values that the fixed slots
// before and after it leave.
template <class Values>
void place_all(const Check& check, const Values& values, std::span<const Slot> slots,
               bool is_operand, std::vector<Placed>& out) {
  const auto run = std::ranges::find_if(slots, &Slot::is_run);
  const std::size_t fixed = slots.size() - (run == slots.end() ? 0 : 1);
  // Without a run this is past the last slot, so every value has its own.
  const std::size_t before = static_cast<std::size_t>(run - slots.begin());
  const char* const what = is_operand ? "operands" : "results";
  const bool has_run = run != slots.end();
  if (values.size() < fixed || (!has_run && values.size() > fixed))
    check.fail(fmt::format("has {} {}, but must have {}{}", values.size(), what,
                           has_run ? "at least " : "", fixed));
  const std::size_t length = values.size() - fixed;
  for (std::size_t i = 0; i < values.size(); ++i) {
    // Behind the run, slots are counted from its end.
    const std::size_t slot = i < before ? i : i < before + length ? before : i - length + 1;
    out.push_back({{&values[i]->type, is_operand, i}, &slots[slot]});
  }
}

void check_attributes(const Check& check, const Signature& signature) {
  for (const NeededAttribute& needed : signature.attributes) {
    const Attribute* found = check.op().find(needed.name);
    if (found == nullptr && needed.is_optional) continue;
    if (found == nullptr) check.fail(fmt::format("attribute '{}' is missing", needed.name));
    if (!is_of_kind(*found, needed.kind))
      check.fail(fmt::format("attribute '{}' must be {}", needed.name, kind_text(needed.kind)));
  }
}

// Quantized tensors are checked in quantized.cc.
void check_family(const Check& check, const Placed& value) {
  const Type& type = *value.place.type;
  if (type.is_quantized() && type.is_tensor()) return;
  // An opaque type is known by name only; nothing of it can be checked.
  if (type.kind == Type::Kind::opaque) return;  // it is refused when it is to be run
  const auto wrong = [&](const std::string& wanted) {
    fail_at(check, value.place, fmt::format("is {}, but must {}", text_of(type), wanted));
  };
  const Slot& slot = *value.slot;
  if ((family_of(type) & slot.families) == 0) wrong("be " + families_text(slot.families));
  if (!type.is_tensor()) return;
  if (slot.ndims == 0 && type.tensor.ndims() != 0) wrong("be a scalar");
  if (slot.ndims >= 0 && type.tensor.ndims() != slot.ndims)
    wrong(fmt::format("have {} dimension{}", slot.ndims, slot.ndims == 1 ? "" : "s"));
  // A bounded dimension is dynamic, with a largest size in the type's text.
  const bool bounded = !type.text.empty();
  if (slot.is_static && !bounded && !type.tensor.is_static()) wrong("have no dynamic dimension");
}

// Values whose slots have the same letter must agree with the first of them, so a message names
// both.
void check_agreement(const Check& check, std::span<const Placed> values, char Slot::*letter,
                     bool (*agree)(const Type&, const Type&), std::string_view what) {
  // Letters are ASCII, so their codes index the table.
  std::array<const Placed*, 128> first{};
  for (const Placed& value : values) {
    const auto key = static_cast<std::size_t>(value.slot->*letter);
    if (key == 0 || !value.place.type->is_tensor()) continue;
    if (first.at(key) == nullptr) first[key] = &value;
    if (agree(*first[key]->place.type, *value.place.type)) continue;
    fail_at(check, value.place,
            fmt::format("is {}, but {} is {}: {}", text_of(*value.place.type),
                        first[key]->place.name(), text_of(*first[key]->place.type), what));
  }
}

bool same_element(const Type& a, const Type& b) {
  // quantized.cc compares quantized elements.
  return a.is_quantized() || b.is_quantized() || a.tensor.element == b.tensor.element;
}
bool same_rank(const Type& a, const Type& b) { return a.tensor.ndims() == b.tensor.ndims(); }
bool same_shape(const Type& a, const Type& b) { return fit(a.tensor.shape, b.tensor.shape); }

}  // namespace

// In order of how much a message helps: attributes, counts, kinds, then agreement between values.
void check_signature(const Check& check) {
  const Signature* const signature = find_signature(check.op().name);
  if (signature == nullptr) return;
  check_attributes(check, *signature);
  std::vector<Placed> values;
  values.reserve(check.operands() + check.results());
  place_all(check, check.op().operands, signature->operands, true, values);
  place_all(check, check.op().results, signature->results, false, values);
  for (const Placed& value : values) check_family(check, value);
  if (signature->joins_elements)
    check_agreement(check, values, &Slot::element, same_element, "their element types must agree");
  if (signature->joins_ranks)
    check_agreement(check, values, &Slot::rank, same_rank,
                    "their numbers of dimensions must agree");
  if (signature->joins_shapes)
    check_agreement(check, values, &Slot::shape, same_shape, "their shapes must agree");
}

}  // namespace understudy::program::rules
