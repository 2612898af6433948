// SPDX-License-Identifier: Apache-2.0
#include "launcher/pod/client.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <utility>

#include "configs/base/error.h"

namespace understudy::launcher {
namespace {

// Upper bound on how late a stop request or the deadline is noticed. Answers end the wait at once,
// so it adds no latency to a call.
constexpr Seconds kEventWait{0.05};

}  // namespace

PodClient::PodClient(PodHost& host, std::int64_t ranks, Seconds limit, std::stop_token stop)
    : host_(host),
      ranks_(ranks),
      limit_(limit),
      stop_(std::move(stop)),
      heard_(static_cast<std::size_t>(ranks)),
      bodies_(static_cast<std::size_t>(ranks)) {}

void PodClient::greet() { wait_for_all("start"); }

// The limit is one for the whole call and does not restart with each answer: all ranks work at the
// same time, so the call lasts as long as its slowest rank.
void PodClient::wait_for_all(std::string_view what) {
  const Deadline deadline = Deadline::after(limit_);
  while (std::ranges::find(heard_, false) != heard_.end()) {
    if (stop_.stop_requested()) throw Error(ErrorKind::timeout, "the pod has ended");
    if (deadline.passed()) {
      std::vector<std::size_t> missing;
      for (std::size_t rank = 0; rank < heard_.size(); ++rank)
        if (!heard_[rank]) missing.push_back(rank);
      throw Error(ErrorKind::timeout, fmt::format("{}: no answer within {:g} s from rank {}", what,
                                                  limit_.count(), fmt::join(missing, ", ")));
    }
    for (PodHost::Event& event : host_.wait(kEventWait)) {
      // A lost worker ends the call at once. The others may wait for it inside a collective and
      // would answer only after their own timeout.
      if (event.kind == PodHost::Event::Kind::gone)
        throw Error(ErrorKind::timeout, fmt::format("rank {} has ended", event.rank.value));
      const auto rank = static_cast<std::size_t>(event.rank.value);
      heard_.at(rank) = true;
      if (event.kind == PodHost::Event::Kind::greeted) continue;
      // An answer carries no number of its command. It can be matched with the current call only
      // because each call waits for all ranks before it returns.
      bodies_.at(rank) = std::move(event.body);
      if (!event.answer.error_kind.empty() && !refusal_) refusal_ = std::move(event.answer);
    }
  }
}

// Sends the command to all ranks before it waits, so the ranks work in parallel. The first error
// wins; answers of other ranks are still awaited, so that no old answer is left for the next call.
void PodClient::call(const configs::PodCommand& command, const Body& body) {
  heard_.assign(heard_.size(), false);
  refusal_.reset();
  for (std::int64_t rank = 0; rank < ranks_; ++rank)
    host_.send(Rank(rank), command, body ? body(rank) : std::span<const std::byte>{});
  wait_for_all(name_of(command.command));
  if (refusal_)
    throw Error(error_kind_of(refusal_->error_kind).value_or(ErrorKind::internal), refusal_->error);
}

void PodClient::load(const std::string& path, const std::string& text, const std::string& numerics,
                     std::int64_t replicas) {
  configs::PodCommand command;
  command.command = configs::PodVerb::load;
  // The client numbers the programs, so that all workers give the program the same id without a
  // round trip.
  command.program = ++program_;
  command.path = path;
  command.numerics = numerics;
  command.replicas = replicas;
  call(command, [&](std::int64_t) { return std::as_bytes(std::span(text.data(), text.size())); });
}

void PodClient::put(std::uint64_t buffer, const program::TensorType& type, const Body& bytes_of) {
  configs::PodCommand command;
  command.command = configs::PodVerb::put;
  command.buffer = buffer;
  command.element = program::mlir_name(type.element);
  command.shape = type.shape;
  call(command, bytes_of);
}

void PodClient::execute(const std::vector<std::uint64_t>& arguments,
                        const std::vector<std::uint64_t>& results, const std::string& collectives) {
  configs::PodCommand command;
  command.command = configs::PodVerb::execute;
  command.program = program_;
  command.launch = ++launch_;
  command.collectives = collectives;
  command.arguments = arguments;
  command.results = results;
  call(command, {});
}

std::vector<std::vector<std::byte>> PodClient::get(std::uint64_t buffer) {
  configs::PodCommand command;
  command.command = configs::PodVerb::get;
  command.buffer = buffer;
  call(command, {});
  return bodies_;
}

void PodClient::free(std::uint64_t buffer) {
  configs::PodCommand command;
  command.command = configs::PodVerb::free;
  command.buffer = buffer;
  call(command, {});
}

// Does not wait for answers: a worker that finishes closes its connection, which would arrive as
// `gone`. The end of the processes is observed by watch().
void PodClient::finish() {
  configs::PodCommand command;
  command.command = configs::PodVerb::finish;
  for (std::int64_t rank = 0; rank < ranks_; ++rank) host_.send(Rank(rank), command);
}

}  // namespace understudy::launcher
