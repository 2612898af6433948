// SPDX-License-Identifier: Apache-2.0
#include "worker/ops/chain_code/narrow_text.h"

#include <cstddef>
#include <utility>

#include "worker/ops/chain_code/chain_operands.h"
#include "worker/ops/chain_code/link_values.h"
#include "worker/ops/chain_code/narrow_code.h"

namespace understudy::worker::ops::chain_code {
namespace {

using program::kernels::ChainSource;
using program::kernels::ChainStep;

Shared::From shared_from(ElementType type) {
  switch (type) {
    case ElementType::pred:
      return Shared::From::pred;
    case ElementType::i8:
      return Shared::From::i8;
    case ElementType::ui8:
      return Shared::From::ui8;
    case ElementType::i16:
      return Shared::From::i16;
    default:
      return Shared::From::ui16;
  }
}

class NarrowText final : private ChainOperands {
 public:
  NarrowText(const ChainText& text, Body& body) : ChainOperands(text, body), narrow_(body) {}

  // False where a link has no instructions.
  bool write() {
    for (link_ = 0; link_ < text_.links.size(); ++link_)
      if (!write_link()) return false;
    return true;
  }

 private:
  bool write_link() {
    const ChainOperation& work = operation();
    switch (work.kind) {
      case Kind::hold:
        held_[link().out->beyond] = accumulator_;
        return true;
      case Kind::store:
        store();
        return true;
      default:
        break;
    }
    Piece next;
    for (vector_ = 0; vector_ < body_.unroll(); ++vector_) {
      const std::optional<ValueId> y = result();
      if (!y) return false;
      next.at[vector_] = *y;
    }
    accumulator_ = next;
    return true;
  }
  std::optional<ValueId> result() {
    const ChainOperation& work = operation();
    switch (work.kind) {
      case Kind::unary:
        return narrow_.unary(work.unary, work.type, accumulator());
      case Kind::convert:
        return narrow_.convert(work.type, work.result, accumulator());
      case Kind::binary: {
        const Part a = part(0), b = part(1);
        return narrow_.binary(work.binary, work.type, a, b);
      }
      case Kind::compare: {
        const Part a = part(0), b = part(1);
        return narrow_.compare(work.direction, work.type, a, b);
      }
      case Kind::select: {
        const ValueId mask = narrow_.loaded(part(2, ElementType::pred));
        const Part on_true = part(0), on_false = part(1);
        return narrow_.choose(mask, on_true, on_false);
      }
      case Kind::rotate: {
        const ValueId x = narrow_.loaded(part(0));
        const Part left = part(1), right = part(2);
        return narrow_.rotate(work.type, x, left, right);
      }
      case Kind::load:
        return narrow_.loaded(part(0));
      default:
        return std::nullopt;
    }
  }
  void store() {
    const ElementType type = operation().type;
    vector_ = 0;
    const Memory at = memory_at(*link().out, offsetof(ChainStep, out), type);
    narrow_.put(type, at, accumulator_.at[0], accumulator_.at[1]);
  }

  // Operand a, b or c of the link for the present vector.
  Part part(std::size_t which) { return part(which, operation().type); }
  Part part(std::size_t which, ElementType type) {
    if (const auto value = in_register(which)) return *value;
    if (link().from[which] == ChainSource::dense) return narrow_.at(type, dense_at(which, type));
    return shared(*place_of(link(), which), kOperandPointers[which], type);
  }
  Part shared(const FusedPlace& place, std::size_t member, ElementType type) {
    if (!is_constant(text_.instruction, place))
      return body_.shared(shared_from(type), pointer_of(place, member));
    std::uint32_t number = 0;
    text_.table.convert(type, ElementType::i32)(address_at(member), &number, 1);
    return narrow_.all(type == ElementType::pred ? 0U - number : number);
  }

  NarrowCode narrow_;
};

}  // namespace

std::optional<Body> narrow_body_of(const ChainText& text, std::size_t lane_bytes) {
  Body body = Body::of_narrow_lanes(ChainCode::kNarrowVectors, lane_bytes);
  if (!NarrowText(text, body).write()) return std::nullopt;
  body.remove_unused();
  return body;
}

}  // namespace understudy::worker::ops::chain_code
