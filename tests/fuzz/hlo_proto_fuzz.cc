// SPDX-License-Identifier: Apache-2.0
// Any bytes are an HLO proto that becomes StableHLO, or they are refused. The proto reader gets all
// of them, also those that parse() would take for another kind of file.
#include "program/hlo/hlo.h"
#include "tests/fuzz/one_program.h"

namespace understudy::program {
namespace {

void one_input(const std::string& bytes) {
  try {
    const auto module = hlo::convert(hlo::read_proto(Source("fuzz.hlo.pb", bytes)));
    verify(*module);
    print(*module);
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::input || error.kind() == ErrorKind::unsupported) return;
    fmt::print(stderr, "{}\n", error.text());
    std::abort();
  }
}

}  // namespace
}  // namespace understudy::program

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  understudy::program::one_input(bytes);
  understudy::program::read_or_refuse("fuzz.hlo.pb", bytes);
  return 0;
}
