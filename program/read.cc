// SPDX-License-Identifier: Apache-2.0
#include "program/read.h"

#include <fmt/format.h>

#include "program/op_table.h"
#include "program/parser.h"

namespace understudy::program {
namespace {

constexpr std::string_view kBytecodeMagic = "ML\xEFR";

void refuse_bytecode(const Source& source) {
  if (source.text().substr(0, kBytecodeMagic.size()) != kBytecodeMagic) return;
  throw Error(ErrorKind::unsupported, SourcePlace{source.path(), 0, 0, "", 0},
              "is MLIR bytecode; only StableHLO text is read so far")
      .note("jax: write lowered.as_text(); or print the artifact with stablehlo-translate");
}

}  // namespace

std::unique_ptr<Module> parse(std::shared_ptr<const Source> source) {
  refuse_bytecode(*source);
  const std::uint64_t end = source->text().size();
  return Parser(std::move(source), 0, end).module();
}

std::unique_ptr<Module> read_program(const std::string& path) {
  std::unique_ptr<Module> module = parse(Source::read(path));
  if (module->functions.empty()) {
    throw Error(ErrorKind::input, SourcePlace{path, 0, 0, "", 0}, "holds no function");
  }
  verify(*module);
  const std::vector<Unsupported> unsupported = unsupported_operations(*module);
  if (unsupported.empty()) return module;
  Error error = error_at(unsupported[0].location, ErrorKind::unsupported,
                         fmt::format("{} cannot be run yet", unsupported[0].what));
  for (std::size_t i = 1; i < unsupported.size(); ++i) {
    const SourcePlace place = place_of(unsupported[i].location);
    error.note(fmt::format("{}:{}:{}: {} cannot be run yet", place.path, place.line, place.column,
                           unsupported[i].what));
  }
  throw error;
}

}  // namespace understudy::program
