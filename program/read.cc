// SPDX-License-Identifier: Apache-2.0
#include "program/read.h"

#include <fmt/format.h>

#include "program/bytecode/bytecode.h"
#include "program/hlo/hlo.h"
#include "program/ir/op_table.h"
#include "program/text/parser.h"

namespace understudy::program {
std::unique_ptr<Module> parse(std::shared_ptr<const Source> source) {
  if (bytecode::is_bytecode(source->text())) return bytecode::read(*source);
  if (hlo::is_proto(source->text())) return hlo::convert(hlo::read_proto(*source));
  if (hlo::is_text(source->text())) return hlo::convert(hlo::read_text(std::move(source)));
  const std::uint64_t end = source->text().size();
  return Parser(std::move(source), 0, end).module();
}

std::unique_ptr<Module> read_program(const std::string& path) {
  return read_program(Source::read(path));
}

// Parse, verify, then refuse unsupported operations, all of them in one error: nothing is found out
// only when a worker runs it.
std::unique_ptr<Module> read_program(std::shared_ptr<const Source> source) {
  const std::string path = source->path();
  std::unique_ptr<Module> module = parse(std::move(source));
  if (module->functions.empty()) {
    throw Error(ErrorKind::input, SourcePlace{path, 0, 0, "", 0}, "the file contains no function");
  }
  verify(*module);
  const std::vector<Unsupported> unsupported = unsupported_operations(*module);
  if (unsupported.empty()) return module;
  Error error = error_at(unsupported[0].location, ErrorKind::unsupported,
                         fmt::format("{} is not supported", unsupported[0].what));
  for (std::size_t i = 1; i < unsupported.size(); ++i) {
    error.note(fmt::format("{}: {} is not supported", text_of(place_of(unsupported[i].location)),
                           unsupported[i].what));
  }
  throw error;
}

}  // namespace understudy::program
