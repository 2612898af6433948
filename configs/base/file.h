// SPDX-License-Identifier: Apache-2.0
// The only place that opens files and reads them whole. No open waits for a peer (a FIFO, a
// device), only regular files are used, and the size is limited before anything is read. A missing,
// unreadable, too large or special file is the user's error (`input`); anything else is the
// machine's (`system`). Every message has the path and the reason. Thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "configs/base/error.h"

namespace understudy {

// The largest files that are read: programs and artifacts; JSON documents and other text.
inline constexpr std::uint64_t kMostProgramBytes = std::uint64_t{1} << 30;
inline constexpr std::uint64_t kMostDocumentBytes = std::uint64_t{256} << 20;
inline constexpr std::uint64_t kNoByteLimit = UINT64_MAX;

// A file descriptor, closed at the end of its scope. Movable.
class FileDescriptor {
 public:
  explicit FileDescriptor(int number = -1) : number_(number) {}
  FileDescriptor(FileDescriptor&& other) noexcept : number_(other.release()) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    reset(other.release());
    return *this;
  }
  ~FileDescriptor() { reset(-1); }
  int get() const { return number_; }
  int release() { return std::exchange(number_, -1); }
  void reset(int number);
  // Closes now; 0 or an errno.
  int close();

 private:
  int number_;
};

// The users who may have written a file.
struct FileOwner {
  std::uint32_t user = 0;
  bool everybody_writes = false;  // the file is world-writable
};

// The bytes of a file. Unlike a string's, the memory is not zeroed before it is filled: for large
// files that would cost a second pass. Movable.
class FileBytes {
 public:
  FileBytes() = default;
  // Uninitialised.
  explicit FileBytes(std::size_t size)
      : data_(std::make_unique_for_overwrite<char[]>(size)), size_(size) {}
  explicit FileBytes(std::string_view text) : FileBytes(text.size()) {
    text.copy(data_.get(), text.size());
  }

  char* data() { return data_.get(); }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  // Keeps the bytes that fit; new ones are uninitialised.
  void resize(std::size_t size);
  std::unique_ptr<char[]> release() {
    size_ = 0;
    return std::move(data_);
  }
  std::string_view view() const { return {data_.get(), size_}; }
  operator std::string_view() const { return view(); }  // NOLINT: it is read as text everywhere

  // nullopt: the bytes did not come from a file.
  std::optional<FileOwner> owner = std::nullopt;

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

// Whether a path may end in a symbolic link: a path that the user gave may, a path in a folder that
// several processes write to may not.
enum class Links : std::uint8_t { follow, refuse };

// Codes in addition to errno: the file exists, but is not used.
inline constexpr int kNotRegularFile = -1, kSymbolicLink = -2;

// open(2) that never waits and opens regular files only: 0, an errno or one of the codes above.
// With O_CREAT a new file has `mode` without the bits of the umask. Do not use O_TRUNC: it would
// truncate the file before it is known to be regular.
int open_regular_file(FileDescriptor& file, const std::string& path, int flags, Links links,
                      unsigned mode = 0644);

// Reads all of an open file: 0, or an errno; EFBIG if it has more than `max_bytes`, without reading
// it if its size is known.
int read_whole(const FileDescriptor& file, std::uint64_t max_bytes, FileBytes& bytes);

// *Throws* Error{input}: "cannot read weights.npy: No such file or directory", or "... it has N
// bytes, more than the limit of M"; Error{system}.
FileBytes read_file(const std::string& path, std::uint64_t max_bytes);
std::string read_text_file(const std::string& path, std::uint64_t max_bytes = kMostDocumentBytes);
std::vector<std::byte> read_binary_file(const std::string& path,
                                        std::uint64_t max_bytes = kNoByteLimit);
// The first bytes, at most `count`, and the size of the file.
struct FileStart {
  std::vector<std::byte> bytes;
  std::uint64_t file_bytes = 0;
};
FileStart read_file_start(const std::string& path, std::size_t count);

// Readers see the old content or the new, never a part: a temporary next to `path`, fsync, rename,
// fsync of the folder. *Throws* Error{system}, after removing the temporary.
void write_file_atomically(const std::string& path, std::span<const std::byte> bytes);
void write_file_atomically(const std::string& path, std::string_view text);

// In place, for files that are not read before they are complete. Throws Error{system}.
void write_file(const std::string& path, std::span<const std::byte> bytes);

// The text for an errno or a code of open_regular_file().
std::string words_for_code(int code);
// The Error for a failed system call on a file: "cannot <doing> <path>: <words>". If space
// was missing it also has the file system, the free space and, if `bytes` is not 0, the space
// needed.
Error file_error(std::string_view doing, const std::string& path, int code,
                 std::uint64_t bytes = 0);
// The same, of kind `input` if the file rather than the machine is at fault.
Error read_error(const std::string& path, int code);

}  // namespace understudy
