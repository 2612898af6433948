// SPDX-License-Identifier: Apache-2.0
// Convolutions of random shapes, layouts and windows against the sum that the specification gives.
// Values are small integers: every product and sum is exact, whatever the precision and order.
#include <algorithm>
#include <numeric>
#include <random>

#include "tests/worker/ops/ops_fixture.h"
#include "worker/ops/operands.h"
#include "worker/ops/window/padded_input.h"

namespace understudy::worker {
namespace {

using namespace program;

class RandomConvolution {
 public:
  // Wide: many features and columns, batches outermost, as most programs have them. Depthwise: one
  // feature and one column a group.
  enum class Form { any, wide, depthwise };
  explicit RandomConvolution(unsigned seed, Form form = Form::any)
      : random_(seed), wide_(form != Form::any) {
    const bool wide = form != Form::any, depthwise = form == Form::depthwise;
    const std::size_t spatial = random_() % 4;
    const std::int64_t groups = depthwise ? pick(8, 40) : pick(1, 3);
    const bool by_feature = wide || random_() % 2 == 0;
    work.feature_groups = by_feature ? groups : 1;
    work.batch_groups = by_feature ? 1 : groups;
    const std::int64_t batch = pick(1, 3) * work.batch_groups, features = depthwise ? 1
                                                                          : wide    ? pick(1, 40)
                                                                                    : pick(1, 4);
    const std::int64_t columns = (depthwise ? 1 : wide ? pick(6, 40) : pick(1, 4)) * groups;
    Shape x{batch, features * work.feature_groups}, kernel{features, columns},
        out{batch / work.batch_groups, columns};
    for (std::size_t s = 0; s < spatial; ++s) add_window(x, kernel, out);
    // Where each logical dimension (two, then the spatial ones) lies.
    auto lhs = order(x.size(), wide), rhs = order(x.size(), false), result = order(x.size(), wide);
    if (depthwise && seed % 3 != 0) {
      put_last(lhs, 1);
      put_last(rhs, 1);
      put_last(result, 1);
    }
    lhs_shape = placed(x, lhs), rhs_shape = placed(kernel, rhs), out_shape = placed(out, result);
    work.input_batch = lhs[0], work.input_feature = lhs[1];
    work.kernel_input_feature = rhs[0], work.kernel_output_feature = rhs[1];
    work.output_batch = result[0], work.output_feature = result[1];
    work.input_spatial.assign(lhs.begin() + 2, lhs.end());
    work.kernel_spatial.assign(rhs.begin() + 2, rhs.end());
    work.output_spatial.assign(result.begin() + 2, result.end());
  }

  std::vector<float> integers(const Shape& shape) {
    std::vector<float> values(ops::elements_of(shape));
    for (auto& value : values) value = static_cast<float>(pick(-3, 3));
    return values;
  }

  // The element of the result at an index in the order of its dimensions.
  float expected(const Shape& at, const std::vector<float>& x, const std::vector<float>& w) const {
    const Shape xs = ops::strides_of(lhs_shape), ws = ops::strides_of(rhs_shape);
    const auto size = [](const Shape& shape, std::int64_t d) { return shape[ops::index(d)]; };
    const std::int64_t column = size(at, work.output_feature);
    const std::int64_t group = column / (size(rhs_shape, work.kernel_output_feature) / groups());
    const std::int64_t features = size(rhs_shape, work.kernel_input_feature);
    float sum = 0;
    ops::Counter window(work.window.dimensions);
    do {
      std::int64_t from = size(at, work.output_batch) * xs[ops::index(work.input_batch)];
      std::int64_t by = column * ws[ops::index(work.kernel_output_feature)];
      if (work.batch_groups > 1)
        from += group * (size(lhs_shape, work.input_batch) / work.batch_groups) *
                xs[ops::index(work.input_batch)];
      if (work.feature_groups > 1) from += group * features * xs[ops::index(work.input_feature)];
      if (!place(at, window.at(), xs, ws, from, by)) continue;
      for (std::int64_t f = 0; f < features; ++f)
        sum += x[ops::index(from + f * xs[ops::index(work.input_feature)])] *
               w[ops::index(by + f * ws[ops::index(work.kernel_input_feature)])];
    } while (window.next());
    return sum;
  }

  Convolution work;
  Shape lhs_shape, rhs_shape, out_shape;

 private:
  std::int64_t pick(std::int64_t low, std::int64_t high) {
    return std::uniform_int_distribution<std::int64_t>(low, high)(random_);
  }
  std::int64_t groups() const { return work.feature_groups * work.batch_groups; }

  void add_window(Shape& x, Shape& kernel, Shape& out) {
    Window& w = work.window;
    while (true) {
      const std::int64_t n = pick(1, 7), k = pick(1, 4), stride = pick(1, 3),
                         holes = pick(1, wide_ ? 4 : 2), spread = pick(1, 2), low = pick(-2, 3),
                         high = pick(-2, 3);
      const std::int64_t padded = low + (n - 1) * holes + 1 + high, reach = (k - 1) * spread + 1;
      if (padded < reach) continue;
      x.push_back(n), kernel.push_back(k), out.push_back((padded - reach) / stride + 1);
      w.dimensions.push_back(k), w.strides.push_back(stride), w.base_dilations.push_back(holes);
      w.window_dilations.push_back(spread), w.padding_low.push_back(low);
      w.padding_high.push_back(high), work.reversal.push_back(random_() % 2 == 0);
      return;
    }
  }
  Shape order(std::size_t n, bool batch_first) {
    Shape order(n);
    std::iota(order.begin(), order.end(), 0);
    if (random_() % 3 != 0)
      std::shuffle(order.begin() + (batch_first ? 1 : 0), order.end(), random_);
    return order;
  }
  // Makes dimension d the last one in memory.
  static void put_last(Shape& order, std::size_t d) {
    std::swap(order[d], *std::ranges::max_element(order));
  }
  static Shape placed(const Shape& logical, const Shape& order) {
    Shape shape(logical.size());
    for (std::size_t d = 0; d < order.size(); ++d) shape[ops::index(order[d])] = logical[d];
    return shape;
  }
  // Adds the spatial offsets; false where the window is on padding or in a hole.
  bool place(const Shape& at, const Shape& in_window, const Shape& xs, const Shape& ws,
             std::int64_t& from, std::int64_t& by) const {
    const Window& w = work.window;
    for (std::size_t s = 0; s < in_window.size(); ++s) {
      const std::int64_t padded = at[ops::index(work.output_spatial[s])] * w.strides[s] +
                                  in_window[s] * w.window_dilations[s] - w.padding_low[s];
      const std::int64_t x = padded / w.base_dilations[s];
      if (padded < 0 || padded % w.base_dilations[s] != 0 ||
          x >= lhs_shape[ops::index(work.input_spatial[s])])
        return false;
      const std::int64_t k = work.reversal[s] ? w.dimensions[s] - 1 - in_window[s] : in_window[s];
      from += x * xs[ops::index(work.input_spatial[s])];
      by += k * ws[ops::index(work.kernel_spatial[s])];
    }
    return true;
  }

  std::mt19937 random_;
  bool wide_;
};

class RandomConvolutions : public OpTest {
 protected:
  static float rounded(float sum, E type) { return type == E::f32 ? sum : from_bf16(bf16(sum)); }
  using Form = RandomConvolution::Form;
  void check(unsigned seed, E element, Form form = Form::any, E result = E::f32) {
    RandomConvolution one(seed, form);
    const auto x = one.integers(one.lhs_shape), w = one.integers(one.rhs_shape);
    const auto stored = [&](const Shape& shape, const std::vector<float>& values) {
      if (element == E::f32) return in<float>(shape, values);
      std::vector<std::uint16_t> narrow;
      for (const float value : values) narrow.push_back(bf16(value));
      return in<std::uint16_t>(shape, narrow);
    };
    const Operand to = out(result, one.out_shape);
    run(one.work, {stored(one.lhs_shape, x), stored(one.rhs_shape, w)}, {to});
    std::vector<float> got;
    if (result == E::f32) {
      got = values<float>(to);
    } else {
      for (const std::uint16_t bits : values<std::uint16_t>(to)) got.push_back(from_bf16(bits));
    }
    ops::Counter counter(one.out_shape);
    for (std::size_t i = 0; i < got.size(); ++i, counter.next())
      ASSERT_EQ(got[i], rounded(one.expected(counter.at(), x, w), result))
          << "seed " << seed << " at " << i;
  }
};

TEST_F(RandomConvolutions, AreTheSumsOfTheSpecification) {
  for (unsigned seed = 0; seed < 600; ++seed) check(seed, E::f32);
  execution_.numerics = Numerics::ieee;
  for (unsigned seed = 600; seed < 900; ++seed) check(seed, E::f32);
  for (unsigned seed = 900; seed < 1200; ++seed) check(seed, E::bf16);
}

// Patches are read where they lie, and holes are left out.
TEST_F(RandomConvolutions, AreTheSumsWithManyFeatures) {
  for (unsigned seed = 0; seed < 200; ++seed) check(seed, E::f32, Form::wide);
  for (unsigned seed = 200; seed < 300; ++seed) check(seed, E::bf16, Form::wide, E::bf16);
  execution_.numerics = Numerics::ieee;
  for (unsigned seed = 300; seed < 400; ++seed) check(seed, E::f32, Form::wide);
}

// Two of three seeds have the channels last, where they are read in place.
TEST_F(RandomConvolutions, AreTheSumsOfEachChannel) {
  for (unsigned seed = 0; seed < 200; ++seed) check(seed, E::f32, Form::depthwise);
  for (unsigned seed = 200; seed < 300; ++seed) check(seed, E::bf16, Form::depthwise, E::bf16);
  execution_.numerics = Numerics::ieee;
  for (unsigned seed = 300; seed < 400; ++seed) check(seed, E::f32, Form::depthwise);
}

TEST_F(RandomConvolutions, AreCutWhereTheirFieldsDoNotFitIntoVmem) {
  Vmem small(24 << 10);
  Vmem* const whole = execution_.vmem;
  execution_.vmem = &small;
  for (unsigned seed = 0; seed < 600; ++seed) check(seed, E::f32);
  execution_.vmem = whole;
}

TEST(ConvolutionParts, TakeBatchesThenRows) {
  Convolution work;
  work.input_batch = 0, work.input_feature = 3, work.output_feature = 3;
  work.input_spatial = work.output_spatial = {1, 2};
  work.window = {{3, 3}, {1, 1}, {1, 1}, {1, 1}, {1, 1}, {1, 1}};
  const TensorType x{E::f32,
                     {4, 30, 30, 2}};  // a padded input of 32 * 32 * 2 * 4 = 8 KiB for each batch
  const Shape out{4, 30, 30, 8};
  EXPECT_EQ(ops::parts_of(work, x, out, 4 * (32 << 10)).size(), 1U);
  EXPECT_EQ(ops::parts_of(work, x, out, 4 * (16 << 10)).size(), 2U);
  EXPECT_EQ(ops::parts_of(work, x, out, 4 * (8 << 10)).size(), 4U);
  const auto rows = ops::parts_of(work, x, out, 4 * (5 << 10));
  ASSERT_EQ(rows.size(), 8U);  // 17 of 32 rows
  EXPECT_EQ(rows[1].row, 15);
  EXPECT_EQ(rows[1].rows, 15);
  EXPECT_EQ(rows[1].count, 1);
}

}  // namespace
}  // namespace understudy::worker
