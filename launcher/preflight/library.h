// SPDX-License-Identifier: Apache-2.0
// Where the library of the TPU compiler (libtpu.so) is. Nothing is loaded here: versions come from
// the metadata of its wheel, its identity from the build id in the file. Pure functions of the
// environment and the file system.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace understudy::launcher {

struct Environment;

struct LibraryFile {
  std::string path;
  std::string found_by;  // "--libtpu", "TPU_LIBRARY_PATH", "wheel in /opt/venv"
  std::string version;   // of the wheel; empty: it is in none
  std::string identity;  // GNU build id; a digest of size, time and beginning where it has none
};

struct LibrarySearch {
  std::optional<LibraryFile> found;
  std::vector<std::string> skipped;  // "TPU_LIBRARY_PATH: /x.so is the plugin of understudy"
};

// In this order: `asked` (--libtpu), TPU_LIBRARY_PATH, the virtual environment of
// deploy/install-packages --tpu-compiler, the active one, the Python packages of the user and of
// the machine. `is_ours` decides whether a file of TPU_LIBRARY_PATH is understudy's own plugin.
// *Throws* Error{input} if `asked` is no file.
LibrarySearch find_library(const std::string& asked, const Environment& environment,
                           const std::function<bool(const std::string& path)>& is_ours);

// How to get one, for messages.
inline constexpr const char* kLibraryRemedy =
    "install it with deploy/install-packages --tpu-compiler, or name the file with --libtpu";

// The GNU build id of an ELF file in hexadecimal; empty if it has none.
std::string build_id_of(const std::string& path);

}  // namespace understudy::launcher
