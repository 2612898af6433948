// SPDX-License-Identifier: Apache-2.0
// The one reader of entries, for runs and for housekeeping alike: envelope, parts of the key,
// archive and bounds of the executable. Pure functions, thread-safe.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "cache/envelope.h"
#include "program/executable/executable.h"

namespace understudy::cache {

// Why an executable cannot be the one that was asked for; empty: it can.
using Mismatch = std::function<std::string(const program::Executable&)>;

struct LoadedEntry {
  Opened opened;                                  // views into the entry
  std::string reason;                             // of a damaged one whose digest fits; else empty
  std::optional<program::Executable> executable;  // of a good one
};

// Any executable that cannot be restored, leaves its buffers or does not match is `damaged`.
LoadedEntry load_entry(std::string_view entry);
LoadedEntry load_entry(std::string_view entry, const NamedParts& wanted,
                       const Mismatch& mismatch = {});

}  // namespace understudy::cache
