// SPDX-License-Identifier: Apache-2.0
// compare_programs: for every line "FIRST SECOND" of stdin reads both files and prints
// "same", or "differ: WHY", or "error: TEXT". For bytecode_sweep.py.
#include <cstdlib>
#include <fmt/format.h>
#include <iostream>
#include <string>

#include "configs/base/error.h"
#include "program/read.h"

namespace understudy::program {
namespace {

std::string one_line(std::string text) {
  for (char& c : text) {
    if (c == '\n') c = ' ';
  }
  return text;
}

// Only exported programs say whether their shapes were symbols.
std::unique_ptr<Module> read(const std::string& path) {
  auto module = parse(Source::read(path));
  auto& attributes = module->attributes;
  std::erase_if(attributes,
                [](const auto& entry) { return entry.first == "jax.uses_shape_polymorphism"; });
  return module;
}

std::string verdict(const std::string& first, const std::string& second) {
  try {
    const auto a = read(first);
    const auto b = read(second);
    const std::string difference = first_difference(*a, *b);
    return difference.empty() ? "same" : "differ: " + one_line(difference);
  } catch (const Error& error) {
    return "error: " + one_line(error.text());
  }
}

}  // namespace
}  // namespace understudy::program

int main() {
  std::string first;
  std::string second;
  while (std::cin >> first >> second) {
    fmt::print("{}\n", understudy::program::verdict(first, second));
  }
  return EXIT_SUCCESS;
}
