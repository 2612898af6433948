// SPDX-License-Identifier: Apache-2.0
// What every reader of programs must do with any bytes: a verified module that prints, or an error
// of the user's kind. Everything else (another error, a crash, a leak, minutes of work) is a find.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <fmt/format.h>
#include <memory>
#include <string>

#include "configs/base/error.h"
#include "program/read.h"

namespace understudy::program {

inline void read_or_refuse(const char* name, std::string bytes) {
  try {
    const auto module = parse(std::make_shared<const Source>(name, std::move(bytes)));
    print(*module);
    verify(*module);
    unsupported_operations(*module);
    print(*module);
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::input || error.kind() == ErrorKind::unsupported) return;
    fmt::print(stderr, "{}\n", error.text());
    std::abort();
  }
}

}  // namespace understudy::program
