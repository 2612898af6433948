// SPDX-License-Identifier: Apache-2.0
// Executables to bytes and back: the only door to Boost.Serialization. The bytes carry no digest of
// their own; cache/envelope.h checks them before they come here. Pure functions, thread-safe.
#pragma once

#include <string>
#include <string_view>

#include "program/executable/executable.h"

namespace understudy::cache {

std::string archive_executable(const program::Executable& executable);

// *Throws* Error{internal} where the bytes are no archive of an executable.
program::Executable restore_executable(std::string_view bytes);

// Name and version of the library that makes the bytes; part of the build fingerprint.
std::string_view archive_library();

}  // namespace understudy::cache
