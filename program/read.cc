// SPDX-License-Identifier: Apache-2.0
#include "program/read.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "program/bytecode/bytecode.h"
#include "program/exported.h"
#include "program/file_kind.h"
#include "program/hlo/hlo.h"
#include "program/ir/op_table.h"
#include "program/open_arguments.h"
#include "program/text/parser.h"

namespace understudy::program {
namespace {

// The artifact of a raw jax.export file, with what the file knows beside it.
std::unique_ptr<Module> read_exported(const Source& source, const ExportedFile& file) {
  const Source artifact(source.path() + " (embedded artifact)", file.artifact);
  std::unique_ptr<Module> module = bytecode::read(artifact);
  // The file knows platforms and devices beside the artifact; as attributes they survive into the
  // pipeline.
  if (!file.platforms.empty())
    module->attributes.emplace_back(
        std::string(kPlatforms),
        Attribute{StringAttribute{fmt::format("{}", fmt::join(file.platforms, ","))}});
  // The artifact's own number wins.
  if (file.devices > 1 && module->find("mhlo.num_partitions") == nullptr)
    module->attributes.emplace_back(
        "mhlo.num_partitions",
        Attribute{IntegerAttribute{file.devices, Type::of({ElementType::i32, {}})}});
  return module;
}

}  // namespace

std::unique_ptr<Module> parse(std::shared_ptr<const Source> source) {
  // Magic numbers first, then HLO, then files of other kinds; everything else is StableHLO text,
  // whose parser gives the best errors.
  if (bytecode::is_bytecode(source->text())) return bytecode::read(*source);
  if (const auto file = exported_file(source->text())) return read_exported(*source, *file);
  if (hlo::is_proto(source->text())) return hlo::convert(hlo::read_proto(*source));
  if (hlo::is_text(source->text())) return hlo::convert(hlo::read_text(std::move(source)));
  if (const FileKind* kind = foreign_file_kind(source->text()))
    throw Error(ErrorKind::input, SourcePlace{source->path(), 0, 0, "", 0},
                fmt::format("this is {}, but StableHLO is expected", kind->name))
        .note(std::string(kind->advice));
  const std::uint64_t end = source->text().size();
  return Parser(std::move(source), 0, end).module();
}

std::unique_ptr<Module> read_program(const std::string& path) {
  return read_program(Source::read(path));
}

std::unique_ptr<Module> read_verified(std::shared_ptr<const Source> source) {
  const std::string path = source->path();
  std::unique_ptr<Module> module = parse(std::move(source));
  if (module->functions.empty()) {
    throw Error(ErrorKind::input, SourcePlace{path, 0, 0, "", 0}, "the file contains no function");
  }
  verify(*module);
  return module;
}

// All are named at once: a port to StableHLO is planned by the whole list.
void refuse_unsupported(const Module& module) {
  const std::vector<Unsupported> unsupported = unsupported_operations(module);
  if (unsupported.empty()) return;
  Error error = error_at(unsupported[0].location, ErrorKind::unsupported,
                         fmt::format("{} is not supported", unsupported[0].what));
  for (std::size_t i = 1; i < unsupported.size(); ++i) {
    error.note(fmt::format("{}: {} is not supported", text_of(place_of(unsupported[i].location)),
                           unsupported[i].what));
  }
  // Each advice once: a program often has many calls of one kind.
  for (std::size_t i = 0; i < unsupported.size(); ++i) {
    const auto earlier = unsupported.begin() + static_cast<std::ptrdiff_t>(i);
    const std::string& advice = unsupported[i].advice;
    if (!advice.empty() &&
        std::ranges::find(unsupported.begin(), earlier, advice, &Unsupported::advice) == earlier)
      error.note(advice);
  }
  throw error;
}

// All unsupported operations are in one error: nothing is found out only when a worker runs it.
std::unique_ptr<Module> read_program(std::shared_ptr<const Source> source) {
  std::unique_ptr<Module> module = read_verified(std::move(source));
  refuse_unsupported(*module);
  return module;
}

}  // namespace understudy::program
