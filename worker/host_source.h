// SPDX-License-Identifier: Apache-2.0
// Commands from a host process of the same machine, over a socket in the run folder: each is a
// frame, each is answered by one (configs/launch/pod_message.h). What a program did wrong is told
// to the host, and the worker goes on; what leaves the pod in doubt ends the worker. Call from the
// executor thread only. Equivalents: the runtime side of a PJRT client.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <string>

#include "configs/base/ids.h"
#include "configs/base/unix_socket.h"
#include "configs/launch/frame.h"
#include "configs/launch/pod_message.h"
#include "worker/commands.h"
#include "worker/pod/worker_status.h"

namespace understudy::worker {

class HostSource final : public CommandSource {
 public:
  // Connects and greets. Bytes of the host count in `worker_status`, which outlives this: to wait
  // for the host without any is no progress. *Throws* Error{system}.
  HostSource(const std::string& socket_path, Rank rank, WorkerStatus& worker_status);

  // *Throws* Error{system} where the host went without a word.
  std::optional<Command> next() override;
  void deliver(const GetBuffer& asked, const program::TensorType& type,
               std::span<const std::byte> bytes) override;
  void answer(const Command& command, const Answer& answer) override;

 private:
  // What is left to answer of one command of the host, which may be several of ours.
  struct Asked {
    configs::PodCommand command;
    std::size_t steps = 1;
    configs::PodAnswer answer;
  };

  // Names of buffers from here on are ours, below are the host's.
  static constexpr BufferName kOwnBuffers = BufferName{1} << 63;

  configs::Frame receive();
  void translate(configs::Frame frame);
  void load(const configs::PodCommand& command, std::vector<std::byte> text);
  void execute(const configs::PodCommand& command);
  void unload(const configs::PodCommand& command);
  void put(const configs::PodCommand& command, std::vector<std::byte> bytes);
  void send(const std::string& head, std::span<const std::byte> body = {});

  WorkerStatus& worker_status_;
  Socket socket_;
  configs::FrameDecoder decoder_;
  std::optional<Asked> asked_;
  std::deque<Command> queue_;
  std::map<ProgramName, std::size_t> results_;  // how many each loaded program gives
  std::vector<std::byte> got_;                  // the body of the next answer
  BufferName fresh_ = kOwnBuffers;              // of results that nobody names
  bool finished_ = false;
};

}  // namespace understudy::worker
