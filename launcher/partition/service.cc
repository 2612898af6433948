// SPDX-License-Identifier: Apache-2.0
#include "launcher/partition/service.h"

#include <algorithm>
#include <array>
#include <csignal>
#include <poll.h>
#include <pthread.h>
#include <span>
#include <vector>

#include "configs/base/error.h"

namespace understudy::launcher {
namespace {

constexpr Seconds kAnswerTimeout{30};  // for a host process to take its answer
constexpr int kLookMilliseconds = 50;
// Answers of the current step of all hosts, in memory also where no cache folder is used. Each may
// have several MB.
constexpr std::size_t kMostKept = 64;

std::span<const std::byte> bytes_of(const std::string& text) {
  return std::as_bytes(std::span(text));
}

std::vector<bool> flags_of(const std::vector<std::int64_t>& numbers) {
  std::vector<bool> flags;
  for (const std::int64_t number : numbers) flags.push_back(number != 0);
  return flags;
}

program::PartitionRequest request_of(const configs::Frame& frame) {
  configs::PartitionQuestion question = configs::read_partition_question(frame.head);
  program::PartitionRequest request;
  request.program.assign(reinterpret_cast<const char*>(frame.body.data()), frame.body.size());
  request.file = std::move(question.file);
  request.entry = std::move(question.entry);
  request.replicas = question.replicas;
  request.partitions = question.partitions;
  request.device_order = std::move(question.device_order);
  request.shardy = question.shardy;
  request.propagate_to_parameters = flags_of(question.propagate_to_parameters);
  request.propagate_to_output = flags_of(question.propagate_to_output);
  return request;
}

// The host that asks is no part of what is asked.
std::string identity_of(const configs::Frame& frame) {
  configs::PartitionQuestion question = configs::read_partition_question(frame.head);
  question.host = 0;
  std::string text = configs::to_json(question);
  text.append(reinterpret_cast<const char*>(frame.body.data()), frame.body.size());
  return text;
}

}  // namespace

PartitionService::PartitionService(const std::string& path, PartitionerPlaces places,
                                   CacheChoice cache, Remark remark)
    : listening_(Socket::listen(path)),
      places_(std::move(places)),
      cache_(std::move(cache)),
      remark_(std::move(remark)),
      thread_([this](const std::stop_token& stop) { serve(stop); }) {}

PartitionService::~PartitionService() {
  thread_.request_stop();
  thread_.join();
}

// The helper ends with the thread that started it, so it lives here.
// One question at a time: hosts of one program ask the same, and the second finds the first one's
// answer.
void PartitionService::serve(const std::stop_token& stop) {
  (void)pthread_setname_np(pthread_self(), "us-partition");
  sigset_t all;
  sigfillset(&all);
  (void)pthread_sigmask(SIG_BLOCK, &all, nullptr);
  Partitioning partitioning(places_, "");
  std::list<Line> lines;
  while (!stop.stop_requested()) {
    std::vector<pollfd> entries{{listening_.get(), POLLIN, 0}};
    for (const Line& line : lines) entries.push_back({line.socket.get(), POLLIN, 0});
    if (::poll(entries.data(), entries.size(), kLookMilliseconds) <= 0) continue;
    std::size_t index = 1;
    for (Line& line : lines)
      if (entries[index++].revents != 0) hear(line, partitioning);
    std::erase_if(lines, [](const Line& line) { return line.socket.get() < 0; });
    if (entries[0].revents != 0)
      while (auto socket = listening_.accept()) lines.push_back({std::move(*socket), {}});
  }
}

void PartitionService::hear(Line& line, Partitioning& partitioning) {
  constexpr std::size_t kPiece = 1 << 16;
  std::array<std::byte, kPiece> piece;
  try {
    const auto got = line.socket.receive(piece, Deadline::after(Seconds(0)));
    if (!got) return;
    if (*got == 0) return line.socket.close();
    line.decoder.feed(std::span(piece).first(*got));
    const auto question = line.decoder.next();
    // The rest of the frame is still on its way.
    if (!question) return;
    answer(line.socket, *question, partitioning);
  } catch (const Error&) {
    // A host process that has ended, or bytes that are no question: that connection is over.
  }
  line.socket.close();
}

void PartitionService::answer(const Socket& to, const configs::Frame& question,
                              Partitioning& partitioning) {
  configs::PartitionReply reply;
  program::PerChipProgram made;
  try {
    made = made_for(question, partitioning, reply.cached);
    reply.warnings = made.warnings;
  } catch (const Error& error) {
    reply.error_kind = name_of(error.kind());
    reply.error = error.message();
    reply.notes = error.notes();
  }
  to.send(configs::encode(configs::to_json(reply), bytes_of(made.program)),
          Deadline::after(kAnswerTimeout));
}

program::PerChipProgram PartitionService::made_for(const configs::Frame& question,
                                                   Partitioning& partitioning, bool& cached) {
  std::string identity = identity_of(question);
  const auto found = std::ranges::find(kept_, identity, &Kept::question);
  if (found != kept_.end()) {
    cached = true;
    return found->made;
  }
  Partitioned partitioned = partitioning.partition(request_of(question), cache_);
  cached = partitioned.cached;
  for (const std::string& warning : partitioned.program.warnings)
    remark_("warning: XLA's partitioner: " + warning);
  kept_.push_front({std::move(identity), partitioned.program});
  if (kept_.size() > kMostKept) kept_.pop_back();
  return std::move(partitioned.program);
}

}  // namespace understudy::launcher
