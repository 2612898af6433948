// SPDX-License-Identifier: Apache-2.0
// Runs a program with and without some passes, on every instruction set, and compares all bits.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gtest/gtest.h"

#include "program/compile.h"
#include "program/executable/listing.h"
#include "program/kernels/kernels.h"
#include "program/read.h"
#include "tests/worker/one_chip.h"
#include "worker/ops/chain_code/chain_code.h"

namespace understudy::worker {

// About normally distributed numbers for floats (the sum of four uniform ones), small numbers for
// integers. The distribution of the standard library took half the time of these tests.
inline Bytes random_values(const program::TensorType& type, unsigned seed) {
  const auto n = static_cast<std::size_t>(type.elements());
  Bytes bytes(static_cast<std::size_t>(type.bytes()) + kSlack);
  std::uint64_t state = std::uint64_t{seed} << 32;
  const auto random = [&state] {  // SplitMix64 (Steele, Lea, Flood 2014)
    std::uint64_t bits = state += 0x9e3779b97f4a7c15U;
    bits = (bits ^ (bits >> 30U)) * 0xbf58476d1ce4e5b9U;
    bits = (bits ^ (bits >> 27U)) * 0x94d049bb133111ebU;
    return bits ^ (bits >> 31U);
  };
  const auto normal = [&random] {
    const std::uint64_t bits = random();
    const std::uint64_t sum =
        (bits & 0xffffU) + (bits >> 16U & 0xffffU) + (bits >> 32U & 0xffffU) + (bits >> 48U);
    const double fraction = static_cast<double>(bits >> 11U) * 0x1p-53;  // for all of a significand
    return (static_cast<double>(sum) - 131070.5 + fraction) / 37837.0;   // 65,536 / sqrt(3)
  };
  std::vector<double> numbers(n);
  for (double& x : numbers)
    x = is_float(type.element) ? normal() : static_cast<double>(random() % 1000);
  if (is_pred(type.element)) {
    for (std::size_t i = 0; i < n; ++i) bytes[i] = std::byte(random() % 2);
  } else {
    program::kernels::select("").convert(program::ElementType::f64, type.element)(numbers.data(),
                                                                                  bytes.data(), n);
  }
  return bytes;
}

inline program::Executable compiled_without(const std::string& text,
                                            const std::vector<std::string>& passes) {
  program::CompileOptions options;
  options.disabled_passes = passes;
  return compile(*program::parse(std::make_shared<const program::Source>("test.mlir", text)),
                 options);
}

// `fuses`: with fused loops.
inline program::Executable compiled(const std::string& text, bool fuses) {
  return compiled_without(
      text, fuses ? std::vector<std::string>{} : std::vector<std::string>{"fuse-elementwise"});
}

// `hot`: elements after which a chain becomes machine code.
inline std::vector<Bytes> run_on(const program::Executable& executable,
                                 const program::kernels::KernelTable& kernels,
                                 std::size_t hot = 0) {
  std::vector<Bytes> arguments;
  for (std::size_t i = 0; i < executable.arguments.size(); ++i)
    arguments.push_back(random_values(executable.arguments[i], static_cast<unsigned>(i) + 1));
  OneChip chip(executable, kernels, Mxu::Make::portable);
  chip.execution.chains.hot_elements = hot;
  return chip.run(arguments);
}

inline std::size_t fused_in(const std::string& listing) {
  std::size_t count = 0;
  for (std::size_t at = listing.find("= fused{"); at != std::string::npos;
       at = listing.find("= fused{", at + 1))
    ++count;
  return count;
}

// `least`: fused loops in the program. `disabled`: passes that the program to compare with does
// without.
inline void expect_same_bits(const std::string& text, std::size_t least = 1,
                             const std::vector<std::string>& disabled = {"fuse-elementwise"}) {
  const auto module = program::parse(std::make_shared<const program::Source>("test.mlir", text));
  program::CompileOptions options;
  const program::Executable fused = compile(*module, options);
  options.disabled_passes = disabled;
  const program::Executable plain = compile(*module, options);
  EXPECT_GE(fused_in(list(fused)), least) << list(fused);
  if (disabled == std::vector<std::string>{"fuse-elementwise"}) {
    EXPECT_EQ(fused_in(list(plain)), 0U);
  }
  const std::vector<Bytes> wanted = run_on(plain, program::kernels::select("portable"));
  for (const auto* kernels : program::kernels::available())
    for (const std::size_t hot : {std::size_t{0}, SIZE_MAX}) {
      const std::vector<Bytes> got = run_on(fused, *kernels, hot);
      for (std::size_t i = 0; i < got.size(); ++i)
        EXPECT_TRUE(got[i] == wanted[i])
            << "result " << i << ", " << kernels->isa << (hot == 0 ? ", machine code" : "") << "\n"
            << list(fused);
    }
}

// The same of arguments with special numbers. `see` gets the chip after each run, its kernels, and
// the elements after which a chain became machine code.
template <class F>
void expect_bits_on_each(const std::string& text, const std::vector<Bytes>& arguments,
                         const std::string& what, const F& see) {
  const program::Executable fused = compiled(text, true), plain = compiled(text, false);
  OneChip portable(plain, program::kernels::select("portable"), Mxu::Make::portable);
  const std::vector<Bytes> wanted = portable.run(arguments);
  for (const auto* kernels : program::kernels::available())
    for (const std::size_t hot : {std::size_t{0}, SIZE_MAX}) {
      OneChip chip(fused, *kernels, Mxu::Make::portable);
      chip.execution.chains.hot_elements = hot;
      const std::vector<Bytes> got = chip.run(arguments);
      for (std::size_t i = 0; i < got.size(); ++i)
        EXPECT_TRUE(got[i] == wanted[i]) << what << ", result " << i << ", " << kernels->isa << hot;
      see(chip, *kernels, hot);
    }
}

// All chains become machine code where they can.
inline void expect_bits_of_kernels(const std::string& text, const std::vector<Bytes>& arguments,
                                   const std::string& what) {
  expect_bits_on_each(text, arguments, what, [](const auto& chip, const auto& kernels, auto hot) {
    EXPECT_EQ(chip.execution.chains.compiled > 0, hot == 0 && ops::has_machine_code(kernels));
    EXPECT_EQ(chip.execution.chains.stay, 0U);
  });
}

// Copies outside of fused loops.
inline std::size_t copies_in(const std::string& text) {
  const program::Executable executable =
      compile(*program::parse(std::make_shared<const program::Source>("test.mlir", text)), {});
  const std::string listing = list(executable);
  // Steps of loops are indented.
  std::size_t count = 0;
  for (std::size_t at = listing.find("= strided_copy"); at != std::string::npos;
       at = listing.find("= strided_copy", at + 1)) {
    const std::size_t line = listing.rfind('\n', at) + 1;
    if (listing[line] != ' ') ++count;
  }
  return count;
}

inline void expect_one_loop(const std::string& text) {
  EXPECT_EQ(copies_in(text), 0U) << text;
  expect_same_bits(text);
}

}  // namespace understudy::worker
