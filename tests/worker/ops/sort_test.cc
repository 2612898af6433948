// SPDX-License-Identifier: Apache-2.0
// Sorts by keys against sorts by the comparator: the same comparator, joined with itself by "or",
// has no known form and is called.
#include <algorithm>
#include <cstdint>
#include <fmt/format.h>
#include <random>

#include "gtest/gtest.h"

#include "tests/worker/program_run.h"

namespace understudy::worker {
namespace {

struct Type {
  const char* name;
  std::size_t bytes;
  bool is_float;
  const char* nan;  // as a literal
  std::vector<std::uint64_t> edges;
};

const std::vector<Type>& types() {
  static const std::vector<Type> all = {
      {"f32",
       4,
       true,
       "0x7FC00000",
       {0, 0x80000000, 0x7F800000, 0xFF800000, 0x7FC00000, 0xFFC00000, 0x7FC00123, 1, 0x80000001}},
      {"f64",
       8,
       true,
       "0x7FF8000000000000",
       {0, 0x8000000000000000, 0x7FF0000000000000, 0x7FF8000000000000, 0xFFF8000000000000}},
      {"bf16", 2, true, "0x7FC0", {0, 0x8000, 0x7F80, 0xFF80, 0x7FC0, 0xFFC0, 0x7FC1}},
      {"f16", 2, true, "0x7E00", {0, 0x8000, 0x7C00, 0xFC00, 0x7E00, 0xFE00, 0x7E01}},
      {"i8", 1, false, "", {0, 0x7F, 0x80, 0xFF}},
      {"ui8", 1, false, "", {0, 0x7F, 0x80, 0xFF}},
      {"i16", 2, false, "", {0, 0x7FFF, 0x8000}},
      {"i32", 4, false, "", {0, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF}},
      {"ui32", 4, false, "", {0, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF}},
      {"i64", 8, false, "", {0, 0x7FFFFFFFFFFFFFFF, 0x8000000000000000}},
      {"ui64", 8, false, "", {0, 0x7FFFFFFFFFFFFFFF, 0x8000000000000000}}};
  return all;
}

// Random patterns with many ties, and every edge. `nans` false: floats are small integers.
Bytes elements_of(const Type& type, std::size_t n, bool nans, std::uint32_t seed) {
  std::mt19937_64 random(seed);
  Bytes bytes(n * type.bytes);
  for (std::size_t i = 0; i < n; ++i) {
    std::uint64_t bits = random() >> (random() % 2 == 0 ? 0 : 60);
    if (random() % 4 == 0) bits = type.edges[random() % type.edges.size()];
    // Clears an exponent bit that every NaN has.
    if (type.is_float && !nans) bits &= ~(std::uint64_t{1} << (8 * type.bytes - 3));
    std::memcpy(bytes.data() + i * type.bytes, &bits, type.bytes);
  }
  return bytes;
}

enum class Form { plain, total, canonical };

// A comparison of %a and %b of a type, its result in %r; `known` false: in a form that is called.
std::string comparison(const Type& type, Form form, bool less, bool known) {
  const char* const order = !type.is_float        ? type.name[0] == 'u' ? "UNSIGNED" : "SIGNED"
                            : form == Form::plain ? "FLOAT"
                                                  : "TOTALORDER";
  std::string text;
  std::string left = "%a", right = "%b";
  if (type.is_float && form == Form::canonical) {
    for (const char side : {'a', 'b'})
      text += fmt::format(
          "%{0}z = stablehlo.compare EQ, %{0}, %zero, FLOAT : (tensor<{1}>, tensor<{1}>) -> "
          "tensor<i1>\n"
          "%{0}s = stablehlo.select %{0}z, %zero, %{0} : tensor<i1>, tensor<{1}>\n"
          "%{0}n = stablehlo.compare NE, %{0}, %{0}, FLOAT : (tensor<{1}>, tensor<{1}>) -> "
          "tensor<i1>\n"
          "%{0}c = stablehlo.select %{0}n, %nan, %{0}s : tensor<i1>, tensor<{1}>\n",
          side, type.name);
    left = "%ac";
    right = "%bc";
  }
  text += fmt::format(
      "%q = stablehlo.compare {}, {}, {}, {} : (tensor<{}>, tensor<{}>) -> tensor<i1>\n",
      less ? "LT" : "GT", left, right, order, type.name, type.name);
  text += known ? "stablehlo.return %q : tensor<i1>\n"
                : "%r = stablehlo.or %q, %q : tensor<i1>\nstablehlo.return %r : tensor<i1>\n";
  return text;
}

std::string constants_of(const Type& type) {
  if (!type.is_float) return "";
  return fmt::format(
      "%zero = stablehlo.constant dense<0.0> : tensor<{0}>\n"
      "%nan = stablehlo.constant dense<{1}> : tensor<{0}>\n",
      type.name, type.nan);
}

struct Case {
  Form form = Form::total;
  bool less = true, known = true;
  std::int64_t rows = 2, columns = 3, dimension = 1;
  std::int64_t kept = 0;  // columns of a slice of the sorted; 0: no slice
};

// Sorts with the places as a second operand, or alone.
std::string sort_text(const Type& type, const Case& c, bool places) {
  const std::string shape = fmt::format("{}x{}", c.rows, c.columns);
  const std::string line = fmt::format("tensor<{}x{}>", shape, type.name);
  const std::string index = fmt::format("tensor<{}xi32>", shape);
  const std::string more = places ? ", " + index : "";
  std::string text =
      fmt::format("func.func @main(%x: {}) -> (LINES) {{\n", line) + constants_of(type);
  if (places) text += fmt::format("%i = stablehlo.iota dim = {} : {}\n", c.dimension, index);
  text += fmt::format(
      "%s{} = \"stablehlo.sort\"(%x{}) <{{dimension = {} : i64, is_stable = true}}> ({{\n",
      places ? ":2" : "", places ? ", %i" : "", c.dimension);
  text += fmt::format("^bb0(%a: tensor<{0}>, %b: tensor<{0}>{1}):\n", type.name,
                      places ? ", %j: tensor<i32>, %k: tensor<i32>" : "");
  text += comparison(type, c.form, c.less, c.known);
  text += fmt::format("}}) : ({0}{1}) -> ({0}{1})\n", line, more);
  std::string results, kinds;
  for (std::size_t r = 0; r < (places ? 2U : 1U); ++r) {
    const std::string element = r == 0 ? type.name : "i32";
    const std::string from = places ? fmt::format("%s#{}", r) : "%s";
    const std::string whole = fmt::format("tensor<{}x{}>", shape, element);
    const std::string kind =
        c.kept == 0 ? whole : fmt::format("tensor<{}x{}x{}>", c.rows, c.kept, element);
    if (c.kept != 0)
      text += fmt::format("%t{} = stablehlo.slice {} [0:{}, 0:{}] : ({}) -> {}\n", r, from, c.rows,
                          c.kept, whole, kind);
    results += fmt::format("{}{}", r == 0 ? "" : ", ", c.kept == 0 ? from : fmt::format("%t{}", r));
    kinds += fmt::format("{}{}", r == 0 ? "" : ", ", kind);
  }
  text += fmt::format("return {} : {}\n}}\n", results, kinds);
  text.replace(text.find("LINES"), 5, kinds);
  return text;
}

void expect_same(const Type& type, Case c, bool places, bool nans) {
  SCOPED_TRACE(fmt::format("{} {}x{} dimension {} form {} less {} kept {} places {} NaNs {}",
                           type.name, c.rows, c.columns, c.dimension, static_cast<int>(c.form),
                           c.less, c.kept, places, nans));
  const Bytes x = elements_of(type, static_cast<std::size_t>(c.rows * c.columns), nans, 5);
  c.known = true;
  const auto by_keys = run_program(sort_text(type, c, places), {x});
  c.known = false;
  const auto by_comparator = run_program(sort_text(type, c, places), {x});
  EXPECT_TRUE(by_keys == by_comparator);
}

TEST(Sort, ByKeysEqualsByComparator) {
  for (const Type& type : types())
    for (const Form form : {Form::plain, Form::total, Form::canonical}) {
      if (!type.is_float && form != Form::plain) continue;
      for (const std::int64_t columns : {1, 2, 64, 65, 300})
        for (const bool less : {true, false})
          for (const bool places : {true, false}) {
            Case c;
            c.form = form;
            c.less = less;
            c.columns = columns;
            expect_same(type, c, places, form != Form::plain);
          }
    }
}

TEST(Sort, ColumnsByKeysEqualColumnsByComparator) {
  Case c;
  c.rows = 70;
  c.columns = 5;
  c.dimension = 0;
  for (const Type& type : types())
    for (const bool places : {true, false}) expect_same(type, c, places, true);
}

// A comparison that is false for NaN is no order: the comparator itself must decide.
TEST(Sort, PlainComparisonOfNansCallsTheComparator) {
  Case c;
  c.form = Form::plain;
  c.columns = 100;
  for (const Type& type : types()) expect_same(type, c, true, true);
}

TEST(Sort, SlicesSelectWhatTheWholeSortGives) {
  for (const Type& type : types())
    for (const std::int64_t kept : {1, 7, 24, 25, 60, 399, 400})
      for (const Form form : {Form::total, Form::canonical}) {
        Case c;
        c.form = form;
        c.less = false;
        c.columns = 400;
        c.kept = kept;
        expect_same(type, c, true, true);
        expect_same(type, c, false, true);
      }
}

// Short lines select a larger part of theirs.
TEST(Sort, SlicesOfShortLines) {
  for (const Type& type : types())
    for (const std::int64_t columns : {2, 8, 17, 32, 33})
      for (const std::int64_t kept : {1, 2, 8, 9}) {
        if (kept >= columns) continue;
        Case c;
        c.form = Form::canonical;
        c.rows = 9;
        c.columns = columns;
        c.kept = kept;
        expect_same(type, c, true, true);
        expect_same(type, c, false, true);
      }
}

// The pass itself: no sort of the compiled program writes more than is read.
TEST(Sort, SliceOfASortIsASelection) {
  Case c;
  c.columns = 400;
  c.kept = 7;
  const auto executable = compiled(sort_text(types()[0], c, true));
  bool found = false;
  for (const auto& instruction : executable.code) {
    if (!std::holds_alternative<program::Sort>(instruction.work)) continue;
    found = true;
    EXPECT_EQ(instruction.outputs[0].type.shape, (program::Shape{2, 7}));
  }
  EXPECT_TRUE(found);
}

std::string two_key_text(bool known, bool both_ascending) {
  return fmt::format(
      R"(func.func @main(%x: tensor<500xi32>, %y: tensor<500xf64>, %z: tensor<500xi8>)
    -> (tensor<500xi32>, tensor<500xf64>, tensor<500xi8>) {{
  %s:3 = "stablehlo.sort"(%x, %y, %z) <{{dimension = 0 : i64}}> ({{
  ^bb0(%a: tensor<i32>, %b: tensor<i32>, %c: tensor<f64>, %d: tensor<f64>, %e: tensor<i8>, %f: tensor<i8>):
    %1 = stablehlo.compare {}, %c, %d, TOTALORDER : (tensor<f64>, tensor<f64>) -> tensor<i1>
    %2 = stablehlo.compare LT, %a, %b, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %3 = stablehlo.compare EQ, %a, %b, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %4 = stablehlo.and %3, %1 : tensor<i1>
    %5 = stablehlo.or %2, %4 : tensor<i1>
    %6 = stablehlo.or %5, %5 : tensor<i1>
    stablehlo.return {} : tensor<i1>
  }}) : (tensor<500xi32>, tensor<500xf64>, tensor<500xi8>) -> (tensor<500xi32>, tensor<500xf64>, tensor<500xi8>)
  return %s#0, %s#1, %s#2 : tensor<500xi32>, tensor<500xf64>, tensor<500xi8>
}}
)",
      both_ascending ? "LT" : "GT", known ? "%5" : "%6");
}

TEST(Sort, TwoKeysByKeysEqualsByComparator) {
  std::vector<std::int32_t> x(500);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<std::int32_t>(i * 7919 % 11) - 5;
  const Bytes y = elements_of(types()[1], 500, true, 3), z = elements_of(types()[4], 500, true, 4);
  for (const bool ascending : {true, false})
    EXPECT_TRUE(run_program(two_key_text(true, ascending), {bytes_of(x), y, z}) ==
                run_program(two_key_text(false, ascending), {bytes_of(x), y, z}));
}

}  // namespace
}  // namespace understudy::worker
