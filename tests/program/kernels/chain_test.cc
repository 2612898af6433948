// SPDX-License-Identifier: Apache-2.0
// Every step of a chain gives the bits of the kernel of its operation, wherever its operands are,
// on every instruction set.
#include <cstring>

#include "gtest/gtest.h"

#include "tests/program/kernels/samples.h"

namespace understudy::program::kernels {
namespace {

using enum ChainSource;
using Values = std::vector<std::byte>;
constexpr std::size_t kElements = 256;  // whole pieces of every instruction set
constexpr ChainSource kSources[] = {accumulator, dense, shared, held};

class Chains : public testing::TestWithParam<const KernelTable*> {
 protected:
  const ChainKernels kernels_ = GetParam()->chains();

  // As the operand is seen by all lanes.
  static Values seen(const Values& values, ChainSource source, std::size_t bytes) {
    if (source != shared) return values;
    Values all;
    for (std::size_t i = 0; i < kElements; ++i)
      all.insert(all.end(), values.begin(), values.begin() + static_cast<std::ptrdiff_t>(bytes));
    return all;
  }

  // An operand of a step: a member of it, the place, the values there and their type.
  struct From {
    const std::byte* ChainStep::*member;
    ChainSource source;
    const Values& values;
    ElementType type;
  };

  // Loads the operands that are held and what the accumulator has, runs one step, and stores its
  // result of type `out`. A selection keeps the bits of a NaN.
  Values run(ChainStep step, const std::vector<From>& from, ElementType out,
             bool settles = true) const {
    Values result(kElements * byte_size(out)), pieces(from.size() * kernels_.held_bytes);
    std::vector<ChainStep> steps;
    for (std::size_t i = 0; i < from.size(); ++i) {
      step.*from[i].member = from[i].values.data();
      if (from[i].source != held) continue;
      std::byte* const piece = pieces.data() + i * kernels_.held_bytes;
      steps.push_back({kernels_.load(from[i].type, dense), from[i].values.data()});
      steps.push_back({kernels_.hold, nullptr, nullptr, nullptr, piece});
      step.*from[i].member = piece;
    }
    for (const From& one : from)
      if (one.source == accumulator)
        steps.push_back({kernels_.load(one.type, dense), one.values.data()});
    steps.push_back(step);
    if (settles && is_float(out)) steps.push_back({kernels_.settle});
    steps.push_back({kernels_.store(out), nullptr, nullptr, nullptr, result.data()});
    steps.push_back({kernels_.end});
    kernels_.run(steps.data(), kElements);
    return result;
  }

  template <class Find>
  int check_pairs(ElementType type, ElementType out, BinaryKernel kernel, const Find& find,
                  ChainFunction called = nullptr) {
    int checked = 0;
    const Values x = sample(type, kElements, 2), y = sample(type, kElements, 3);
    const std::size_t bytes = byte_size(type);
    for (const ChainSource a : kSources)
      for (const ChainSource b : kSources) {
        const ChainFunction function = find(a, b);
        if (function == nullptr) continue;
        ++checked;
        const Values& second = a == accumulator && b == accumulator ? x : y;
        Values wanted(kElements * byte_size(out));
        kernel(seen(x, a, bytes).data(), seen(second, b, bytes).data(), wanted.data(), kElements);
        ChainStep step{function};
        step.kernel = called;
        EXPECT_EQ(run(step, {{&ChainStep::a, a, x, type}, {&ChainStep::b, b, second, type}}, out),
                  wanted)
            << mlir_name(type) << " from " << static_cast<int>(a) << ", " << static_cast<int>(b);
      }
    return checked;
  }
};

TEST_P(Chains, BinarySteps) {
  int checked = 0;
  for (const ElementType type : all_types())
    for (int op = 0; op <= static_cast<int>(BinaryOp::zeta); ++op) {
      SCOPED_TRACE(op);
      const auto binary = static_cast<BinaryOp>(op);
      checked += check_pairs(
          type, type, GetParam()->binary(binary, type),
          [&](ChainSource a, ChainSource b) { return kernels_.binary(binary, type, a, b); });
    }
  EXPECT_EQ(checked, (3 * 6 + 2 * 11 + 3) * 16);
}

TEST_P(Chains, Comparisons) {
  int checked = 0;
  for (const ElementType type : all_types())
    for (int d = 0; d <= static_cast<int>(Direction::lt); ++d)
      for (const bool total : {false, true}) {
        SCOPED_TRACE(d);
        const auto direction = static_cast<Direction>(d);
        checked += check_pairs(type, ElementType::pred, GetParam()->compare(direction, total, type),
                               [&](ChainSource a, ChainSource b) {
                                 return kernels_.compare(direction, total, type, a, b);
                               });
      }
  EXPECT_EQ(checked, (6 + 5) * 6 * 16);  // f16 has no total order here
}

TEST_P(Chains, UnarySteps) {
  int checked = 0;
  for (const ElementType type : all_types())
    for (int op = 0; op <= static_cast<int>(UnaryOp::square); ++op) {
      const ChainFunction function = kernels_.unary(static_cast<UnaryOp>(op), type);
      if (function == nullptr) continue;
      ++checked;
      const Values x = sample(type, kElements, 1);
      const bool tests = static_cast<UnaryOp>(op) == UnaryOp::is_finite;
      const ElementType out = tests ? ElementType::pred : type;
      Values wanted(kElements * byte_size(out));
      GetParam()->unary(static_cast<UnaryOp>(op), type)(x.data(), wanted.data(), kElements);
      // Negation and absolute value keep the bits of NaN: they are not settled in a chain either.
      Values got(wanted.size());
      const bool settles = is_float(out) && static_cast<UnaryOp>(op) != UnaryOp::negate &&
                           static_cast<UnaryOp>(op) != UnaryOp::abs;
      std::vector<ChainStep> steps{{kernels_.load(type, dense), x.data()}, {function}};
      if (settles) steps.push_back({kernels_.settle});
      steps.push_back({kernels_.store(out), nullptr, nullptr, nullptr, got.data()});
      steps.push_back({kernels_.end});
      kernels_.run(steps.data(), kElements);
      EXPECT_EQ(got, wanted) << "op " << op << " of " << mlir_name(type);
    }
  EXPECT_EQ(checked, 3 * (6 + 11) + 4 + 1 + 1 + 1);  // the last: imaginary parts of f32
}

TEST_P(Chains, SelectionsAndConversions) {
  const Values pred = sample(ElementType::pred, kElements, 1);
  for (const ElementType type :
       {ElementType::i32, ElementType::bf16, ElementType::f16, ElementType::pred}) {
    const std::size_t bytes = byte_size(type);
    const Values x = sample(type, kElements, 2), y = sample(type, kElements, 3);
    for (const ChainSource c : {accumulator, dense, held})
      for (const ChainSource a : kSources)
        for (const ChainSource b : kSources) {
          // One accumulator holds one value.
          if ((c == accumulator) + (a == accumulator) + (b == accumulator) > 1) continue;
          Values wanted(kElements * bytes);
          GetParam()->select(bytes)(pred.data(), seen(x, a, bytes).data(), seen(y, b, bytes).data(),
                                    wanted.data(), kElements);
          EXPECT_EQ(run({kernels_.select(type, c, a, b)},
                        {{&ChainStep::c, c, pred, ElementType::pred},
                         {&ChainStep::a, a, x, type},
                         {&ChainStep::b, b, y, type}},
                        type, false),
                    wanted)
              << mlir_name(type);
        }
  }
  int checked = 0;
  for (const ElementType from : all_types())
    for (const ElementType to : all_types()) {
      const ChainFunction function = kernels_.convert(from, to);
      if (function == nullptr || from == to) continue;
      ++checked;
      const Values in = sample(from, kElements, 4);
      Values wanted(kElements * byte_size(to));
      GetParam()->convert(from, to)(in.data(), wanted.data(), kElements);
      Values got(wanted.size());
      const ChainStep steps[] = {{kernels_.load(from, dense), in.data()},
                                 {function},
                                 {kernels_.store(to), nullptr, nullptr, nullptr, got.data()},
                                 {kernels_.end}};
      kernels_.run(steps, kElements);
      EXPECT_EQ(got, wanted) << mlir_name(from) << mlir_name(to);
    }
  // Of preds, of integers, between the floats; of each byte from and to three floats and two words,
  // from the other one and from preds.
  EXPECT_EQ(checked, 5 + 1 + 3 * 2 + 2 * (2 * 5 + 2));
}

// A product and a sum: each is rounded.
TEST_P(Chains, ProductsWithSums) {
  for (const ElementType type : {ElementType::f32, ElementType::bf16, ElementType::f16}) {
    const std::size_t bytes = byte_size(type);
    const Values x = sample(type, kElements, 2), y = sample(type, kElements, 3),
                 z = sample(type, kElements, 4);
    for (const ChainSource a : kSources)
      for (const ChainSource b : kSources)
        for (const ChainSource c : kSources) {
          if ((a == accumulator) + (b == accumulator) + (c == accumulator) > 1) continue;
          Values product(x.size()), wanted(x.size());
          GetParam()->binary(BinaryOp::multiply, type)(
              seen(x, a, bytes).data(), seen(y, b, bytes).data(), product.data(), kElements);
          GetParam()->binary(BinaryOp::add, type)(product.data(), seen(z, c, bytes).data(),
                                                  wanted.data(), kElements);
          EXPECT_EQ(run({kernels_.multiply_add(type, a, b, c)},
                        {{&ChainStep::a, a, x, type},
                         {&ChainStep::b, b, y, type},
                         {&ChainStep::c, c, z, type}},
                        type),
                    wanted)
              << mlir_name(type);
        }
  }
}

// A function without a step of its own, also rounded to bf16 and f16.
TEST_P(Chains, CallsOfKernels) {
  const auto kernel =
      reinterpret_cast<ChainFunction>(GetParam()->unary(UnaryOp::tanh, ElementType::f32));
  const auto kernel_of_two =
      reinterpret_cast<ChainFunction>(GetParam()->binary(BinaryOp::atan2, ElementType::f32));
  for (const ElementType type : {ElementType::f32, ElementType::bf16, ElementType::f16}) {
    const Values x = sample(type, kElements, 1);
    Values wanted(x.size());
    GetParam()->unary(UnaryOp::tanh, type)(x.data(), wanted.data(), kElements);
    ChainStep step{kernels_.call(type)};
    step.kernel = kernel;
    EXPECT_EQ(run(step, {{&ChainStep::a, accumulator, x, type}}, type), wanted) << mlir_name(type);
    const int checked = check_pairs(
        type, type, GetParam()->binary(BinaryOp::atan2, type),
        [&](ChainSource a, ChainSource b) { return kernels_.call_two(type, a, b); }, kernel_of_two);
    EXPECT_EQ(checked, 16);
  }
}

TEST_P(Chains, CallsOfKernelsOfIntegers) {
  for (const ElementType type : {ElementType::i32, ElementType::ui32}) {
    const Values x = sample(type, kElements, 1);
    Values wanted(x.size());
    const auto count = GetParam()->unary(UnaryOp::popcnt, type);
    count(x.data(), wanted.data(), kElements);
    ChainStep step{kernels_.call(type)};
    step.kernel = reinterpret_cast<ChainFunction>(count);
    EXPECT_EQ(run(step, {{&ChainStep::a, accumulator, x, type}}, type), wanted) << mlir_name(type);
    const auto divide = GetParam()->binary(BinaryOp::remainder, type);
    const int checked = check_pairs(
        type, type, divide,
        [&](ChainSource a, ChainSource b) { return kernels_.call_two(type, a, b); },
        reinterpret_cast<ChainFunction>(divide));
    EXPECT_EQ(checked, 16);
  }
}

TEST_P(Chains, Rotations) {
  const ElementType type = ElementType::ui32;
  const Values x = sample(type, kElements, 2);
  for (const std::uint32_t by : {0U, 1U, 13U, 31U, 32U, 40U})
    for (const ChainSource a : {accumulator, dense, held}) {
      const std::uint32_t back = 32U - by;
      Values left(x.size()), right(x.size()), wanted(x.size()), shift(4), other(4);
      std::memcpy(shift.data(), &by, 4);
      std::memcpy(other.data(), &back, 4);
      const auto kernel = [&](BinaryOp op) { return GetParam()->binary(op, type); };
      kernel(BinaryOp::shift_left)(x.data(), seen(shift, shared, 4).data(), left.data(), kElements);
      kernel(BinaryOp::shift_right_logical)(x.data(), seen(other, shared, 4).data(), right.data(),
                                            kElements);
      kernel(BinaryOp::logical_or)(left.data(), right.data(), wanted.data(), kElements);
      EXPECT_EQ(run({kernels_.rotate(a)},
                    {{&ChainStep::a, a, x, type},
                     {&ChainStep::b, shared, shift, type},
                     {&ChainStep::c, shared, other, type}},
                    type),
                wanted)
          << by;
    }
}

INSTANTIATE_TEST_SUITE_P(Tables, Chains, testing::ValuesIn(available()),
                         [](const auto& table) { return std::string(table.param->isa); });

}  // namespace
}  // namespace understudy::program::kernels
