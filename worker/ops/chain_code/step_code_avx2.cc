// SPDX-License-Identifier: Apache-2.0
#include "worker/ops/chain_code/lane_numbers.h"
#include "worker/ops/chain_code/step_code.h"

namespace understudy::worker::ops::chain_code {
namespace {

class Avx2StepCode : public StepCode {
 public:
  using StepCode::StepCode;

  ValueId compare(Direction direction, ElementType type, Part a, Part b) override {
    if (is_float(type)) {
      const ValueId left = loaded(a);
      return body_.make(Inst::kIdVcmpps, {left, b}, kFloatTests[static_cast<int>(direction)]);
    }
    const ValueId left = loaded(a), right = loaded(b);
    const bool is_signed = type == ElementType::i32;
    switch (direction) {
      case Direction::eq:
        return body_.make(Inst::kIdVpcmpeqd, {left, right});
      case Direction::ne:
        return inverse_mask(body_.make(Inst::kIdVpcmpeqd, {left, right}));
      case Direction::gt:
        return is_signed ? greater_than(left, right)
                         : inverse_mask(reaches(Inst::kIdVpminud, left, right));
      case Direction::lt:
        return is_signed ? greater_than(right, left)
                         : inverse_mask(reaches(Inst::kIdVpmaxud, left, right));
      case Direction::ge:
        return reaches(is_signed ? Inst::kIdVpmaxsd : Inst::kIdVpmaxud, left, right);
      case Direction::le:
        break;
    }
    return reaches(is_signed ? Inst::kIdVpminsd : Inst::kIdVpminud, left, right);
  }
  ValueId choose(ValueId mask, Part on_true, Part on_false) override {
    const ValueId other = loaded(on_false);
    if (const auto y = bounded(mask, on_true, other)) return *y;
    return body_.make_folding(Inst::kIdVblendvps, {other, on_true, mask}, 1);
  }
  std::optional<ValueId> binary_of_masks(BinaryOp op, ValueId a, ValueId b) override {
    return binary(op, ElementType::ui32, a, b);
  }
  ValueId equal_masks(ValueId a, ValueId b) override {
    return body_.make(Inst::kIdVpcmpeqd, {a, b});
  }
  ValueId inverse_mask(ValueId a) override {
    return body_.make(Inst::kIdVpxor, {a, body_.known(~0U)});
  }
  ValueId choose_mask(ValueId mask, ValueId on_true, ValueId on_false) override {
    return choose(mask, on_true, on_false);
  }

  std::optional<ValueId> scaled(ValueId /*x*/, ValueId /*power*/) override { return std::nullopt; }

  ValueId mask_at(const Memory& at) override {
    const ValueId bytes = body_.make(Inst::kIdVpmovzxbd, {at});
    return body_.make(Inst::kIdVpsubd, {body_.known(0), bytes});
  }
  void put_mask(const Memory& at, ValueId mask) override {
    // Packed within halves of a register, which then come together: words to halves to bytes.
    const ValueId halves = body_.make(Inst::kIdVpackssdw, {mask, mask});
    const ValueId joined = body_.make(Inst::kIdVpermq, {halves}, 8);
    const ValueId bytes = body_.make(Inst::kIdVpacksswb, {joined, joined});
    body_.put(Inst::kIdVmovq, at, bitwise_and(bytes, 0x01010101U), true);
  }
  void put_bytes(ElementType type, const Memory& at, ValueId x) override {
    const ValueId halves = body_.make(Inst::kIdVpackssdw, {x, x});
    const ValueId joined = body_.make(Inst::kIdVpermq, {halves}, 8);
    const auto pack = type == ElementType::i8 ? Inst::kIdVpacksswb : Inst::kIdVpackuswb;
    body_.put(Inst::kIdVmovq, at, body_.make(pack, {joined, joined}), true);
  }
  // Packed within halves of registers, which hold the lower and the upper four of each vector.
  bool put_bytes_of_four(ElementType type, const Memory& at, const ValueId* x) override {
    const ValueId first = body_.make(Inst::kIdVpackssdw, {x[0], x[1]});
    const ValueId second = body_.make(Inst::kIdVpackssdw, {x[2], x[3]});
    const auto pack = type == ElementType::i8 ? Inst::kIdVpacksswb : Inst::kIdVpackuswb;
    const ValueId low = body_.make(pack, {first, second});
    const ValueId high = body_.make_half(Inst::kIdVextracti128, {low}, true, false, 1);
    Memory behind = at;
    behind.offset += 16;
    body_.put(Inst::kIdVmovups, at, body_.make_half(Inst::kIdVpunpckldq, {low, high}, true, true),
              true);
    body_.put(Inst::kIdVmovups, behind,
              body_.make_half(Inst::kIdVpunpckhdq, {low, high}, true, true), true);
    return true;
  }

 protected:
  // Within halves of registers, whose words of 64 bits then come together.
  ValueId every_second(ValueId a, Part b, std::size_t first) override {
    constexpr std::uint8_t kEven = 0x88, kOdd = 0xdd, kByTurns = 0xd8;
    const ValueId halves = body_.make(Inst::kIdVshufps, {a, b}, first == 0 ? kEven : kOdd);
    return body_.make(Inst::kIdVpermpd, {halves}, kByTurns);
  }
  // No two of the lanes that it takes have one number in their vectors.
  ValueId every_third(ValueId a, ValueId b, Part c, std::size_t first) override {
    const ValueId of_two = body_.make(Inst::kIdVblendps, {a, b}, lanes_with(1, first));
    const ValueId all = body_.make(Inst::kIdVblendps, {of_two, c}, lanes_with(2, first));
    return body_.make(Inst::kIdVpermps, {body_.lanes_of(kEveryThird[first].data()), all});
  }
  Pair interleaved(ValueId a, ValueId b) override {
    constexpr std::uint8_t kLowerHalves = 0x20, kUpperHalves = 0x31;
    const ValueId low = body_.make(Inst::kIdVunpcklps, {a, b});
    const ValueId high = body_.make(Inst::kIdVunpckhps, {a, b});
    return {body_.make(Inst::kIdVperm2f128, {low, high}, kLowerHalves),
            body_.make(Inst::kIdVperm2f128, {low, high}, kUpperHalves)};
  }
  Triple interleaved(ValueId a, ValueId b, ValueId c) override {
    const auto permuted = [&](ValueId x, std::size_t number) {
      return body_.make(Inst::kIdVpermps, {body_.lanes_of(kByThree[number].data()), x});
    };
    const Triple all{permuted(a, 0), permuted(b, 1), permuted(c, 2)};
    Triple made{};
    for (LaneNumber v = 0; v < made.size(); ++v) {
      const ValueId of_two = body_.make(Inst::kIdVblendps, {all[0], all[1]}, lanes_with(v, 1));
      made[v] = body_.make(Inst::kIdVblendps, {of_two, all[2]}, lanes_with(v, 2));
    }
    return made;
  }
  ValueId choose_codes(ValueId mask, ValueId on_true, ValueId on_false) override {
    const ValueId packed = body_.make(Inst::kIdVpackssdw, {mask, mask});
    const ValueId halves = body_.make(Inst::kIdVpermq, {packed}, 8);
    return body_.make_half(Inst::kIdVpblendvb, {on_false, on_true, halves}, true, true);
  }
  ValueId unordered(ValueId a, ValueId b) override {
    return body_.make(Inst::kIdVcmpps, {a, b}, kUnordered);
  }
  // Equal zeros give the second operand, so both orders differ in their signs alone.
  ValueId extreme(bool larger, ValueId a, ValueId b) override {
    const auto id = larger ? Inst::kIdVmaxps : Inst::kIdVminps;
    const ValueId y0 = body_.make(id, {a, b});
    const ValueId y1 = body_.make(id, {b, a});
    const ValueId y = body_.make(larger ? Inst::kIdVandps : Inst::kIdVorps, {y0, y1});
    return choose(unordered(a, b), body_.known(0x7fc00000U), y);
  }
  ValueId masked(ValueId mask, ValueId bits) override {
    return body_.make(Inst::kIdVpand, {mask, bits});
  }
  ValueId greater_than(ValueId a, ValueId b) override {
    return body_.make(Inst::kIdVpcmpgtd, {a, b});
  }

 private:
  static constexpr LaneNumber kLanes = 8;
  // The lane of element 3 l + v of three vectors in a row.
  static constexpr auto kEveryThird =
      lane_numbers<3, kLanes>([](LaneNumber v, LaneNumber l) { return (3 * l + v) % kLanes; });
  // The other way round: which element of vector v is in lane l of one of three vectors in a row.
  static constexpr auto kByThree = lane_numbers<3, kLanes>([](LaneNumber v, LaneNumber l) {
    LaneNumber element = l;
    while (element % 3 != v) element += kLanes;
    return element / 3;
  });
  // The immediate of vblendps for the lanes of vector `v` of three in a row with number `which` of
  // each three elements.
  static std::uint8_t lanes_with(LaneNumber v, std::size_t which) {
    std::uint8_t lanes = 0;
    for (LaneNumber l = 0; l < kLanes; ++l)
      if ((v * kLanes + l) % 3 == which) lanes = static_cast<std::uint8_t>(lanes | 1U << l);
    return lanes;
  }

  // Whether the extreme of both is the left one.
  ValueId reaches(asmjit::InstId extreme, ValueId left, ValueId right) {
    const ValueId y = body_.make(extreme, {left, right});
    return body_.make(Inst::kIdVpcmpeqd, {y, left});
  }
};

}  // namespace

std::unique_ptr<StepCode> make_avx2_step_code(Body& body) {
  return std::make_unique<Avx2StepCode>(body);
}

}  // namespace understudy::worker::ops::chain_code
