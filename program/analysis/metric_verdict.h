// SPDX-License-Identifier: Apache-2.0
// The static verdict on every result: over which mesh axes it may differ between chips that are
// declared to hold the same value, where its last local reduction is, and which suspicious patterns
// its reduction shows. Only proved facts count: a result that may differ need not differ in a run.
// Pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "program/analysis/chain.h"
#include "program/analysis/flow.h"
#include "program/compile.h"

namespace understudy::program::analysis {

// The mesh's axes that are longer than one; "replica" and "partition" where there is no mesh.
std::vector<Axis> axes_of(const Module& module, const Interface& interface);

struct Place {
  std::string op;  // "stablehlo.reduce"
  Location location;
};

// A pattern in the reduction of a result that is probably a mistake.
struct Warning {
  std::string pattern;  // "reduced_twice"
  std::string text;
  Place place;
  // Of a mean of means: the division on each chip. The result is a constant multiple of the sum of
  // its quotients over chips, and of nothing else.
  std::optional<Place> division = {};
};

// One exchange between chips on the way to a result.
struct Step {
  std::string exchange;  // "all_reduce sum"
  std::vector<std::string> axes;
  bool partly = false;  // some chips along the axes only
  Place place;
};

struct StaticResult {
  bool shared = false;            // at least two processes are meant to hold the same
  bool touched = false;           // something that differs between processes went into it
  bool agrees = false;            // processes that are meant to hold the same surely do
  std::vector<std::string> axes;  // along which it may differ
  // All that may differ comes from values that chips pass on to each other, whatever the data are:
  // whether every chip ends up with the same in another order, only an experiment can tell.
  bool only_exchanged = false;
  bool by_choice = false;  // a branch or a selection decides, by data, whether it is reduced
  bool read_before_reduction = false;  // it may differ, and goes on into a reduction
  Place place;                         // of the last local reduction before it, or of what made it
  std::vector<Step> chain;             // what makes it equal on chips, the last one last
  bool has_earlier_steps = false;      // the chain shows only the last ones
  // By argument group and shard: whether the shard's data may influence it on any chip.
  std::vector<std::vector<bool>> reach;
  Place gate;  // where shards that may not influence it are kept out
  // Data or places of rows select which data count, so experiments with some data prove nothing.
  bool picks = false;
  std::vector<Warning> warnings;
};

struct StaticReport {
  std::vector<Axis> axes;
  std::vector<ArgumentGroup> groups;
  std::vector<StaticResult> results;
  std::vector<Warning> warnings;  // of the program as a whole
};

// `interface` may say that arguments hold equal tiles on more processes than their shardings show.
StaticReport metric_report(const Module& module, const CompileOptions& options,
                           const Interface& interface);

}  // namespace understudy::program::analysis
