// SPDX-License-Identifier: Apache-2.0
// Any bytes after MLIR's magic are a portable artifact that is read, verified and printed, or they
// are refused with an error of the user's. Where the input does not begin with the magic it is put
// before, so that every input reaches the reader.
#include <cstdint>
#include <cstdlib>
#include <fmt/format.h>
#include <memory>
#include <string>

#include "configs/base/error.h"
#include "program/read.h"

namespace understudy::program {
namespace {

constexpr std::string_view kMagic = "ML\xEFR";

bool is_expected(const Error& error) {
  return error.kind() == ErrorKind::input || error.kind() == ErrorKind::unsupported;
}

void one_input(std::string bytes) {
  if (bytes.substr(0, kMagic.size()) != kMagic) bytes.insert(0, kMagic);
  try {
    const auto module = parse(std::make_shared<const Source>("fuzz.mlirbc", std::move(bytes)));
    print(*module);
    verify(*module);
    unsupported_operations(*module);
    print(*module);
  } catch (const Error& error) {
    if (is_expected(error)) return;
    fmt::print(stderr, "{}\n", error.text());
    std::abort();
  }
}

}  // namespace
}  // namespace understudy::program

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  understudy::program::one_input({reinterpret_cast<const char*>(data), size});
  return 0;
}
