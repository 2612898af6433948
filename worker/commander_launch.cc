// SPDX-License-Identifier: Apache-2.0
// Launches of a host process, which compiled the program and manages the chip's HBM (docs/pjrt.md).
// Nothing is allocated here: the command names places in HBM.
#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <utility>

#include "cache/archive.h"
#include "configs/base/error.h"
#include "worker/chip/bound_code.h"
#include "worker/commander.h"

namespace understudy::worker {
namespace {

// The address of `bytes` bytes at `at`. *Throws* Error{protocol} where they are outside of HBM.
std::byte* place_in(std::span<std::byte> hbm, std::uint64_t at, std::uint64_t bytes) {
  if (at > hbm.size() || bytes > hbm.size() - at || at % Hbm::kAlignment != 0)
    throw Error(ErrorKind::protocol,
                fmt::format("a host process named {} bytes at {}, outside of HBM", bytes, at));
  return hbm.data() + at;
}

std::uint64_t bytes_of(const program::TensorType& type) {
  return static_cast<std::uint64_t>(type.bytes());
}

}  // namespace

void Commander::on(const LoadArchive& command, CommandSource& /*source*/) {
  const BusyScope loading(setup_.worker_status);
  Loaded loaded;
  program::Executable& executable = loaded.executable;
  executable = cache::restore_executable(command.archive);
  // The constants are in HBM; the check needs their size only.
  executable.constants.resize(command.constants_bytes);
  program::check_bounds(executable);
  const std::int64_t processes =
      program::checked_multiply(executable.replicas, executable.partitions);
  const auto number = static_cast<std::size_t>(command.process);
  if (static_cast<std::int64_t>(command.ranks.size()) != processes || command.process < 0 ||
      command.process >= processes || command.ranks[number] != setup_.transport.rank().value)
    throw Error(ErrorKind::protocol,
                fmt::format("{}: the device assignment of {} processes does "
                            "not fit this chip, rank {}",
                            command.name, processes, setup_.transport.rank().value));
  for (const std::int64_t rank : command.ranks)
    if (rank < 0 || rank >= setup_.transport.size())
      throw Error(ErrorKind::protocol, fmt::format("{}: there is no rank {}", command.name, rank));
  UNDERSTUDY_ASSERT(!programs_.contains(command.program));
  loaded.memory = program::memory_plan(executable);
  note_plan(loaded.memory);
  executable.constants = {};
  loaded.op_names =
      std::make_shared<const std::vector<std::string>>(std::exchange(executable.op_names, {}));
  loaded.ranks = command.ranks;
  loaded.process = command.process;
  make_ready(command.program, std::move(loaded));
  if (setup_.gates.reached() >= configs::Phase::programs_allowed) return;
  setup_.gates.pass(configs::Phase::programs_allowed,
                    fmt::format("loaded {} from the host process", command.name));
}

void Commander::bind(const Loaded& loaded, const Launch& command, Execution& execution) {
  const program::Executable& executable = loaded.executable;
  if (command.arguments.size() != executable.arguments.size() ||
      command.results.size() != executable.results.size())
    throw Error(ErrorKind::protocol, "a host process named the wrong number of buffers");
  const std::span<std::byte> hbm = setup_.chip.hbm.arena();
  for (std::size_t i = 0; i < command.arguments.size(); ++i)
    execution.arguments.push_back(
        place_in(hbm, command.arguments[i], bytes_of(executable.arguments[i])));
  for (std::size_t i = 0; i < command.results.size(); ++i)
    execution.results.push_back(place_in(hbm, command.results[i], bytes_of(executable.results[i])));
  execution.temporaries = place_in(hbm, command.temporaries, executable.temporary_bytes);
  execution.constants = place_in(hbm, command.constants, 0);
  execution.process = {loaded.process / executable.partitions,
                       loaded.process % executable.partitions, executable.replicas,
                       executable.partitions, loaded.ranks};
}

void Commander::on(const Launch& command, CommandSource& /*source*/) {
  setup_.gates.require(configs::Phase::programs_allowed, "a launch");
  const auto found = programs_.find(command.program);
  if (found == programs_.end())
    throw Error(ErrorKind::protocol, fmt::format("program {} is not loaded", command.program));
  const Loaded& loaded = found->second;
  setup_.at_work.set(loaded.op_names);
  configs::StatusCell& status = setup_.worker_status.status();
  status.step.store(static_cast<std::uint64_t>(command.step), std::memory_order_relaxed);
  collectives_.use_algorithm(setup_.algorithm);
  client_peak_ = std::max(client_peak_, command.hbm_in_use);
  Execution execution;
  bind(loaded, command, execution);
  equip(loaded, execution);
  // Values in host memory are this worker's, the host process places only what is in HBM.
  const auto free_host = [this](std::byte* start) { host_memory_.free(start); };
  std::unique_ptr<std::byte, decltype(free_host)> host(nullptr, free_host);
  if (const std::uint64_t bytes = loaded.executable.host_temporary_bytes; bytes > 0)
    host.reset(host_memory_.allocate(bytes, "host temporaries"));
  execution.host = host.get();
  if (fallback_) fallback_->begin(*loaded.op_names);
  run(*loaded.bound, execution);
  if (fallback_) fallback_->end({});
  if (const auto& violation = execution.checks.violation) {
    status.op.store(violation->op + 1, std::memory_order_relaxed);
    throw Error(ErrorKind::check, violation->text);
  }
  // A later failure does not belong to the launch's last operation.
  status.op.store(0, std::memory_order_relaxed);
  ++totals_.executes;
}

void Commander::on(const ClientLeft& command, CommandSource& /*source*/) {
  totals_.compiles += command.compiles;
  client_peak_ = std::max(client_peak_, command.hbm_peak);
}

}  // namespace understudy::worker
