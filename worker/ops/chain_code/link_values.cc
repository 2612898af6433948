// SPDX-License-Identifier: Apache-2.0
#include "worker/ops/chain_code/link_values.h"

#include <map>

namespace understudy::worker::ops::chain_code {
namespace {

using Kind = ChainOperation::Kind;
using program::ElementType;
using program::kernels::ChainSource;

// The operands that a link has at its places; others work on the accumulator.
std::size_t placed_operands(const ChainLink& link) {
  const ChainOperation& work = link.operation;
  switch (work.kind) {
    case Kind::load:
      return 1;
    case Kind::binary:
    case Kind::compare:
      return 2;
    case Kind::select:
    case Kind::multiply_add:
    case Kind::rotate:
      return 3;
    case Kind::store:
      if (program::kernels::is_pair(work.type)) return 2;
      return work.element_step > 1 ? 1 : 0;
    default:
      return 0;
  }
}

ElementType operand_type(const ChainOperation& work, std::size_t operand) {
  if (work.kind == Kind::select && operand == 2) return ElementType::pred;
  if (work.kind == Kind::store && program::kernels::is_pair(work.type)) return ElementType::f32;
  return work.type;
}

}  // namespace

LinkValues::LinkValues(std::span<const ChainLink> links)
    : operands_(links.size()), types_(links.size(), ElementType::f32) {
  struct Held {
    std::size_t maker, hold;
  };
  std::map<std::size_t, Held> held;  // by its place
  std::size_t accumulator = kNoLink;
  for (std::size_t l = 0; l < links.size(); ++l) {
    const ChainLink& link = links[l];
    for (std::size_t o = 0; o < placed_operands(link); ++o) {
      LinkOperand operand{o, link.from[o], operand_type(link.operation, o)};
      if (operand.source == ChainSource::accumulator) operand.maker = accumulator;
      if (operand.source == ChainSource::held) {
        const Held& one = held.at(place_of(link, o)->beyond);
        operand.maker = one.maker;
        operand.hold = one.hold;
      }
      operands_[l].push_back(operand);
    }
    if (placed_operands(link) == 0) {
      LinkOperand operand{0, ChainSource::accumulator, link.operation.type};
      operand.maker = accumulator;
      operands_[l].push_back(operand);
    }
    if (link.operation.kind == Kind::hold) held[link.out->beyond] = {accumulator, l};
    if (makes_value(link)) {
      const bool keeps_type = link.operation.kind == Kind::settle;
      types_[l] = keeps_type                                       ? types_[accumulator]
                  : link.operation.kind == Kind::compare           ? ElementType::pred
                  : program::kernels::is_pair(link.operation.type) ? ElementType::f32
                                                                   : link.operation.result;
      accumulator = l;
    } else if (accumulator != kNoLink) {
      types_[l] = types_[accumulator];
    }
  }
}

}  // namespace understudy::worker::ops::chain_code
