// SPDX-License-Identifier: Apache-2.0
// Programs that lie outside of the project: more of the same kind than it keeps, for tests that are
// skipped where they are not. UNDERSTUDY_SHARED_DIR names the folder; without it, `shared` beside
// the project's own. The one place that knows it.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

namespace understudy {

inline std::filesystem::path outside_folder() {
  const char* const named = std::getenv("UNDERSTUDY_SHARED_DIR");
  if (named != nullptr && *named != '\0') return named;
  return std::filesystem::path(UNDERSTUDY_SOURCE_DIR) / "../shared";
}

// For GTEST_SKIP: empty where the folder has `inside`.
inline std::string why_outside_is_absent(const std::string& inside) {
  const std::filesystem::path wanted = outside_folder() / inside;
  if (std::filesystem::is_directory(wanted)) return "";
  return "there is no " + wanted.string() + " (UNDERSTUDY_SHARED_DIR may name another folder)";
}

}  // namespace understudy
