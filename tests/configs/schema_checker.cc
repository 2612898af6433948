// SPDX-License-Identifier: Apache-2.0
#include "tests/configs/schema_checker.h"

#include <array>
#include <cstdio>
#include <fmt/format.h>
#include <fstream>
#include <memory>
#include <sstream>
#include <stdexcept>

#include "tests/configs/configs_testing.h"

namespace understudy::configs {

namespace {

std::vector<std::string> checked(const char* how, const std::string& name,
                                 const std::string& document) {
  const TemporaryFolder folder;
  const std::string path = folder.file("document.json");
  std::ofstream(path, std::ios::binary) << document;
  // Debian's own interpreter: the package does not serve one that stands before it in PATH.
  const std::string command = fmt::format(
      "/usr/bin/python3 '{0}/tests/check_schema.py' {3} '{0}/configs/schema/{1}.json' '{2}'",
      UNDERSTUDY_SOURCE_DIR, name, path, how);
  FILE* const pipe = ::popen(command.c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("could not start /usr/bin/python3");
  std::string output;
  std::array<char, 4096> buffer{};
  while (const std::size_t size = std::fread(buffer.data(), 1, buffer.size(), pipe))
    output.append(buffer.data(), size);
  if (::pclose(pipe) != 0) throw std::runtime_error("tests/check_schema.py failed: " + command);
  std::vector<std::string> faults;
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);)
    if (!line.empty()) faults.push_back(line);
  return faults;
}

}  // namespace

std::vector<std::string> schema_faults(const std::string& name, const std::string& document) {
  return checked("", name, document);
}

std::vector<std::string> unnoticed_mutants(const std::string& name, const std::string& document) {
  return checked("--mutants", name, document);
}

}  // namespace understudy::configs
