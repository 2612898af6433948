// SPDX-License-Identifier: Apache-2.0
// Shardy's sharding rules, kept as text as the text reader keeps them:
// ([i, k], [k, j])->([i, j]) {i=2, j=3, k=4} reduction={k}, custom
#include <array>
#include <fmt/format.h>

#include "program/bytecode/decode.h"

namespace understudy::program::bytecode {
namespace {

// Factor names as Shardy prints them: i to z, then z_1, z_2 and so on.
std::string factor(std::int64_t index, const Cursor& in) {
  constexpr std::int64_t kLetters = 'z' - 'i' + 1;
  if (index < 0) in.fail(fmt::format("factor {} of a sharding rule", index));
  if (index < kLetters) return std::string(1, static_cast<char>('i' + index));
  return fmt::format("z_{}", index - kLetters + 1);
}

std::string joined_text(const std::vector<Attribute>& parts, std::string_view mnemonic,
                        const Cursor& in) {
  std::string out;
  for (const Attribute& part : parts) {
    const DialectAttribute* found = part.dialect();
    if (found == nullptr || found->mnemonic != mnemonic) {
      in.fail(fmt::format("expected a {} of a sharding rule", mnemonic));
    }
    out += (out.empty() ? "" : ", ") + text_in(found->parameters.at(0).second, in, mnemonic);
  }
  return out;
}

}  // namespace

// List of svarint factors; their names are written one after the other, as in "ij".
Attribute sdy_dimension_mapping(Cursor& in, Tables& /*tables*/) {
  std::string text;
  for (const std::int64_t index : numbers_in(in, "a factor")) text += factor(index, in);
  return raw_of("sdy", "dim_mapping", std::move(text));
}

Attribute sdy_tensor_mapping(Cursor& in, Tables& tables) {
  const std::vector<Attribute> dimensions = attributes_in(in, tables, "a dimension");
  return raw_of("sdy", "tensor_mapping",
                fmt::format("[{}]", joined_text(dimensions, "dim_mapping", in)));
}

// Factor sizes, operand mappings, result mappings, four lists of special factors, a byte for
// "custom".
Attribute sdy_sharding_rule(Cursor& in, Tables& tables) {
  const std::vector<std::int64_t> sizes = numbers_in(in, "the size of a factor");
  const std::vector<Attribute> operands = attributes_in(in, tables, "an operand's mapping");
  const std::vector<Attribute> results = attributes_in(in, tables, "a result's mapping");
  std::string text = fmt::format("({})->({})", joined_text(operands, "tensor_mapping", in),
                                 joined_text(results, "tensor_mapping", in));
  std::string factors;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    factors += fmt::format("{}{}={}", i == 0 ? "" : ", ", factor(static_cast<std::int64_t>(i), in),
                           sizes[i]);
  }
  if (!factors.empty()) text += fmt::format(" {{{}}}", factors);
  constexpr std::array<std::string_view, 4> kLists = {"reduction", "need_replication",
                                                      "permutation", "blocked_propagation"};
  for (const std::string_view list : kLists) {
    std::string members;
    for (const std::int64_t index : numbers_in(in, "a factor")) {
      members += (members.empty() ? "" : ", ") + factor(index, in);
    }
    if (!members.empty()) text += fmt::format(" {}={{{}}}", list, members);
  }
  if (in.byte("the custom flag of a sharding rule") != 0) text += ", custom";
  return raw_of("sdy", "op_sharding_rule", std::move(text));
}

}  // namespace understudy::program::bytecode
