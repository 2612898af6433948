// SPDX-License-Identifier: Apache-2.0
// Any bytes are StableHLO text that is read, verified and printed so that it reads back equal, or
// they are refused with an input error. Everything else (another error, a crash, a leak, minutes
// of work) is a find.
#include <cstdint>
#include <cstdlib>
#include <fmt/format.h>
#include <memory>
#include <string>

#include "configs/base/error.h"
#include "program/read.h"

namespace understudy::program {
namespace {

[[noreturn]] void find(const std::string& what) {
  fmt::print(stderr, "{}\n", what);
  std::abort();
}

std::unique_ptr<Module> read(std::string text) {
  auto module = parse(std::make_shared<const Source>("fuzz.mlir", std::move(text)));
  verify(*module);
  return module;
}

void one_input(const std::string& text) {
  std::unique_ptr<Module> module;
  try {
    module = read(text);
  } catch (const Error& error) {
    const bool expected =
        error.kind() == ErrorKind::input || error.kind() == ErrorKind::unsupported;
    if (!expected) find(error.text());
    return;
  }
  unsupported_operations(*module);
  const std::string printed = print(*module);
  try {
    const std::string difference = first_difference(*module, *read(printed));
    if (!difference.empty()) find("printed and read again: " + difference + "\n" + printed);
  } catch (const Error& error) {
    find("what was printed cannot be read: " + error.text() + "\n" + printed);
  }
}

}  // namespace
}  // namespace understudy::program

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  understudy::program::one_input({reinterpret_cast<const char*>(data), size});
  return 0;
}
