// SPDX-License-Identifier: Apache-2.0
// Executables to bytes and back; the only code that uses Boost.Serialization. The bytes carry no
// digest of their own: cache/envelope.h checks them before they are restored. Pure functions,
// thread-safe.
#pragma once

#include <string>
#include <string_view>

#include "program/executable/executable.h"

namespace understudy::cache {

std::string archive_executable(const program::Executable& executable);

// *Throws* Error{internal} if the bytes are not a valid archive.
program::Executable restore_executable(std::string_view bytes);

// Name and version of the serialization library; part of the build fingerprint.
std::string_view archive_library();

}  // namespace understudy::cache
