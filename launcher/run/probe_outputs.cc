// SPDX-License-Identifier: Apache-2.0
#include "launcher/run/probe_outputs.h"

#include <cerrno>
#include <filesystem>
#include <fmt/format.h>
#include <string>
#include <system_error>
#include <unistd.h>

#include "configs/base/error.h"
#include "configs/base/file.h"

namespace understudy::launcher {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(std::string_view option, const std::string& path, const char* doing,
                         int code) {
  throw Error(ErrorKind::system,
              fmt::format("{}: cannot {} {}: {}", option, doing, path, words_for_code(code)))
      .note("nothing was started; choose another path");
}

}  // namespace

void probe_folder(std::string_view option, const std::string& folder) {
  if (folder.empty()) return;
  std::error_code code;
  fs::create_directories(folder, code);
  if (code || !fs::is_directory(folder))
    refuse(option, folder, "make the folder", code ? code.value() : ENOTDIR);
  // Access rights do not tell of read-only mounts or quotas; a file does.
  std::string name = folder + "/.understudy-probe-XXXXXX";
  const int file = ::mkstemp(name.data());
  if (file < 0) refuse(option, folder, "write into", errno);
  (void)::close(file);
  (void)::unlink(name.c_str());
}

void probe_file(std::string_view option, const std::string& path) {
  if (path.empty()) return;
  std::error_code code;
  if (fs::is_directory(path, code))
    throw Error(ErrorKind::usage, fmt::format("{}: {} is a folder, not a file", option, path));
  // An existing special file, such as /dev/stdout or a FIFO, is written as it is.
  if (fs::exists(path, code) && !fs::is_regular_file(path, code)) return;
  const std::string folder = fs::path(path).parent_path().string();
  probe_folder(option, folder.empty() ? "." : folder);
}

}  // namespace understudy::launcher
