// SPDX-License-Identifier: Apache-2.0
#include "launcher/script/framework.h"

#include <array>
#include <charconv>
#include <fmt/format.h>
#include <fstream>
#include <sstream>
#include <sys/wait.h>
#include <utility>

#include "launcher/process/subprocess.h"

namespace understudy::launcher {
namespace {

using Version = std::pair<int, int>;
// A cold start of Python from a slow disk. The version only decides about a note.
constexpr Seconds kLimit{20};
// The versions that were tried: the table of docs/pjrt.md has the tests.
constexpr Version kOldest{0, 7}, kNewest{0, 12};

Version version_of(const std::string& text) {
  Version version{0, 0};
  const char* const end = text.data() + text.size();
  const auto major = std::from_chars(text.data(), end, version.first);
  if (major.ptr != end) (void)std::from_chars(major.ptr + 1, end, version.second);
  return version;
}

bool is_python(const std::string& path) {
  return path.substr(path.rfind('/') + 1).starts_with("python");
}

}  // namespace

std::string python_of(const std::string& command) {
  if (is_python(command)) return command;
  // The kernel reads no more of a first line either.
  std::array<char, 256> line{};
  std::ifstream file(command);
  file.getline(line.data(), line.size());
  std::string text = line.data();
  if (!text.starts_with("#!/")) return "";
  std::istringstream words(text.substr(2));
  words >> text;
  // "#!/usr/bin/env python3": the name is looked up in PATH, as for a command without a path.
  if (text.ends_with("/env")) words >> text;
  if (text == "-S") words >> text;
  return is_python(text) ? text : "";
}

std::string jaxlib_version(const std::string& interpreter) {
  if (!is_python(interpreter)) return "";
  const Finished finished = run_to_end(
      {interpreter, "-c", "import importlib.metadata as m; print(m.version('jaxlib'))"}, kLimit);
  if (!finished.status || !WIFEXITED(*finished.status) || WEXITSTATUS(*finished.status) != 0)
    return "";
  return finished.output.substr(0, finished.output.find('\n'));
}

std::string note_on_jaxlib(const std::string& version) {
  if (version.empty()) return "";
  const Version found = version_of(version);
  if (found >= kOldest && found <= kNewest) return "";
  return fmt::format("note: jaxlib {}: understudy was tried with {}.{} to {}.{}", version,
                     kOldest.first, kOldest.second, kNewest.first, kNewest.second);
}

}  // namespace understudy::launcher
