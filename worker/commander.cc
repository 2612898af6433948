// SPDX-License-Identifier: Apache-2.0
#include "worker/commander.h"

#include <algorithm>
#include <cstring>
#include <ctime>
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
#include "program/read.h"
#include "worker/chip/executor.h"
#include "worker/gates/wrong_groups.h"
#include "worker/hbm/capacity.h"

namespace understudy::worker {
namespace {

// Wall clock, not monotonic: a step lasts from the first chip's start to the last chip's end, and
// chips may be on several machines whose clocks were compared at the contract gate.
std::int64_t wall_nanoseconds() {
  constexpr std::int64_t kNanosecondsPerSecond = 1'000'000'000;
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  return now.tv_sec * kNanosecondsPerSecond + now.tv_nsec;
}

program::Executable compile(const LoadProgram& command, const program::Module& module) {
  program::verify(module);
  return program::compile(
      module, {command.numerics, command.replicas, command.entry, command.disabled_passes});
}

// The temporaries of one launch, freed also when the launch throws.
class Scratch {
 public:
  Scratch(Hbm& hbm, std::uint64_t bytes)
      : hbm_(hbm), start_(reserve_for_program(hbm, bytes, "temporaries")) {}
  ~Scratch() { hbm_.free(start_); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  std::byte* start() const { return start_; }

 private:
  Hbm& hbm_;
  std::byte* start_;
};

// Takes the next turn of an infeed among all chips that share `line`. The upper half of the counter
// names the launch (+ 1, so that the zero of a new segment names none): the first chip of a new
// launch restarts the lower half at 0. One compare-and-swap does both, so there is no reset to
// race.
std::int64_t take_turn(std::atomic<std::uint64_t>& line, std::int64_t launch) {
  constexpr int kHalf = 32;
  const std::uint64_t first = static_cast<std::uint64_t>(launch + 1) << kHalf;
  std::uint64_t seen = line.load();
  for (;;) {
    const std::uint64_t turn = seen >> kHalf == first >> kHalf ? seen : first;
    if (line.compare_exchange_weak(seen, turn + 1)) return static_cast<std::int64_t>(turn - first);
  }
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

Commander::Commander(CommanderSetup setup)
    : setup_(std::move(setup)), cache_(setup_.cache), collectives_(setup_.fabric, setup_.hooks) {
  Hbm& hbm = setup_.chip.hbm;
  // Injected memory faults take effect before the first allocation.
  const ChipFaults& faults = setup_.faults;
  if (faults.hbm_limit) hbm.limit(*faults.hbm_limit);
  if (const std::uint64_t held = std::min(faults.hbm_held, hbm.capacity()); held > 0)
    hbm.allocate(held, "buffers of an earlier program");
  if (!faults.fallback_op.empty()) fallback_.emplace(faults.fallback_op);
  if (setup_.looks_for_non_finite) watch_.emplace(setup_.record);
}

void Commander::obey(CommandSource& source) {
  while (const std::optional<Command> command = source.next()) {
    std::optional<Error> error;
    const Answer answer = carry_out(*command, source, error);
    source.answer(*command, answer);
  }
}

// Errors become part of the answer here: whether the worker survives one is the source's decision.
Answer Commander::carry_out(const Command& command, CommandSource& source,
                            std::optional<Error>& error) {
  Answer answer;
  held_checks_ = 0;
  try {
    std::visit([&](const auto& known) { on(known, source); }, command);
  } catch (const Error& thrown) {
    error = thrown;
    answer.error = &*error;
    if (std::holds_alternative<Execute>(command) || std::holds_alternative<Launch>(command))
      // status().op holds the ordinal + 1.
      answer.op =
          std::int64_t{setup_.worker_status.status().op.load(std::memory_order_relaxed)} - 1;
  }
  answer.checks = held_checks_;
  if (const auto* load = std::get_if<LoadProgram>(&command); load != nullptr && !error)
    answer.loaded = &programs_.at(load->program).executable;
  return answer;
}

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
  keep(command, std::move(outcome.executable));
  // The first program passes the last gate.
  if (setup_.gates.reached() >= configs::Phase::programs_allowed) return;
  setup_.gates.pass(configs::Phase::programs_allowed,
                    fmt::format("{} {}", outcome.cached ? "cached" : "compiled", outcome.key));
}

// A program for fewer chips than the pod has may run on any aligned block of as many ranks.
std::int64_t Commander::number_of_this(std::int64_t processes) const {
  const std::int64_t rank = setup_.transport.rank().value;
  const std::vector<std::int64_t>& order = setup_.device_order;
  if (static_cast<std::int64_t>(order.size()) != processes) return rank % processes;
  return std::ranges::find(order, rank) - order.begin();
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
  if (std::string wrong = wrong_processes(command, executable); !wrong.empty()) return wrong;
  const std::int64_t processes = executable.replicas * executable.partitions;
  return wrong_groups(executable, number_of_this(processes));
}

void Commander::keep(const LoadProgram& command, program::Executable executable) {
  // An executable from the cache is untrusted input: after this check the executor relies on every
  // offset.
  program::check_bounds(executable);
  if (const std::string wrong = wrong_processes(command, executable); !wrong.empty())
    throw Error(ErrorKind::protocol, wrong);
  UNDERSTUDY_ASSERT(!programs_.contains(command.program));
  if (executable.hbm_bytes() > setup_.chip.hbm.capacity()) point_at_largest(executable);
  check_plan_fits(executable, setup_.chip.hbm);
  require_host_memory(executable.hbm_bytes(), "the plan of one chip");
  // The order of checks is that of XLA:TPU: first whether the program can ever fit (E1000), then
  // whether it fits beside what is there now (E0101).
  Loaded loaded;
  loaded.constants = reserve_for_program(setup_.chip.hbm, executable.constants.size(), "constants");
  hbm_predicted_ = std::max(hbm_predicted_, executable.hbm_bytes());
  std::ranges::copy(executable.constants, loaded.constants);
  // The constants are in HBM now; release the copy.
  executable.constants = {};
  loaded.op_names =
      std::make_shared<const std::vector<std::string>>(std::exchange(executable.op_names, {}));
  loaded.executable = std::move(executable);
  programs_.emplace(command.program, std::move(loaded));
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

const Commander::Held& Commander::held(BufferName name) const {
  const auto found = buffers_.find(name);
  if (found == buffers_.end()) {
    throw Error(ErrorKind::internal, fmt::format("unknown buffer {}", name));
  }
  return found->second;
}

void Commander::hold(BufferName name, const program::TensorType& type, const std::string& label) {
  // Every buffer of HBM is created here, so this is the one place for the gate.
  setup_.gates.require(configs::Phase::tensors_allowed, "a tensor");
  UNDERSTUDY_ASSERT(!buffers_.contains(name));
  const auto bytes = static_cast<std::uint64_t>(type.bytes());
  buffers_[name] = {type, setup_.chip.hbm.allocate(bytes, label)};
  ++counts_.data_handles_created;
}

void Commander::on(const PutBuffer& command, CommandSource& /*source*/) {
  if (command.data->size() != static_cast<std::size_t>(command.type.bytes())) {
    throw Error(ErrorKind::input, fmt::format("{} has {} bytes, expected {}", text_of(command.type),
                                              command.data->size(), command.type.bytes()));
  }
  hold(command.buffer, command.type, "an argument");
  std::copy(command.data->begin(), command.data->end(), held(command.buffer).start);
}

Execution Commander::bind(const Loaded& loaded, const Execute& command) {
  const program::Executable& executable = loaded.executable;
  UNDERSTUDY_ASSERT(command.arguments.size() == executable.arguments.size());
  UNDERSTUDY_ASSERT(command.results.size() == executable.results.size());
  Execution execution;
  for (std::size_t i = 0; i < command.arguments.size(); ++i) {
    const Held& buffer = held(command.arguments[i]);
    if (buffer.type != executable.arguments[i]) {
      throw Error(ErrorKind::input,
                  fmt::format("argument {} is {}, expected {}", i, text_of(buffer.type),
                              text_of(executable.arguments[i])));
    }
    execution.arguments.push_back(buffer.start);
  }
  for (std::size_t i = 0; i < command.results.size(); ++i) {
    hold(command.results[i], executable.results[i], fmt::format("result {}", i));
    execution.results.push_back(held(command.results[i]).start);
  }
  const std::int64_t processes = executable.replicas * executable.partitions;
  const std::int64_t number = number_of_this(processes);
  execution.process = {number / executable.partitions, number % executable.partitions,
                       executable.replicas, executable.partitions};
  const bool ordered = static_cast<std::int64_t>(setup_.device_order.size()) == processes;
  if (ordered) execution.process.ranks = setup_.device_order;
  const Rank first(ordered ? 0 : setup_.transport.rank().value - number);
  execution.constants = loaded.constants;
  equip(loaded, execution);
  if (watch_) watch_->begin_step(command.step);
  const auto line = setup_.infeed_line ? setup_.infeed_line(first) : nullptr;
  if (line != nullptr)
    execution.infeed_turn = [line, launch = command.step] { return take_turn(*line, launch); };
  return execution;
}

// The units of the chip, for a launch from any source.
void Commander::equip(const Loaded& loaded, Execution& execution) {
  const program::Executable& executable = loaded.executable;
  execution.numerics = executable.numerics;
  execution.status = &setup_.worker_status.status();
  execution.vmem = &setup_.chip.vmem;
  execution.mxu = setup_.chip.mxu.get();
  execution.kernels = &setup_.chip.kernels;
  execution.collectives = &collectives_;
  execution.fallback = fallback_ ? &*fallback_ : nullptr;
  execution.watch = watch_ ? &*watch_ : nullptr;
}

void Commander::on(const Execute& command, CommandSource& source) {
  setup_.gates.require(configs::Phase::programs_allowed, "a launch");
  const auto found = programs_.find(command.program);
  UNDERSTUDY_ASSERT(found != programs_.end());
  setup_.at_work.set(found->second.op_names);
  setup_.worker_status.status().step.store(static_cast<std::uint64_t>(command.step),
                                           std::memory_order_relaxed);
  // Per launch: a host process may choose another algorithm for each.
  collectives_.use_algorithm(command.collectives);

  configs::Stepped stepped;
  stepped.index = command.step;
  stepped.start_ns = wall_nanoseconds();
  const auto drop = [&](void*) {
    for (const BufferName result : command.results)
      if (buffers_.contains(result)) on(FreeBuffer{result}, source);
  };
  // Frees the results of a launch that throws; release() below keeps those of a success.
  std::unique_ptr<void, decltype(drop)> results(this, drop);
  // Arguments are checked and results allocated before any code runs.
  Execution execution = bind(found->second, command);
  const Scratch scratch(setup_.chip.hbm, found->second.executable.temporary_bytes);
  execution.temporaries = scratch.start();
  work_through(found->second, command, execution);
  stepped.end_ns = wall_nanoseconds();
  held_checks_ = execution.checks.held;
  if (const auto& violation = execution.checks.violation) {
    setup_.worker_status.status().op.store(violation->op + 1, std::memory_order_relaxed);
    throw Error(ErrorKind::check, violation->text);
  }
  static_cast<void>(results.release());
  // A later failure does not belong to the launch's last operation.
  setup_.worker_status.status().op.store(0, std::memory_order_relaxed);
  ++totals_.executes;
  if (setup_.notes_scalars) stepped.scalars = scalars_of(command);
  if (setup_.notes_launches) setup_.record.append(stepped);
}

void Commander::work_through(const Loaded& loaded, const Execute& command, Execution& execution) {
  if (fallback_) fallback_->begin(*loaded.op_names);
  run(loaded.executable.code, execution);
  if (fallback_) {
    std::span<std::byte> first;
    if (!command.results.empty()) {
      const Held& result = held(command.results.front());
      first = {result.start, static_cast<std::size_t>(result.type.bytes())};
    }
    fallback_->end(first);
  }
  if (setup_.faults.hbm_leak > 0)
    setup_.chip.hbm.allocate(setup_.faults.hbm_leak,
                             fmt::format("memory leaked by step {}", command.step));
}

// Scalar results of a step, such as the loss, for the record. Complex numbers have no single value.
std::vector<std::pair<std::int64_t, double>> Commander::scalars_of(const Execute& command) const {
  std::vector<std::pair<std::int64_t, double>> scalars;
  for (std::size_t i = 0; i < command.results.size(); ++i) {
    const Held& result = held(command.results[i]);
    if (result.type.ndims() != 0 || program::is_complex(result.type.element)) continue;
    const auto convert =
        setup_.chip.kernels.convert(result.type.element, program::ElementType::f64);
    if (convert == nullptr) continue;
    double value = 0;
    convert(result.start, &value, 1);
    scalars.emplace_back(static_cast<std::int64_t>(i), value);
  }
  return scalars;
}

void Commander::on(const GetBuffer& command, CommandSource& source) {
  const Held& buffer = held(command.buffer);
  const std::span<const std::byte> bytes(buffer.start,
                                         static_cast<std::size_t>(buffer.type.bytes()));
  if (setup_.notes_launches) {
    const NonFiniteCount count = count_non_finite(buffer.type.element, bytes);
    setup_.record.append(configs::ResultSeen{command.result, digest_of(bytes),
                                             std::string(program::mlir_name(buffer.type.element)),
                                             buffer.type.shape, count.nans, count.infinities});
  }
  if (command.bytes) source.deliver(command, buffer.type, bytes);
}

void Commander::on(const FreeBuffer& command, CommandSource& /*source*/) {
  setup_.chip.hbm.free(held(command.buffer).start);
  buffers_.erase(command.buffer);
  ++counts_.data_handles_destroyed;
}

void Commander::on(const CollectCounters& /*command*/, CommandSource& /*source*/) {
  totals_.instructions = static_cast<std::int64_t>(
      setup_.worker_status.status().instructions.load(std::memory_order_relaxed));
  totals_.counters = counts_.named(totals_.executes);
  if (fallback_) fallback_->add_to(*totals_.counters);
  // The end of a run's record: totals, one line per kind and algorithm of collectives, memory.
  setup_.record.append(totals_);
  for (const configs::CollectiveCount& count : collectives_.counts()) setup_.record.append(count);
  setup_.record.append(configs::MemorySeen{
      hbm_predicted_, std::max(setup_.chip.hbm.peak(), client_peak_), setup_.chip.hbm.capacity()});
}

}  // namespace understudy::worker
