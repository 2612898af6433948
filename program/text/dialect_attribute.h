// SPDX-License-Identifier: Apache-2.0
// How the parser makes attributes of dialects and what they hold. Pure.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "program/ir/ir.h"

namespace understudy::program {

inline Attribute attribute_of(DialectAttribute attribute) {
  return {std::make_shared<const DialectAttribute>(std::move(attribute))};
}
inline Attribute attribute_of(std::vector<Attribute> elements) {
  return {std::make_shared<const ArrayAttribute>(ArrayAttribute{std::move(elements)})};
}
inline Attribute i64_attribute(std::int64_t value) {
  return {IntegerAttribute{value, Type::of(TensorType{ElementType::i64, {}})}};
}

}  // namespace understudy::program
