// SPDX-License-Identifier: Apache-2.0
// Any bytes are an array that survives writing and reading, or they are refused with an input
// error. The first byte says which element type the reader is told to expect.
#include <cstdint>
#include <cstdlib>
#include <fmt/format.h>
#include <optional>

#include "configs/base/error.h"
#include "program/npy.h"

namespace understudy::program {
namespace {

void one_input(std::span<const std::byte> file, std::optional<ElementType> wanted) {
  Array array;
  try {
    array = parse_npy(file, "fuzz.npy", wanted);
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::input) return;
    fmt::print(stderr, "{}\n", error.text());
    std::abort();
  }
  if (parse_npy(npy_bytes(array), "again.npy", array.type.element) != array) {
    fmt::print(stderr, "{} is another array when it is written and read\n", text_of(array.type));
    std::abort();
  }
}

}  // namespace
}  // namespace understudy::program

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using understudy::program::ElementType;
  if (size == 0) return 0;
  std::optional<ElementType> wanted;
  if (data[0] < understudy::program::kElementTypes) wanted = static_cast<ElementType>(data[0]);
  understudy::program::one_input(std::as_bytes(std::span(data + 1, size - 1)), wanted);
  return 0;
}
