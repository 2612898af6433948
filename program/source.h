// SPDX-License-Identifier: Apache-2.0
// A file's bytes and its lines, for places in error messages. Immutable after it is made; safe to
// read from any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "configs/base/error.h"

namespace understudy::program {

class Source {
 public:
  Source(std::string path, std::string text);

  // Throws Error{input} with the reason (missing, unreadable, a folder).
  static std::shared_ptr<const Source> read(const std::string& path);

  const std::string& path() const { return path_; }
  std::string_view text() const { return text_; }
  // Line and column (from 1) of a byte offset, with the line's text (cut to 160 bytes around it).
  SourcePlace place(std::uint64_t offset) const;

 private:
  std::string path_;
  std::string text_;
};

}  // namespace understudy::program
