// SPDX-License-Identifier: Apache-2.0
#include "launcher/run/argument_files.h"

#include <cmath>
#include <cstring>
#include <filesystem>

#include "gtest/gtest.h"

#include "configs/base/error.h"
#include "launcher/options/run_options.h"

namespace understudy::launcher {
namespace {

using program::Array;
using program::ElementType;
using program::Parameter;
using program::Shape;

Parameter parameter(ElementType element, const Shape& shape, bool per_replica = false) {
  Parameter p;
  p.global = p.local = {element, shape};
  p.sharding.tiles = Shape(shape.size(), 1);
  p.sharding.per_replica = per_replica;
  return p;
}

template <class Call>
std::string error_of(const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(exit_code_of(error.kind()), 2);
    return error.text();
  }
  return "no error";
}

std::vector<float> floats_of(const Array& array) {
  std::vector<float> values(array.bytes.size() / sizeof(float));
  std::memcpy(values.data(), array.bytes.data(), array.bytes.size());
  return values;
}

class ArgumentFiles : public testing::Test {
 protected:
  ArgumentFiles() {
    std::string name = testing::TempDir() + "/understudy-arguments-XXXXXX";
    folder_ = mkdtemp(name.data());
  }
  ~ArgumentFiles() override { std::filesystem::remove_all(folder_); }
  std::string save(const std::string& name, const Array& array) const {
    program::write_npy(folder_ + "/" + name, array);
    return folder_ + "/" + name;
  }
  std::string folder_;
};

TEST_F(ArgumentFiles, AMissingArgumentIsNamed) {
  EXPECT_EQ(error_of([] {
              argument_array(3, parameter(ElementType::f32, {64, 32}), {}, {}, 1);
            }),
            "error: argument 3 is missing, expected f32[64x32]\n"
            "note: pass --arg 3=FILE.npy or --args DIR, or fill all missing arguments with --fill");
}

TEST_F(ArgumentFiles, AWrongShapeOrTypeIsNamedWithWhatWasExpected) {
  const std::string file = save("a.npy", {{ElementType::f32, {2}}, std::vector<std::byte>(8)});
  EXPECT_EQ(error_of([&] {
              argument_array(0, parameter(ElementType::f32, {3}), {file, {}, false}, {}, 1);
            }),
            "error: " + file + ": argument 0 must be f32[3], but the file has f32[2]");
  EXPECT_EQ(error_of([&] {
              argument_array(0, parameter(ElementType::i32, {2}), {file, {}, false}, {}, 1);
            }),
            "error: " + file + ": argument 0 must be i32[2], but the file has f32[2]");
}

TEST_F(ArgumentFiles, TheReplicaIsTheLeadingAxisWhereThatWasSaid) {
  const std::string file = save("a.npy", {{ElementType::f32, {4, 2}}, std::vector<std::byte>(32)});
  const Parameter p = parameter(ElementType::f32, {2}, true);
  EXPECT_EQ(argument_array(0, p, {file, {}, true}, {}, 4).type.shape, (Shape{4, 2}));
  EXPECT_EQ(error_of([&] {
              argument_array(0, p, {file, {}, false}, {}, 4);
            }),
            "error: " + file + ": argument 0 must be f32[2], but the file has f32[4x2]");
}

TEST_F(ArgumentFiles, BitPatternsAreWhatTheProgramTakes) {
  const std::string file = save("a.npy", {{ElementType::ui16, {2}}, std::vector<std::byte>(4)});
  EXPECT_EQ(argument_array(0, parameter(ElementType::bf16, {2}), {file, {}, false}, {}, 1).type,
            (program::TensorType{ElementType::bf16, {2}}));
}

TEST(Fill, TakesThreeForms) {
  EXPECT_EQ(parse_fill("").kind, Fill::Kind::none);
  EXPECT_EQ(parse_fill("zeros").kind, Fill::Kind::zeros);
  EXPECT_EQ(parse_fill("ones").kind, Fill::Kind::ones);
  EXPECT_EQ(parse_fill("random:42").seed, 42U);
  for (const char* wrong : {"random", "random:", "random:x", "random:1x", "twos"})
    EXPECT_EQ(
        error_of([&] { parse_fill(wrong); }),
        std::string("error: --fill: expected random:SEED, zeros or ones, got '") + wrong + "'");
}

TEST(Fill, DrawsSmallNormalFloatsAndZeroIntegers) {
  const std::vector<float> values =
      floats_of(filled({ElementType::f32, {10000}}, parse_fill("random:7"), 0));
  double sum = 0;
  double squares = 0;
  for (const float value : values) {
    sum += value;
    squares += static_cast<double>(value) * value;
  }
  EXPECT_NEAR(sum / 10000, 0, 0.001);
  EXPECT_NEAR(std::sqrt(squares / 10000), 0.02, 0.001);
  for (const std::byte byte : filled({ElementType::i32, {8}}, parse_fill("random:7"), 0).bytes)
    EXPECT_EQ(byte, std::byte{0});
}

TEST(Fill, DrawsTheSameAgainAndOthersForOtherArgumentsAndSeeds) {
  const program::TensorType type{ElementType::f32, {16}};
  const Array first = filled(type, parse_fill("random:7"), 0);
  EXPECT_EQ(filled(type, parse_fill("random:7"), 0), first);
  EXPECT_NE(filled(type, parse_fill("random:7"), 1), first);
  EXPECT_NE(filled(type, parse_fill("random:8"), 0), first);
}

TEST(Fill, MakesOnesOfEveryKind) {
  EXPECT_EQ(floats_of(filled({ElementType::f32, {2}}, parse_fill("ones"), 0)),
            (std::vector<float>{1, 1}));
  EXPECT_EQ(floats_of(filled({ElementType::c64, {1}}, parse_fill("ones"), 0)),
            (std::vector<float>{1, 0}));
  EXPECT_EQ(filled({ElementType::pred, {1}}, parse_fill("ones"), 0).bytes[0], std::byte{1});
}

TEST(RunOptions, TakesWordsApart) {
  EXPECT_EQ(parse_arg("3=a=b.npy"), (std::pair<std::int64_t, std::string>{3, "a=b.npy"}));
  EXPECT_EQ(parse_carry("2:0"), (std::pair<std::int64_t, std::int64_t>{2, 0}));
  EXPECT_EQ(error_of([] { parse_arg("x.npy"); }), "error: --arg: expected I=FILE.npy, got 'x.npy'");
  EXPECT_EQ(error_of([] { parse_carry("1"); }),
            "error: --carry: expected RESULT:ARGUMENT, got '1'");
  EXPECT_EQ(error_of([] { parse_carry("-1:2"); }),
            "error: --carry: expected RESULT:ARGUMENT, got '-1:2'");
}

}  // namespace
}  // namespace understudy::launcher
