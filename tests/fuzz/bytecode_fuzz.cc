// SPDX-License-Identifier: Apache-2.0
// Any bytes after MLIR's magic are a portable artifact that is read, verified and printed, or they
// are refused. Where the input does not begin with the magic it is put before, so that every input
// reaches the reader.
#include "tests/fuzz/one_program.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::string_view kMagic = "ML\xEFR";
  std::string bytes(reinterpret_cast<const char*>(data), size);
  if (bytes.substr(0, kMagic.size()) != kMagic) bytes.insert(0, kMagic);
  understudy::program::read_or_refuse("fuzz.mlirbc", std::move(bytes));
  return 0;
}
