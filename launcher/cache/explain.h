// SPDX-License-Identifier: Apache-2.0
// Explains a cache miss: compares the key of a program with the key of an entry part by part, and
// finds the first difference between the programs.
#pragma once

#include <string>

#include "cache/housekeeping.h"
#include "cache/key.h"
#include "configs/report/cache_documents.h"
#include "launcher/run/plan_run.h"
#include "program/ir/ir.h"

namespace understudy::launcher {

// The key parts that `run` with these options would use to look up the program.
cache::KeyParts key_parts_of(const LoadedProgram& program, const configs::Slice& slice,
                             const RunOptions& options, const configs::Profile& profile);

// The entry as `cache ls --json` shows it.
configs::CacheEntry entry_document(const cache::EntrySeen& seen);

// *Requires*: `against.contents` is loaded.
configs::CacheExplanation explain(const program::Module& module, const cache::KeyParts& parts,
                                  const cache::EntrySeen& against);

// The entry with the fewest differing key parts; nullptr if there is none.
const cache::EntrySeen* nearest_entry(const cache::KeyParts& parts,
                                      const std::vector<cache::EntrySeen>& entries);

std::string explanation_text(const configs::CacheExplanation& explanation);

}  // namespace understudy::launcher
