// SPDX-License-Identifier: Apache-2.0
// Reads and validates entries, for runs and for housekeeping alike: envelope, parts of the key,
// archive and bounds of the executable. Pure functions, thread-safe.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "cache/envelope.h"
#include "program/executable/executable.h"

namespace understudy::cache {

// Why an executable does not match the request; empty: it matches.
using Mismatch = std::function<std::string(const program::Executable&)>;

struct LoadedEntry {
  Opened opened;                                  // views into the entry
  std::string reason;                             // if damaged although the digest matches
  std::optional<program::Executable> executable;  // of a good one
};

// An executable that cannot be restored, exceeds its buffers or does not match is `damaged`.
LoadedEntry load_entry(std::string_view entry);
LoadedEntry load_entry(std::string_view entry, const NamedParts& wanted,
                       const Mismatch& mismatch = {});

}  // namespace understudy::cache
