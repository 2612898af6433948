// SPDX-License-Identifier: Apache-2.0
// ZIP archives made by hand, so that a test can break any of their fields.
#pragma once

#include <cstdint>
#include <string>
#include <vector>
#include <zlib.h>

namespace understudy::program::zip_testing {

struct Member {
  std::string name, content;
  bool deflated = false;
  std::uint64_t declared = UINT64_MAX;  // the size that the directory says; default: the real one
};

inline std::string field(std::uint64_t value, std::size_t width) {
  std::string text;
  for (std::size_t i = 0; i < width; ++i) text.push_back(static_cast<char>(value >> 8 * i & 0xff));
  return text;
}

inline std::string deflated(const std::string& content) {
  z_stream stream = {};
  deflateInit2(&stream, 9, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&stream, content.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(content.data()));
  stream.avail_in = static_cast<uInt>(content.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

inline std::string archive(const std::vector<Member>& members) {
  std::string file, directory;
  for (const Member& one : members) {
    const std::string data = one.deflated ? deflated(one.content) : one.content;
    const std::uint64_t size = one.declared == UINT64_MAX ? one.content.size() : one.declared;
    const uLong crc = crc32(0, reinterpret_cast<const Bytef*>(one.content.data()),
                            static_cast<uInt>(one.content.size()));
    const std::string shared = field(one.deflated ? 8 : 0, 2) + field(0, 4) + field(crc, 4) +
                               field(data.size(), 4) + field(size, 4) + field(one.name.size(), 2);
    directory += field(0x02014b50, 4) + field(20, 2) + field(20, 2) + field(0, 2) + shared +
                 field(0, 2) + field(0, 2) + field(0, 2) + field(0, 2) + field(0, 4) +
                 field(file.size(), 4) + one.name;
    file +=
        field(0x04034b50, 4) + field(20, 2) + field(0, 2) + shared + field(0, 2) + one.name + data;
  }
  return file + directory + field(0x06054b50, 4) + field(0, 4) + field(members.size(), 2) +
         field(members.size(), 2) + field(directory.size(), 4) + field(file.size(), 4) +
         field(0, 2);
}

}  // namespace understudy::program::zip_testing
