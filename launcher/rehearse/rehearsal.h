// SPDX-License-Identifier: Apache-2.0
// The rehearsal of a slice's bring-up: climbs the ladder, runs the first rung again from the cache,
// and summarises the results in one document and one receipt. Call from the main thread.
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
#include "launcher/preflight/preflight.h"

namespace understudy::launcher {

struct Console;
struct DisplayLook;
struct Environment;

struct RehearseOptions {
  RunOptions run;            // shared by all runs; `receipt`: path of the rehearsal's receipt
  std::string ladder;        // file; empty: the shipped ladder
  std::int64_t retries = 1;  // of rungs that failed at start-up
  // A receipt to restore: only its canary is run and compared with the receipt.
  std::optional<configs::Receipt> from = std::nullopt;
  bool json = false;        // stdout is one JSON document, without lines per rung
  bool preflight = false;   // ask the TPU compiler before the first rung
  CompilerChoice compiler;  // how
};

constexpr const char* kRestoreRung = "restore";

// The ladder file; the shipped one is in share/understudy/ladder beside the folder of the binary.
// *Throws* Error{system} if it is missing.
std::string ladder_path(const std::string& asked, const Environment& environment);

// The requested slice, by default v6e-8.
configs::Slice slice_of(const RunOptions& options);

struct RehearsalEnd {
  configs::Rehearsal document;
  configs::Receipt receipt;
};

// Shows progress; does not write the receipt. *Throws* errors of the slice or the ladder.
RehearsalEnd rehearse(const RehearseOptions& options, const Environment& environment,
                      const Console& console);

// Writes the receipt (unless disabled) and sets its path in the document. Returns a message for
// stderr if it cannot be written, which also makes a success fail; else "".
std::string leave_receipt(RehearsalEnd& end, const RunOptions& options,
                          const Environment& environment);

// The result as text: one line per rung if `with_rungs`, then verdict, frontier and claims.
std::string rehearsal_text(const configs::Rehearsal& rehearsal, bool with_rungs,
                           const DisplayLook& look, const Console& console);

}  // namespace understudy::launcher
