// SPDX-License-Identifier: Apache-2.0
// The module, its functions, meshes and aliases.
#include <fmt/format.h>

#include "program/read.h"
#include "program/text/parser.h"

namespace understudy::program {
namespace {

const std::string* text_attribute(const Operation& op, std::string_view name) {
  const Attribute* found = op.find(name);
  const auto* text = found == nullptr ? nullptr : found->get<StringAttribute>();
  return text == nullptr ? nullptr : &text->value;
}

void set_visibility(Function& function, std::string_view word) {
  function.is_public = word == "public";
  function.is_private = word == "private";
  function.is_nested = word == "nested";
}

}  // namespace

std::unique_ptr<Module> Parser::module() {
  auto out = std::make_unique<Module>();
  out->sources.push_back(source_);
  // Without a closing mark the items end with the file.
  items(*out, "");
  // Inline meshes become named meshes of the module, behind those that are written.
  for (auto& [name, mesh] : inline_meshes_) out->meshes.push_back(std::move(mesh));
  return out;
}

// Aliases, the module or bare functions, up to the end of the file.
void Parser::items(Module& module, std::string_view close) {
  bool has_module = false;
  while (token_.kind != TokenKind::end && (close.empty() || !token_.is(close))) {
    // The generic form writes the name as a string.
    const bool starts_module =
        token_.is_word("module") || token_.is_word("builtin.module") ||
        (token_.kind == TokenKind::text && token_.text == "\"builtin.module\"");
    if (!starts_module) {
      item(module);
      continue;
    }
    if (!close.empty()) fail("a module inside a module is not supported");
    // Bare functions form an implicit module, so a module after them is a second one too.
    if (has_module || !module.functions.empty()) {
      fail("a second module: one file holds one program (or parts between lines of // -----)");
    }
    has_module = true;
    if (token_.kind == TokenKind::text) {
      generic_item(module);
    } else {
      module_item(module);
    }
  }
}

void Parser::item(Module& module) {
  if (token_.kind == TokenKind::hash || token_.kind == TokenKind::bang) return alias_definition();
  if (token_.is_word("func.func") || token_.is_word("func")) return function(module);
  if (token_.is_word("sdy.mesh")) return mesh(module);
  if (token_.kind == TokenKind::text) return generic_item(module);
  // The trailer of resources may be large; it is lexed here only to find its end.
  if (accept("{-#")) {  // resources: read where they are used
    while (!token_.is("#-}")) {
      if (token_.kind == TokenKind::end) unexpected("'#-}'");
      advance();
    }
    advance();
    return;
  }
  unexpected("module, func.func, sdy.mesh or an alias");
}

// Grammar: module @name? (attributes dictionary)? '{' items '}' location?
void Parser::module_item(Module& module) {
  advance();
  if (token_.kind == TokenKind::symbol) module.name = symbol();
  if (accept_word("attributes")) module.attributes = dictionary();
  expect("{", "before the module's functions");
  items(module, "}");
  expect("}", "after the module's functions");
  skip_location();
}

void Parser::add_function(Module& module, std::unique_ptr<Function> function) {
  if (module.add(function)) return;
  throw error_at(function->location, ErrorKind::input,
                 fmt::format("function '@{}' is defined twice", function->name));
}

// The block of a function that is only declared: its arguments, and no operation.
std::unique_ptr<Block> Parser::declared(const std::vector<Argument>& arguments) {
  auto out = std::make_unique<Block>();
  for (const Argument& argument : arguments) {
    auto value = std::make_unique<Value>();
    value->type = argument.type;
    value->block = out.get();
    value->index = static_cast<std::uint32_t>(out->arguments.size());
    value->location = {source_.get(), argument.offset};
    out->arguments.push_back(std::move(value));
  }
  return out;
}

// Grammar: (%name ':')? type dictionary? location?, separated by commas. Declarations have no
// names.
void Parser::function_arguments(Function& function, std::vector<Argument>& arguments) {
  expect("(", "before the function's arguments");
  if (accept(")")) return;
  do {
    Argument argument;
    if (token_.kind == TokenKind::value) {
      argument.name = token_.text;
      argument.offset = token_.offset;
      advance();
      expect(":", "after the argument");
    }
    argument.type = type();
    function.argument_attributes.push_back(token_.is("{") ? dictionary()
                                                          : std::vector<NamedAttribute>{});
    skip_location();
    arguments.push_back(std::move(argument));
  } while (accept(","));
  expect(")", "after the function's arguments");
}

void Parser::function_results(Function& function) {
  if (!accept("->")) return;
  if (!accept("(")) {
    function.result_types.push_back(type());
    function.result_attributes.emplace_back();
    return;
  }
  if (accept(")")) return;
  // A single result may stand without parentheses; its attributes cannot.
  do {
    function.result_types.push_back(type());
    function.result_attributes.push_back(token_.is("{") ? dictionary()
                                                        : std::vector<NamedAttribute>{});
    skip_location();
  } while (accept(","));
  expect(")", "after the function's results");
}

// Grammar: func.func visibility? @name '(' arguments ')' ('->' results)? (attributes dictionary)?
// region? A function without a region is a declaration.
void Parser::function(Module& module) {
  advance();
  auto out = std::make_unique<Function>();
  if (token_.kind == TokenKind::word) {
    const std::string_view visibility = token_.text;
    if (visibility != "public" && visibility != "private" && visibility != "nested") {
      unexpected("public, private, nested or a name such as @main");
    }
    set_visibility(*out, visibility);
    advance();
  }
  out->location = here();
  out->name = symbol();
  std::vector<Argument> arguments;
  function_arguments(*out, arguments);
  function_results(*out);
  if (accept_word("attributes")) out->attributes = dictionary();
  // Each function has its own names: SSA values do not cross functions.
  values_ = {};
  // Without a body it is a declaration.
  if (token_.is("{")) {
    for (const Argument& argument : arguments) {
      if (argument.name.empty()) fail("the arguments of a function with a body need names");
    }
    out->body = std::move(*region(arguments));
    // Every function needs a terminator at least.
    if (out->block().operations.empty()) {
      fail_at(out->location.offset, fmt::format("the body of function '@{}' is empty", out->name));
    }
  } else {
    // Passes may then read the arguments of any function in the same way.
    out->body.blocks.push_back(declared(arguments));
  }
  skip_location();
  add_function(module, std::move(out));
}

// "builtin.module"() ({..}), "func.func"() .., "sdy.mesh"() .. in generic form.
void Parser::generic_item(Module& module) {
  const Token name = token_;
  if (name.text == "\"builtin.module\"") {
    advance();
    expect("(", "after the operation name");
    expect(")", "after the operation name");
    Operation op;
    if (accept("<")) {
      dictionary_into(op);
      expect(">", "after the properties");
    }
    expect("(", "before the module's region");
    expect("{", "before the module's functions");
    items(module, "}");
    expect("}", "after the module's functions");
    expect(")", "after the module's region");
    optional_dictionary_into(op);
    function_signature(op);
    // MLIR's generic form has the attributes behind the regions.
    skip_location();
    if (const std::string* text = text_attribute(op, "sym_name")) module.name = *text;
    op.erase("sym_name");
    module.attributes = std::move(op.attributes);
    return;
  }
  // As for functions in the pretty form, names start anew.
  values_ = {};
  if (name.text == "\"func.func\"") {
    const std::unique_ptr<Operation> op = generic_operation();
    skip_location();
    return function_of(module, *op);
  }
  if (name.text == "\"sdy.mesh\"") {
    const std::unique_ptr<Operation> op = generic_operation();
    skip_location();
    return mesh_of(module, *op);
  }
  fail(fmt::format("{} is not allowed at the top of a module", name.text));
}

// The arguments of a function's block are those that its type names.
void Parser::check_arguments(const Operation& op, const std::vector<Argument>& wanted) const {
  const auto& real = op.block().arguments;
  bool fits = real.size() == wanted.size();
  for (std::size_t i = 0; fits && i < wanted.size(); ++i) fits = real[i]->type == wanted[i].type;
  if (!fits) {
    throw error_at(op.location, ErrorKind::input,
                   "func.func: the arguments of its block do not match its function_type");
  }
}

// The dictionaries of a list, one per argument or result; missing ones are empty.
static std::vector<std::vector<NamedAttribute>> dictionaries_in(const Operation& op,
                                                                std::string_view key,
                                                                std::size_t count) {
  std::vector<std::vector<NamedAttribute>> all(count);
  const Attribute* found = op.find(key);
  const ArrayAttribute* array = found == nullptr ? nullptr : found->array();
  for (std::size_t i = 0; array != nullptr && i < count && i < array->elements.size(); ++i) {
    if (const auto* entries = array->elements[i].dictionary()) all[i] = entries->entries;
  }
  return all;
}

// A function in generic form: "func.func"() <{sym_name, function_type, ...}> ({ region }). Gives
// the same Function as the pretty form.
void Parser::function_of(Module& module, Operation& op) {
  auto out = std::make_unique<Function>();
  out->location = op.location;
  const std::string* name = text_attribute(op, "sym_name");
  const Attribute* type = op.find("function_type");
  const auto* signature = type == nullptr ? nullptr : type->get<TypeAttribute>();
  const bool complete = name != nullptr && signature != nullptr && op.regions.size() == 1 &&
                        signature->type.kind == Type::Kind::function;
  if (!complete) {
    throw error_at(op.location, ErrorKind::input,
                   "func.func needs sym_name, function_type and one region");
  }
  out->name = *name;
  out->result_types = signature->type.elements[1].elements;
  if (const std::string* word = text_attribute(op, "sym_visibility")) set_visibility(*out, *word);
  out->argument_attributes =
      dictionaries_in(op, "arg_attrs", signature->type.elements[0].elements.size());
  out->result_attributes = dictionaries_in(op, "res_attrs", out->result_types.size());
  std::vector<Argument> arguments;
  for (const Type& each : signature->type.elements[0].elements) {
    arguments.push_back({{}, op.location.offset, each});
  }
  Block& body = op.block();
  // An empty block stands for a declaration. A block with arguments and no operation is an error.
  const bool is_declared = body.arguments.empty() && body.operations.empty();
  if (body.operations.empty() && !is_declared) {
    fail_at(op.location.offset, fmt::format("the body of function '@{}' is empty", *name));
  }
  if (is_declared) op.regions[0]->blocks[0] = declared(arguments);
  check_arguments(op, arguments);
  out->body = std::move(*op.regions[0]);
  // These are members of the Function now.
  for (const char* key :
       {"sym_name", "function_type", "sym_visibility", "arg_attrs", "res_attrs"}) {
    op.erase(key);
  }
  out->attributes = std::move(op.attributes);
  add_function(module, std::move(out));
}

}  // namespace understudy::program
