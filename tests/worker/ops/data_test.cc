// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <random>

#include "tests/worker/ops/ops_fixture.h"
#include "worker/chip/copy.h"
#include "worker/ops/operands.h"

namespace understudy::worker {
namespace {

using namespace program;

class DataMovement : public OpTest {};

TEST_F(DataMovement, IotaCountsAlongItsDimension) {
  EXPECT_EQ(result<std::int32_t>(Iota{1}, {}, {2, 3}),
            (std::vector<std::int32_t>{0, 1, 2, 0, 1, 2}));
  EXPECT_EQ(result<float>(Iota{0}, {}, {3, 2}), (std::vector<float>{0, 0, 1, 1, 2, 2}));
  EXPECT_TRUE(result<float>(Iota{0}, {}, {0, 2}).empty());
}

TEST_F(DataMovement, ProcessIndexIsReplicaOrPartition) {
  execution_.process = {3, 5, 4, 8};
  EXPECT_EQ(result<std::uint32_t>(ProcessIndex{true}, {}, {})[0], 3U);
  EXPECT_EQ(result<std::uint32_t>(ProcessIndex{false}, {}, {})[0], 5U);
}

TEST_F(DataMovement, StridedCopyTransposes) {
  const auto x = in<float>({2, 3}, {1, 2, 3, 4, 5, 6});
  EXPECT_EQ(result<float>(StridedCopy{{3, 2}, {1, 3}, {2, 1}, 0, 0}, {x}, {3, 2}),
            (std::vector<float>{1, 4, 2, 5, 3, 6}));
}

TEST_F(DataMovement, StridedCopyReversesAndBroadcasts) {
  const auto x = in<float>({3}, {1, 2, 3});
  EXPECT_EQ(result<float>(StridedCopy{{3}, {-1}, {1}, 2, 0}, {x}, {3}),
            (std::vector<float>{3, 2, 1}));
  EXPECT_EQ(result<float>(StridedCopy{{2, 3}, {0, 1}, {3, 1}, 0, 0}, {x}, {2, 3}),
            (std::vector<float>{1, 2, 3, 1, 2, 3}));
  EXPECT_EQ(result<float>(StridedCopy{{3, 2}, {1, 0}, {2, 1}, 0, 0}, {x}, {3, 2}),
            (std::vector<float>{1, 1, 2, 2, 3, 3}));
}

// Every second element of one array, over a fill of the whole.
TEST_F(DataMovement, JoinCopiesItsPartsInOrder) {
  const auto x = in<float>({3}, {1, 2, 3}), one = in<float>({}, {7});
  const Join work{{{{5}, {0}, {1}, 0, 0}, {{2}, {2}, {1}, 0, 3}}};
  EXPECT_EQ(result<float>(work, {one, x}, {5}), (std::vector<float>{7, 7, 7, 1, 3}));
}

// Any permutation of any shape, for every element size, against an index-by-index copy.
template <class T>
void check_permutations(const std::vector<T>& unused, std::mt19937& random) {
  (void)unused;
  for (int round = 0; round < 60; ++round) {
    const std::size_t ndims = 1 + random() % 4;
    Shape shape(ndims);
    std::int64_t n = 1;
    for (auto& size : shape) n *= size = 1 + static_cast<std::int64_t>(random() % 40);
    if (n > 100000) continue;
    std::vector<std::size_t> order(ndims);
    for (std::size_t d = 0; d < ndims; ++d) order[d] = d;
    std::shuffle(order.begin(), order.end(), random);
    std::vector<T> x(static_cast<std::size_t>(n));
    for (auto& value : x) {
      for (std::size_t b = 0; b < sizeof(T); ++b) {
        reinterpret_cast<unsigned char*>(&value)[b] = static_cast<unsigned char>(random());
      }
    }
    const Shape strides = ops::strides_of(shape);
    Shape sizes, in_strides;
    for (const std::size_t d : order) {
      sizes.push_back(shape[d]);
      in_strides.push_back(strides[d]);
    }
    std::vector<T> y(x.size());
    ops::CopyPlan(sizes, in_strides, ops::strides_of(sizes), sizeof(T))
        .run(reinterpret_cast<const std::byte*>(x.data()), reinterpret_cast<std::byte*>(y.data()));
    ops::Counter counter(sizes);
    std::size_t at = 0;
    do {
      std::int64_t from = 0;
      for (std::size_t d = 0; d < ndims; ++d) from += counter.at()[d] * in_strides[d];
      ASSERT_EQ(std::memcmp(&y[at++], &x[static_cast<std::size_t>(from)], sizeof(T)), 0);
    } while (counter.next());
  }
}

struct Bytes16 {
  std::uint64_t a, b;
};

TEST(CopyPlan, PermutesAnyShapeOfAnyElementSize) {
  std::mt19937 random(5);
  check_permutations(std::vector<std::uint8_t>{}, random);
  check_permutations(std::vector<std::uint16_t>{}, random);
  check_permutations(std::vector<float>{}, random);
  check_permutations(std::vector<double>{}, random);
  check_permutations(std::vector<Bytes16>{}, random);
}

TEST_F(DataMovement, FillSpreadsAScalar) {
  EXPECT_EQ(result<float>(Fill{}, {in<float>({}, {2.5F})}, {5}),
            (std::vector<float>{2.5F, 2.5F, 2.5F, 2.5F, 2.5F}));
}

TEST_F(DataMovement, DynamicSliceClampsItsStarts) {
  const auto x = in<float>({3, 4}, counting(12));
  const auto slice = [&](std::int32_t row, std::int32_t column) {
    return result<float>(DynamicSlice{},
                         {x, in<std::int32_t>({}, {row}), in<std::int32_t>({}, {column})}, {2, 2});
  };
  EXPECT_EQ(slice(1, 1), (std::vector<float>{5, 6, 9, 10}));
  EXPECT_EQ(slice(9, -3), (std::vector<float>{4, 5, 8, 9}));
}

TEST_F(DataMovement, DynamicUpdateSliceWritesInPlaceOrApart) {
  const auto x = in<float>({2, 3}, counting(6));
  const auto update = in<float>({1, 2}, {-1, -2});
  const auto at = [&](std::int32_t i) { return in<std::int32_t>({}, {i}); };
  EXPECT_EQ(result<float>(DynamicUpdateSlice{}, {x, update, at(1), at(5)}, {2, 3}),
            (std::vector<float>{0, 1, 2, 3, -1, -2}));
  const Operand to = out(E::f32, {2, 3});
  std::memcpy(execution_.writable(to.at), execution_.address(x.at), 24);
  run(DynamicUpdateSlice{}, {to, update, at(0), at(0)}, {to});
  EXPECT_EQ(values<float>(to), (std::vector<float>{-1, -2, 2, 3, 4, 5}));
}

TEST_F(DataMovement, GatherTakesRowsAtClampedStarts) {
  Gather gather;
  gather.offset_dims = {1};
  gather.collapsed_slice_dims = {0};
  gather.start_index_map = {0};
  gather.slice_sizes = {1, 3};
  gather.index_vector_dim = 1;
  const auto x = in<float>({4, 3}, counting(12));
  EXPECT_EQ(result<float>(gather, {x, in<std::int32_t>({3, 1}, {2, 0, 99})}, {3, 3}),
            (std::vector<float>{6, 7, 8, 0, 1, 2, 9, 10, 11}));
  gather.index_vector_dim = 1;
  EXPECT_EQ(result<float>(gather, {x, in<std::int32_t>({2}, {1, -7})}, {2, 3}),
            (std::vector<float>{3, 4, 5, 0, 1, 2}));
}

TEST_F(DataMovement, GatherWalksBatchingDimensions) {
  Gather gather;  // out[b, i] = x[b, indices[b, i]]
  gather.operand_batching_dims = {0};
  gather.start_indices_batching_dims = {0};
  gather.collapsed_slice_dims = {1};
  gather.start_index_map = {1};
  gather.slice_sizes = {1, 1};
  gather.index_vector_dim = 2;
  EXPECT_EQ(result<float>(
                gather, {in<float>({2, 3}, counting(6)), in<std::int32_t>({2, 2, 1}, {2, 0, 1, 1})},
                {2, 2}),
            (std::vector<float>{2, 0, 4, 4}));
}

Scatter row_scatter() {
  Scatter scatter;
  scatter.update_window_dims = {1};
  scatter.inserted_window_dims = {0};
  scatter.scatter_dims_to_operand_dims = {0};
  scatter.index_vector_dim = 1;
  return scatter;
}

TEST_F(DataMovement, ScatterAddsRowsAndLeavesOutWhatIsOutside) {
  Scatter scatter = row_scatter();
  scatter.body = body_of(Binary{BinaryOp::add}, E::f32, E::f32);
  const std::vector<float> wanted = {0, 0, 11, 22, 0, 0};
  for (const Reduction reduction : {Reduction::none, Reduction::sum}) {
    scatter.reduction = reduction;
    EXPECT_EQ(result<float>(scatter,
                            {in<float>({3, 2}, std::vector<float>(6)),
                             in<std::int32_t>({4, 1}, {1, 7, 1, -1}),
                             in<float>({4, 2}, {1, 2, 5, 6, 10, 20, 7, 8})},
                            {3, 2}),
              wanted);
  }
}

TEST_F(DataMovement, ScatterLeavesOutWindowsThatReachOutside) {
  Scatter scatter;
  scatter.update_window_dims = {0};
  scatter.scatter_dims_to_operand_dims = {0};
  scatter.index_vector_dim = 0;
  scatter.overwrite = true;
  const auto x = in<float>({5}, std::vector<float>(5));
  const auto update = in<float>({3}, {1, 2, 3});
  const auto at = [&](std::int64_t start) {
    return result<float>(scatter, {x, in<std::int64_t>({1}, {start}), update}, {5});
  };
  EXPECT_EQ(at(1), (std::vector<float>{0, 1, 2, 3, 0}));
  EXPECT_EQ(at(2), (std::vector<float>{0, 0, 1, 2, 3}));
  EXPECT_EQ(at(3), std::vector<float>(5));
  EXPECT_EQ(at(-1), std::vector<float>(5));
  EXPECT_EQ(at(INT64_MAX), std::vector<float>(5));
  EXPECT_EQ(at(INT64_MIN), std::vector<float>(5));
}

// Columns, whose elements are rows apart in the result; the second one is outside.
TEST_F(DataMovement, ScatterOverwritesColumns) {
  Scatter columns;
  columns.update_window_dims = {0};
  columns.inserted_window_dims = {1};
  columns.scatter_dims_to_operand_dims = {1};
  columns.index_vector_dim = 1;
  columns.overwrite = true;
  const auto x = in<float>({3, 4}, {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0});
  EXPECT_EQ(result<float>(columns,
                          {x, in<std::int32_t>({3, 1}, {3, 4, 1}),
                           in<float>({3, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9})},
                          {3, 4}),
            (std::vector<float>{0, 3, 0, 1, 0, 6, 0, 4, 0, 9, 0, 7}));
  Scatter window;
  window.update_window_dims = {0, 1};
  window.scatter_dims_to_operand_dims = {0, 1};
  window.index_vector_dim = 0;
  window.overwrite = true;
  EXPECT_EQ(result<float>(window,
                          {x, in<std::int32_t>({2}, {1, 1}), in<float>({2, 3}, {1, 2, 3, 4, 5, 6})},
                          {3, 4}),
            (std::vector<float>{0, 0, 0, 0, 0, 1, 2, 3, 0, 4, 5, 6}));
}

TEST_F(DataMovement, ScatterSumsBf16ThroughItsBody) {
  Scatter scatter = row_scatter();
  scatter.reduction = Reduction::sum;
  scatter.body = body_of(Binary{BinaryOp::add}, E::bf16, E::bf16);
  const std::vector<std::uint16_t> one = {bf16(1), bf16(2)};
  EXPECT_EQ(result<std::uint16_t>(scatter,
                                  {in<std::uint16_t>({1, 2}, one), in<std::int32_t>({1, 1}, {0}),
                                   in<std::uint16_t>({1, 2}, one)},
                                  {1, 2}),
            (std::vector<std::uint16_t>{bf16(2), bf16(4)}));
}

}  // namespace
}  // namespace understudy::worker
