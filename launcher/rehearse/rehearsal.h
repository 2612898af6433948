// SPDX-License-Identifier: Apache-2.0
// The rehearsal of a slice's bring-up: the ladder is climbed, the first rung is started again from
// the cache, and what was seen becomes one document and one receipt. Call from the main thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "configs/launch/ladder.h"
#include "configs/launch/topology.h"
#include "configs/receipt/receipt.h"
#include "configs/receipt/rehearsal.h"
#include "launcher/options/run_options.h"

namespace understudy::launcher {

struct Console;
struct DisplayLook;
struct Environment;

struct RehearseOptions {
  RunOptions run;            // what all runs share; `receipt` is the rehearsal's
  std::string ladder;        // file; empty: the one that comes with the program
  std::int64_t retries = 1;  // of what failed at the start
  // A receipt that this starts again from: only its canary is run, and compared with it.
  std::optional<configs::Receipt> from = std::nullopt;
  bool json = false;  // stdout is one document: no line for each rung
};

constexpr const char* kRestoreRung = "restore";

// The ladder's file; the shipped one lies in share/understudy/ladder beside the binary's folder.
// *Throws* Error{system} where that is not there.
std::string ladder_path(const std::string& asked, const Environment& environment);

// The slice that was asked for, else a v6e-8.
configs::Slice slice_of(const RunOptions& options);

struct RehearsalEnd {
  configs::Rehearsal document;
  configs::Receipt receipt;
};

// Shows its progress; the receipt is not written yet. *Throws* what is wrong with slice or ladder.
RehearsalEnd rehearse(const RehearseOptions& options, const Environment& environment,
                      const Console& console);

// Writes the receipt, unless none is wanted, and its path into the document. Returns what stderr
// has to say where it cannot be written, which also decides the exit code of a success; else "".
std::string leave_receipt(RehearsalEnd& end, const RunOptions& options,
                          const Environment& environment);

// The end in words: a line for each rung where `with_rungs`, then verdict, frontier and claims.
std::string rehearsal_text(const configs::Rehearsal& rehearsal, bool with_rungs,
                           const DisplayLook& look, const Console& console);

}  // namespace understudy::launcher
