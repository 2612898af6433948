// SPDX-License-Identifier: Apache-2.0
#include <bit>

#include "worker/ops/chain_code/lane_numbers.h"
#include "worker/ops/chain_code/step_code.h"

namespace understudy::worker::ops::chain_code {
namespace {

// The immediates of vpcmpd, in the order of Direction.
constexpr std::uint8_t kIntegerTest[] = {0, 4, 5, 6, 2, 1};
// The immediates of vrangeps: the smaller or larger one, with its own sign.
constexpr std::uint8_t kSmaller = 4, kLarger = 5;
constexpr std::uint32_t kHalf = 0x3f000000U, kUpperHalf = 0xffff0000U;

class Avx512StepCode : public StepCode {
 public:
  using StepCode::StepCode;

  ValueId compare(Direction direction, ElementType type, Part a, Part b) override {
    const ValueId left = loaded(a);
    const auto number = static_cast<std::size_t>(direction);
    if (is_float(type))
      return body_.make(Inst::kIdVcmpps, {left, b}, kFloatTests[number], Bank::masks);
    if (const auto bits = tested_bits(direction, left, b)) return *bits;
    return body_.make(type == ElementType::i32 ? Inst::kIdVpcmpd : Inst::kIdVpcmpud, {left, b},
                      kIntegerTest[number], Bank::masks);
  }
  ValueId choose(ValueId mask, Part on_true, Part on_false) override {
    const ValueId other = loaded(on_false);
    if (const auto y = bounded(mask, on_true, other)) return *y;
    return body_.make_masked(Inst::kIdVblendmps, mask, false, {other, on_true});
  }
  std::optional<ValueId> binary_of_masks(BinaryOp op, ValueId a, ValueId b) override {
    if (op == BinaryOp::logical_and) return of_masks(Inst::kIdKandw, {a, b});
    if (op == BinaryOp::logical_or) return of_masks(Inst::kIdKorw, {a, b});
    if (op == BinaryOp::logical_xor) return of_masks(Inst::kIdKxorw, {a, b});
    return std::nullopt;
  }
  ValueId equal_masks(ValueId a, ValueId b) override { return of_masks(Inst::kIdKxnorw, {a, b}); }
  ValueId inverse_mask(ValueId a) override { return of_masks(Inst::kIdKnotw, {a}); }
  ValueId choose_mask(ValueId mask, ValueId on_true, ValueId on_false) override {
    const ValueId yes = of_masks(Inst::kIdKandw, {mask, on_true});
    const ValueId no = of_masks(Inst::kIdKandnw, {mask, on_false});
    return of_masks(Inst::kIdKorw, {yes, no});
  }

  std::optional<ValueId> scaled(ValueId x, ValueId power) override {
    return body_.make(Inst::kIdVscalefps, {x, power});
  }

  ValueId mask_at(const Memory& at) override {
    const ValueId bytes = body_.make(Inst::kIdVpmovzxbd, {at});
    return body_.make(Inst::kIdVptestmd, {bytes, bytes}, {}, Bank::masks);
  }
  void put_mask(const Memory& at, ValueId mask) override {
    body_.put(Inst::kIdVpmovdb, at, masked(mask, body_.known(1)));
  }
  void put_bytes(ElementType /*type*/, const Memory& at, ValueId x) override {
    body_.put(Inst::kIdVpmovdb, at, x);
  }
  ValueId packed_halves(ValueId x, ValueId y) override {
    constexpr std::uint8_t kOrMasked = 0xf8;  // a | (b & c)
    const ValueId lower = shifted(Inst::kIdVpsrld, unmasked(x), 16);
    const ValueId both = body_.make_ternary(lower, unmasked(y), body_.known(kUpperHalf), kOrMasked);
    return body_.make(Inst::kIdVpermw, {body_.lanes_of(kEvenThenOdd.data()), both});
  }
  ValueId rotate(ValueId x, ValueId left, ValueId right) override {
    const auto bits = body_.bits_of(left), others = body_.bits_of(right);
    if (!bits || !others || *bits > 32 || *bits + *others != 32)
      return StepCode::rotate(x, left, right);
    return shifted(Inst::kIdVprold, x, *bits % 32);
  }

 protected:
  ValueId every_second(ValueId a, Part b, std::size_t first) override {
    return body_.make_permuted(kEverySecond[first].data(), a, b);
  }
  ValueId every_third(ValueId a, ValueId b, Part c, std::size_t first) override {
    const ValueId of_two = body_.make_permuted(kEveryThirdOfTwo[first].data(), a, b);
    return body_.make_permuted(kEveryThird[first].data(), of_two, c);
  }
  Pair interleaved(ValueId a, ValueId b) override {
    return {body_.make_permuted(kInterleaved[0].data(), a, b),
            body_.make_permuted(kInterleaved[1].data(), a, b)};
  }
  Triple interleaved(ValueId a, ValueId b, ValueId c) override {
    Triple all{};
    for (std::size_t v = 0; v < all.size(); ++v) {
      const ValueId of_two = body_.make_permuted(kTwoOfThree[v].data(), a, b);
      all[v] = body_.make_permuted(kThirdOfThree[v].data(), of_two, c);
    }
    return all;
  }
  ValueId choose_codes(ValueId mask, ValueId on_true, ValueId on_false) override {
    return body_.make_half(Inst::kIdVpblendmw, {on_false, on_true}, true, true, {}, mask);
  }
  ValueId unordered(ValueId a, ValueId b) override {
    return body_.make(Inst::kIdVcmpps, {a, b}, kUnordered, Bank::masks);
  }
  ValueId extreme(bool larger, ValueId a, ValueId b) override {
    const ValueId y = body_.make(Inst::kIdVrangeps, {a, b}, larger ? kLarger : kSmaller);
    return choose(unordered(a, b), body_.known(0x7fc00000U), y);
  }
  ValueId masked(ValueId mask, ValueId bits) override {
    return body_.make_masked(Inst::kIdVmovdqa32, mask, true, {bits});
  }
  ValueId greater_than(ValueId a, ValueId b) override {
    return body_.make(Inst::kIdVpcmpd, {a, b}, kIntegerTest[3], Bank::masks);
  }
  ValueId rounded_to_bf16(ValueId x) override {
    const ValueId is_odd =
        body_.make(Inst::kIdVptestmd, {x, body_.known(0x10000U)}, {}, Bank::masks);
    const ValueId y = body_.make(Inst::kIdVpaddd, {x, body_.known(0x7fffU)});
    return bitwise_and(body_.make_merged(Inst::kIdVpaddd, is_odd, y, body_.known(1)), kUpperHalf);
  }
  ValueId set_bits(ValueId x) override {
    static const bool counts = asmjit::CpuInfo::host().features().x86().hasAVX512_VPOPCNTDQ();
    return counts ? body_.make(Inst::kIdVpopcntd, {x}) : StepCode::set_bits(x);
  }
  std::optional<ValueId> leading_zeros(ValueId x) override {
    return body_.make(Inst::kIdVplzcntd, {x});
  }
  ValueId root(ValueId x) override {
    if (!body_.refines()) return StepCode::root(x);
    const Refined refined = refined_root(x);
    return body_.make_rare(Inst::kIdVsqrtps, refined.others, refined.root, x);
  }
  // The step before the last one rounds up: from a number below, the last one would meet the middle
  // between two floats where a root is the largest float below a power of two.
  ValueId inverse_root(ValueId x) override {
    if (!body_.refines()) return StepCode::inverse_root(x);
    const Refined refined = refined_root(x);
    const ValueId one = body_.known(0x3f800000U);
    const ValueId y0 = body_.make(Inst::kIdVaddps, {refined.half_inverse, refined.half_inverse});
    const ValueId rest0 = body_.make_fused_difference(refined.root, y0, one);
    const ValueId y1 = body_.make_fused_upwards(rest0, y0, y0);
    const ValueId rest1 = body_.make_fused_difference(refined.root, y1, one);
    const ValueId y2 = body_.make_fused(rest1, y1, y1);
    return body_.make_rare(Inst::kIdVsqrtps, Inst::kIdVdivps, refined.others, y2, x, one);
  }

 private:
  // Numbers of lanes of two vectors one after the other. Of three vectors, two are permuted first
  // and the third is put into what they make.
  static constexpr LaneNumber kLanes = 16;
  static constexpr auto kEverySecond =
      lane_numbers<2, kLanes>([](LaneNumber v, LaneNumber l) { return 2 * l + v; });
  static constexpr auto kEveryThirdOfTwo = lane_numbers<3, kLanes>([](LaneNumber v, LaneNumber l) {
    const LaneNumber from = 3 * l + v;
    return from < 2 * kLanes ? from : 0;
  });
  static constexpr auto kEveryThird = lane_numbers<3, kLanes>([](LaneNumber v, LaneNumber l) {
    const LaneNumber from = 3 * l + v;
    return from < 2 * kLanes ? l : from - kLanes;
  });
  static constexpr auto kInterleaved = lane_numbers<2, kLanes>([](LaneNumber v, LaneNumber l) {
    const LaneNumber element = v * kLanes + l;
    return element / 2 + element % 2 * kLanes;
  });
  static constexpr auto kTwoOfThree = lane_numbers<3, kLanes>([](LaneNumber v, LaneNumber l) {
    const LaneNumber element = v * kLanes + l;
    return element % 3 == 2 ? 0 : element / 3 + element % 3 * kLanes;
  });
  static constexpr auto kThirdOfThree = lane_numbers<3, kLanes>([](LaneNumber v, LaneNumber l) {
    const LaneNumber element = v * kLanes + l;
    return element % 3 == 2 ? element / 3 + kLanes : l;
  });

  // Words: those with even numbers, then the others.
  static constexpr auto kEvenThenOdd = [] {
    std::array<LaneNumber, kLanes> numbers{};
    for (LaneNumber l = 0; l < kLanes; ++l) {
      const LaneNumber word = 2 * l < kLanes ? 4 * l : 4 * l - 2 * kLanes + 1;
      numbers[l] = word | (word + 2) << 16;
    }
    return numbers;
  }();
  // What a store of its upper half does not need.
  ValueId unmasked(ValueId x) const {
    const MachineStep* const made = body_.maker(x);
    const bool masks =
        made != nullptr && made->id == Inst::kIdVpandd && body_.bits_of(made->in[1]) == kUpperHalf;
    return masks ? made->in[0].value : x;
  }

  struct Refined {
    ValueId root, half_inverse;
    ValueId others;  // lanes for which it does not hold
  };
  // The root as the processor's own instruction rounds it, by products: P. Markstein, "Computation
  // of elementary functions on the IBM RISC System/6000 processor", 1990. Each step squares the
  // error of the estimate, and the last one rounds what is exact to 48 bits. Where the arguments
  // reach 0, infinity, or what is lost below the least float, that does not hold.
  Refined refined_root(ValueId x) {
    constexpr std::uint32_t kLeast = 27U << 23, kInfinity = 255U << 23;  // 2^-100
    const ValueId above = body_.make(Inst::kIdVpsubd, {x, body_.known(kLeast)});
    const ValueId others = body_.make(Inst::kIdVpcmpud, {above, body_.known(kInfinity - kLeast)},
                                      kIntegerTest[2], Bank::masks);
    const ValueId half = body_.known(kHalf);
    const ValueId inverse = body_.make(Inst::kIdVrsqrt14ps, {x});
    const ValueId g0 = body_.make(Inst::kIdVmulps, {x, inverse});
    const ValueId h0 = body_.make(Inst::kIdVmulps, {inverse, half});
    const ValueId rest = body_.make_fused_difference(h0, g0, half);
    const ValueId g1 = body_.make_fused(rest, g0, g0), h1 = body_.make_fused(rest, h0, h0);
    const ValueId lost = body_.make_fused_difference(g1, g1, x);
    return {body_.make_fused(lost, h1, g1), h1, others};
  }
  // The quotient as the processor's own instruction rounds it, by the rounded reciprocal of the
  // divisor (Markstein, as above): the first step brings the error below the last bit, the second
  // one rounds what is exact. Zeros lose their sign on the way. Dividends near the least and the
  // largest floats, infinities and NaN are divided.
  std::optional<ValueId> quotient_by(ValueId x, std::uint32_t divisor) override {
    constexpr std::uint32_t kSmallest = (127 - 20) << 23, kLargest = (127 + 20) << 23;
    if (!body_.refines() || divisor < kSmallest || divisor > kLargest) return std::nullopt;
    const ValueId by = body_.known(divisor);
    const ValueId inverse =
        body_.known(std::bit_cast<std::uint32_t>(1 / std::bit_cast<float>(divisor)));
    const ValueId y0 = body_.make(Inst::kIdVmulps, {x, inverse});
    const ValueId rest0 = body_.make_fused_difference(y0, by, x);
    const ValueId y1 = body_.make_fused(rest0, inverse, y0);
    const ValueId rest1 = body_.make_fused_difference(y1, by, x);
    const ValueId y2 = body_.make_fused(rest1, inverse, y1);
    if (is_whole_number(x)) return y2;
    constexpr std::uint32_t kLeast = (127 - 90) << 23, kMost = (127 + 90) << 23;
    constexpr std::uint8_t kOrMasked = 0xf8;  // a | (b & c)
    const ValueId size = bitwise_and(x, ~kSign);
    const ValueId above = body_.make(Inst::kIdVpsubd, {size, body_.known(kLeast)});
    const ValueId outside = body_.make(Inst::kIdVpcmpud, {above, body_.known(kMost - kLeast)},
                                       kIntegerTest[2], Bank::masks);
    const ValueId is_other = body_.make(Inst::kIdVptestmd, {size, size}, {}, Bank::masks);
    const ValueId others = of_masks(Inst::kIdKandw, {outside, is_other});
    const ValueId y = body_.make_ternary(y2, x, body_.known(kSign), kOrMasked);
    return body_.make_rare(Inst::kIdVmovups, Inst::kIdVdivps, others, y, by, x);
  }
  // Whether it was converted from an integer: 0, or of a size from 1 to 2^32.
  bool is_whole_number(ValueId x) const {
    const MachineStep* const made = body_.maker(x);
    return made != nullptr && (made->id == Inst::kIdVcvtdq2ps || made->id == Inst::kIdVcvtudq2ps);
  }
  // (x & y) compared with 0 is one instruction.
  std::optional<ValueId> tested_bits(Direction direction, ValueId left, const Part& right) {
    const MachineStep* const made = body_.maker(left);
    if (made == nullptr || made->id != Inst::kIdVpandd || body_.bits_of(right) != 0U)
      return std::nullopt;
    if (direction != Direction::eq && direction != Direction::ne) return std::nullopt;
    const Part a = made->in[0], b = made->in[1];
    if (b.memory) return std::nullopt;  // which may have changed
    return body_.make(direction == Direction::eq ? Inst::kIdVptestnmd : Inst::kIdVptestmd, {a, b},
                      {}, Bank::masks);
  }
  ValueId of_masks(asmjit::InstId id, std::initializer_list<Part> in) {
    return body_.make_folding(id, in, MachineStep::kMostInputs, {}, Bank::masks);
  }
};

}  // namespace

std::unique_ptr<StepCode> make_avx512_step_code(Body& body) {
  return std::make_unique<Avx512StepCode>(body);
}

}  // namespace understudy::worker::ops::chain_code
