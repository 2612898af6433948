// SPDX-License-Identifier: Apache-2.0
// Executables, folders and entries for the cache tests.
#pragma once

#include <string>

#include "cache/compile_cache.h"
#include "program/executable/executable.h"

namespace understudy::cache {

// Every kind of work once, nested code included, with fields that are not the defaults.
program::Executable every_kind();
// Small, and told apart by `mark`.
program::Executable small_executable(std::int64_t mark);
KeyParts sample_parts(const std::string& program);

// A fresh folder that is removed with everything in it.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

std::string read_text(const std::string& path);
void write_text(const std::string& path, const std::string& text);

}  // namespace understudy::cache
