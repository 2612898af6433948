// SPDX-License-Identifier: Apache-2.0
// The rows of signatures.cc, as they are written. Constant data.
#pragma once

#include <span>
#include <string_view>

namespace understudy::program::rules {

// names       "dialect: name name ..."
// operands,   one word per value: FAMILY[|FAMILY...][.part...][!][*]
// results       FAMILY  pred i32 sint ui32 uint int float part complex any token tuple future value
//               part    a small letter: values with that letter have one element type
//                       S T U: values with that letter have one shape; Q R: one number of
//                       dimensions; a digit: the number of dimensions
//               !       no open dimension;   *  any number of such values
//               "="     as operand 0
// attributes  "[?]name:kind ...", `?` where it may be absent; kinds are those of attribute_kinds.cc
struct SignatureRow {
  std::string_view names, operands, results, attributes;
};

std::span<const SignatureRow> signature_rows();

}  // namespace understudy::program::rules
