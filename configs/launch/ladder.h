// SPDX-License-Identifier: Apache-2.0
// The ladder of a rehearsal: programs that run one after the other, each with one more structural
// feature than the one before (understudy/ladder/1, configs/schema/ladder.json, docs/rehearsal.md).
// Plain values.
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
  std::string program;  // a file or folder, with the ladder's folder; "{chips}" is a number
  std::vector<std::int64_t> chips;  // values of {chips}; empty: one program for any number
  std::int64_t steps = 0;           // 0: the number in the program's manifest, else 1
  std::vector<std::pair<std::int64_t, std::int64_t>> carry;  // result, argument of the next step
  std::string args, expect;             // folders, with the ladder's; empty: the manifest's
  std::string fill;                     // for arguments that are not given
  std::optional<double> rtol, atol;     // instead of the manifest's
  std::string numerics;                 // empty: the rehearsal's
  std::vector<std::string> algorithms;  // of collectives, which must agree; empty: one run
  std::string metrics = "full";         // how results are judged: "full", "static" or "off"
  std::vector<std::string> faults;      // to inject (docs/faults.md)
  SourcePlace place;                    // of `program` in the document
};

struct Ladder {
  std::string path;  // of the document, for messages
  std::string name, about;
  std::vector<Rung> rungs;  // at least one; names are unique
};

// *Throws* Error{config} with file, line, column and pointer; Error{input} for a missing file.
Ladder read_ladder(const std::string& path);

// The number of chips that a rung uses in a slice of `slice_chips`: the largest of its numbers that
// fits; all of them if it has one program for any number; nullopt if all numbers are too large.
std::optional<std::int64_t> chips_of(const Rung& rung, std::int64_t slice_chips);
// The program with "{chips}" replaced.
std::string program_of(const Rung& rung, std::int64_t chips);

}  // namespace understudy::configs
