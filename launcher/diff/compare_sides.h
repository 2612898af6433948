// SPDX-License-Identifier: Apache-2.0
// Comparison of sides: two in detail, and many in groups of equal programs. Keeps the digests of
// programs that it has read. Thread-compatible.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "configs/report/diff_report.h"
#include "launcher/diff/dump.h"
#include "program/compare/compare.h"

namespace understudy::launcher {

class Comparer {
 public:
  // `most`: how many operations and collectives of a module are listed.
  explicit Comparer(std::size_t most) : most_(most) {}

  // Two or more sides. Throws Error{usage} for files among folders, Error{input}.
  configs::DiffReport compare(std::span<const Side> sides);

 private:
  configs::DiffComparison compare(const Side& a, const Side& b);
  void compare_stages(const Side& a, const Side& b, configs::DiffComparison& out);
  bool compare_stage(const DumpStage& a, const DumpStage& b, configs::DiffComparison& out);
  std::string signature_of(const Side& side, bool proto, program::compare::Form form);
  const std::string& digest_of(const std::string& path, program::compare::Form form);

  std::size_t most_;
  bool mixed_ = false;  // text and protos: facts that protos cannot say are left out
  std::map<std::pair<std::string, bool>, std::string> digests_;  // by path and form
};

}  // namespace understudy::launcher
