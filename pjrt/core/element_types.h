// SPDX-License-Identifier: Apache-2.0
// Element types of the C API and of programs. Pure functions. *Throw* Error{unsupported} for a type
// that understudy does not store.
#pragma once

#include "pjrt/abi/types.h"
#include "program/ir/element_type.h"

namespace understudy::pjrt {

// `type` comes from the framework and may be any number.
program::ElementType element_of(abi::BufferType type);
abi::BufferType buffer_type_of(program::ElementType element);

}  // namespace understudy::pjrt
