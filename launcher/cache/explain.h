// SPDX-License-Identifier: Apache-2.0
// Why a program did not hit: its key beside an entry's, part by part, and where the programs
// themselves part ways.
#pragma once

#include <string>

#include "cache/housekeeping.h"
#include "cache/key.h"
#include "configs/report/cache_documents.h"
#include "launcher/run/plan_run.h"
#include "program/ir/ir.h"

namespace understudy::launcher {

// The parts of the key under which `run` with these options looks the program up.
cache::KeyParts key_parts_of(const LoadedProgram& program, const configs::Slice& slice,
                             const RunOptions& options, const configs::Profile& profile);

configs::CacheEntry entry_document(const cache::EntrySeen& seen);

// The entry has the contents of its file.
configs::CacheExplanation explain(const program::Module& module, const cache::KeyParts& parts,
                                  const cache::EntrySeen& against);

// Of the entries the one with the fewest other parts; nullptr where there is none.
const cache::EntrySeen* nearest_entry(const cache::KeyParts& parts,
                                      const std::vector<cache::EntrySeen>& entries);

std::string explanation_text(const configs::CacheExplanation& explanation);

}  // namespace understudy::launcher
