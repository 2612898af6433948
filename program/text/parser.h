// SPDX-License-Identifier: Apache-2.0
// Recursive descent over the tokens of one module, private to the reader. Its parts are in
// parser*.cc: the module and functions, operations and regions, types, attributes, literals, pretty
// forms. Every method reads from the current token on and leaves the first token that it did not
// use. All throw Error{input} with a place. Thread-compatible.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "program/ir/ir.h"
#include "program/ir/source.h"
#include "program/text/lexer.h"
#include "program/text/value_names.h"

namespace understudy::program {

class Parser {
 public:
  // Reads bytes [begin, end) of the source.
  Parser(std::shared_ptr<const Source> source, std::uint64_t begin, std::uint64_t end);
  std::unique_ptr<Module> module();

  // Whether the operation of this full name has a pretty form that no format of ops.def describes.
  static bool has_form(std::string_view name) { return form_of(name) != nullptr; }

  // How the types after the colon of a pretty form relate to operands and results.
  // Modes of the short form; the full function type is always accepted.
  enum class Signature : std::uint8_t { same, result, operands, each, select, complex };

 private:
  using Binding = ValueNames::Binding;
  struct ResultName {
    std::string_view name;
    std::uint32_t count = 1;
    std::uint64_t offset = 0;
  };
  struct Argument {
    std::string_view name;
    std::uint64_t offset = 0;
    Type type;
  };
  using Form = void (Parser::*)(Operation&);
  using AttributeForm = Attribute (Parser::*)();

  // One level of nesting: the limit keeps hostile files from overflowing the stack.
  class Nest {
   public:
    explicit Nest(Parser& parser);
    ~Nest() { --parser_.depth_; }
    Nest(const Nest&) = delete;
    Nest& operator=(const Nest&) = delete;

   private:
    Parser& parser_;
  };

  // ---- tokens (parser.cc)
  void advance() { token_ = lexer_.next(); }
  // accept*() take a token where it is there, expect*() fail where it is not. `where` and `what`
  // are for the message.
  bool accept(std::string_view punctuation);
  bool accept_word(std::string_view word);
  void expect(std::string_view punctuation, std::string_view where);
  void expect_word(std::string_view word, std::string_view where);
  std::string_view word(std::string_view what);
  std::string symbol();
  std::string quoted(std::string_view what);
  std::int64_t integer(std::string_view what);
  // The token after the current one.
  Token peek() const;
  std::uint64_t skip_balanced(std::string_view close);
  std::string raw_until(std::string_view close);
  void skip_location();
  // Points at the current token; operations take it before they read their name.
  Location here() const { return {source_.get(), token_.offset}; }
  // Messages are at the current token, unless the offset of an earlier one is given.
  [[noreturn]] void fail(std::string message) const { fail_at(token_.offset, std::move(message)); }
  [[noreturn]] void fail_at(std::uint64_t offset, std::string message) const;
  [[noreturn]] void unexpected(std::string_view wanted) const;

  // ---- module and functions (parser_module.cc)
  // `close` ends the items of a module; it is empty at the level of the file.
  void items(Module& module, std::string_view close);
  void item(Module& module);
  void alias_definition();
  void module_item(Module& module);
  void function(Module& module);
  void function_arguments(Function& function, std::vector<Argument>& arguments);
  void function_results(Function& function);
  void mesh(Module& module);
  void mesh_axes(Mesh& mesh);
  // The forms with an operation argument convert the generic form, which was read as an operation.
  void mesh_of(Module& module, Operation& op);
  void add_mesh(Module& module, Mesh mesh);
  Attribute mesh_attribute();
  std::string inline_mesh();
  void generic_item(Module& module);
  void function_of(Module& module, Operation& op);
  std::unique_ptr<Block> declared(const std::vector<Argument>& arguments);
  void check_arguments(const Operation& op, const std::vector<Argument>& wanted) const;
  void add_function(Module& module, std::unique_ptr<Function> function);

  // ---- operations and regions (parser_operations.cc)
  void operation(Block& block);
  // The generic form is that of MLIR, the same for all dialects; pretty forms are of single
  // operations.
  std::unique_ptr<Operation> generic_operation();
  std::unique_ptr<Operation> pretty_operation();
  std::vector<ResultName> result_names();
  void bind_results(Operation& op, const std::vector<ResultName>& names);
  void bind(std::string_view name, const Binding& binding);
  // The value of a name such as %3 or %3#1, which must be defined by then.
  Value* use(std::string_view token, std::uint64_t offset);
  void operand(Operation& op);
  void operands(Operation& op);
  // `outside` are arguments that a pretty form names before the brace.
  std::unique_ptr<Region> region(const std::vector<Argument>& outside = {});
  std::unique_ptr<Region> isolated_region(const std::vector<Argument>& arguments);
  void block_body(Block& block);
  void add_arguments(Block& block, const std::vector<Argument>& arguments);
  std::vector<Argument> arguments();  // "(%a: T, %b: T)"
  void add_result(Operation& op, Type type);
  // Attributes go straight into the operation, without a dictionary in between.
  void dictionary_into(Operation& op);
  void optional_dictionary_into(Operation& op);

  // ---- types (parser_types.cc)
  Type type();
  void expect_bounds(const DialectAttribute& bounds, std::size_t ndims, std::uint64_t offset) const;
  // Quantized elements leave their parameters in `quantization`.
  bool element_of(TensorType& out, std::shared_ptr<const Quantization>& quantization,
                  bool index_as_i64);
  Type tensor(bool index_as_i64);
  TensorType dense_type(bool& is_index);
  Type function_type();
  std::vector<Type> type_list(std::string_view close);
  std::vector<Type> results_of_signature();
  std::optional<std::int64_t> dimension(std::uint64_t& at);
  Type opaque_from(std::uint64_t begin);
  Type uniform(std::uint64_t begin);  // parser_quantized.cc
  void quantized_storage(Quantization& out);
  void quantized_parameters(Quantization& out);
  void quantized_parameter(Quantization& out);
  void signature(Operation& op, Signature mode);
  void function_signature(Operation& op);
  void check_operand_types(const Operation& op, const std::vector<Type>& types) const;
  void check_operand_type(const Operation& op, std::size_t index, const Type& written) const;

  // ---- attributes (parser_attributes.cc, parser_dialects.cc)
  // The value of an attribute; its type, where one follows, is read with it.
  Attribute attribute();
  Attribute word_attribute();
  Attribute number_attribute();
  Attribute array_attribute();
  Attribute hash_attribute();
  Attribute dialect_attribute(std::string dialect, std::string mnemonic);
  Attribute enum_attribute(std::string dialect);
  Attribute struct_attribute(std::string dialect, std::string mnemonic);
  Attribute convolution_attribute();
  std::vector<NamedAttribute> convolution_dimensions();
  Attribute sharding();
  Attribute sharding_list();
  Attribute axes();
  Attribute axis();
  std::vector<NamedAttribute> dictionary();
  std::int64_t fitted(std::int64_t value, bool negative, const Type& type,
                      std::uint64_t offset) const;
  Type number_type(ElementType fallback);

  // ---- literals (parser_literals.cc)
  Attribute dense();
  Attribute dense_resource();
  Attribute dense_array();
  std::uint64_t skip_literal();
  DenseAttribute hex_dense(const TensorType& type, std::string_view digits,
                           std::uint64_t offset) const;
  DenseAttribute bytes_dense(const TensorType& type, std::string_view digits,
                             std::uint64_t offset) const;
  void read_resources();
  std::int64_t elements_of(const TensorType& type, std::uint64_t offset) const;

  // ---- pretty forms (parser_format.cc, parser_forms.cc, parser_regions.cc)
  void format(Operation& op, std::string_view text);
  void format_attribute(Operation& op, std::string_view item);
  Attribute formatted(std::string_view kind);
  Attribute integers();
  Attribute words();
  // nullptr: the operation has no form of its own, only a format of ops.def or the generic one.
  static Form form_of(std::string_view name);
  void constant_form(Operation& op);
  void slice_form(Operation& op);
  void dot_general_form(Operation& op);
  void convolution_form(Operation& op);
  void window(Operation& op);
  void custom_call_form(Operation& op);
  void composite_form(Operation& op);
  void call_form(Operation& op);
  void tuple_element_form(Operation& op);
  void reduce_precision_form(Operation& op);
  void barrier_form(Operation& op);
  void return_form(Operation& op);
  void check_const_form(Operation& op);
  void reduce_form(Operation& op);
  void reducer(Operation& op, std::size_t inputs);
  void applied_reducer(Operation& op, std::string_view name, std::uint64_t offset);
  void while_form(Operation& op);
  void computation(Operation& op, bool is_manual);
  void manual_computation_form(Operation& op);
  void named_computation_form(Operation& op);
  void data_flow_edge_form(Operation& op);
  void resharding_form(Operation& op);
  void sharding_constraint_form(Operation& op);
  void propagation_barrier_form(Operation& op);
  void scan_form(Operation& op);

  std::shared_ptr<const Source> source_;
  Lexer lexer_;
  Token token_;
  int depth_ = 0;
  ValueNames values_;
  // Aliases may contain aliases, so a short file may denote something deep or huge. Both are
  // counted: `parts_` in attributes and types (and 16 bytes of text).
  static constexpr int kDeepest = 256;
  template <class T>
  struct Alias {
    T value;
    int depth = 0;
    std::uint64_t parts = 0;
  };
  // Member functions, so that one template serves attributes and types.
  template <class T>
  Alias<T> alias_of(T (Parser::*parse)());
  void expand(int depth, std::uint64_t parts);
  int deepest_ = 0;
  std::uint64_t parts_ = 0;
  std::uint64_t expanded_ = 0;  // parts that aliases have brought so far
  std::unordered_map<std::string_view, Alias<Attribute>> attribute_aliases_;
  std::unordered_map<std::string_view, Alias<Type>> type_aliases_;
  std::map<std::string, Mesh, std::less<>> written_meshes_;          // by the text of their axes
  std::map<std::string, Mesh, std::less<>> inline_meshes_;           // by name
  std::optional<std::unordered_map<std::string, Token>> resources_;  // once one is asked for
};

}  // namespace understudy::program
