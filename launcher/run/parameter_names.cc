// SPDX-License-Identifier: Apache-2.0
#include "launcher/run/parameter_names.h"

#include <cctype>
#include <fmt/format.h>
#include <optional>

#include "configs/base/error.h"
#include "configs/launch/names.h"
#include "launcher/run/plan_run.h"
#include "program/text/python_place.h"

namespace understudy::launcher {
namespace {

bool is_identifier(const std::string& text) {
  if (text.empty() || std::isdigit(static_cast<unsigned char>(text[0])) != 0) return false;
  for (const char c : text)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '_') return false;
  return true;
}

void set_names(std::vector<program::Parameter>& parameters, const std::vector<std::string>& names,
               const char* what, const std::string& file) {
  if (parameters.size() != names.size())
    throw Error(ErrorKind::config, fmt::format("{}: has {} names of {}, but the program has {}",
                                               file, names.size(), what, parameters.size()))
        .note("names.json belongs to another program; export the program again or remove the file");
  for (std::size_t i = 0; i < names.size(); ++i) parameters[i].name = names[i];
}

}  // namespace

// From JAX's key paths: "['params']['w']" becomes "params.w". Keys that are no identifiers stay as
// they are, because a dot in them would be ambiguous.
std::string path_name(const std::string& key_path) {
  std::string name;
  for (std::size_t at = 0; at < key_path.size(); ++at) {
    const bool quoted = key_path.compare(at, 2, "['") == 0;
    const std::size_t end = quoted ? key_path.find("']", at) : std::string::npos;
    const std::string key = end == std::string::npos ? "" : key_path.substr(at + 2, end - at - 2);
    if (is_identifier(key)) {
      name += "." + key;
      at = end + 1;
    } else {
      name += key_path[at];
    }
  }
  return name.starts_with('.') ? name.substr(1) : name;
}

std::string label_of(const char* what, std::int64_t index, const std::string& name) {
  return name.empty() ? fmt::format("{} {}", what, index)
                      : fmt::format("{} {} ({})", what, index, name);
}

void name_parameters(LoadedProgram& program, const std::string& folder) {
  program::Interface& interface = program.interface;
  if (program.manifest)
    if (const std::optional<configs::Names> names = configs::read_names(folder)) {
      set_names(interface.arguments, names->args, "arguments", names->path);
      set_names(interface.results, names->results, "results", names->path);
      return;
    }
  for (program::Parameter& result : interface.results) result.name = path_name(result.name);
  const std::vector<std::string> names = program::PythonPlaces(program.text).argument_names();
  for (std::size_t i = 0; i < interface.arguments.size() && i < names.size(); ++i)
    interface.arguments[i].name = path_name(names[i]);
}

}  // namespace understudy::launcher
