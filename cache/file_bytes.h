// SPDX-License-Identifier: Apache-2.0
// The bytes of a file as they were read: memory that nobody wrote before, as a string's would be.
// A value that moves.
#pragma once

#include <cstddef>
#include <memory>
#include <ostream>
#include <string_view>

namespace understudy::cache {

class FileBytes {
 public:
  FileBytes() = default;
  // Of unknown content.
  explicit FileBytes(std::size_t size)
      : data_(std::make_unique_for_overwrite<char[]>(size)), size_(size) {}
  explicit FileBytes(std::string_view text) : FileBytes(text.size()) {
    text.copy(data_.get(), text.size());
  }

  char* data() { return data_.get(); }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  // Keeps the first of them. *Requires* that there are so many.
  void shorten(std::size_t size) { size_ = size; }
  std::string_view view() const { return {data_.get(), size_}; }
  operator std::string_view() const { return view(); }  // NOLINT: it is read as text everywhere

  friend bool operator==(const FileBytes& bytes, std::string_view text) {
    return bytes.view() == text;
  }
  friend std::ostream& operator<<(std::ostream& out, const FileBytes& bytes) {
    return out << bytes.view();
  }

 private:
  std::unique_ptr<char[]> data_;
  std::size_t size_ = 0;
};

}  // namespace understudy::cache
