// SPDX-License-Identifier: Apache-2.0
// Executables to bytes and back; the only code that uses Boost.Serialization. The bytes end with
// 32 hexadecimal digits, the digest of all others: an envelope (cache/envelope.h) that was computed
// anew around changed bytes does not make them an executable. Pure functions, thread-safe.
#pragma once

#include <string>
#include <string_view>

#include "program/executable/executable.h"

namespace understudy::cache {

std::string archive_executable(const program::Executable& executable);
// Appends the digest: for tests of what a digest cannot find.
std::string with_archive_digest(std::string content);

// *Throws* Error{internal} if the bytes are not a valid archive.
program::Executable restore_executable(std::string_view bytes);

// Name and version of the serialization library; part of the build fingerprint.
std::string_view archive_library();

}  // namespace understudy::cache
