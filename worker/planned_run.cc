// SPDX-License-Identifier: Apache-2.0
#include "worker/planned_run.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <utility>

#include "configs/base/diagnosis_id.h"
#include "configs/base/digest.h"
#include "configs/base/error.h"
#include "configs/base/file.h"
#include "program/executable/numerics.h"

namespace understudy::worker {
namespace {

constexpr ProgramName kProgram = 1;

program::TensorType type_of(const configs::PlannedArray& array) {
  const auto element = program::element_type_of_mlir(array.element);
  if (!element) {
    throw Error(ErrorKind::config,
                fmt::format("the plan has an unknown element type \"{}\"", array.element));
  }
  return {*element, array.shape};
}

// The lowest rank that holds a tile sends it back.
Rank holder_of(const configs::PlannedArray& array, std::int64_t tile) {
  const auto found = std::find(array.tile_of.begin(), array.tile_of.end(), tile);
  UNDERSTUDY_ASSERT(found != array.tile_of.end());
  return Rank(found - array.tile_of.begin());
}

std::int64_t tile_held_by(const configs::PlannedArray& array, Rank rank) {
  return array.tile_of.at(static_cast<std::size_t>(rank.value));
}

}  // namespace

PlannedRun::PlannedRun(const configs::RunPlan& plan, std::shared_ptr<const std::string> program,
                       std::vector<std::string> others, std::string run_dir,
                       ControlChannel& control_channel, WorkerStatus& worker_status)
    : plan_(plan),
      program_(std::move(program)),
      others_(std::move(others)),
      run_dir_(std::move(run_dir)),
      control_channel_(control_channel),
      worker_status_(worker_status) {}

std::optional<Command> PlannedRun::next() {
  // One phase is expanded at a time, so that a tile is only read when its command is due.
  while (queue_.empty()) {
    if (!loaded_) {
      load();
    } else if (next_argument_ < plan_.arguments.size()) {
      put(next_argument_++);
    } else if (next_step_ < plan_.steps) {
      step();
    } else if (!got_) {
      get();
    } else {
      return std::nullopt;
    }
  }
  Command command = std::move(queue_.front());
  queue_.pop_front();
  return command;
}

std::string path_in(const std::string& run_dir, const std::string& file) {
  return file.starts_with('/') ? file : run_dir + "/" + file;
}

void PlannedRun::load() {
  loaded_ = true;
  LoadProgram command;
  command.program = kProgram;
  command.text = program_;
  const configs::PlannedProgram* const other =
      configs::other_program_of(plan_, control_channel_.rank());
  command.path = other == nullptr ? plan_.program_path : other->path;
  // The plan's digest is only valid for the unmodified program: a rank that runs another one (or
  // one that a fault has damaged) leaves it empty, and the commander computes it.
  if (digest_of(std::string_view(*program_)) == plan_.program_source_digest)
    command.digest = plan_.program_digest;
  command.numerics = program::numerics_named(plan_.numerics);
  command.replicas = plan_.replicas;
  command.disabled_passes = plan_.disabled_passes;
  command.poison = plan_.poison;
  if (other == nullptr) {
    auto& types = command.types.emplace();
    for (const configs::PlannedArray& one : plan_.arguments)
      types.arguments.push_back(type_of(one));
    for (const configs::PlannedArray& one : plan_.results) types.results.push_back(type_of(one));
  }
  queue_.emplace_back(std::move(command));
}

Bytes PlannedRun::read_tile(const configs::PlannedArray& array, std::size_t tile) const {
  if (array.steps > 1) tile += array.files_of_step(next_step_);
  // A large file takes long on a slow disk: heartbeats count as progress meanwhile.
  const BusyScope reading(worker_status_);
  const std::string path = path_in(run_dir_, array.files.at(tile));
  const auto expected = static_cast<std::size_t>(type_of(array).bytes());
  // Reads no more than expected, and learns the file's whole size: a giant file costs no memory.
  FileStart tile_file = read_file_start(path, expected);
  if (tile_file.file_bytes != expected || tile_file.bytes.size() != expected) {
    throw Error(ErrorKind::input,
                fmt::format("{} has {} bytes, expected {}", path, tile_file.file_bytes, expected));
  }
  return std::move(tile_file.bytes);
}

void PlannedRun::write_tile(const std::string& file, std::span<const std::byte> bytes) const {
  const BusyScope writing(worker_status_);
  write_file_atomically(path_in(run_dir_, file), bytes);
}

// Rank 0 reads each tile once. A tile that all ranks hold goes through the broadcast tree; other
// tiles go directly to their holders.
std::shared_ptr<const Bytes> PlannedRun::own_tile(const configs::PlannedArray& array,
                                                  std::string_view what) {
  const std::size_t tiles = array.files_of_step(1);
  if (tiles == 1 && std::ranges::count(array.tile_of, 0) == control_channel_.size()) {
    Bytes tile = control_channel_.is_root() ? read_tile(array, 0) : Bytes();
    return std::make_shared<const Bytes>(control_channel_.broadcast(std::move(tile), what));
  }
  if (!control_channel_.is_root()) {
    return std::make_shared<const Bytes>(control_channel_.receive(Rank(0), what));
  }
  std::shared_ptr<const Bytes> own;
  for (std::size_t tile = 0; tile < tiles; ++tile) {
    auto bytes = std::make_shared<const Bytes>(read_tile(array, tile));
    for (int rank = 0; rank < control_channel_.size(); ++rank) {
      if (tile_held_by(array, Rank(rank)) != static_cast<std::int64_t>(tile)) continue;
      if (rank == 0) {
        own = bytes;
      } else {
        control_channel_.send(Rank(rank), *bytes, what);
      }
    }
  }
  // Every rank holds exactly one tile of each array, rank 0 too.
  UNDERSTUDY_ASSERT(own != nullptr);
  return own;
}

void PlannedRun::put(std::size_t argument) {
  // The tile is read or received now; peers are in the same call, in the same order.
  const configs::PlannedArray& array = plan_.arguments[argument];
  arguments_.push_back(fresh_++);
  queue_.emplace_back(PutBuffer{arguments_.back(), type_of(array),
                                own_tile(array, fmt::format("argument {}", argument)),
                                is_on_host(argument)});
}

void PlannedRun::answer(const Command& command, const Answer& answer) {
  CommandSource::answer(command, answer);
  const auto* const load = std::get_if<LoadProgram>(&command);
  if (load == nullptr || load->program != kProgram || answer.loaded == nullptr) return;
  host_arguments_ = answer.loaded->host_arguments;
  for (const program::Donation& one : answer.loaded->donations) donated_.push_back(one.argument);
}

// Replaces the buffers of arguments that have their own data in each step. The first step's were
// put with all other arguments. The old buffer is freed first, so that HBM holds one of them.
void PlannedRun::put_data_of_step() {
  for (std::size_t i = 0; i < plan_.arguments.size(); ++i) {
    const configs::PlannedArray& array = plan_.arguments[i];
    if (array.steps == 1) continue;
    if (!gone_.contains(arguments_[i])) queue_.emplace_back(FreeBuffer{arguments_[i]});
    arguments_[i] = fresh_++;
    queue_.emplace_back(PutBuffer{
        arguments_[i], type_of(array),
        own_tile(array, fmt::format("argument {} of step {}", i, next_step_)), is_on_host(i)});
  }
}

void PlannedRun::step() {
  const bool is_first = next_step_ == 0;
  if (!is_first) {
    carry_over(results_);
    put_data_of_step();
  }
  results_.clear();
  for (std::size_t i = 0; i < plan_.results.size(); ++i) results_.push_back(fresh_++);
  const ProgramName program = program_of_step();
  // A step with its own program may replace some arguments; all others, also carried ones, are
  // shared.
  std::vector<BufferName> arguments = arguments_;
  for (const auto& [index, buffer] : instead_[program]) arguments.at(index) = buffer;
  Execute command{program, std::move(arguments), results_, {}, next_step_, plan_.collectives};
  if (program == kProgram) command.donated = donated();
  for (const std::size_t argument : command.donated) gone_.insert(command.arguments[argument]);
  queue_.emplace_back(std::move(command));
  ++next_step_;
}

// The program of the next step. The shape guard is checked here, at the point where a tracing
// framework would look for an executable of the new shape.
ProgramName PlannedRun::program_of_step() {
  const configs::PlannedProgram* const other = configs::step_program_of(plan_, next_step_);
  if (other == nullptr) return kProgram;
  if (plan_.shape_guard == "strict")
    throw Error(ErrorKind::check,
                fmt::format("step {} runs a different program than the first step: {}", next_step_,
                            other->difference))
        .diagnosed(name_of(DiagnosisId::recompiles))
        .note("the shape guard is strict: it refuses a program that needs a new compile");
  return load_of_step(*other);
}

ProgramName PlannedRun::load_of_step(const configs::PlannedProgram& planned) {
  const auto index = static_cast<std::size_t>(&planned - plan_.other_programs.data());
  // Names follow the plan's order, so all ranks agree on them without a message.
  const ProgramName name = kProgram + 1 + index;
  // Loaded by an earlier step.
  if (!known_.insert(name).second) return name;
  LoadProgram command;
  command.program = name;
  command.text = std::make_shared<const std::string>(others_.at(index));
  command.path = planned.path;
  command.digest = planned.digest;
  command.numerics = program::numerics_named(plan_.numerics);
  command.replicas = plan_.replicas;
  command.disabled_passes = plan_.disabled_passes;
  command.poison = plan_.poison;
  queue_.emplace_back(std::move(command));
  for (std::size_t i = 0; i < planned.arguments.size(); ++i) {
    const configs::PlannedArray& array = planned.arguments[i];
    if (array.files.empty()) continue;
    instead_[name][i] = fresh_;
    queue_.emplace_back(PutBuffer{fresh_++, type_of(array),
                                  own_tile(array, fmt::format("argument {} of a step", i))});
  }
  return name;
}

bool PlannedRun::asks_for(const configs::PlannedArray& result) const {
  if (result.files.empty()) return false;
  // Rank 0 asks for every result that is written: in deliver() it receives the other tiles.
  return control_channel_.is_root() ||
         holder_of(result, tile_held_by(result, control_channel_.rank())) ==
             control_channel_.rank();
}

void PlannedRun::get() {
  got_ = true;
  for (std::size_t i = 0; i < results_.size(); ++i) {
    queue_.emplace_back(
        GetBuffer{results_[i], static_cast<std::int64_t>(i), asks_for(plan_.results[i])});
  }
  // The counters come last, so that they include the reads of the results.
  queue_.emplace_back(CollectCounters{});
}

void PlannedRun::deliver(const GetBuffer& asked, const program::TensorType& type,
                         std::span<const std::byte> bytes) {
  const configs::PlannedArray& array = plan_.results.at(static_cast<std::size_t>(asked.result));
  UNDERSTUDY_ASSERT(type == type_of(array));
  const std::string what = fmt::format("result {}", asked.result);
  if (!control_channel_.is_root()) {
    control_channel_.send(Rank(0), bytes, what);
    return;
  }
  for (std::size_t tile = 0; tile < array.files.size(); ++tile) {
    const Rank holder = holder_of(array, static_cast<std::int64_t>(tile));
    if (holder == control_channel_.rank()) {
      write_tile(array.files[tile], bytes);
    } else {
      write_tile(array.files[tile], control_channel_.receive(holder, what));
    }
  }
}

}  // namespace understudy::worker
