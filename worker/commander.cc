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
#include "configs/base/deadline.h"
#include "configs/base/digest.h"
#include "configs/base/error.h"
#include "configs/base/host_memory.h"
#include "program/compile.h"
#include "program/executable/numerics.h"
#include "program/read.h"
#include "worker/chip/bound_code.h"
#include "worker/hbm/capacity.h"

namespace understudy::worker {
namespace {

// Wall clock, not monotonic: a step lasts from the first chip's start to the last chip's end, and
// chips may be on several machines whose clocks were compared at the contract gate.
std::int64_t wall_nanoseconds() {
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  return now.tv_sec * kNanosecondsPerSecond + now.tv_nsec;
}

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

// The temporaries of one launch, freed also when the launch throws.
class Commander::Scratch {
 public:
  Scratch(Commander& commander, const program::Executable& executable)
      : commander_(commander),
        start_(reserve_for_program(commander.setup_.chip.hbm, executable.temporary_bytes,
                                   "temporaries")) {
    commander.poison(start_, executable.temporary_bytes);
    if (executable.host_temporary_bytes == 0) return;
    host_ = commander.host_memory_.allocate(executable.host_temporary_bytes, "host temporaries");
  }
  ~Scratch() {
    commander_.setup_.chip.hbm.free(start_);
    if (host_ != nullptr) commander_.host_memory_.free(host_);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  std::byte* start() const { return start_; }
  std::byte* host() const { return host_; }

 private:
  Commander& commander_;
  std::byte* start_;
  std::byte* host_ = nullptr;
};

Commander::Commander(CommanderSetup setup)
    : setup_(std::move(setup)),
      cache_(setup_.cache),
      collectives_(setup_.fabric, setup_.hooks),
      host_memory_(setup_.host_bytes > 0 ? setup_.host_bytes : host_memory_bytes()),
      pcie_(setup_.premapped_bytes) {
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
  if (std::holds_alternative<LoadProgram>(command))
    setup_.worker_status.status().op.store(0, std::memory_order_relaxed);
  try {
    std::visit([&](const auto& known) { on(known, source); }, command);
  } catch (const Error& thrown) {
    error = thrown;
    answer.error = &*error;
    // A load that does not fit points at its largest operation.
    if (std::holds_alternative<Execute>(command) || std::holds_alternative<Launch>(command) ||
        std::holds_alternative<LoadProgram>(command))
      // status().op holds the ordinal + 1.
      answer.op =
          std::int64_t{setup_.worker_status.status().op.load(std::memory_order_relaxed)} - 1;
  }
  answer.checks = held_checks_;
  if (const auto* load = std::get_if<LoadProgram>(&command); load != nullptr && !error)
    answer.loaded = &programs_.at(load->program).executable;
  return answer;
}

// A program for fewer chips than the pod has may run on any aligned block of as many ranks.
std::int64_t Commander::number_of_this(std::int64_t processes) const {
  const std::int64_t rank = setup_.transport.rank().value;
  const std::vector<std::int64_t>& order = setup_.device_order;
  if (static_cast<std::int64_t>(order.size()) != processes) return rank % processes;
  return std::ranges::find(order, rank) - order.begin();
}

const Commander::Held& Commander::held(BufferName name) const {
  const auto found = buffers_.find(name);
  if (found == buffers_.end()) {
    throw Error(ErrorKind::internal, fmt::format("unknown buffer {}", name));
  }
  return found->second;
}

Execution Commander::bind(const Loaded& loaded, const Execute& command) {
  const program::Executable& executable = loaded.executable;
  UNDERSTUDY_ASSERT(command.arguments.size() == executable.arguments.size());
  UNDERSTUDY_ASSERT(command.results.size() == executable.results.size());
  Execution execution;
  for (std::size_t i = 0; i < command.arguments.size(); ++i) {
    const Held& buffer = settle(
        command.arguments[i],
        std::ranges::binary_search(executable.host_arguments, static_cast<std::uint32_t>(i)));
    if (buffer.type != executable.arguments[i]) {
      throw Error(ErrorKind::input,
                  fmt::format("argument {} is {}, expected {}", i, text_of(buffer.type),
                              text_of(executable.arguments[i])));
    }
    execution.arguments.push_back(buffer.start);
  }
  hold_results(loaded, command);
  for (const BufferName result : command.results) execution.results.push_back(held(result).start);
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
  execution.pcie = &pcie_;
  execution.mxu = setup_.chip.mxu.get();
  execution.fft_plans = &setup_.chip.fft_plans;
  execution.kernels = &setup_.chip.kernels;
  execution.collectives = &collectives_;
  execution.fallback = fallback_ ? &*fallback_ : nullptr;
  execution.watch = watch_ ? &*watch_ : nullptr;
}

void Commander::on(const Execute& command, CommandSource& /*source*/) {
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
      if (buffers_.contains(result)) release(result);
  };
  // Frees the results of a launch that throws; release() below keeps those of a success.
  std::unique_ptr<void, decltype(drop)> results(this, drop);
  // Arguments are checked and results allocated before any code runs.
  Execution execution = bind(found->second, command);
  predict(found->second);
  const Scratch scratch(*this, found->second.executable);
  execution.temporaries = scratch.start();
  execution.host = scratch.host();
  work_through(found->second, command, execution);
  stepped.end_ns = wall_nanoseconds();
  held_checks_ = execution.checks.held;
  if (const auto& violation = execution.checks.violation) {
    setup_.worker_status.status().op.store(violation->op + 1, std::memory_order_relaxed);
    throw Error(ErrorKind::check, violation->text);
  }
  static_cast<void>(results.release());
  for (const std::size_t argument : command.donated)
    if (buffers_.contains(command.arguments[argument])) release(command.arguments[argument]);
  // A later failure does not belong to the launch's last operation.
  setup_.worker_status.status().op.store(0, std::memory_order_relaxed);
  ++totals_.executes;
  if (setup_.notes_scalars) stepped.scalars = scalars_of(command);
  if (setup_.notes_launches) setup_.record.append(stepped);
}

void Commander::work_through(const Loaded& loaded, const Execute& command, Execution& execution) {
  if (fallback_) fallback_->begin(*loaded.op_names);
  run(*loaded.bound, execution);
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
  std::span<const std::byte> bytes(buffer.start, static_cast<std::size_t>(buffer.type.bytes()));
  if (setup_.notes_launches) {
    const NonFiniteCount count = count_non_finite(buffer.type.element, bytes);
    setup_.record.append(configs::ResultSeen{command.result, digest_of(bytes),
                                             std::string(program::mlir_name(buffer.type.element)),
                                             buffer.type.shape, count.nans, count.infinities});
  }
  if (!command.bytes) return;
  std::vector<std::byte> host;
  if (!buffer.on_host) {
    host.resize(bytes.size());
    pcie_.to_host(host.data(), bytes.data(), bytes.size());
    bytes = host;
  }
  source.deliver(command, buffer.type, bytes);
}

void Commander::on(const CollectCounters& /*command*/, CommandSource& /*source*/) {
  totals_.instructions = static_cast<std::int64_t>(
      setup_.worker_status.status().instructions.load(std::memory_order_relaxed));
  totals_.counters = counts_.named(totals_.executes);
  if (fallback_) fallback_->add_to(*totals_.counters);
  pcie_.add_to(*totals_.counters);
  // The end of a run's record: totals, one line per kind and algorithm of collectives, memory.
  setup_.record.append(totals_);
  for (const configs::CollectiveCount& count : collectives_.counts()) setup_.record.append(count);
  setup_.record.append(memory_seen());
}

}  // namespace understudy::worker
