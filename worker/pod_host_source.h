// SPDX-License-Identifier: Apache-2.0
// Commands from the PodHost of the launcher, over a socket in the run folder. Each command
// is a frame and gets one answer frame (configs/launch/message/pod_message.h). An error that leaves
// all chips in step is sent to it, and the worker goes on; any other error ends the worker.
// Call from the executor thread only. Equivalents: the runtime side of a PJRT client.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <string>

#include "configs/base/ids.h"
#include "configs/base/unix_socket.h"
#include "configs/launch/message/frame.h"
#include "configs/launch/message/pod_message.h"
#include "worker/commands.h"
#include "worker/pod/worker_status.h"

namespace understudy::worker {

class PodHostSource final : public CommandSource {
 public:
  // Connects and sends the greeting. Bytes from the launcher count as progress in `worker_status`,
  // which outlives this; waiting without receiving any is not progress. *Throws* Error{system}.
  PodHostSource(const std::string& socket_path, Rank rank, WorkerStatus& worker_status);

  // *Throws* Error{system} where the launcher closes the connection without "finish".
  std::optional<Command> next() override;
  void deliver(const GetBuffer& asked, const program::TensorType& type,
               std::span<const std::byte> bytes) override;
  void answer(const Command& command, const Answer& answer) override;

 private:
  // The current command and its answer so far: it may become several of our commands.
  struct Asked {
    configs::PodCommand command;
    std::size_t steps = 1;
    configs::PodAnswer answer;
  };

  // Buffer names from here up are this worker's own; the host's are below.
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
  std::map<ProgramName, std::size_t> results_;  // result count of each loaded program
  std::vector<std::byte> got_;                  // the body of the next answer
  BufferName fresh_ = kOwnBuffers;              // next name for unnamed results
  bool finished_ = false;
};

}  // namespace understudy::worker
