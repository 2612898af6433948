// SPDX-License-Identifier: Apache-2.0
// Integers of 2 and 4 bits take a byte each, on hosts and on chips. A host keeps the value in the
// low bits and says nothing by the others (ml_dtypes clears or extends them, by version); chips
// compute with the whole byte, which has to be the value.
#pragma once

#include <cstddef>
#include <span>

#include "program/ir/element_type.h"

namespace understudy::program {

bool is_narrow_integer(ElementType type);
// The bytes of a host become those of a chip. *Requires* is_narrow_integer(type).
void widen(ElementType type, std::span<std::byte> values);
// Those of a chip become those of a host: the other bits are 0, as XLA hands them out.
void clear_other_bits(ElementType type, std::span<std::byte> values);

}  // namespace understudy::program
