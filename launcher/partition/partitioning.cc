// SPDX-License-Identifier: Apache-2.0
#include "launcher/partition/partitioning.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fmt/format.h>
#include <sstream>
#include <unistd.h>

#include "configs/base/digest.h"
#include "configs/base/error.h"
#include "configs/base/file.h"
#include "launcher/partition/partition_cache.h"
#include "launcher/process/environment.h"

namespace understudy::launcher {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPackage = "/understudy_partitioner";
constexpr const char* kPin = "jaxlib==";

std::string absolute(const std::string& path) {
  std::error_code code;
  const fs::path clean = fs::weakly_canonical(path, code);
  return code ? path : clean.string();
}

// The sources of the helper decide what it answers, as the version of jaxlib does.
struct Package {
  std::string digest, version;
};
Package package_in(const std::string& folder) {
  std::vector<std::string> files;
  std::error_code code;
  for (const auto& file : fs::directory_iterator(folder + kPackage, code))
    if (file.path().extension() == ".py" || file.path().extension() == ".txt")
      files.push_back(file.path().string());
  // Directory order differs between file systems, and the digest must not.
  std::ranges::sort(files);
  Digester digester;
  std::string version;
  for (const std::string& file : files) {
    const std::string text = read_text_file(file);
    digester.add(std::string_view(text));
    const std::size_t pin = text.find(std::string("\n") + kPin);
    if (!file.ends_with("/requirements.txt") || pin == std::string::npos) continue;
    const std::size_t begin = pin + 1 + std::string_view(kPin).size();
    version = text.substr(begin, text.find('\n', begin) - begin);
  }
  if (version.empty())
    throw Error(ErrorKind::system,
                fmt::format("the partitioner is not installed: {}{}/requirements.txt is missing",
                            folder, kPackage))
        .note("install understudy again, with its share folder");
  return {digester.hex(), version};
}

Error with_remedy(Error error, const std::string& reason, const std::string& version) {
  if (!reason.empty()) error.note("needs the partitioner: " + reason);
  return error.note(
      fmt::format("a Python with jaxlib {} is needed: run deploy/install-partitioner, or set "
                  "UNDERSTUDY_PYTHON to such a Python",
                  version));
}

}  // namespace

PartitionerPlaces partitioner_places(const Environment& environment) {
  PartitionerPlaces places;
  places.folder = absolute(environment.self + "/../share/understudy/partitioner");
  places.python = variable_of(environment, "UNDERSTUDY_PYTHON");
  const std::string data = variable_of(environment, "XDG_DATA_HOME");
  const std::string home = variable_of(environment, "HOME");
  // A checkout, an installation, the user's data folder: the places that deploy/install-partitioner
  // uses.
  places.pythons = {absolute(environment.self + "/../..") + "/partitioner/bin/python3",
                    absolute(environment.self + "/../lib/understudy") + "/partitioner/bin/python3",
                    (data.starts_with('/') ? data : home + "/.local/share") +
                        "/understudy/partitioner/bin/python3"};
  std::istringstream flags(variable_of(environment, "UNDERSTUDY_XLA_FLAGS"));
  for (std::string word; flags >> word;) places.xla_flags.push_back(word);
  return places;
}

std::string pinned_jaxlib(const PartitionerPlaces& places) {
  try {
    return package_in(places.folder).version;
  } catch (const Error&) {
    return "";
  }
}

Partitioned Partitioning::partition(const program::PartitionRequest& request,
                                    const CacheChoice& cache) {
  const auto start = Clock::now();
  const Package package = package_in(places_.folder);
  const cache::NamedParts key =
      partition_key(request, places_.xla_flags, package.digest, package.version);
  Partitioned out{{}, false, package.version, 0};
  if (auto found = find_partitioned(cache, key)) {
    out.program = std::move(*found);
    out.cached = true;
  } else {
    try {
      // Started apart from the question: a failure to start has another remedy than a failed
      // program.
      (void)helper();
    } catch (const Error& error) {
      if (error.kind() == ErrorKind::system)
        throw with_remedy(error, request.reason, package.version);
      throw;
    }
    out.program = ask(request);
    keep_partitioned(cache, key, out.program);
  }
  out.seconds = seconds_since(start);
  return out;
}

program::PerChipProgram Partitioning::ask(const program::PartitionRequest& request) {
  Frame frame;
  Answer answer;
  try {
    frame = helper().exchange(request_frame(request, places_.xla_flags));
    answer = answer_of(frame.header);
  } catch (const Error& error) {
    helper_.reset();  // the next program gets a new process
    if (error.kind() != ErrorKind::unsupported) throw;
    Error told(error.kind(), fmt::format("{}: {}", request.file, error.message()));
    for (const std::string& note : error.notes()) told.note(note);
    throw told;
  }
  if (!answer.error.empty()) {
    Error error(ErrorKind::unsupported,
                fmt::format("{}: XLA cannot partition the program: {}", request.file,
                            answer.error.substr(0, answer.error.find('\n'))));
    // XLA prints the operation and its shardings after the first line; 20 lines hold them.
    for (const std::string& line : last_lines(answer.error, 20)) error.note("XLA: " + line);
    throw error;
  }
  return {std::move(frame.payload), std::move(answer.warnings)};
}

Helper& Partitioning::helper() {
  if (helper_) return *helper_;
  std::string python = places_.python;
  for (const std::string& one : places_.pythons)
    if (python.empty() && ::access(one.c_str(), X_OK) == 0) python = one;
  if (python.empty())
    throw Error(
        ErrorKind::system,
        "the program needs an SPMD partitioner, and no Python with the pinned jaxlib was found");
  HelperCommand command{python, places_.folder};
  command.end = end_;
  return helper_.emplace(std::move(command));
}

}  // namespace understudy::launcher
