// SPDX-License-Identifier: Apache-2.0
// The result of `understudy diff`: hosts in groups of equal programs, and one comparison of each
// smaller group with the largest. Values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace understudy::configs {

// null: that side does not say it.
struct DiffFact {
  std::string name;
  std::optional<std::string> a, b;
};

struct DiffPlace {
  std::string op;     // "all-reduce"
  std::string types;  // of its results
  std::string path;   // of the source, or of the program; empty: unknown
  std::int64_t line = 0, column = 0;
};

struct DiffOperation {
  std::string kind;  // changed, only_in_a, only_in_b
  std::string what;  // of `changed`: attributes, result type, operand 1
  std::optional<std::string> attributes_a, attributes_b;  // where they differ
  std::optional<DiffPlace> a, b;
};

struct DiffCollective {
  std::string kind;                                // changed, only_in_a, only_in_b, moved, types
  std::string what;                                // in words
  std::optional<std::int64_t> number_a, number_b;  // which collective, from 0
  std::optional<DiffPlace> a, b;
};

// One stage of one module that differs. Counts are of all operations, the list has the first ones.
struct DiffModule {
  std::string name, stage;
  std::vector<DiffFact> facts;
  std::vector<DiffOperation> operations;
  std::int64_t changed = 0, types_only = 0, only_in_a = 0, only_in_b = 0;
  std::vector<DiffCollective> collectives;
  std::vector<std::string> later_stages;  // that differ too
};

struct DiffComparison {
  std::string a, b;     // paths
  std::string summary;  // the most telling difference in one line; empty: none
  std::vector<DiffFact> flags;
  std::vector<DiffModule> modules;
  std::vector<std::string> only_in_a, only_in_b;  // modules and stages
  bool literals_left_out = false;                 // the dumps leave out large constants
  bool same() const { return summary.empty(); }
};

struct DiffGroup {
  std::vector<std::string> paths;
};

struct DiffReport {
  std::vector<DiffGroup> groups;  // largest first
  bool majority = false;          // the first group has more than any other
  std::vector<DiffComparison> comparisons;
  std::int64_t exit_code = 0;
};

// "understudy/diff/1"
std::string to_json(const DiffReport& report);

}  // namespace understudy::configs
