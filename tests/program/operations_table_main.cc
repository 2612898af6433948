// SPDX-License-Identifier: Apache-2.0
// Prints docs/operations.md: build/release/bin/operations_table > docs/operations.md
#include <cstdio>

#include "configs/base/error.h"
#include "tests/program/operations_table.h"

int main() {
  using namespace understudy;
  try {
    const std::string page = program::operations_page(program::uses_in(
        {UNDERSTUDY_SOURCE_DIR "/tests/ops", UNDERSTUDY_SOURCE_DIR "/tests/parallel"}));
    return std::fputs(page.c_str(), stdout) < 0 ? 71 : 0;
  } catch (const Error& error) {
    std::fprintf(stderr, "%s\n", error.text().c_str());
    return exit_code_of(error.kind());
  }
}
