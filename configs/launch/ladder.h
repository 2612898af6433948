// SPDX-License-Identifier: Apache-2.0
// The ladder of a rehearsal: programs to climb one by one, each with one structural feature more
// than the one before (understudy/ladder/1, configs/schema/ladder.json, docs/rehearsal.md). Plain
// values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "configs/base/error.h"

namespace understudy::configs {

struct Rung {
  std::string name;
  std::string adds;     // the feature, in words
  std::string program;  // a file or folder, the ladder's folder in front; "{chips}" is a number
  std::vector<std::int64_t> chips;  // for which there is one; empty: the program's own
  std::int64_t steps = 0;           // 0: what the program's manifest says, else 1
  std::vector<std::pair<std::int64_t, std::int64_t>> carry;  // result, argument of the next step
  std::string args, expect;             // folders, the ladder's in front; empty: the manifest's
  std::string fill;                     // of arguments that nobody gives
  std::optional<double> rtol, atol;     // in place of the manifest's
  std::string numerics;                 // empty: the rehearsal's
  std::vector<std::string> algorithms;  // of collectives, which must agree; empty: one run
  std::string metrics = "full";         // how results are judged: "full", "static" or "off"
  std::vector<std::string> faults;      // to inject (docs/faults.md)
  SourcePlace place;                    // of `program` in the document
};

struct Ladder {
  std::string path;  // of the document, for messages
  std::string name, about;
  std::vector<Rung> rungs;  // at least one; names are told apart
};

// *Throws* Error{config} with file, line, column and pointer; Error{input} for a missing file.
Ladder read_ladder(const std::string& path);

// The number of chips that a rung runs on in a slice of so many: the largest that it has and the
// slice holds; the slice's own where it has one program for all; nullopt where all are too large.
std::optional<std::int64_t> chips_of(const Rung& rung, std::int64_t slice_chips);
// "{chips}" filled in.
std::string program_of(const Rung& rung, std::int64_t chips);

}  // namespace understudy::configs
