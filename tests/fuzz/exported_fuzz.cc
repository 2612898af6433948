// SPDX-License-Identifier: Apache-2.0
// Any bytes are a raw file of jax.export whose artifact is a part of it, or they are no such file;
// in both cases they are read or refused.
#include "program/exported.h"
#include "tests/fuzz/one_program.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  if (const auto file = understudy::program::exported_file(bytes)) {
    const char* const begin = file->artifact.data();
    if (begin < bytes.data() || begin + file->artifact.size() > bytes.data() + bytes.size()) {
      fmt::print(stderr, "the artifact is not a part of the file\n");
      std::abort();
    }
  }
  understudy::program::read_or_refuse("fuzz.jax", bytes);
  return 0;
}
