// SPDX-License-Identifier: Apache-2.0
// Random programs of scalars: loops in loops, branches, windows whose starts leave their arrays,
// called functions. Machine code has the bits and the instruction counts of the instructions.
#include <fmt/format.h>
#include <random>

#include "tests/worker/ops/machine_code/machine_run.h"

namespace understudy::worker {
namespace {

using program::ElementType;

struct Named {
  std::string name, type;
};

// Writes one program. Values that a region defines are visible in it alone.
class ProgramWriter {
 public:
  explicit ProgramWriter(unsigned seed) : random_(seed) {}

  std::string write() {
    std::vector<Named> scalars;
    std::string parameters = "%t: tensor<5xf32>, %k: tensor<3xi32>";
    for (const char* type : kTypes) {
      const std::string name = fmt::format("%a{}", scalars.size());
      scalars.push_back({name, type});
      parameters += fmt::format(", {}: tensor<{}>", name, type);
    }
    arrays_ = {"%t", "%k"};
    std::string text;
    const std::vector<Named> out = loop(scalars, 40, 0, text);
    std::string types = "tensor<5xf32>, tensor<3xi32>", names = arrays_[0] + ", " + arrays_[1];
    for (const Named& value : out) {
      types += fmt::format(", tensor<{}>", value.type);
      names += ", " + value.name;
    }
    return fmt::format("func.func public @main({}) -> ({}) {{\n{}  return {} : {}\n}}\n",
                       parameters, types, text, names, types);
  }

  static std::vector<Bytes> arguments(unsigned seed) {
    std::mt19937 random(seed);
    std::vector<Bytes> all;
    const auto add = [&](ElementType type, std::size_t count) {
      const std::vector<std::uint64_t> special = special_patterns(type);
      std::vector<std::uint64_t> patterns;
      for (std::size_t i = 0; i < count; ++i)
        patterns.push_back(special[random() % special.size()]);
      all.push_back(patterns_argument(type, patterns));
    };
    add(ElementType::f32, 5);
    add(ElementType::i32, 3);
    for (const std::string type : kTypes)
      add(type == "i1" ? ElementType::pred : *program::element_type_of_mlir(type), 1);
    return all;
  }

 private:
  static constexpr const char* kTypes[] = {"i32", "f32", "i1", "i64", "f64", "ui8", "i16", "ui32"};

  std::size_t pick(std::size_t count) { return random_() % count; }
  std::string fresh() { return fmt::format("%v{}", next_++); }
  const Named& any(const std::vector<Named>& values, const std::string& type) {
    std::vector<const Named*> fitting;
    for (const Named& value : values)
      if (value.type == type) fitting.push_back(&value);
    // The newest ones more often, so that chains become long.
    const std::size_t first = fitting.size() > 4 && pick(3) != 0 ? fitting.size() - 4 : 0;
    return *fitting[first + pick(fitting.size() - first)];
  }

  // A loop that carries all scalars and arrays; its counter is beside them.
  std::vector<Named> loop(const std::vector<Named>& scalars, int iterations, int depth,
                          std::string& text) {
    const std::string n = fresh(), zero = fresh(), one = fresh(), result = fresh(), i = fresh();
    text += fmt::format("{} = stablehlo.constant dense<{}> : tensor<i32>\n", n, iterations);
    text += fmt::format("{} = stablehlo.constant dense<0> : tensor<i32>\n", zero);
    text += fmt::format("{} = stablehlo.constant dense<1> : tensor<i32>\n", one);
    const std::vector<std::string> before = arrays_;
    arrays_ = {fresh(), fresh()};
    std::string header = fmt::format("{} = {}, {} = {}, {} = {}", i, zero, arrays_[0], before[0],
                                     arrays_[1], before[1]);
    std::string types = "tensor<i32>, tensor<5xf32>, tensor<3xi32>";
    std::vector<Named> carried, results;
    std::size_t number = 3;
    for (const Named& scalar : scalars) {
      carried.push_back({fresh(), scalar.type});
      header += fmt::format(", {} = {}", carried.back().name, scalar.name);
      types += fmt::format(", tensor<{}>", scalar.type);
      results.push_back({fmt::format("{}#{}", result, number++), scalar.type});
    }
    text +=
        fmt::format("{}:{} = stablehlo.while({}) : {}\ncond {{\n", result, number, header, types);
    text += fmt::format(
        "%c = stablehlo.compare LT, {}, {}, SIGNED : (tensor<i32>, tensor<i32>) -> "
        "tensor<i1>\nstablehlo.return %c : tensor<i1>\n}} do {{\n",
        i, n);
    std::vector<Named> visible = carried;
    visible.push_back({i, "i32"});
    for (int step = 0; step < 12; ++step) add_step(visible, carried, depth, text);
    const std::string next = fresh();
    text += fmt::format("{} = stablehlo.add {}, {} : tensor<i32>\n", next, i, one);
    std::string names = next + ", " + arrays_[0] + ", " + arrays_[1];
    for (const Named& value : carried) names += ", " + any(visible, value.type).name;
    text += fmt::format("stablehlo.return {} : {}\n}}\n", names, types);
    arrays_ = {result + "#1", result + "#2"};
    return results;
  }

  void add_step(std::vector<Named>& visible, const std::vector<Named>& carried, int depth,
                std::string& text) {
    switch (pick(12)) {
      case 0:
        return convert(visible, text);
      case 1:
        return compare(visible, text);
      case 2:
        return select(visible, text);
      case 3:
        return slice(visible, text);
      case 4:
        return update(visible, text);
      case 5:
        if (depth < 2) return branch(visible, carried, depth, text);
        break;
      case 6:
        if (depth < 1) {
          std::vector<Named> inner;
          for (const Named& value : carried) inner.push_back(any(visible, value.type));
          for (Named& value : loop(inner, static_cast<int>(pick(5)), depth + 1, text))
            visible.push_back(std::move(value));
          return;
        }
        break;
      default:
        break;
    }
    function(visible, text);
  }

  void define(std::vector<Named>& visible, std::string& text, const std::string& type,
              const std::string& right) {
    const std::string name = fresh();
    text += fmt::format("{} = {}\n", name, right);
    visible.push_back({name, type});
  }

  void function(std::vector<Named>& visible, std::string& text) {
    const std::string type = kTypes[pick(std::size(kTypes))];
    const std::vector<std::string> of_floats{"add",     "subtract", "multiply", "divide",
                                             "maximum", "minimum",  "power"};
    const std::vector<std::string> of_integers{"add",
                                               "subtract",
                                               "multiply",
                                               "divide",
                                               "remainder",
                                               "maximum",
                                               "minimum",
                                               "and",
                                               "xor",
                                               "shift_left",
                                               "shift_right_logical",
                                               "shift_right_arithmetic"};
    const std::vector<std::string> of_preds{"and", "or", "xor"};
    const auto& ops = type == "i1" ? of_preds : type[0] == 'f' ? of_floats : of_integers;
    const std::string& op = ops[pick(ops.size())];
    if (type[0] == 'f' && pick(4) == 0) {
      const std::vector<std::string> one{"negate", "abs", "sqrt", "floor", "exponential", "tanh"};
      return define(visible, text, type,
                    fmt::format("stablehlo.{} {} : tensor<{}>", one[pick(one.size())],
                                any(visible, type).name, type));
    }
    const std::string a = any(visible, type).name, b = any(visible, type).name;
    define(visible, text, type, fmt::format("stablehlo.{} {}, {} : tensor<{}>", op, a, b, type));
  }
  void convert(std::vector<Named>& visible, std::string& text) {
    const std::string from = kTypes[pick(std::size(kTypes))], to = kTypes[pick(std::size(kTypes))];
    define(visible, text, to,
           fmt::format("stablehlo.convert {} : (tensor<{}>) -> tensor<{}>", any(visible, from).name,
                       from, to));
  }
  void compare(std::vector<Named>& visible, std::string& text) {
    const std::string type = kTypes[pick(std::size(kTypes))];
    const char* const order = type[0] == 'f'                   ? "FLOAT"
                              : type[0] == 'u' || type == "i1" ? "UNSIGNED"
                                                               : "SIGNED";
    const std::vector<std::string> directions{"EQ", "NE", "LT", "LE", "GT", "GE"};
    const std::string a = any(visible, type).name, b = any(visible, type).name;
    define(visible, text, "i1",
           fmt::format("stablehlo.compare {}, {}, {}, {} : (tensor<{}>, tensor<{}>) -> tensor<i1>",
                       directions[pick(6)], a, b, order, type, type));
  }
  void select(std::vector<Named>& visible, std::string& text) {
    const std::string type = kTypes[pick(std::size(kTypes))];
    const std::string p = any(visible, "i1").name, a = any(visible, type).name,
                      b = any(visible, type).name;
    define(visible, text, type,
           fmt::format("stablehlo.select {}, {}, {} : tensor<i1>, tensor<{}>", p, a, b, type));
  }
  // Of both arrays, whose numbers of elements differ.
  void slice(std::vector<Named>& visible, std::string& text) {
    const std::size_t which = pick(2);
    const std::string array = which == 0 ? "5xf32" : "3xi32", type = which == 0 ? "f32" : "i32";
    const std::string index = pick(2) == 0 ? "i32" : "i64", one = fresh();
    text += fmt::format(
        "{} = stablehlo.dynamic_slice {}, {}, sizes = [1] : (tensor<{}>, tensor<{}>) -> "
        "tensor<1x{}>\n",
        one, arrays_[which], any(visible, index).name, array, index, type);
    define(visible, text, type,
           fmt::format("stablehlo.reshape {} : (tensor<1x{}>) -> tensor<{}>", one, type, type));
  }
  void update(std::vector<Named>& visible, std::string& text) {
    const std::size_t which = pick(2);
    const std::string array = which == 0 ? "5xf32" : "3xi32", type = which == 0 ? "f32" : "i32";
    const std::string index = pick(2) == 0 ? "i32" : "ui32", one = fresh(), all = fresh();
    text += fmt::format("{} = stablehlo.reshape {} : (tensor<{}>) -> tensor<1x{}>\n", one,
                        any(visible, type).name, type, type);
    text += fmt::format(
        "{} = stablehlo.dynamic_update_slice {}, {}, {} : (tensor<{}>, tensor<1x{}>, tensor<{}>) "
        "-> tensor<{}>\n",
        all, arrays_[which], one, any(visible, index).name, array, type, index, array);
    arrays_[which] = all;
  }
  // By a pred or a number; arrays stay as they are.
  void branch(std::vector<Named>& visible, const std::vector<Named>& carried, int depth,
              std::string& text) {
    const bool by_pred = pick(2) == 0;
    const std::size_t branches = by_pred ? 2 : 1 + pick(3);
    const std::string result = fresh();
    const std::string index = any(visible, by_pred ? "i1" : "i32").name;
    const std::string first = kTypes[pick(std::size(kTypes))],
                      second = kTypes[pick(std::size(kTypes))];
    text += fmt::format("{}:2 = \"stablehlo.{}\"({}) (", result, by_pred ? "if" : "case", index);
    const std::vector<std::string> before = arrays_;
    for (std::size_t b = 0; b < branches; ++b) {
      std::vector<Named> inner = visible;
      text += b == 0 ? "{\n" : ", {\n";
      for (std::size_t step = 0; step < 3; ++step) add_step(inner, carried, depth + 2, text);
      text += fmt::format("stablehlo.return {}, {} : tensor<{}>, tensor<{}>\n}}",
                          any(inner, first).name, any(inner, second).name, first, second);
      arrays_ = before;
    }
    text += fmt::format(") : (tensor<{}>) -> (tensor<{}>, tensor<{}>)\n", by_pred ? "i1" : "i32",
                        first, second);
    visible.push_back({result + "#0", first});
    visible.push_back({result + "#1", second});
  }

  std::mt19937 random_;
  std::vector<std::string> arrays_;
  int next_ = 0;
};

class MachinePrograms : public testing::TestWithParam<unsigned> {};

TEST_P(MachinePrograms, OfScalarsKeepTheirBitsAndCounts) {
  std::size_t compiled = 0, programs = 0;
  for (unsigned seed = GetParam(); seed < GetParam() + 25; ++seed) {
    SCOPED_TRACE(seed);
    const std::string text = ProgramWriter(seed).write();
    for (const bool fuses : {true, false}) {
      const auto source = std::make_shared<const program::Source>("test.mlir", text);
      program::CompileOptions options;
      if (!fuses) options.disabled_passes = {"fuse-elementwise", "forward-copies"};
      const program::Executable executable = program::compile(*program::parse(source), options);
      const auto& widest = program::kernels::select("");
      ++programs;
      if (ops::bind(executable, widest).machine_loops != 0) ++compiled;
      for (unsigned of = 0; of < 3; ++of)
        expect_same_bits(executable, ProgramWriter::arguments(seed * 7 + of), std::nullopt);
    }
    if (HasFailure()) {
      ADD_FAILURE() << text;
      return;
    }
  }
  // What they try is machine code, not the same functions twice.
  const bool makes = ops::makes_machine_code(program::kernels::select(""));
  EXPECT_GE(compiled, makes ? programs * 3 / 4 : 0);
}
INSTANTIATE_TEST_SUITE_P(Seeds, MachinePrograms, testing::Values(0U, 100U, 200U, 300U));

}  // namespace
}  // namespace understudy::worker
