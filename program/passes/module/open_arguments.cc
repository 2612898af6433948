// SPDX-License-Identifier: Apache-2.0
#include "program/open_arguments.h"

#include <algorithm>
#include <fmt/format.h>
#include <unordered_map>

#include "program/ir/dense.h"
#include "program/passes/sharding/annotations.h"

namespace understudy::program {
namespace {

// JAX marks arguments that its own caller fills in, with the name of what they hold.
constexpr std::string_view kGlobalConstant = "jax.global_constant";
constexpr std::string_view kPlatformIndex = "_platform_index";
// StableHLO's own name for "this value has that shape, whatever its type says".
constexpr std::string_view kWrapper = "stablehlo.shape_refinement_operand_wrapper";

// entry_of() finds it in a module that does not change; here it will.
Function& entry_in(Module& module, const CompileOptions& options) {
  return *module.find_function(entry_of(module, options).name);
}

std::string global_constant(const Function& function, std::size_t index) {
  if (index >= function.argument_attributes.size()) return "";
  const Attribute* found = passes::find_in(function.argument_attributes[index], kGlobalConstant);
  const auto* name = found == nullptr ? nullptr : found->get<StringAttribute>();
  return name == nullptr ? "" : name->value;
}

std::optional<std::size_t> platform_argument(const Function& entry) {
  for (std::size_t i = 0; i < entry.block().arguments.size(); ++i)
    if (global_constant(entry, i) == kPlatformIndex) return i;
  return std::nullopt;
}

// Tokens and tuples have no sizes.
bool is_open(const Value& value) {
  return value.type.is_tensor() && !value.type.tensor.is_static();
}

// An operation without operands or with one that defines `value`, which was an argument.
std::unique_ptr<Operation> defining(std::string name, std::unique_ptr<Value> value) {
  auto op = std::make_unique<Operation>();
  op->name = std::move(name);
  op->location = value->location;
  value->owner = op.get();
  value->block = nullptr;
  value->index = 0;
  op->results.push_back(std::move(value));
  return op;
}

// Replaces argument `index` by a new value of that type; returns the old one, whose users keep it.
std::unique_ptr<Value> replace_argument(Block& block, std::size_t index, Type type) {
  auto fresh = std::make_unique<Value>();
  fresh->type = std::move(type);
  fresh->block = &block;
  fresh->index = static_cast<std::uint32_t>(index);
  fresh->location = block.arguments[index]->location;
  std::swap(fresh, block.arguments[index]);
  return fresh;
}

// Values that are known once the platform is: the index itself, constants, and the results of
// selections that return known values.
class Selections {
 public:
  Selections(Module& module, std::int64_t index) : module_(module), index_(index) {}

  // Keeps the selected branch alone of every case: the others may contain operations of another
  // platform. The index goes through calls as an argument of the same name.
  void run() {
    for (const auto& function : module_.functions) {
      known_.clear();
      if (const auto at = platform_argument(*function))
        known_[function->block().arguments[*at].get()] = index_;
      block(function->block());
    }
  }

 private:
  void block(Block& inside) {
    for (const auto& op : inside.operations) {
      if (op->name == "stablehlo.constant") constant_value(*op);
      if (op->name == "stablehlo.case") select(*op);
      // Branches that were not selected are gone by now, so only code that runs is visited.
      for (const auto& region : op->regions) block(*region->blocks[0]);
      if (op->name == "stablehlo.case") take_result(*op);
    }
  }

  void constant_value(const Operation& op) {
    // Platform indices are scalars of i32; other constants select nothing.
    const Attribute* value = op.find("value");
    const auto* dense = value == nullptr ? nullptr : value->get<DenseAttribute>();
    const bool number =
        dense != nullptr && dense->type.shape.empty() && dense->type.element == ElementType::i32;
    if (number) known_[op.results[0].get()] = integers_of(*value).at(0);
  }

  // A case with one branch always runs it: an index out of range selects the last branch (the
  // StableHLO specification, "case").
  void select(Operation& op) const {
    const auto found = known_.find(op.operands.at(0));
    // The index is data: the case stays.
    if (found == known_.end()) return;
    const auto count = static_cast<std::int64_t>(op.regions.size());
    const bool inside = found->second >= 0 && found->second < count;
    std::unique_ptr<Region> chosen =
        std::move(op.regions[static_cast<std::size_t>(inside ? found->second : count - 1)]);
    op.regions.clear();
    op.regions.push_back(std::move(chosen));
  }

  void take_result(const Operation& op) {
    // The value of a case that still has several branches is not known.
    if (op.regions.size() != 1) return;
    const auto& returned = op.block().terminator()->operands;
    for (std::size_t i = 0; i < std::min(returned.size(), op.results.size()); ++i)
      if (const auto found = known_.find(returned[i]); found != known_.end())
        known_[op.results[i].get()] = found->second;
  }

  Module& module_;
  std::int64_t index_;
  std::unordered_map<const Value*, std::int64_t> known_;
};

std::unique_ptr<Operation> constant(std::unique_ptr<Value> value, std::vector<std::int64_t> of) {
  const TensorType type = value->type.tensor;
  auto op = defining("stablehlo.constant", std::move(value));
  op->set("value", dense_of(type, of));
  return op;
}

// %old = custom_call @wrapper(%argument, %shape): as StableHLO's own pass writes it.
void wrap(Block& block, std::size_t index, const TensorType& real,
          std::vector<std::unique_ptr<Operation>>& made) {
  std::unique_ptr<Value> old = replace_argument(block, index, Type::of(real));
  auto shape = std::make_unique<Value>();
  // The shape is a constant of i64, one element for each dimension.
  shape->type = Type::of({ElementType::i64, {real.ndims()}});
  shape->location = old->location;
  Value* const sizes = shape.get();
  made.push_back(constant(std::move(shape), real.shape));
  auto op = defining("stablehlo.custom_call", std::move(old));
  op->operands = {block.arguments[index].get(), sizes};
  op->set("call_target_name", {StringAttribute{std::string(kWrapper)}});
  op->set("indices_of_shape_operands",
          // Operand 1 has the shape of result 0.
          dense_of({ElementType::i64, {1}}, std::vector<std::int64_t>{1}));
  made.push_back(std::move(op));
}

void prepend(Block& block, std::vector<std::unique_ptr<Operation>> made) {
  block.operations.insert(block.operations.begin(), std::make_move_iterator(made.begin()),
                          std::make_move_iterator(made.end()));
}

void require_fits(const Value& argument, std::size_t index, const TensorType& real) {
  const TensorType& written = argument.type.tensor;
  // Open sizes of the written type match any size.
  const bool fits = written.element == real.element &&
                    std::ranges::equal(written.shape, real.shape, [](auto size, auto is) {
                      return size == kDynamic || size == is;
                    });
  if (fits) return;
  throw error_at(
      argument.location, ErrorKind::input,
      fmt::format("argument {} must be {}, but is {}", index, text_of(written), text_of(real)));
}

}  // namespace

std::string dimension_variable(const Function& entry, std::size_t index) {
  const Type& type = entry.block().arguments.at(index)->type;
  // Dimension variables are integer scalars, whatever their name.
  const bool is_size =
      type.is_tensor() && type.tensor.shape.empty() && is_integer(type.tensor.element);
  const std::string name = is_size ? global_constant(entry, index) : "";
  return name == kPlatformIndex ? "" : name;
}

bool has_open_arguments(const Module& module, const CompileOptions& options) {
  const Function& entry = entry_of(module, options);
  const auto& arguments = entry.block().arguments;
  for (std::size_t i = 0; i < arguments.size(); ++i)
    if (is_open(*arguments[i]) || !dimension_variable(entry, i).empty()) return true;
  return false;
}

// The index goes through calls as an argument of the same name, so every function is searched.
std::int64_t platform_count(const Module& module, const CompileOptions& options) {
  if (!platform_argument(entry_of(module, options))) return 0;
  // An index that selects nothing still has one platform.
  std::size_t most = 1;
  for (const auto& function : module.functions) {
    const auto index = platform_argument(*function);
    if (!index) continue;
    const Value* const value = function->block().arguments[*index].get();
    for (const auto& op : function->block().operations)
      if (op->name == "stablehlo.case" && !op->operands.empty() && op->operands[0] == value)
        most = std::max(most, op->regions.size());
  }
  return static_cast<std::int64_t>(most);
}

void fill_platform_index(Module& module, const CompileOptions& options, std::int64_t index) {
  Function& entry = entry_in(module, options);
  const std::optional<std::size_t> at = platform_argument(entry);
  UNDERSTUDY_ASSERT(at.has_value());
  // Before the argument goes: the selections are found from it.
  Selections(module, index).run();
  Block& block = entry.block();
  const auto gap = static_cast<std::ptrdiff_t>(*at);
  std::unique_ptr<Value> old = std::move(block.arguments[*at]);
  block.arguments.erase(block.arguments.begin() + gap);
  entry.argument_attributes.erase(entry.argument_attributes.begin() + gap);
  // The arguments behind it move up by one.
  for (std::size_t i = 0; i < block.arguments.size(); ++i)
    block.arguments[i]->index = static_cast<std::uint32_t>(i);
  std::vector<std::unique_ptr<Operation>> made;
  made.push_back(constant(std::move(old), {index}));
  prepend(block, std::move(made));
}

void refine_arguments(Module& module, const CompileOptions& options,
                      std::span<const GivenArgument> given) {
  Function& entry = entry_in(module, options);
  Block& block = entry.block();
  UNDERSTUDY_ASSERT(given.size() == block.arguments.size());
  std::vector<std::unique_ptr<Operation>> made;
  for (std::size_t i = 0; i < given.size(); ++i) {
    const Value& argument = *block.arguments[i];
    const std::string variable = dimension_variable(entry, i);
    if (!variable.empty()) {
      if (!given[i].value)
        throw Error(ErrorKind::usage,
                    fmt::format("argument {} is the dimension variable '{}' of the program: its "
                                "value must be known before the program is compiled",
                                i, variable))
            .note(fmt::format("pass --arg {}=FILE.npy with the value", i));
      // The value replaces the argument, which stays in the signature so that the arrays keep their
      // numbers.
      made.push_back(constant(replace_argument(block, i, argument.type), {*given[i].value}));
    } else if (is_open(argument)) {
      if (!given[i].type)
        throw Error(ErrorKind::usage,
                    fmt::format("argument {} is {}: its open sizes come from its array", i,
                                text_of(argument.type)))
            .note(fmt::format("pass --arg {0}=FILE.npy or --args DIR, or the shape with --shape "
                              "{0}=SIZES (for example {0}=8x128)",
                              i));
      require_fits(argument, i, *given[i].type);
      wrap(block, i, *given[i].type, made);
    }
  }
  prepend(block, std::move(made));
}

}  // namespace understudy::program
