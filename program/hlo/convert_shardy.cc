// SPDX-License-Identifier: Apache-2.0
// Shardy in HLO: JAX's modules keep shardings in frontend attributes, and a manual computation as
//   globals -> custom-call GlobalToLocalShape -> call body -> custom-call LocalToGlobalShape.
// Here they become sdy operations again. Each call of the three must be where the exporter puts it.
#include <fmt/format.h>

#include "program/hlo/convert.h"

namespace understudy::program::hlo {
namespace {

constexpr std::string_view kBody = "xla.sdy.manual_computation_body";

Attribute attribute_of(const Converter& converter, const Instruction& in, std::string_view key) {
  // The exporter stores attributes as MLIR text inside of a string (XLA:
  // sdy_round_trip/export_shardy_attrs.cc).
  const std::string written = in.frontend(key);
  if (written.empty())
    converter.refuse(
        fmt::format("{} needs the frontend attribute {}", in.word("custom_call_target"), key));
  return parsed(written, in.written);
}

// #sdy<manual_axes{"x", "y"}>
Attribute axes_of(const Converter& converter, const Instruction& in) {
  const std::string written = in.frontend("xla.sdy.manual_axes");
  ArrayAttribute out;
  for (std::size_t at = written.find('"'); at != std::string::npos; at = written.find('"', at)) {
    const std::size_t close = written.find('"', at + 1);
    if (close == std::string::npos) converter.refuse("xla.sdy.manual_axes: a name is not closed");
    out.elements.push_back({StringAttribute{written.substr(at + 1, close - at - 1)}});
    at = close + 1;
  }
  return {std::make_shared<const ArrayAttribute>(std::move(out))};
}

// The local values stand for themselves until the body is called with them; they belong to no
// block, so any other use is found when the module is verified.
void begin_manual(Converter& converter, const Instruction& in) {
  Converter::Manual manual;
  manual.globals = converter.all_operands();
  manual.in_shardings = attribute_of(converter, in, "xla.sdy.in_shardings");
  manual.manual_axes = axes_of(converter, in);
  const std::vector<Type> types = converter.types_of(in.shape);
  if (types.size() != manual.globals.size())
    converter.refuse("xla.sdy.GlobalToLocalShape needs one result for each operand");
  Values locals;
  for (std::size_t i = 0; i < types.size(); ++i) {
    Value& value = converter.placeholder(types[i]);
    // {which manual computation, which operand}: the call may pass the locals in another order.
    converter.manual_values()[&value] = {converter.manuals().size(), i};
    locals.push_back(&value);
  }
  converter.manuals().push_back(std::move(manual));
  converter.bind(std::move(locals));
}

Attribute empty_list() { return {std::make_shared<const ArrayAttribute>()}; }

// The results of the body become those of the whole computation, with global types.
void end_manual(Converter& converter, const Instruction& in) {
  const Values locals = converter.all_operands();
  const std::vector<Type> types = converter.types_of(in.shape);
  Operation* op = locals.empty() ? nullptr : locals[0]->owner;
  // The results must be those of one operation, all of them, in order: only then can their types be
  // widened in place.
  bool fits = op != nullptr && op->name == "sdy.manual_computation" &&
              op->results.size() == locals.size() && types.size() == locals.size();
  for (std::size_t i = 0; fits && i < locals.size(); ++i) fits = op->results[i].get() == locals[i];
  if (!fits)
    converter.refuse("xla.sdy.LocalToGlobalShape must take the results of one manual computation");
  for (Converter::Manual& manual : converter.manuals())
    if (manual.op == op) {
      if (manual.closed) converter.refuse("a manual computation ends twice");
      manual.closed = true;
    }
  // The operation was built with the local types of the body's call; from here on its results are
  // global arrays.
  for (std::size_t i = 0; i < types.size(); ++i) op->results[i]->type = types[i];
  op->set("out_shardings", attribute_of(converter, in, "xla.sdy.out_shardings"));
  op->set("manual_axes", axes_of(converter, in));
  converter.bind(locals);
}

// One sharding, or the only one of a list.
Attribute one_sharding(const Converter& converter, const Instruction& in) {
  // A result's sharding is written as a list (#sdy.sharding_per_value), a constraint's as one
  // sharding.
  const Attribute found = attribute_of(converter, in, "xla.sdy.sharding");
  const ArrayAttribute* all = found.array();
  if (all == nullptr) return found;
  if (all->elements.size() != 1) converter.refuse("expected one sharding");
  return all->elements[0];
}

}  // namespace

// A manual computation without operands has no GlobalToLocalShape; its body's name tells.
bool convert_manual_body(Converter& converter, const Instruction& in) {
  const Values operands = converter.all_operands();
  const Computation& body = converter.computation(in.called.at(0));
  const auto first = operands.empty() ? converter.manual_values().end()
                                      : converter.manual_values().find(operands[0]);
  const bool manual = first != converter.manual_values().end();
  if (!manual && !(operands.empty() && body.name.starts_with(kBody))) return false;
  if (!manual) {
    converter.manuals().push_back({nullptr, {}, empty_list(), empty_list(), false});
  }
  const std::size_t index = manual ? first->second.first : converter.manuals().size() - 1;
  Values globals;
  for (const Value* value : operands) {
    // All operands must come from the same GlobalToLocalShape. A value computed outside would be
    // local and global at once.
    const auto found = converter.manual_values().find(value);
    if (found == converter.manual_values().end() || found->second.first != index)
      converter.refuse("the body of a manual computation takes a value from outside of it");
    globals.push_back(converter.manuals()[index].globals.at(found->second.second));
  }
  if (converter.manuals()[index].op != nullptr)
    converter.refuse("a manual computation begins twice");
  converter.manuals()[index].op = &converter.emit_manual(in, globals, operands);
  return true;
}

void Converter::finish_manuals() {
  for (const Manual& manual : manuals_)
    if (manual.op == nullptr || (!manual.closed && !manual.op->results.empty()))
      throw Error(ErrorKind::unsupported,
                  "a manual computation of Shardy is not in the form that JAX writes: "
                  "xla.sdy.GlobalToLocalShape, call, xla.sdy.LocalToGlobalShape");
}

// Operands in the order of the call, which may differ from that of GlobalToLocalShape.
Operation& Converter::emit_manual(const Instruction& in, const Values& globals,
                                  const Values& locals) {
  const auto at = manual_values_.find(locals.empty() ? nullptr : locals[0]);
  // Copied: add_region() below may convert a nested manual computation, which grows `manuals_` and
  // would leave a reference dangling.
  const Manual manual = at == manual_values_.end() ? manuals_.back() : manuals_[at->second.first];
  const ArrayAttribute* shardings = manual.in_shardings.array();
  ArrayAttribute ordered;
  for (const Value* local : locals) {
    const std::size_t argument = manual_values_.at(local).second;
    if (shardings == nullptr || argument >= shardings->elements.size())
      refuse("expected one sharding for each operand of a manual computation");
    ordered.elements.push_back(shardings->elements[argument]);
  }
  Operation& op =
      emit_result("sdy.manual_computation", globals,
                  {{"in_shardings", {std::make_shared<const ArrayAttribute>(std::move(ordered))}},
                   // Unknown until end_manual() reads them from LocalToGlobalShape.
                   {"out_shardings", empty_list()},
                   {"manual_axes", manual.manual_axes}});
  std::vector<Type> types;
  for (const Value* local : locals) types.push_back(local->type);
  add_region(op, in.called[0], types, "sdy.return");
  return op;
}

bool convert_shardy_call(Converter& converter, const Instruction& in) {
  const std::string target = in.word("custom_call_target");
  if (target == "xla.sdy.GlobalToLocalShape") {
    begin_manual(converter, in);
    return true;
  }
  if (target == "xla.sdy.LocalToGlobalShape") {
    end_manual(converter, in);
    return true;
  }
  const bool has_sharding = !in.frontend("xla.sdy.sharding").empty();
  if (target == "xla.sdy.FuncResultSharding" && has_sharding) {
    converter.result_shardings()[&converter.single(0)] = one_sharding(converter, in);
    converter.bind({&converter.single(0)});
    return true;
  }
  if (target == "Sharding" && has_sharding && !converter.out().meshes.empty()) {
    converter.emit_result("sdy.sharding_constraint", {&converter.single(0)},
                          {{"sharding", one_sharding(converter, in)}});
    return true;
  }
  return false;
}

}  // namespace understudy::program::hlo
