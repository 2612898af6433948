// SPDX-License-Identifier: Apache-2.0
// Any bytes are an archive whose arrays are read, or they are refused with an input error. Arrays
// are read only where their header claims little, as the launcher checks types before it reads.
#include <cstdint>
#include <cstdlib>
#include <fmt/format.h>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

#include "configs/base/error.h"
#include "program/npz.h"

namespace understudy::program {
namespace {

constexpr std::uint64_t kMostElements = 1 << 20;

// The reader takes a path; a file in memory needs no disk.
class MemoryFile {
 public:
  MemoryFile(const std::uint8_t* data, std::size_t size) : file_(::memfd_create("fuzz.npz", 0)) {
    if (file_ < 0 || ::write(file_, data, size) != static_cast<ssize_t>(size)) std::abort();
  }
  ~MemoryFile() { ::close(file_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  std::string path() const { return fmt::format("/proc/self/fd/{}", file_); }

 private:
  int file_;
};

bool is_small(const TensorType& type) {
  std::uint64_t elements = 1;
  for (const std::int64_t length : type.shape) {
    if (length < 0 || static_cast<std::uint64_t>(length) > kMostElements) return false;
    elements *= static_cast<std::uint64_t>(length);
    if (elements > kMostElements) return false;
  }
  return true;
}

void one_input(const std::string& path) {
  try {
    const NpzFile file(path);
    for (const std::string& name : file.names()) {
      const TensorType type = file.type(name);
      if (!is_small(type)) continue;
      if (file.read(name).type == type) continue;
      fmt::print(stderr, "{}: the array has another type than its header\n", name);
      std::abort();
    }
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::input) return;
    fmt::print(stderr, "{}\n", error.text());
    std::abort();
  }
}

}  // namespace
}  // namespace understudy::program

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const understudy::program::MemoryFile file(data, size);
  understudy::program::one_input(file.path());
  return 0;
}
