// SPDX-License-Identifier: Apache-2.0
// Programs of random element-wise steps over 32-bit types, bf16, f16 and preds, and of conversions
// of bytes; or over integers of 8 and 16 bits and preds. A step reads any value made before, so
// that many wait for a long time; the last ones are results.
#pragma once

#include <algorithm>
#include <fmt/format.h>
#include <random>
#include <string>
#include <vector>

namespace understudy::worker {

class RandomChain {
 public:
  enum class Numbers { words, narrow };

  // `rows`, `columns`: of all arrays; arguments are %x0 and so on of each type, scalars, a column
  // of f32, a row of f32 and one of bf16, and a scalar and a column of f16; or scalars and a row.
  RandomChain(unsigned seed, int rows, int columns, Numbers numbers = Numbers::words)
      : random_(seed),
        rows_(rows),
        columns_(columns),
        is_narrow_(numbers == Numbers::narrow),
        types_(is_narrow_ ? std::vector<std::string>{"i1", "i8", "ui8", "i16", "ui16"}
                          : std::vector<std::string>{"f32", "bf16", "f16", "i32", "ui32", "i1",
                                                     "i8", "ui8"}) {}

  std::string text(int steps) {
    std::string arguments;
    for (const std::string& type : types_) {
      arguments += fmt::format("%x{}: {}, ", values_.size(), array(type));
      values_.push_back({fmt::format("%x{}", values_.size()), type});
    }
    arguments += is_narrow_ ? narrow_arguments() : word_arguments();
    for (int s = 0; s < steps; ++s) add_step();
    std::string names, types;
    for (std::size_t i = values_.size() - kResults; i < values_.size(); ++i) {
      names += (names.empty() ? "" : ", ") + values_[i].name;
      types += (types.empty() ? "" : ", ") + array(values_[i].type);
    }
    return fmt::format("func.func public @main({}) -> ({}) {{\n{}  return {} : {}\n}}", arguments,
                       types, body_, names, types);
  }

 private:
  struct Value {
    std::string name, type;
  };
  static constexpr std::size_t kResults = 10;
  static bool is_float(const std::string& type) { return type.ends_with("f16") || type == "f32"; }

  std::string word_arguments() {
    const std::string text = fmt::format(
        "%s: tensor<f32>, %n: tensor<i32>, %q: tensor<i1>, %c: tensor<{}xf32>, %r: tensor<{}xf32>, "
        "%h: tensor<{}xbf16>, %t: tensor<f16>, %d: tensor<{}xf16>",
        rows_, columns_, columns_, rows_);
    spread("%s", "f32", "", "");
    spread("%n", "i32", "", "");
    spread("%q", "i1", "", "");
    spread("%c", "f32", fmt::format("{}x", rows_), "0");
    spread("%r", "f32", fmt::format("{}x", columns_), "1");
    spread("%h", "bf16", fmt::format("{}x", columns_), "1");
    spread("%t", "f16", "", "");
    spread("%d", "f16", fmt::format("{}x", rows_), "0");
    return text;
  }
  std::string narrow_arguments() {
    spread("%n", "i8", "", "");
    spread("%m", "ui16", "", "");
    spread("%q", "i1", "", "");
    spread("%r", "ui8", fmt::format("{}x", columns_), "1");
    return fmt::format("%n: tensor<i8>, %m: tensor<ui16>, %q: tensor<i1>, %r: tensor<{}xui8>",
                       columns_);
  }
  std::string array(const std::string& type) const {
    return fmt::format("tensor<{}x{}x{}>", rows_, columns_, type);
  }
  std::size_t below(std::size_t n) { return random_() % n; }
  template <class T>
  const T& one_of(const std::vector<T>& all) {
    return all[below(all.size())];
  }
  std::string new_value(const std::string& type) {
    values_.push_back({fmt::format("%v{}", values_.size()), type});
    return values_.back().name;
  }
  void spread(const std::string& from, const std::string& type, const std::string& shape,
              const std::string& dimensions) {
    const std::string name = new_value(type);
    body_ +=
        fmt::format("  {} = stablehlo.broadcast_in_dim {}, dims = [{}] : (tensor<{}{}>) -> {}\n",
                    name, from, dimensions, shape, type, array(type));
  }
  std::string constant(const std::string& type) {
    static const std::vector<std::string> floats{"0.0", "-0.0",       "1.0",        "0.5",
                                                 "3.0", "0x7F800000", "0xFFC00000", "-7.25"};
    static const std::vector<std::string> halves{"0.0", "1.0", "0.5", "-7.25", "0x7F80", "0xFFC0"};
    static const std::vector<std::string> f16s{"0.0", "1.0",    "0.5",    "-7.25",
                                               "6.0", "0x7C00", "0xFE00", "0x7D01"};
    static const std::vector<std::string> whole{"0", "1", "2", "5", "13", "31", "32", "40", "100"};
    static const std::vector<std::string> below_zero{"-1", "-3", "-128", "-100"};
    const bool is_negative = is_narrow_ && type.starts_with("i") && below(3) == 0;
    const std::string value = type == "f32"    ? one_of(floats)
                              : type == "bf16" ? one_of(halves)
                              : type == "f16"  ? one_of(f16s)
                              : type == "i1"   ? (below(2) == 0 ? "true" : "false")
                              : is_negative    ? one_of(below_zero)
                                               : one_of(whole);
    const std::string name = new_value(type);
    body_ += fmt::format("  {} = stablehlo.constant dense<{}> : {}\n", name, value, array(type));
    return name;
  }
  // A value of the type; sometimes a constant.
  std::string value(const std::string& type) {
    std::vector<std::string> all;
    for (const Value& one : values_)
      if (one.type == type) all.push_back(one.name);
    if (below(6) == 0) return constant(type);
    // Half of them wait for long.
    return all[all.size() - 1 -
               below(below(2) == 0 ? all.size() : std::min<std::size_t>(all.size(), 3))];
  }

  void add(const std::string& type, const std::string& operation) {
    const std::string name = new_value(type);
    body_ += fmt::format("  {} = stablehlo.{}\n", name, operation);
  }
  void add_step() {
    const std::string type = one_of(types_);
    if (!is_narrow_ && (type == "i8" || type == "ui8"))
      return add_convert(below(2) == 0 ? type : one_of(types_));
    switch (below(8)) {
      case 0:
        return add_unary(type);
      case 1:
        return add_compare(type);
      case 2: {
        const std::string p = value("i1"), a = value(type), b = value(type);
        return add(type,
                   fmt::format("select {}, {}, {} : {}, {}", p, a, b, array("i1"), array(type)));
      }
      case 3:
        return add_convert(type);
      default:
        return add_binary(type);
    }
  }
  void add_unary(const std::string& type) {
    static const std::vector<std::string> floats{
        "negate", "abs",    "sqrt",     "rsqrt",        "exponential",
        "tanh",   "log",    "logistic", "log_plus_one", "exponential_minus_one",
        "cbrt",   "floor",  "ceil",     "sign",         "round_nearest_even",
        "erf",    "erf_inv"};
    static const std::vector<std::string> ints{"negate", "abs",    "not",
                                               "sign",   "popcnt", "count_leading_zeros"};
    static const std::vector<std::string> words{"not", "popcnt", "negate"};
    static const std::vector<std::string> narrow{"not", "popcnt", "negate", "count_leading_zeros"};
    const std::string x = value(type);
    if (is_float(type) && below(8) == 0)
      return add("i1", fmt::format("is_finite {} : ({}) -> {}", x, array(type), array("i1")));
    const std::string op = is_float(type)   ? one_of(floats)
                           : type == "i1"   ? "not"
                           : type[0] == 'i' ? one_of(ints)
                           : is_narrow_     ? one_of(narrow)
                                            : one_of(words);
    if (op.starts_with("erf")) {
      const std::string name = new_value(type);
      body_ += fmt::format("  {} = chlo.{} {} : {} -> {}\n", name, op, x, array(type), array(type));
      return;
    }
    add(type, fmt::format("{} {} : {}", op, x, array(type)));
  }
  void add_binary(const std::string& type) {
    static const std::vector<std::string> floats{"add",      "add",      "multiply", "multiply",
                                                 "subtract", "divide",   "maximum",  "minimum",
                                                 "atan2",    "remainder"};
    static const std::vector<std::string> whole{"add",
                                                "subtract",
                                                "multiply",
                                                "maximum",
                                                "minimum",
                                                "and",
                                                "or",
                                                "xor",
                                                "shift_right_logical",
                                                "shift_right_arithmetic",
                                                "divide",
                                                "remainder",
                                                "shift_left"};
    static const std::vector<std::string> preds{"and", "or", "xor"};
    const std::string op = is_float(type) ? one_of(floats)
                           : type == "i1" ? one_of(preds)
                                          : one_of(whole);
    const std::string a = value(type), b = value(type);
    add(type, fmt::format("{} {}, {} : {}", op, a, b, array(type)));
  }
  void add_compare(const std::string& type) {
    static const std::vector<std::string> directions{"EQ", "NE", "GE", "GT", "LE", "LT"};
    const std::string a = value(type), b = value(type);
    const bool is_total = (type == "f32" || type == "bf16") && below(3) == 0;
    add("i1", fmt::format("compare {}, {}, {}{} : ({}, {}) -> {}", one_of(directions), a, b,
                          is_total ? ", TOTALORDER" : "", array(type), array(type), array("i1")));
  }
  void add_convert(const std::string& type) {
    std::vector<std::string> others = types_;
    std::erase(others, "i1");
    const std::string to = one_of(others), x = value(type);
    add(to, fmt::format("convert {} : ({}) -> {}", x, array(type), array(to)));
  }

  std::mt19937 random_;
  int rows_, columns_;
  bool is_narrow_;
  std::vector<std::string> types_;
  std::vector<Value> values_;
  std::string body_;
};

}  // namespace understudy::worker
