// SPDX-License-Identifier: Apache-2.0
// Every function of one element in a loop of machine code has the bits of its kernel, over pairs of
// values at the edges of each type, with operands that are variables and that are constants.
#include <fmt/format.h>

#include "tests/worker/ops/machine_code/machine_run.h"

namespace understudy::worker {
namespace {

using program::ElementType;

constexpr const char* kTypes[] = {"i8",   "ui8", "i16",  "ui16", "i32",
                                  "ui32", "i64", "ui64", "f32",  "f64"};

ElementType type_of(const std::string& name) {
  return name == "i1" ? ElementType::pred : *program::element_type_of_mlir(name);
}
bool is_float(const std::string& type) { return type[0] == 'f'; }
const char* order_of(const std::string& type) {
  return is_float(type) ? "FLOAT" : type[0] == 'u' || type == "i1" ? "UNSIGNED" : "SIGNED";
}

// A loop over `count` elements of %a: tensor<Nx{from}> and %b, which writes `to` elements. `body`
// makes %z of %x and %y.
std::string loop_of(std::size_t count, const std::string& from, const std::string& to,
                    const std::string& body) {
  return fmt::format(R"(
func.func public @main(%a: tensor<{0}x{1}>, %b: tensor<{0}x{1}>, %out: tensor<{0}x{2}>) -> tensor<{0}x{2}> {{
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %n = stablehlo.constant dense<{0}> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %r = %out) : tensor<i32>, tensor<{0}x{2}>
  cond {{
    %1 = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }} do {{
    %2 = stablehlo.dynamic_slice %a, %i, sizes = [1] : (tensor<{0}x{1}>, tensor<i32>) -> tensor<1x{1}>
    %x = stablehlo.reshape %2 : (tensor<1x{1}>) -> tensor<{1}>
    %3 = stablehlo.dynamic_slice %b, %i, sizes = [1] : (tensor<{0}x{1}>, tensor<i32>) -> tensor<1x{1}>
    %y = stablehlo.reshape %3 : (tensor<1x{1}>) -> tensor<{1}>
    {3}
    %4 = stablehlo.reshape %z : (tensor<{2}>) -> tensor<1x{2}>
    %5 = stablehlo.dynamic_update_slice %r, %4, %i : (tensor<{0}x{2}>, tensor<1x{2}>, tensor<i32>) -> tensor<{0}x{2}>
    %6 = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %6, %5 : tensor<i32>, tensor<{0}x{2}>
  }}
  return %0#1 : tensor<{0}x{2}>
}}
)",
                     count, from, to, body);
}

// All pairs of special values.
void expect_kernel_bits(const std::string& from, const std::string& to, const std::string& body,
                        std::size_t loops = 1) {
  SCOPED_TRACE(body);
  const std::vector<std::uint64_t> patterns = special_patterns(type_of(from));
  std::vector<std::uint64_t> a, b;
  for (const std::uint64_t x : patterns) {
    for (const std::uint64_t y : patterns) {
      a.push_back(x);
      b.push_back(y);
    }
  }
  const ElementType type = type_of(from);
  Bytes out(a.size() * program::byte_size(type_of(to)) + kSlack);
  expect_same_bits(compiled_program(loop_of(a.size(), from, to, body)),
                   {patterns_argument(type, a), patterns_argument(type, b), out}, loops);
}

std::string unary(const std::string& op, const std::string& type) {
  return fmt::format("%z = {} %x : tensor<{}>", op, type);
}
std::string binary(const std::string& op, const std::string& type) {
  return fmt::format("%z = {} %x, %y : tensor<{}>", op, type);
}

class MachineElements : public testing::TestWithParam<const char*> {};

TEST_P(MachineElements, OfOneOperandHaveTheBitsOfTheirKernels) {
  const std::string type = GetParam();
  std::vector<std::string> ops{"stablehlo.abs", "stablehlo.negate", "stablehlo.sign"};
  if (is_float(type)) {
    ops.insert(ops.end(), {"stablehlo.ceil", "stablehlo.floor", "stablehlo.round_nearest_even",
                           "stablehlo.round_nearest_afz", "stablehlo.rsqrt", "stablehlo.sqrt",
                           "stablehlo.exponential", "stablehlo.tanh"});
  } else {
    ops = {"stablehlo.negate", "stablehlo.not", "stablehlo.popcnt",
           "stablehlo.count_leading_zeros"};
    if (type[0] == 'i') ops.insert(ops.end(), {"stablehlo.abs", "stablehlo.sign"});
  }
  if (type == "f32")
    ops.insert(ops.end(),
               {"stablehlo.cosine", "stablehlo.sine", "stablehlo.tan", "stablehlo.log",
                "stablehlo.log_plus_one", "stablehlo.logistic", "stablehlo.exponential_minus_one",
                "chlo.erf", "chlo.erf_inv", "chlo.asinh", "chlo.acosh", "chlo.atanh"});
  for (const std::string& op : ops)
    expect_kernel_bits(type, type,
                       op[0] == 'c' ? fmt::format("%z = {} %x : tensor<f32> -> tensor<f32>", op)
                                    : unary(op, type));
}

TEST_P(MachineElements, OfTwoOperandsHaveTheBitsOfTheirKernels) {
  const std::string type = GetParam();
  std::vector<std::string> ops{"add",       "subtract", "multiply", "divide",
                               "remainder", "maximum",  "minimum"};
  if (is_float(type)) {
    ops.insert(ops.end(), {"power", "atan2"});
  } else {
    ops.insert(ops.end(), {"and", "or", "xor", "shift_left", "shift_right_logical",
                           "shift_right_arithmetic", "power"});
  }
  for (const std::string& op : ops) expect_kernel_bits(type, type, binary("stablehlo." + op, type));
}

// What a constant operand changes: divisions by it, shifts by it.
TEST_P(MachineElements, WithConstantsHaveTheBitsOfTheirKernels) {
  const std::string type = GetParam();
  std::vector<std::string> ops{"add", "subtract", "multiply", "divide", "remainder", "maximum"};
  if (!is_float(type))
    ops.insert(ops.end(), {"shift_left", "shift_right_logical", "shift_right_arithmetic", "xor"});
  std::vector<std::string> numbers{"0", "1", "2", "3", "7", "10", "64", "100"};
  if (type[0] != 'u') numbers.insert(numbers.end(), {"-1", "-2", "-7", "-100"});
  if (type == "i32") numbers.insert(numbers.end(), {"2147483647", "-2147483648", "1000003"});
  if (type == "ui32") numbers.insert(numbers.end(), {"4294967295", "2147483648", "641"});
  if (type == "i64") numbers.insert(numbers.end(), {"9223372036854775807", "-9223372036854775808"});
  for (const std::string& op : ops) {
    for (const std::string& number : numbers) {
      const std::string text = is_float(type) ? number + ".0" : number;
      expect_kernel_bits(type, type,
                         fmt::format("%c = stablehlo.constant dense<{}> : tensor<{}>\n"
                                     "%z = stablehlo.{} %x, %c : tensor<{}>",
                                     text, type, op, type));
    }
  }
}

// As a pred that is stored, and as flags of a selection of each kind.
TEST_P(MachineElements, ComparedHaveTheBitsOfTheirKernels) {
  const std::string type = GetParam();
  for (const char* direction : {"EQ", "NE", "LT", "LE", "GT", "GE"}) {
    const std::string compare = fmt::format(
        "%p = stablehlo.compare {0}, %x, %y, {1} : (tensor<{2}>, tensor<{2}>) -> tensor<i1>\n",
        direction, order_of(type), type);
    expect_kernel_bits(type, "i1", compare + "%z = stablehlo.or %p, %p : tensor<i1>");
    for (const std::string& chosen : {type, std::string("f32"), std::string("i32")}) {
      const std::string u = chosen == type ? "%x" : "%u", v = chosen == type ? "%y" : "%v";
      const std::string converted = chosen == type
                                        ? ""
                                        : fmt::format(
                                              "%u = stablehlo.constant dense<1> : tensor<{0}>\n"
                                              "%v = stablehlo.constant dense<2> : tensor<{0}>\n",
                                              chosen);
      const std::string text = is_float(chosen) && chosen != type
                                   ? fmt::format(
                                         "%u = stablehlo.constant dense<1.0> : tensor<{0}>\n"
                                         "%v = stablehlo.constant dense<2.0> : tensor<{0}>\n",
                                         chosen)
                                   : converted;
      expect_kernel_bits(
          type, chosen,
          text + compare +
              fmt::format("%z = stablehlo.select %p, {}, {} : tensor<i1>, tensor<{}>", u, v,
                          chosen));
    }
  }
}

TEST_P(MachineElements, ConvertedHaveTheBitsOfTheirKernels) {
  const std::string from = GetParam();
  for (const std::string to : {"i1", "i8", "ui8", "i16", "ui16", "i32", "ui32", "i64", "ui64",
                               "f32", "f64", "bf16", "f16"})
    expect_kernel_bits(
        from, to, fmt::format("%z = stablehlo.convert %x : (tensor<{}>) -> tensor<{}>", from, to));
}
INSTANTIATE_TEST_SUITE_P(Types, MachineElements, testing::ValuesIn(kTypes));

TEST(MachinePreds, HaveTheBitsOfTheirKernels) {
  for (const char* op : {"and", "or", "xor", "add", "multiply", "maximum", "minimum"})
    expect_kernel_bits("i1", "i1", binary(fmt::format("stablehlo.{}", op), "i1"));
  expect_kernel_bits("i1", "i1", unary("stablehlo.not", "i1"));
  for (const char* to : {"i8", "i32", "i64", "f32", "f64"})
    expect_kernel_bits("i1", to,
                       fmt::format("%z = stablehlo.convert %x : (tensor<i1>) -> tensor<{}>", to));
}

// A NaN that arithmetic made shows its pattern in what works on bits, or chooses.
TEST(MachineFloats, SettleTheirNans) {
  for (const std::string type : {"f32", "f64"}) {
    for (const std::string last :
         {"%z = stablehlo.negate %w : tensor<{0}>", "%z = stablehlo.abs %w : tensor<{0}>",
          "%z = stablehlo.maximum %w, %x : tensor<{0}>",
          "%p = stablehlo.compare LT, %x, %y, FLOAT : (tensor<{0}>, tensor<{0}>) -> tensor<i1>\n"
          "%z = stablehlo.select %p, %w, %x : tensor<i1>, tensor<{0}>",
          "%z = stablehlo.tanh %w : tensor<{0}>"}) {
      for (const std::string op : {"subtract", "multiply", "divide"})
        expect_kernel_bits(type, type,
                           fmt::format("%v = stablehlo.{1} %x, %y : tensor<{0}>\n"
                                       "%w = stablehlo.add %v, %y : tensor<{0}>\n",
                                       type, op) +
                               fmt::format(fmt::runtime(last), type));
    }
  }
}

}  // namespace
}  // namespace understudy::worker
