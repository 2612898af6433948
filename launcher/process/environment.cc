// SPDX-License-Identifier: Apache-2.0
#include "launcher/process/environment.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <unistd.h>

namespace understudy::launcher {
namespace {

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// The XDG base directory specification: a relative path is ignored.
std::string folder(const char* name, const std::string& otherwise) {
  std::string value = variable(name);
  return value.starts_with('/') ? value : otherwise;
}

}  // namespace

Environment read_environment() {
  Environment environment;
  const std::string own_home = variable("HOME");
  // Services and containers may have no HOME.
  const std::string home = own_home.empty() ? "/tmp" : own_home;
  environment.state_home = folder("XDG_STATE_HOME", home + "/.local/state");
  environment.cache_home = folder("XDG_CACHE_HOME", home + "/.cache");
  environment.config_home = folder("XDG_CONFIG_HOME", home + "/.config");
  environment.temporary = folder("TMPDIR", "/tmp");
  environment.search_path = variable("PATH");
  environment.isa = variable("UNDERSTUDY_ISA");
  environment.receipt_keep_newest = variable("UNDERSTUDY_RECEIPT_KEEP_NEWEST");
  environment.receipt_keep_days = variable("UNDERSTUDY_RECEIPT_KEEP_DAYS");
  environment.no_color = !variable("NO_COLOR").empty();
  environment.in_slurm = !variable("SLURM_JOB_ID").empty();
  for (char** entry = environ; *entry != nullptr; ++entry)
    environment.variables.emplace_back(*entry);
  std::error_code code;
  const auto self = std::filesystem::read_symlink("/proc/self/exe", code);
  if (!code) environment.self = self.parent_path().string();
  std::ifstream words("/proc/self/cmdline", std::ios::binary);
  for (std::string word; std::getline(words, word, '\0');) environment.words.push_back(word);
  return environment;
}

std::string variable_of(const Environment& environment, std::string_view name) {
  for (const std::string& entry : environment.variables)
    if (entry.starts_with(name) && entry.size() > name.size() && entry[name.size()] == '=')
      return entry.substr(name.size() + 1);
  return "";
}

std::string find_program(const std::string& search_path, const std::string& name) {
  for (std::size_t at = 0; at <= search_path.size();) {
    const std::size_t end = std::min(search_path.find(':', at), search_path.size());
    const std::string path = search_path.substr(at, end - at) + "/" + name;
    if (access(path.c_str(), X_OK) == 0) return path;
    at = end + 1;
  }
  return "";
}

}  // namespace understudy::launcher
