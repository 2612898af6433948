// SPDX-License-Identifier: Apache-2.0
#include "worker/pod_host_source.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <utility>

#include "configs/base/deadline.h"
#include "program/executable/numerics.h"

namespace understudy::worker {
namespace {

constexpr Seconds kSendTimeout{60};  // until the launcher must have read an answer
constexpr Seconds kPollInterval{1};  // of one receive, which is repeated without a limit

std::vector<std::string> texts_of(const std::vector<program::TensorType>& types) {
  std::vector<std::string> texts;
  for (const program::TensorType& type : types) texts.push_back(program::text_of(type));
  return texts;
}

}  // namespace

PodHostSource::PodHostSource(const std::string& socket_path, Rank rank, WorkerStatus& worker_status)
    : worker_status_(worker_status), socket_(Socket::connect(socket_path)) {
  // The socket file serves all workers of the machine: the greeting says which one this is.
  send(to_json(configs::PodGreeting{rank.value}));
}

void PodHostSource::send(const std::string& head, std::span<const std::byte> body) {
  socket_.send(configs::encode(head, body), Deadline::after(kSendTimeout));
}

configs::Frame PodHostSource::receive() {
  // Bytes per read.
  constexpr std::size_t kPiece = 1 << 16;
  std::array<std::byte, kPiece> piece;
  for (;;) {
    if (auto frame = decoder_.next()) return std::move(*frame);
    const auto got = socket_.receive(piece, Deadline::after(kPollInterval));
    if (got && *got == 0)
      throw Error(ErrorKind::system,
                  "the launcher closed the command socket before it sent \"finish\"");
    // No bytes within kPollInterval: wait on. Not counted as progress, so that peers and the
    // launcher can tell a silent launcher from a busy worker.
    if (!got) continue;
    worker_status_.progressed();
    decoder_.feed(std::span(piece).first(*got));
  }
}

std::optional<Command> PodHostSource::next() {
  while (queue_.empty() && !finished_) translate(receive());
  if (queue_.empty()) return std::nullopt;
  Command command = std::move(queue_.front());
  queue_.pop_front();
  return command;
}

void PodHostSource::translate(configs::Frame frame) {
  const configs::PodCommand command = configs::read_command(frame.head);
  if (command.command == configs::PodVerb::finish) {
    finished_ = true;
    return;
  }
  // One command at a time: the host waits for the answer before it sends the next one.
  asked_ = Asked{command, 1, {}};
  asked_->answer.command = command.command;
  asked_->answer.program = command.program;
  switch (command.command) {
    case configs::PodVerb::load:
      return load(command, std::move(frame.body));
    case configs::PodVerb::execute:
      return execute(command);
    case configs::PodVerb::unload:
      return unload(command);
    case configs::PodVerb::put:
      return put(command, std::move(frame.body));
    case configs::PodVerb::get:
      queue_.emplace_back(GetBuffer{command.buffer});
      return;
    case configs::PodVerb::free:
      queue_.emplace_back(FreeBuffer{command.buffer});
      return;
    case configs::PodVerb::finish:
      return;
  }
}

void PodHostSource::load(const configs::PodCommand& command, std::vector<std::byte> text) {
  if (results_.contains(command.program))
    throw Error(ErrorKind::protocol, fmt::format("program {} is already loaded", command.program));
  LoadProgram load;
  load.program = command.program;
  load.text =
      std::make_shared<const std::string>(reinterpret_cast<const char*>(text.data()), text.size());
  load.path = command.path;
  load.numerics = program::numerics_named(command.numerics);
  load.entry = command.entry;
  load.replicas = command.replicas;
  // A host may use any block of chips of its pod.
  load.part_of_pod = true;
  queue_.emplace_back(std::move(load));
}

// Results that the host does not name get names of ours and are freed right after the launch: the
// program's own checks have seen them by then.
void PodHostSource::execute(const configs::PodCommand& command) {
  const auto found = results_.find(command.program);
  if (found == results_.end())
    throw Error(ErrorKind::protocol, fmt::format("program {} is not loaded", command.program));
  Execute execute;
  execute.program = command.program;
  execute.step = command.launch;
  execute.collectives = command.collectives;
  execute.arguments = command.arguments;
  execute.results = command.results;
  std::vector<BufferName> results;
  if (execute.results.empty())
    for (std::size_t i = 0; i < found->second; ++i) results.push_back(fresh_++);
  if (execute.results.empty()) execute.results = results;
  asked_->steps = 1 + results.size();
  queue_.emplace_back(std::move(execute));
  for (const BufferName result : results) queue_.emplace_back(FreeBuffer{result});
}

void PodHostSource::unload(const configs::PodCommand& command) {
  if (results_.erase(command.program) == 0)
    throw Error(ErrorKind::protocol, fmt::format("program {} is not loaded", command.program));
  queue_.emplace_back(UnloadProgram{command.program});
}

void PodHostSource::put(const configs::PodCommand& command, std::vector<std::byte> bytes) {
  const auto element = program::element_type_of_mlir(command.element);
  if (!element)
    throw Error(ErrorKind::protocol, fmt::format("unknown element type \"{}\"", command.element));
  queue_.emplace_back(PutBuffer{command.buffer, program::TensorType{*element, command.shape},
                                std::make_shared<const std::vector<std::byte>>(std::move(bytes))});
}

void PodHostSource::deliver(const GetBuffer& /*asked*/, const program::TensorType& /*type*/,
                            std::span<const std::byte> bytes) {
  got_.assign(bytes.begin(), bytes.end());
}

void PodHostSource::answer(const Command& command, const Answer& answer) {
  UNDERSTUDY_ASSERT(asked_ && asked_->steps > 0);
  configs::PodAnswer& told = asked_->answer;
  if (answer.error != nullptr) {
    // The chips may be out of step: only the end of the pod is safe.
    if (!leaves_chips_in_step(answer.error->kind())) throw *answer.error;
    told.error_kind = name_of(answer.error->kind());
    told.error = answer.error->place() ? answer.error->text() : answer.error->message();
    told.op = answer.op;
    asked_->steps = 1;  // a failed launch leaves no results to free
    queue_.clear();
  }
  told.checks += answer.checks;
  if (answer.loaded != nullptr) {
    told.arguments = texts_of(answer.loaded->arguments);
    told.results = texts_of(answer.loaded->results);
    results_[std::get<LoadProgram>(command).program] = answer.loaded->results.size();
  }
  // The answer goes out with the last of our own commands.
  if (--asked_->steps > 0) return;
  send(to_json(told), got_);
  got_.clear();
  asked_.reset();
}

}  // namespace understudy::worker
