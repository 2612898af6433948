// SPDX-License-Identifier: Apache-2.0
// verify() and unsupported_operations(): every operation in order.
#include <algorithm>
#include <fmt/format.h>
#include <unordered_set>

#include "program/compile.h"
#include "program/ir/op_table.h"
#include "program/ir/sizes.h"
#include "program/lowering/custom_call/custom_call.h"
#include "program/lowering/lowering.h"
#include "program/lowering/quantized/quantized.h"
#include "program/passes/sharding/sharding.h"
#include "program/read.h"
#include "program/verify/rules.h"
#include "program/verify/signature.h"

namespace understudy::program {
namespace {

bool is_opaque(const Type& type) {
  return type.kind == Type::Kind::opaque ||
         std::any_of(type.elements.begin(), type.elements.end(), is_opaque);
}

// The first operand or result type for which `holds`, or nullptr.
const Type* first_type(const Operation& op, bool (*holds)(const Type&)) {
  for (const Value* operand : op.operands) {
    if (holds(operand->type)) return &operand->type;
  }
  for (const auto& result : op.results) {
    if (holds(result->type)) return &result->type;
  }
  return nullptr;
}

// Types that the IR does not model have no rules. unsupported_operations() refuses them before the
// run.
bool has_rules(const Operation& op) { return first_type(op, is_opaque) == nullptr; }

std::string arity_text(const Arity& arity) {
  return arity.least == arity.most ? std::to_string(arity.least)
                                   : fmt::format("at least {}", arity.least);
}

// The columns of an interpreter.run_parallel's grid of functions, 0 where there is none.
std::int64_t columns_of_grid(const Operation& op) {
  // The attribute is a list of lists of function names: rows are replicas, columns partitions.
  const Attribute* const programs = op.find("programs");
  const ArrayAttribute* const rows = programs == nullptr ? nullptr : programs->array();
  if (rows == nullptr || rows->elements.empty()) return 0;
  const ArrayAttribute* const row = rows->elements[0].array();
  return row == nullptr ? 0 : static_cast<std::int64_t>(row->elements.size());
}

// The number of partitions: the columns of its run_parallel grids, else the module attribute, else
// the largest mesh. 0 if grids differ, as each entry function then has its own count.
std::int64_t partitions_of(const Module& module) {
  std::int64_t of_grid = 0;
  for (const Operation* op : operations_in_order(module)) {
    if (op->name != "interpreter.run_parallel") continue;
    const std::int64_t columns = columns_of_grid(*op);
    if (of_grid != 0 && columns != of_grid) return 0;
    of_grid = columns;
  }
  if (of_grid != 0) return of_grid;
  const Attribute* const said = module.find("mhlo.num_partitions");
  const auto* const number = said == nullptr ? nullptr : said->get<IntegerAttribute>();
  if (number != nullptr && number->value > 0) return number->value;
  // A mesh counts as a statement about devices only where nothing else does.
  std::int64_t devices = 1;
  for (const Mesh& mesh : module.meshes) devices = std::max(devices, passes::size_of(mesh));
  return devices;
}

// Checked after the rules, whose messages about sizes are more specific.
void expect_bounded(const std::vector<std::unique_ptr<Value>>& values) {
  for (const auto& value : values) {
    if (!value->type.is_tensor() || !is_too_large(value->type.tensor)) continue;
    const Operation* const owner = value->owner;
    throw error_at(owner == nullptr ? value->location : owner->location, ErrorKind::input,
                   fmt::format("{} {} is {}: an array may have at most 1 PiB, and dimensions of "
                               "size 0 count as 1",
                               owner == nullptr ? "argument" : owner->name + ": result",
                               value->index, text_of(value->type)));
  }
}

class Verifier {
 public:
  explicit Verifier(const Module& module) : module_(module), partitions_(partitions_of(module)) {}
  void function(const Function& function) const;

 private:
  void operation(const Operation& op) const;
  void block(const Block& block, const Location& where, std::string_view terminator) const;
  void known(const Operation& op, const OpRow* row) const;

  const Module& module_;
  std::int64_t partitions_;
};

// Operations of the modelled dialects must be known, so that a typing error is found. Operations of
// other dialects are kept and refused only if they would run.
void Verifier::known(const Operation& op, const OpRow* row) const {
  if (row != nullptr) return;
  const std::string dialect = op.name.substr(0, op.name.find('.'));
  if (dialect != "stablehlo" && dialect != "chlo" && dialect != "func" && dialect != "sdy") return;
  Error error =
      error_at(op.location, ErrorKind::input, fmt::format("unknown operation '{}'", op.name));
  const std::string_view similar = similar_op(op.name);
  if (!similar.empty()) error.note(fmt::format("did you mean '{}'?", similar));
  throw error;
}

void Verifier::operation(const Operation& op) const {
  const OpRow* row = find_op(op.name);
  known(op, row);
  const Check check(module_, op, partitions_);
  if (row != nullptr) {
    const auto count = [&](const char* what, const Arity& arity, std::size_t has) {
      if (!arity.fits(has))
        check.fail(fmt::format("has {} {}, but must have {}", has, what, arity_text(arity)));
    };
    count("operands", row->operands, op.operands.size());
    count("results", row->results, op.results.size());
    count("regions", row->regions, op.regions.size());
  }
  // Bodies of Shardy's computations end in their own terminator.
  const std::string_view end =
      op.name == "sdy.manual_computation" || op.name == "sdy.named_computation"
          ? "sdy.return"
          : "stablehlo.return";
  // Regions before the operation: its rules may rely on terminators and types in them.
  for (const auto& region : op.regions) block(*region->blocks[0], op.location, end);
  rules::check_signature(check);
  const rules::RuleFunction rule = row == nullptr ? nullptr : rules::rule_of(*row);
  const bool quantized = row != nullptr && passes::is_quantized(op);
  // Without a rule the signature was all there is to check.
  if (!quantized && (rule == nullptr || !has_rules(op))) return;
  try {
    if (quantized) return rules::quantized(check, rule, has_rules(op));
    rule(check);
  } catch (const Error& error) {
    // Checked arithmetic and integer lists throw without a source place: add the operation's.
    if (error.place()) throw;
    check.fail(error.message());
  }
}

void Verifier::block(const Block& block, const Location& where, std::string_view terminator) const {
  const Operation* last = block.terminator();
  if (last == nullptr || last->name != terminator) {
    throw error_at(last == nullptr ? where : last->location, ErrorKind::input,
                   fmt::format("this block must end in {}", terminator));
  }
  for (const auto& op : block.operations) {
    const bool ends =
        op->name == "stablehlo.return" || op->name == "func.return" || op->name == "sdy.return";
    // A terminator in the middle would silently end the block.
    if (ends && op.get() != last) {
      throw error_at(op->location, ErrorKind::input,
                     fmt::format("{} must be the last operation of its block", op->name));
    }
    operation(*op);
    expect_bounded(op->results);
  }
  expect_bounded(block.arguments);
}

// The body must return what the signature declares, exactly: callers rely on the declared types.
void Verifier::function(const Function& function) const {
  const Operation* last = function.block().terminator();
  const bool stablehlo_end = last != nullptr && last->name == "stablehlo.return";
  block(function.block(), function.location, stablehlo_end ? "stablehlo.return" : "func.return");
  std::vector<Type> returned;
  for (const Value* value : last->operands) returned.push_back(value->type);
  // Exactly: a caller has been checked against the declared types.
  if (returned == function.result_types) return;
  if (returned.size() != function.result_types.size()) {
    throw error_at(last->location, ErrorKind::input,
                   fmt::format("returns {} values, but '@{}' has {} results", returned.size(),
                               function.name, function.result_types.size()));
  }
  for (std::size_t i = 0; i < returned.size(); ++i) {
    if (returned[i] == function.result_types[i]) continue;
    const bool placed = i < last->operand_locations.size();
    throw error_at(
        placed ? last->operand_locations[i] : last->location, ErrorKind::input,
        fmt::format("returns {} as result {}, but '@{}' declares {}", text_of(returned[i]), i,
                    function.name, text_of(function.result_types[i])));
  }
}

// All unsupported operations are listed, not just the first, so that the user sees at once what a
// program would need.
void collect(const Block& block, std::vector<Unsupported>& out) {
  for (const auto& op : block.operations) {
    const Type* strange = first_type(*op, is_opaque);
    if (!passes::can_lower(*op)) {
      std::string what = op->name;
      const Attribute* target = op->find("call_target_name");
      const auto* name = target == nullptr ? nullptr : target->get<StringAttribute>();
      if (name != nullptr) what += " @" + name->value;
      out.push_back({op->location, std::move(what),
                     name == nullptr ? "" : passes::advice_for_target(name->value)});
    } else if (strange != nullptr) {
      out.push_back({op->location, fmt::format("{} of {}", op->name, text_of(*strange))});
    } else if (!passes::is_quantized(*op) && !passes::operation_has_kernel(*op)) {
      out.push_back({op->location, fmt::format("{} of {}: no kernel for this type", op->name,
                                               text_of(op->operands[0]->type))});
    }
    for (const auto& region : op->regions) collect(*region->blocks[0], out);
  }
}

// Functions that attributes name: callees, decompositions, computations of custom calls. Strings
// may name functions, too.
void follow(const Attribute& attribute, std::vector<std::string>& names) {
  if (const auto* symbol = attribute.get<SymbolAttribute>()) names.push_back(symbol->name);
  // Custom calls name their helpers by strings, too; a string that is no function is ignored.
  if (const auto* text = attribute.get<StringAttribute>()) names.push_back(text->value);
  if (const ArrayAttribute* array = attribute.array())
    for (const Attribute& element : array->elements) follow(element, names);
}

void follow(const Block& block, std::vector<std::string>& names) {
  for (const auto& op : block.operations) {
    for (const auto& [name, attribute] : op->attributes) follow(attribute, names);
    for (const auto& region : op->regions) follow(*region->blocks[0], names);
  }
}

// Functions that a run may enter: those that are not private, and what they name. Programs for
// several platforms keep the private functions of the other platforms, which nothing calls.
std::unordered_set<const Function*> reachable(const Module& module) {
  std::unordered_set<const Function*> seen;
  std::vector<const Function*> pending;
  for (const auto& function : module.functions)
    // A module with one function runs it, private or not.
    if (!function->is_private || module.functions.size() == 1) pending.push_back(function.get());
  while (!pending.empty()) {
    const Function* const next = pending.back();
    pending.pop_back();
    if (!seen.insert(next).second) continue;
    std::vector<std::string> names;
    follow(next->block(), names);
    for (const std::string& name : names)
      if (const Function* named = module.find_function(name)) pending.push_back(named);
  }
  return seen;
}

}  // namespace

void verify(const Module& module) {
  // Throws where a mesh is inconsistent, which would surface later without a place.
  for (const Mesh& mesh : module.meshes) passes::size_of(mesh);
  const Verifier verifier(module);
  for (const auto& function : module.functions) verifier.function(*function);
}

std::vector<Unsupported> unsupported_operations(const Module& module) {
  std::vector<Unsupported> out;
  const auto used = reachable(module);
  for (const auto& function : module.functions)
    // Modules of private functions only have no entry: all of them are checked.
    if (used.empty() || used.contains(function.get())) collect(function->block(), out);
  return out;
}

}  // namespace understudy::program
