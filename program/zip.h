// SPDX-License-Identifier: Apache-2.0
// Reads ZIP archives (PKWARE APPNOTE 6.3.9: stored and deflated members, ZIP64), as far as NumPy
// writes them. The file is untrusted: every offset is checked, sizes are bounded by what deflate
// can produce, and no more bytes are produced than asked for. Thread-compatible.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "configs/base/file.h"

namespace understudy::program {

class ZipFile {
 public:
  struct Member {
    std::string name;
    std::uint64_t packed = 0, size = 0;  // bytes in the archive; bytes of the content
    std::uint64_t header = 0;            // offset of its local header
    std::uint32_t crc = 0;
    std::uint16_t method = 0, flags = 0;
  };

  // Opens the file and reads its directory. *Throws* Error{input} with the path, also for a file
  // that is no ZIP archive.
  explicit ZipFile(std::string path);

  const std::string& path() const { return path_; }
  const std::vector<Member>& members() const { return members_; }
  // nullptr if there is none of that name.
  const Member* find(std::string_view name) const;

  // The first `count` bytes of a member, or all of a shorter one. The checksum is verified if all
  // of it is read. *Throws* Error{input} for a damaged, encrypted or otherwise packed member.
  std::vector<std::byte> read(const Member& member, std::uint64_t count) const;

 private:
  [[noreturn]] void fail(const std::string& why) const;
  std::vector<std::byte> bytes(std::uint64_t offset, std::uint64_t count) const;
  void read_directory();
  static std::optional<Member> member_at(const std::vector<std::byte>& directory, std::size_t& at);
  std::uint64_t data_offset(const Member& member) const;
  std::vector<std::byte> inflated(const Member& member, std::uint64_t count) const;

  std::string path_;
  FileDescriptor file_;
  std::uint64_t size_ = 0;
  std::vector<Member> members_;
};

}  // namespace understudy::program
