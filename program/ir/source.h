// SPDX-License-Identifier: Apache-2.0
// A file's bytes and its lines, for places in error messages; of bytecode only the places: bytes of
// the artifact itself, and lines of the files its locations name. Immutable after it is made; safe
// to read from any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "configs/base/error.h"

namespace understudy::program {

class Source {
 public:
  Source(std::string path, std::string_view text);
  // Takes the first `size` bytes as they lie.
  Source(std::string path, std::unique_ptr<char[]> bytes, std::size_t size);
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;

  // Throws Error{input} with the reason (missing, unreadable, a folder).
  static std::shared_ptr<const Source> read(const std::string& path);

  // A binary file: place() gives the offset itself. Keeps no bytes.
  static std::shared_ptr<const Source> of_bytes(std::string path);
  // A file that another one names and that is not read: offsets are made by elsewhere_offset().
  static std::shared_ptr<const Source> elsewhere(std::string path);
  static std::uint64_t elsewhere_offset(std::uint64_t line, std::uint64_t column);

  const std::string& path() const { return path_; }
  std::string_view text() const { return {bytes_.get(), size_}; }
  // Of text: line and column (from 1) of a byte offset, with the line's text (cut to 160 bytes
  // around it).
  SourcePlace place(std::uint64_t offset) const;

 private:
  enum class Kind : std::uint8_t { text, bytes, elsewhere };
  const std::vector<std::uint64_t>& lines() const;
  Source(std::string path, Kind kind) : path_(std::move(path)), kind_(kind) {}

  std::string path_;
  std::unique_ptr<char[]> bytes_;  // no std::string: that would fill with zeros before it is read
  std::size_t size_ = 0;
  Kind kind_ = Kind::text;
  // Where lines begin; filled when a place is first asked for, which most programs never are.
  mutable std::once_flag indexed_;
  mutable std::vector<std::uint64_t> lines_;
};

}  // namespace understudy::program
