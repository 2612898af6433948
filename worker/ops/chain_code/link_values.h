// SPDX-License-Identifier: Apache-2.0
// Which link of a chain makes each operand of its links. Immutable.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "worker/ops/fused/fused_chain.h"

namespace understudy::worker::ops::chain_code {

constexpr std::size_t kNoLink = SIZE_MAX;

// An operand of a link.
struct LinkOperand {
  std::size_t number = 0;  // a, b or c
  program::kernels::ChainSource source = program::kernels::ChainSource::accumulator;
  program::ElementType type = program::ElementType::f32;
  std::size_t maker = kNoLink;  // of the accumulator, or of what is held
  std::size_t hold = kNoLink;   // the link that put it aside
};

class LinkValues {
 public:
  explicit LinkValues(std::span<const ChainLink> links);

  const std::vector<LinkOperand>& operands(std::size_t link) const { return operands_[link]; }
  // Of the result of a link; of one that makes none, of the accumulator.
  program::ElementType type(std::size_t link) const { return types_[link]; }
  static bool makes_value(const ChainLink& link) {
    return link.operation.kind != ChainOperation::Kind::hold &&
           link.operation.kind != ChainOperation::Kind::store;
  }

 private:
  std::vector<std::vector<LinkOperand>> operands_;
  std::vector<program::ElementType> types_;
};

inline const std::optional<FusedPlace>& place_of(const ChainLink& link, std::size_t operand) {
  return operand == 0 ? link.a : operand == 1 ? link.b : link.c;
}

}  // namespace understudy::worker::ops::chain_code
