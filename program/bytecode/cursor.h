// SPDX-License-Identifier: Apache-2.0
// The primitives of MLIR bytecode (mlir.llvm.org/docs/BytecodeFormat), read front to back with
// every step checked against the end. Values, cheap to copy; the bytes must outlive them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "configs/base/error.h"

namespace understudy::program::bytecode {

// An input error at a byte of the artifact: "path: byte 123: error: message".
Error error_at_byte(const std::string& path, std::uint64_t offset, const std::string& message,
                    ErrorKind kind = ErrorKind::input);

class Cursor {
 public:
  Cursor() = default;
  // `path` (for messages) must outlive the cursor; `offset` is where `bytes` begin in the file.
  Cursor(const std::string& path, std::string_view bytes, std::uint64_t offset)
      : path_(&path), bytes_(bytes), begin_(offset) {}

  std::uint64_t offset() const { return begin_ + at_; }
  std::uint64_t remaining() const { return bytes_.size() - at_; }
  bool at_end() const { return at_ == bytes_.size(); }

  // All throw Error{input} at the place where the bytes end too early or mean nothing.
  std::uint8_t byte(std::string_view what);
  std::uint64_t varint(std::string_view what);
  std::int64_t svarint(std::string_view what);
  // A varint whose lowest bit is a flag.
  std::uint64_t flagged(std::string_view what, bool& flag);
  // A count of things that take at least one byte each: never more than what is left, so that
  // reserving this many is safe.
  std::size_t count(std::string_view what);
  std::string_view take(std::uint64_t size, std::string_view what);
  std::string_view until_nul(std::string_view what);
  // The next `size` bytes as a cursor of their own.
  Cursor part(std::uint64_t size, std::string_view what);

  void expect_end(std::string_view what) const;
  [[noreturn]] void fail(const std::string& message) const { fail_at(offset(), message); }
  [[noreturn]] void fail_at(std::uint64_t offset, const std::string& message) const;
  [[noreturn]] void unsupported_at(std::uint64_t offset, const std::string& message) const;

 private:
  const std::string* path_ = nullptr;
  std::string_view bytes_;
  std::uint64_t begin_ = 0;
  std::uint64_t at_ = 0;
};

}  // namespace understudy::program::bytecode
