// SPDX-License-Identifier: Apache-2.0
// Our reader for scripts that compare it with another one. Reads one command per line from stdin,
// answers each with one line, "ok" or what is wrong, then ends with stdin:
//   print IN OUT   parses IN, verifies it, writes our printer's text to OUT
//   same A B       parses both and compares them; answers with their first difference
#include <cstdio>
#include <fmt/format.h>
#include <fstream>
#include <iostream>
#include <memory>
#include <sstream>
#include <string>

#include "configs/base/error.h"
#include "program/read.h"

namespace understudy::program {
namespace {

std::unique_ptr<Module> read(const std::string& path) {
  auto module = parse(Source::read(path));
  verify(*module);
  return module;
}

std::string answer(const std::string& command, const std::string& a, const std::string& b) {
  if (command == "same") return first_difference(*read(a), *read(b));
  if (command != "print") return "unknown command " + command;
  std::ofstream out(b, std::ios::binary);
  out << print(*read(a));
  return out.flush() ? "" : "cannot write " + b;
}

// The first line of an answer, since answers are lines.
std::string one_line(const std::string& text) { return text.substr(0, text.find('\n')); }

}  // namespace
}  // namespace understudy::program

int main() {
  std::string line;
  while (std::getline(std::cin, line)) {
    std::istringstream words(line);
    std::string command, a, b;
    words >> command >> a >> b;
    std::string reply;
    try {
      reply = understudy::program::answer(command, a, b);
    } catch (const understudy::Error& error) {
      reply = understudy::program::one_line(error.text());
    }
    fmt::print("{}\n", reply.empty() ? "ok" : understudy::program::one_line(reply));
    std::fflush(stdout);
  }
  return 0;
}
