// SPDX-License-Identifier: Apache-2.0
#include "launcher/preflight/library.h"

#include <algorithm>
#include <cstring>
#include <elf.h>
#include <filesystem>
#include <fmt/format.h>

#include "configs/base/digest.h"
#include "configs/base/error.h"
#include "configs/base/file.h"
#include "launcher/process/environment.h"

namespace understudy::launcher {
namespace {

namespace fs = std::filesystem;

constexpr const char* kInWheel = "/libtpu/libtpu.so";

bool is_file(const std::string& path) {
  std::error_code code;
  return fs::is_regular_file(path, code);
}

// The folders "site-packages" or "dist-packages" of all Pythons in `folder`/lib.
// Sorted, because the order of a directory is that of its file system.
std::vector<std::string> packages_in(const std::string& folder) {
  std::vector<std::string> found;
  std::error_code code;
  for (const auto& one : fs::directory_iterator(folder + "/lib", code)) {
    if (!one.path().filename().string().starts_with("python3")) continue;
    for (const char* name : {"/site-packages", "/dist-packages"})
      found.push_back(one.path().string() + name);
  }
  std::ranges::sort(found);
  return found;
}

// From the most specific place to the most general: installed for understudy, beside a checkout,
// the active environment, the user, the system.
std::vector<std::string> wheel_folders(const Environment& environment) {
  const std::string home = variable_of(environment, "HOME");
  const std::string data = variable_of(environment, "XDG_DATA_HOME");
  std::error_code code;
  const fs::path checkout = fs::weakly_canonical(environment.self + "/../..", code);
  std::vector<std::string> roots = {
      (data.starts_with('/') ? data : home + "/.local/share") + "/understudy/tpu-compiler",
      checkout.string() + "/tpu-compiler"};
  if (const std::string active = variable_of(environment, "VIRTUAL_ENV"); !active.empty())
    roots.push_back(active);
  for (const std::string& root : {home + "/.local", std::string("/usr/local"), std::string("/usr")})
    roots.push_back(root);
  return roots;
}

// libtpu-0.0.42.1.dist-info beside the folder of the library.
std::string wheel_version(const std::string& path) {
  constexpr std::string_view kPrefix = "libtpu-", kSuffix = ".dist-info";
  std::error_code code;
  for (const auto& one : fs::directory_iterator(fs::path(path).parent_path().parent_path(), code)) {
    const std::string name = one.path().filename().string();
    if (name.starts_with(kPrefix) && name.ends_with(kSuffix))
      return name.substr(kPrefix.size(), name.size() - kPrefix.size() - kSuffix.size());
  }
  return "";
}

// Part of the key of kept answers. Without a build id: size, time and the first MiB, because
// hashing hundreds of MB at each start would cost more than most answers.
std::string identity_of(const std::string& path) {
  if (std::string id = build_id_of(path); !id.empty()) return id;
  constexpr std::size_t kLooked = 1U << 20;
  const FileStart start = read_file_start(path, kLooked);
  std::error_code code;
  const auto written = fs::last_write_time(path, code).time_since_epoch().count();
  Digester digester;
  digester.add(std::string_view(fmt::format("{} {}", start.file_bytes, written)));
  digester.add(std::span<const std::byte>(start.bytes));
  return digester.hex();
}

LibraryFile described(const std::string& path, std::string found_by) {
  return {path, std::move(found_by), wheel_version(path), identity_of(path)};
}

// The note of type NT_GNU_BUILD_ID among the notes of one section or segment.
std::string build_id_in(std::string_view notes) {
  while (notes.size() >= sizeof(Elf64_Nhdr)) {
    Elf64_Nhdr head{};
    std::memcpy(&head, notes.data(), sizeof head);
    // Name and descriptor are padded to 4 bytes (elf(5), "Notes").
    const auto padded = [](std::uint64_t size) { return (size + 3) / 4 * 4; };
    const std::uint64_t begin = sizeof head + padded(head.n_namesz);
    const std::uint64_t end = begin + padded(head.n_descsz);
    // Sizes come from the file; a damaged library must not cause reads beyond it.
    if (end > notes.size()) return "";
    if (head.n_type == NT_GNU_BUILD_ID) {
      std::string text;
      for (const char byte : notes.substr(begin, head.n_descsz))
        text += fmt::format("{:02x}", static_cast<unsigned char>(byte));
      return text;
    }
    notes.remove_prefix(end);
  }
  return "";
}

}  // namespace

LibrarySearch find_library(const std::string& asked, const Environment& environment,
                           const std::function<bool(const std::string& path)>& is_ours) {
  LibrarySearch search;
  if (!asked.empty()) {
    if (!is_file(asked))
      throw Error(ErrorKind::input, fmt::format("--libtpu {}: there is no such file", asked))
          .note("expected the path of libtpu.so");
    search.found = described(asked, "--libtpu");
    return search;
  }
  if (const std::string path = variable_of(environment, "TPU_LIBRARY_PATH"); !path.empty()) {
    if (!is_file(path)) {
      search.skipped.push_back(fmt::format("TPU_LIBRARY_PATH: there is no file {}", path));
    } else if (is_ours(path)) {
      search.skipped.push_back(
          fmt::format("TPU_LIBRARY_PATH: {} is the plugin of understudy, not a compiler", path));
    } else {
      search.found = described(path, "TPU_LIBRARY_PATH");
      return search;
    }
  }
  for (const std::string& root : wheel_folders(environment))
    for (const std::string& folder : packages_in(root))
      if (is_file(folder + kInWheel)) {
        search.found = described(folder + kInWheel, "wheel in " + root);
        return search;
      }
  return search;
}

// Notes are in the first pages of a library; the program headers say where.
std::string build_id_of(const std::string& path) {
  constexpr std::size_t kLooked = 64U << 10;
  const FileStart start = read_file_start(path, kLooked);
  const std::string_view bytes(reinterpret_cast<const char*>(start.bytes.data()),
                               start.bytes.size());
  Elf64_Ehdr head{};
  if (bytes.size() < sizeof head) return "";
  std::memcpy(&head, bytes.data(), sizeof head);
  if (std::memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 || head.e_ident[EI_CLASS] != ELFCLASS64)
    return "";
  for (std::uint64_t i = 0; i < head.e_phnum; ++i) {
    const std::uint64_t at = head.e_phoff + i * sizeof(Elf64_Phdr);
    if (at > bytes.size() || bytes.size() - at < sizeof(Elf64_Phdr)) return "";
    Elf64_Phdr segment{};
    std::memcpy(&segment, bytes.data() + at, sizeof segment);
    if (segment.p_type != PT_NOTE || segment.p_offset > bytes.size()) continue;
    const std::string id = build_id_in(bytes.substr(segment.p_offset, segment.p_filesz));
    if (!id.empty()) return id;
  }
  return "";
}

}  // namespace understudy::launcher
