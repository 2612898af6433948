// SPDX-License-Identifier: Apache-2.0
#include "launcher/diff/dump.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <regex>
#include <set>
#include <tuple>

#include "configs/base/error.h"
#include "configs/base/file.h"
#include "program/hlo/hlo.h"

namespace understudy::launcher {
namespace {

namespace fs = std::filesystem;

// Other files of a dump that end in .txt.
constexpr std::string_view kOthers[] = {"buffer-assignment", "live-range", "memory-usage",
                                        "execution_options", "flagfile",   "thunk",
                                        "ir-no-opt",         "ir-with-opt"};

bool accept_end(std::string_view& name, std::string_view end) {
  if (!name.ends_with(end)) return false;
  name.remove_suffix(end.size());
  return true;
}

[[noreturn]] void refuse(const std::string& path, const std::string& why) {
  throw Error(ErrorKind::input, SourcePlace{path, 0, 0, "", 0}, why);
}

// In the order of their names: XLA numbers modules as it compiles them, so the same program has the
// same place among those of its name on every host.
std::vector<std::string> files_of(const std::string& folder) {
  std::vector<std::string> out;
  std::error_code code;
  for (fs::directory_iterator at(folder, code), end; !code && at != end; at.increment(code))
    if (at->is_regular_file(code)) out.push_back(at->path().filename().string());
  if (code) refuse(folder, fmt::format("cannot be read: {}", code.message()));
  std::sort(out.begin(), out.end());
  return out;
}

bool begins_as_text(const std::string& path) {
  // The head of an HLO module, with its configuration line, is within the first 64 KiB.
  constexpr std::size_t kLooked = 1 << 16;
  const FileStart start = read_file_start(path, kLooked);
  return program::hlo::is_text(
      {reinterpret_cast<const char*>(start.bytes.data()), start.bytes.size()});
}

class FolderReader {
 public:
  explicit FolderReader(Side& out) : out_(out) {}

  void read() {
    for (const std::string& file : files_of(out_.path)) add(file);
    if (out_.stages.empty())
      refuse(out_.path,
             "the folder has no HLO of XLA: expected files such as "
             "module_0001.jit_step.before_optimizations.txt, as --xla_dump_to=DIR writes them");
    std::stable_sort(out_.stages.begin(), out_.stages.end(),
                     [](const DumpStage& a, const DumpStage& b) {
                       return std::tie(a.module, a.number) < std::tie(b.module, b.number);
                     });
  }

 private:
  void add(const std::string& file) {
    DumpName name;
    if (!parse_dump_name(file, name)) return;
    const std::string path = out_.path + "/" + file;
    // XLA writes other .txt files whose names look like those of stages.
    if (!name.is_proto && !name.is_flags && !begins_as_text(path)) return;
    // The module's place among those of its name: by the number in front.
    const std::string numbered = file.substr(0, file.find("." + name.module + "."));
    const std::string module = instance(name.module, numbered);
    if (name.is_flags) {
      out_.flags[module] = flags_in(read_text_file(path));
      return;
    }
    DumpStage& stage = stage_of(module, name);
    (name.is_proto ? stage.proto_path : stage.text_path) = path;
  }

  // "jit_step", and "jit_step (2)" for the second module of the name.
  std::string instance(const std::string& module, const std::string& prefix) {
    std::vector<std::string>& prefixes = prefixes_[module];
    auto found = std::find(prefixes.begin(), prefixes.end(), prefix);
    if (found == prefixes.end()) found = prefixes.insert(found, prefix);
    const auto place = found - prefixes.begin() + 1;
    return place == 1 ? module : fmt::format("{} ({})", module, place);
  }

  // The same pass may run several times; the text and the proto of one run have the same number.
  DumpStage& stage_of(const std::string& module, const DumpName& name) {
    int runs = 1;
    for (DumpStage& each : out_.stages) {
      if (each.module != module) continue;
      const bool same_name = each.stage == name.stage || each.stage.starts_with(name.stage + " (");
      if (same_name && each.number == name.number) return each;
      runs += same_name ? 1 : 0;
    }
    out_.stages.push_back({module,
                           runs == 1 ? name.stage : fmt::format("{} ({})", name.stage, runs),
                           name.number, "", ""});
    return out_.stages.back();
  }

  Side& out_;
  std::map<std::string, std::vector<std::string>> prefixes_;
};

}  // namespace

bool parse_dump_name(std::string_view file, DumpName& out) {
  out = {};
  for (const std::string_view other : kOthers)
    if (file.find(other) != std::string_view::npos) return false;
  out.is_flags = accept_end(file, ".debug_options");
  out.is_proto = !out.is_flags && accept_end(file, ".hlo.pb");
  if (!out.is_flags && !out.is_proto && !accept_end(file, ".txt")) return false;
  // The names are made by xla/service/dump.cc: [timestamp.]module_<id>.<name>.<stage>.
  static const std::regex kModule(R"((?:\d+\.)?module_\d+\.(.+))");
  static const std::regex kPass(R"((.+?)\.(\d{4})\.(.+))");
  static const std::regex kStage(R"((.+?)\.((?:[a-z0-9_]*before_|[a-z0-9_]*after_).+))");
  std::smatch found;
  const std::string text(file);
  if (!std::regex_match(text, found, kModule)) return false;
  const std::string rest = found[1];
  if (out.is_flags) {
    out.module = rest;
    return true;
  }
  constexpr int kLast = 10000;  // passes have four digits
  if (std::regex_match(rest, found, kPass)) {
    out.number = std::stoi(found[2]);
    out.stage = found[3];
  } else if (std::regex_match(rest, found, kStage)) {
    out.stage = found[2];
    out.number = out.stage.starts_with("before_") ? -1 : kLast;
  } else {
    return false;
  }
  out.module = found[1];
  return true;
}

const std::string& DumpStage::path(bool proto) const {
  return (proto && !proto_path.empty()) || text_path.empty() ? proto_path : text_path;
}

// Where a host dumps, and how much, differs from host to host and changes no program.
std::map<std::string, std::string> flags_in(std::string_view text) {
  std::map<std::string, std::string> out;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    // Text form of the DebugOptions proto. Lines of nested messages have no colon and are skipped.
    const std::size_t colon = line.find(": ");
    if (colon == std::string_view::npos) continue;
    const std::string key(line.substr(0, colon));
    if (key.starts_with("xla_dump_")) continue;
    std::string& value = out[key];
    value += (value.empty() ? "" : ", ") + std::string(line.substr(colon + 2));
  }
  return out;
}

Side read_side(const std::string& path) {
  Side out{path, false, {}, {}};
  while (out.path.size() > 1 && out.path.ends_with('/')) out.path.pop_back();
  std::error_code code;
  if (!fs::exists(out.path, code)) refuse(path, "no such file or folder");
  if (!fs::is_directory(out.path, code)) {
    out.stages.push_back({"", "", -1, out.path, ""});
    return out;
  }
  // A program folder stands for its program.
  for (const std::string_view file :
       {"/program.mlir", "/program.mlirbc", "/program.hlo.pb", "/program.hlo.txt"})
    if (fs::exists(out.path + std::string(file), code)) {
      out.stages.push_back({"", "", -1, out.path + std::string(file), ""});
      return out;
    }
  out.is_folder = true;
  FolderReader(out).read();
  return out;
}

}  // namespace understudy::launcher
