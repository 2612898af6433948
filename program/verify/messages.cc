// SPDX-License-Identifier: Apache-2.0
// Messages and asynchronous work: infeed, send, recv, async_*, custom_call.
#include <algorithm>
#include <fmt/format.h>
#include <span>

#include "program/verify/dimensions.h"
#include "program/verify/rules.h"

namespace understudy::program::rules {

// Results are tensors, then a token; an optional layout has one entry per tensor.
void infeed(const Check& check) {
  // A token alone: an infeed of nothing.
  check.require(check.results() > 0, "has 0 results, but must have at least 1");
  const Attribute* layout = check.op().find("layout");
  if (layout != nullptr && layout->array()->elements.size() + 1 != check.results())
    check.fail(fmt::format("'layout' has {} entries, but there are {} tensors",
                           layout->array()->elements.size(), check.results() - 1));
  const std::size_t last = check.results() - 1;
  for (std::size_t i = 0; i < check.results(); ++i) {
    const Type& type = check.op().results[i]->type;
    const bool fits = i == last ? type.kind == Type::Kind::token : type.is_tensor();
    check.require(fits, fmt::format("result {} is {}, but must be a {}", i, text_of(type),
                                    i == last ? "token" : "tensor"));
  }
}

// The channel type says where the other end is: 1 device to device, 2 device to host, 3 host to
// device.
void transfer(const Check& check) {
  constexpr std::int64_t kDevices = 1, kToHost = 2, kToDevice = 3;
  const bool receives = check.op().name == "stablehlo.recv";
  // Numbers of XLA's ChannelHandle (xla_data.proto).
  const bool hosts = flag_of(check.op(), "is_host_transfer", false);
  const std::int64_t wanted = !hosts ? kDevices : receives ? kToDevice : kToHost;
  const std::int64_t type = check.number(check.structure("channel_handle"), "type");
  check.require(type == wanted,
                fmt::format("the channel has type {}, but must have {}", type, wanted));
}

void async_start(const Check& check) {
  std::vector<Type> arguments;
  for (const Value* operand : check.op().operands) arguments.push_back(operand->type);
  // A future has the results of its region as elements.
  check.expect_region(0, arguments, check.op().results[0]->type.elements);
}

void async_done(const Check& check) {
  const std::vector<Type>& wanted = check.op().operands[0]->type.elements;
  check.expect_results(wanted.size());
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const Type& type = check.op().results[i]->type;
    check.require(fit(type, wanted[i]), fmt::format("result {} is {}, but must be {}", i,
                                                    text_of(type), text_of(wanted[i])));
  }
}

namespace {

// One layout per value: a permutation of its dimensions, minor to major. Values that are not
// tensors have an empty one.
void expect_layouts(const Check& check, std::string_view name, std::span<const Type> values) {
  const auto& layouts = check.needed(name).array()->elements;
  if (layouts.size() != values.size())
    check.fail(
        fmt::format("'{}' has {} entries for {} values", name, layouts.size(), values.size()));
  for (std::size_t i = 0; i < layouts.size(); ++i) {
    const Type& type = values[i];
    const Shape order = integers_of(layouts[i]);
    const std::int64_t ndims = type.is_tensor() ? type.tensor.ndims() : 0;
    check.expect_count(name, order, static_cast<std::size_t>(ndims));
    check.expect_dimensions(name, order, ndims);
  }
}

// The element that a list of tuple indices leads to, or nullptr.
const Type* part_of(const Type& whole, const Shape& indices) {
  const Type* part = &whole;
  for (const std::int64_t index : indices) {
    const bool inside = part->kind == Type::Kind::tuple && index >= 0 &&
                        index < static_cast<std::int64_t>(part->elements.size());
    // A path ends early where it meets an array.
    if (!inside) return nullptr;
    part = &part->elements[at(index)];
  }
  return part;
}

// Aliases: results that share the buffer of an operand. Several results are addressed as one tuple.
void expect_aliases(const Check& check) {
  Type results = Type::tuple({});
  for (const auto& result : check.op().results) results.elements.push_back(result->type);
  // A single result is addressed without an index for the tuple of results.
  if (check.results() == 1) results = check.op().results[0]->type;
  for (const Attribute& each : check.needed("output_operand_aliases").array()->elements) {
    const DialectAttribute& alias = *each.dialect();
    const std::int64_t operand = check.number(alias, "operand_index");
    if (operand < 0 || operand >= static_cast<std::int64_t>(check.operands()))
      check.fail(fmt::format("an alias refers to operand {}, but there are {}", operand,
                             check.operands()));
    const Type* from = part_of(check.op().operands[at(operand)]->type,
                               check.field(alias, "operand_tuple_indices"));
    const Type* to = part_of(results, check.field(alias, "output_tuple_indices"));
    if (from == nullptr || to == nullptr) check.fail("an alias refers to a missing tuple element");
    if (!fit(*from, *to))
      check.fail(
          fmt::format("an alias joins different types {} and {}", text_of(*from), text_of(*to)));
  }
}

}  // namespace

void custom_call(const Check& check) {
  constexpr std::int64_t kTypedFfi = 4;  // the version that takes a dictionary
  const bool typed = integer_of(check.op(), "api_version", 1) == kTypedFfi;
  const Attribute* config = check.op().find("backend_config");
  // A string for the older versions, which pass it to the target unread.
  check.require(config == nullptr || (config->dictionary() != nullptr) == typed,
                typed ? "'backend_config' must be a dictionary for this 'api_version'"
                      : "'backend_config' must be a string for this 'api_version'");
  const bool operands = check.op().find("operand_layouts") != nullptr;
  const bool results = check.op().find("result_layouts") != nullptr;
  check.require(operands == results, "layouts must be given for both operands and results");
  if (operands && results) {
    std::vector<Type> given, made;
    for (const Value* operand : check.op().operands) given.push_back(operand->type);
    for (const auto& result : check.op().results) made.push_back(result->type);
    // A single tuple result has one layout per element.
    if (made.size() == 1 && made[0].kind == Type::Kind::tuple)
      made = std::vector<Type>(made[0].elements);
    expect_layouts(check, "operand_layouts", given);
    expect_layouts(check, "result_layouts", made);
  }
  if (check.op().find("output_operand_aliases") != nullptr) expect_aliases(check);
}

}  // namespace understudy::program::rules
