// SPDX-License-Identifier: Apache-2.0
// The result of `understudy check`: one verdict per file. Values.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace understudy::configs {

// Ordered from best to worst.
enum class Verdict : std::uint8_t { passed, unsupported, failed };
std::string_view name_of(Verdict verdict);

struct CheckedFile {
  std::string path;
  Verdict verdict = Verdict::passed;
  std::string reason;  // empty if it passed
  std::int64_t programs = 0;
  std::int64_t checks = 0;  // satisfied expectations of the program
};

struct CheckReport {
  std::vector<CheckedFile> files;
  std::int64_t chips = 0;  // of the pod; 0: none was needed
  std::string numerics;
  double wall_seconds = 0;
  int exit_code = 0;

  std::int64_t count(Verdict verdict) const;
};

// "understudy/check/1"
std::string to_json(const CheckReport& report);

}  // namespace understudy::configs
