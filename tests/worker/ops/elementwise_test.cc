// SPDX-License-Identifier: Apache-2.0
#include "tests/worker/ops/ops_fixture.h"

namespace understudy::worker {
namespace {

using namespace program;

class Elementwise : public OpTest {};

TEST_F(Elementwise, RunsUnaryAndBinaryOnWholeTensors) {
  EXPECT_EQ(result<float>(Unary{UnaryOp::negate}, {in<float>({2, 2}, {1, -2, 3, 4})}, {2, 2}),
            (std::vector<float>{-1, 2, -3, -4}));
  EXPECT_EQ(result<float>(Binary{BinaryOp::multiply},
                          {in<float>({3}, {1, 2, 3}), in<float>({3}, {4, 5, 6})}, {3}),
            (std::vector<float>{4, 10, 18}));
}

TEST_F(Elementwise, CountsInstructionsAndNamesTheOpAtWork) {
  result<float>(Unary{UnaryOp::abs}, {in<float>({1}, {-1})}, {1});
  EXPECT_EQ(status_.instructions.load(), 1U);
  EXPECT_EQ(status_.op.load(), 8U);
}

TEST_F(Elementwise, LeavesEmptyTensorsAlone) {
  EXPECT_TRUE(result<float>(Unary{UnaryOp::exponential}, {in<float>({0, 4}, {})}, {0, 4}).empty());
}

TEST_F(Elementwise, SelectsByScalarOrElement) {
  const auto a = in<float>({3}, {1, 2, 3});
  const auto b = in<float>({3}, {4, 5, 6});
  EXPECT_EQ(result<float>(Select{}, {in<std::uint8_t>({}, {0}), a, b}, {3}),
            (std::vector<float>{4, 5, 6}));
  EXPECT_EQ(result<float>(Select{}, {in<std::uint8_t>({3}, {1, 0, 1}), a, b}, {3}),
            (std::vector<float>{1, 5, 3}));
}

TEST_F(Elementwise, ClampsByScalarsAndByTensorsOfManyTiles) {
  const auto x = in<float>({3}, {-5, 0.5F, 5});
  EXPECT_EQ(result<float>(Clamp{}, {in<float>({}, {-1}), x, in<float>({}, {1})}, {3}),
            (std::vector<float>{-1, 0.5F, 1}));
  const auto many = counting(5000);
  std::vector<float> least(5000, 10), most(5000, 4000);
  const auto y = result<float>(
      Clamp{}, {in<float>({5000}, least), in<float>({5000}, many), in<float>({5000}, most)},
      {5000});
  for (std::size_t i = 0; i < y.size(); ++i) {
    ASSERT_EQ(y[i], std::min(4000.0F, std::max(10.0F, many[i])));
  }
}

TEST_F(Elementwise, ComparesAndConverts) {
  EXPECT_EQ(result<std::uint8_t>(Compare{Direction::lt, false},
                                 {in<float>({2}, {1, 3}), in<float>({2}, {2, 2})}, {2}),
            (std::vector<std::uint8_t>{1, 0}));
  EXPECT_EQ(result<std::int32_t>(Convert{}, {in<float>({2}, {1.9F, -1.9F})}, {2}),
            (std::vector<std::int32_t>{1, -1}));
}

TEST_F(Elementwise, ReducesPrecisionLikeASmallerFormat) {
  const auto y = result<float>(ReducePrecision{5, 10},
                               {in<float>({5}, {1.0F / 3, 65520, 1e-5F, -1e9F, 1})}, {5});
  EXPECT_EQ(y[0], 0.333251953125F);
  EXPECT_EQ(y[1], std::numeric_limits<float>::infinity());
  EXPECT_EQ(y[2], 0.0F);
  EXPECT_EQ(y[3], -std::numeric_limits<float>::infinity());
  EXPECT_EQ(y[4], 1.0F);
}

TEST_F(Elementwise, BitcastsKeepBytesAndRepackNarrowElements) {
  EXPECT_EQ(result<std::uint32_t>(BitcastConvert{}, {in<float>({1}, {1.0F})}, {1}),
            (std::vector<std::uint32_t>{0x3f800000U}));
  EXPECT_EQ(result<std::uint16_t>(BitcastConvert{}, {in<std::uint32_t>({1}, {0x12345678U})}, {1, 2},
                                  E::ui16),
            (std::vector<std::uint16_t>{0x5678, 0x1234}));
  EXPECT_EQ(result<std::uint8_t>(BitcastConvert{}, {in<std::int8_t>({1}, {0x5a})}, {1, 2}, E::ui4),
            (std::vector<std::uint8_t>{0xa, 0x5}));
  EXPECT_EQ(
      result<std::int8_t>(BitcastConvert{}, {in<std::uint8_t>({1, 2}, {0xa, 0x5}, E::ui4)}, {1}),
      (std::vector<std::int8_t>{0x5a}));
}

TEST_F(Elementwise, MapsALanewiseBodyTileByTile) {
  const auto a = counting(3000);
  const auto b = counting(3000, 1, 2);
  Map map{body_of(Binary{BinaryOp::add}, E::f32, E::f32)};
  const auto y = result<float>(map, {in<float>({3000}, a), in<float>({3000}, b)}, {3000});
  for (std::size_t i = 0; i < y.size(); ++i) ASSERT_EQ(y[i], a[i] + b[i]);
}

TEST_F(Elementwise, BodiesMayUseCapturedScalarsOnEveryLane) {
  Body body = body_of(Binary{BinaryOp::multiply}, E::f32, E::f32);
  body.code[0].inputs[1] = in<float>({}, {3});
  const auto y = result<float>(Map{body}, {in<float>({4}, {1, 2, 3, 4})}, {4});
  EXPECT_EQ(y, (std::vector<float>{3, 6, 9, 12}));
}

TEST_F(Elementwise, BodiesMayReturnACapturedValue) {
  Body body = body_of(Binary{BinaryOp::multiply}, E::f32, E::f32);
  body.code.clear();
  body.results = {in<float>({}, {9})};
  EXPECT_EQ(result<float>(Map{body}, {in<float>({3}, {1, 2, 3})}, {3}),
            (std::vector<float>{9, 9, 9}));
}

class Control : public OpTest {};

TEST_F(Control, WhileRunsUntilItsPredicateIsFalse) {
  const Operand counter = out(E::i32, {});
  const Operand go = out(E::pred, {});
  std::int32_t zero = 0;
  std::memcpy(execution_.writable(counter.at), &zero, sizeof(zero));
  While loop;
  loop.predicate = go;
  Instruction less;
  less.work = Compare{Direction::lt, false};
  less.inputs = {counter, in<std::int32_t>({}, {5})};
  less.outputs = {go};
  loop.condition = {less};
  Instruction add;
  add.work = Binary{BinaryOp::add};
  add.inputs = {counter, in<std::int32_t>({}, {2})};
  add.outputs = {counter};
  loop.body = {add};
  run(loop, {}, {counter});
  EXPECT_EQ(values<std::int32_t>(counter), (std::vector<std::int32_t>{6}));
}

TEST_F(Control, CaseTakesTheLastBranchForIndicesOutside) {
  const Operand to = out(E::f32, {});
  Case choice;
  for (const float value : {10.0F, 20.0F, 30.0F}) {
    Instruction fill;
    fill.work = Fill{};
    fill.inputs = {in<float>({}, {value})};
    fill.outputs = {to};
    choice.branches.push_back({fill});
  }
  const auto chosen = [&](std::int32_t index) {
    run(choice, {in<std::int32_t>({}, {index})}, {to});
    return values<float>(to)[0];
  };
  EXPECT_EQ(chosen(0), 10);
  EXPECT_EQ(chosen(1), 20);
  EXPECT_EQ(chosen(9), 30);
  EXPECT_EQ(chosen(-1), 30);
  run(choice, {in<std::uint8_t>({}, {1})}, {to});
  EXPECT_EQ(values<float>(to)[0], 10);
  run(choice, {in<std::uint8_t>({}, {0})}, {to});
  EXPECT_EQ(values<float>(to)[0], 20);
}

TEST(VmemScratch, GivesBackWhatAScopeTookAndRecordsThePeak) {
  Vmem vmem(4096);
  {
    const Vmem::Scope scope(vmem);
    vmem.take(1000);
    vmem.take(1000);
    EXPECT_EQ(vmem.used(), 2024U);
  }
  EXPECT_EQ(vmem.used(), 0U);
  EXPECT_EQ(vmem.peak(), 2024U);
}

TEST(VmemScratch, RefusesMoreThanItsCapacityInXlasWords) {
  Vmem vmem(std::uint64_t{16} << 20);
  try {
    vmem.take(std::uint64_t{32} << 20);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::capacity);
    EXPECT_EQ(error.message(),
              "Ran out of memory in memory space vmem. Used 32.00M of 16.00M vmem.");
  }
}

}  // namespace
}  // namespace understudy::worker
