// SPDX-License-Identifier: Apache-2.0
// The result of a drill (`rehearse --drill --json`, understudy/drill/1). Plain values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace understudy::configs {

struct DrillFault {
  std::string name, id, about;
  bool detected = false;
  std::string layer, expected_layer, diagnosis, expected_diagnosis;
  std::optional<std::int64_t> host, expected_host;
  double seconds = 0, bound_seconds = 0;
  std::string message, advice;
};

// A fault that cannot be injected on this machine.
struct DrillLeftOut {
  std::string name, why;
};

struct DrillReport {
  std::string verdict;  // "passed" if all injected faults were detected
  std::int64_t detected = 0;
  std::vector<DrillFault> faults;
  std::vector<DrillLeftOut> left_out;
  double wall_seconds = 0;
};
std::string to_json(const DrillReport& report);
// *Throws* Error{config} with file, line, column and pointer.
DrillReport read_drill_report(const std::string& text, const std::string& path);

}  // namespace understudy::configs
