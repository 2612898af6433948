// SPDX-License-Identifier: Apache-2.0
// Any bytes after "HloModule" are HLO text that becomes StableHLO, or they are refused. Where the
// input does not begin with that token it is put before, so that every input reaches the reader.
#include "program/hlo/hlo.h"
#include "tests/fuzz/one_program.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string text(reinterpret_cast<const char*>(data), size);
  if (!understudy::program::hlo::is_text(text)) text.insert(0, "HloModule fuzz\n");
  understudy::program::read_or_refuse("fuzz.hlo.txt", std::move(text));
  return 0;
}
