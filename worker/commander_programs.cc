// SPDX-License-Identifier: Apache-2.0
// Programs of a commander: from the cache or the compiler into HBM, and out of it.
#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <optional>
#include <utility>

#include "configs/base/cache_policy.h"
#include "configs/base/digest.h"
#include "configs/base/error.h"
#include "configs/base/host_memory.h"
#include "program/compile.h"
#include "program/executable/numerics.h"
#include "program/executable/tile.h"
#include "program/read.h"
#include "worker/commander.h"
#include "worker/hbm/capacity.h"
#include "worker/ops/bind.h"

namespace understudy::worker {
namespace {

program::Executable compile(const LoadProgram& command, const program::Module& module) {
  program::verify(module);
  return program::compile(module, {command.numerics, command.replicas, command.entry,
                                   command.disabled_passes, command.poison});
}

}  // namespace

// Parses the program of a command at most once, and not at all on a cache hit with a known digest.
class Commander::Parsed {
 public:
  explicit Parsed(const LoadProgram& command) : command_(command) {}
  const program::Module& module() {
    if (module_ == nullptr)
      module_ = program::parse(std::make_shared<program::Source>(command_.path, *command_.text));
    return *module_;
  }

 private:
  const LoadProgram& command_;
  std::unique_ptr<program::Module> module_;
};

// Without a cache the digest only identifies the program in the receipt: the digest of its bytes
// will do, and saves a parse.
std::string Commander::program_digest(const LoadProgram& command, Parsed& parsed) const {
  if (!command.digest.empty()) return command.digest;
  if (!cache_policy_named(setup_.cache.policy).keeps_entries())
    return digest_of(std::string_view(*command.text));
  return program::canonical_digest(parsed.module());
}

void Commander::on(const LoadProgram& command, CommandSource& /*source*/) {
  const BusyScope compiling(
      setup_.worker_status);  // or waiting for another chip's compile, which has its own limit
  Parsed parsed(command);
  const cache::KeyParts parts{program_digest(command, parsed),
                              std::string(name_of(command.numerics)),
                              command.replicas,
                              setup_.chip_name,
                              setup_.chip_digest,
                              command.entry,
                              setup_.code_values};
  // Before the lookup: a chip that waits for an entry under another key would wait in vain.
  if (setup_.agree) setup_.agree(named_parts(parts));
  auto outcome = cache_.obtain(
      parts, [&] { return compile(command, parsed.module()); },
      [&](const program::Executable& executable) { return mismatch(command, executable); });
  totals_.compiles += outcome.counters.compiles;
  counts_.add(outcome, setup_.cache);
  if (setup_.notes_launches) setup_.record.append(compiled_by(outcome, setup_.cache, parts));
  keep(command, std::move(outcome.executable), parsed);
  // The first program passes the last gate.
  if (setup_.gates.reached() >= configs::Phase::programs_allowed) return;
  setup_.gates.pass(configs::Phase::programs_allowed,
                    fmt::format("{} {}", outcome.cached ? "cached" : "compiled", outcome.key));
}

std::string Commander::wrong_processes(const LoadProgram& command,
                                       const program::Executable& executable) const {
  const std::int64_t processes =
      program::checked_multiply(executable.replicas, executable.partitions);
  // A host process may launch a program on part of its pod; a planned run uses every chip.
  const bool fits = command.part_of_pod ? processes <= setup_.transport.size()
                                        : processes == setup_.transport.size();
  return fits ? ""
              : fmt::format("the program needs {} processes, the pod has {} chips", processes,
                            setup_.transport.size());
}

// Only checks that a fresh compile of this program always passes: an entry that fails one was built
// from another program or is corrupt in a way that its digest cannot show.
std::string Commander::mismatch(const LoadProgram& command,
                                const program::Executable& executable) const {
  if (executable.numerics != command.numerics) return "its numerics differ from the program's";
  if (command.types && (executable.arguments != command.types->arguments ||
                        executable.results != command.types->results))
    return "its argument or result types differ from the program's";
  return wrong_processes(command, executable);
}

void Commander::keep(const LoadProgram& command, program::Executable executable, Parsed& parsed) {
  // An executable from the cache is untrusted input: after this check the executor relies on every
  // offset.
  program::check_bounds(executable);
  if (const std::string wrong = wrong_processes(command, executable); !wrong.empty())
    throw Error(ErrorKind::protocol, wrong);
  UNDERSTUDY_ASSERT(!programs_.contains(command.program));
  require_room(executable, parsed);
  // The order of checks is that of XLA:TPU: first whether the program can ever fit (E1000), then
  // whether it fits beside what is there now (E0101).
  Loaded loaded;
  loaded.memory = program::memory_plan(executable);
  const std::vector<std::byte> image = program::image_of(executable);
  loaded.constants = reserve_for_program(setup_.chip.hbm, image.size(), "code");
  note_plan(loaded.memory);
  std::ranges::copy(image, loaded.constants);
  // The constants are in HBM now; release the copy.
  executable.constants = {};
  loaded.op_names =
      std::make_shared<const std::vector<std::string>>(std::exchange(executable.op_names, {}));
  loaded.executable = std::move(executable);
  make_ready(command.program, std::move(loaded));
}

// Bound code refers to the executable, which must not move any more.
void Commander::make_ready(ProgramName name, Loaded loaded) {
  Loaded& kept = programs_.emplace(name, std::move(loaded)).first->second;
  kept.bound = std::make_unique<BoundCode>(ops::bind(kept.executable, setup_.chip.kernels));
  for (std::size_t i = 0; i < kept.executable.results.size(); ++i)
    kept.result_labels.push_back(fmt::format("result {}", i));
}

// Whether the program fits the memories of the chip and of its host, before any of it is used. The
// record of a program that does not has its prediction and what was used until then.
void Commander::require_room(const program::Executable& executable, Parsed& parsed) {
  const auto place_of = [&](std::uint32_t op) {
    const auto order = program::operations_in_order(parsed.module());
    return op < order.size() ? text_of(program::place_of(order[op]->location)) : std::string();
  };
  try {
    if (executable.hbm_bytes() > setup_.chip.hbm.capacity()) point_at_largest(executable);
    check_plan_fits(executable, setup_.chip.hbm, place_of);
    program::check_tiles_fit(executable, setup_.chip.vmem.capacity());
    check_host_fits(executable, host_memory_);
  } catch (const Error&) {
    note_plan(program::memory_plan(executable));
    // Nothing ran, so there is nothing to compare.
    memory_.hbm_regions.reset();
    if (setup_.notes_launches) setup_.record.append(memory_seen());
    throw;
  }
  require_host_memory(executable.hbm_bytes(), "the plan of one chip");
}

// Makes the following capacity error name the operation with the largest temporary.
void Commander::point_at_largest(const program::Executable& executable) {
  const std::optional<std::uint32_t> largest = largest_op(executable.code);
  if (!largest) return;
  setup_.at_work.set(std::make_shared<const std::vector<std::string>>(executable.op_names));
  setup_.worker_status.status().op.store(*largest + 1, std::memory_order_relaxed);
}

void Commander::on(const UnloadProgram& command, CommandSource& /*source*/) {
  const auto found = programs_.find(command.program);
  UNDERSTUDY_ASSERT(found != programs_.end());
  // A host process allocates constants itself.
  if (found->second.constants != nullptr) setup_.chip.hbm.free(found->second.constants);
  programs_.erase(found);
  ++counts_.compile_handles_destroyed;
}

}  // namespace understudy::worker
