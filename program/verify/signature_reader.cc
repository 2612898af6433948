// SPDX-License-Identifier: Apache-2.0
// Parses the words of ops.def into Signature structures, once per process, on first use.
#include <algorithm>
#include <array>
#include <cctype>
#include <unordered_map>

#include "program/ir/op_table.h"
#include "program/verify/signature.h"

namespace understudy::program::rules {
namespace {

// Families as sets of bits: a slot accepts a type if their sets meet.
constexpr std::array<std::pair<std::string_view, std::uint32_t>, 14> kFamilies = {{
    {"pred", kPred},
    {"i32", kI32},
    {"sint", kSigned | kI32},
    {"ui32", kUi32},
    {"uint", kUnsigned | kUi32},
    {"int", kSigned | kI32 | kUnsigned | kUi32},
    {"float", kFloat | kPart},
    {"part", kPart},
    {"complex", kComplex},
    {"any", kAnyTensor},
    {"token", kToken},
    {"tuple", kTuple},
    {"future", kFuture},
    {"value", kAnyTensor | kToken | kTuple | kFuture | kOther},
}};

std::string_view cut(std::string_view& rest, char at) {
  const std::string_view word = rest.substr(0, rest.find(at));
  rest.remove_prefix(std::min(word.size() + 1, rest.size()));
  return word;
}

// FAMILY[|FAMILY...] up to the first of ".!*+", then single-character marks.
// Lower-case letters join element types, Q and R numbers of dimensions, S to U shapes; a digit is
// the number of dimensions.
Slot slot_of(std::string_view text) {
  Slot slot;
  for (std::string_view names = text.substr(0, text.find_first_of(".!*+")); !names.empty();) {
    const std::string_view name = cut(names, '|');
    for (const auto& [family, bits] : kFamilies) slot.families |= family == name ? bits : 0;
  }
  text.remove_prefix(std::min(text.find_first_of(".!*+"), text.size()));
  for (const char part : text) {
    if (part == '!') slot.is_static = true;
    if (part == '*' || part == '+') slot.is_run = true;
    if (std::islower(static_cast<unsigned char>(part)) != 0) slot.element = part;
    if (part == 'Q' || part == 'R') slot.rank = part;
    if (part == 'S' || part == 'T' || part == 'U') slot.shape = part;
    if (std::isdigit(static_cast<unsigned char>(part)) != 0) slot.ndims = part - '0';
  }
  return slot;
}

// Rules of agreement are skipped where no slot has such a letter: most operations pass through here
// once per use.
bool joins(const Signature& signature, char Slot::*letter) {
  const auto has = [&](const Slot& slot) { return slot.*letter != 0; };
  return std::ranges::any_of(signature.operands, has) ||
         std::ranges::any_of(signature.results, has);
}

// "=" as a result copies operand 0, the most common case.
Signature signature_of(const OpRow& row) {
  Signature out;
  for (std::string_view rest = row.operand_words; !rest.empty();)
    out.operands.push_back(slot_of(cut(rest, ' ')));
  for (std::string_view rest = row.result_words; !rest.empty();) {
    const std::string_view word = cut(rest, ' ');
    out.results.push_back(word == "=" ? out.operands.at(0) : slot_of(word));
  }
  for (std::string_view rest = row.attributes; !rest.empty();) {
    std::string_view kind = cut(rest, ' ');
    const bool is_optional = kind.front() == '?';
    if (is_optional) kind.remove_prefix(1);
    const std::string_view name = cut(kind, ':');
    out.attributes.push_back({name, kind, is_optional});
  }
  out.joins_elements = joins(out, &Slot::element);
  out.joins_ranks = joins(out, &Slot::rank);
  out.joins_shapes = joins(out, &Slot::shape);
  return out;
}

}  // namespace

const Signature* find_signature(std::string_view op_name) {
  static const auto kByName = [] {
    std::unordered_map<std::string_view, Signature> map;
    for (const OpRow& row : op_table()) map.emplace(row.name, signature_of(row));
    return map;
  }();
  const auto found = kByName.find(op_name);
  return found == kByName.end() ? nullptr : &found->second;
}

}  // namespace understudy::program::rules
