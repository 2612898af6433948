// SPDX-License-Identifier: Apache-2.0
// The host side of the command protocol of a pod: accepts the connections of workers, sends
// commands, receives answers (configs/launch/message/pod_message.h). Call from one thread only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "configs/base/deadline.h"
#include "configs/base/ids.h"
#include "configs/base/unix_socket.h"
#include "configs/launch/message/frame.h"
#include "configs/launch/message/pod_message.h"

namespace understudy::launcher {

class PodHost {
 public:
  // Listens at `path`. *Throws* Error{system}.
  explicit PodHost(const std::string& path);

  struct Event {
    enum class Kind : std::uint8_t { greeted, answered, gone };
    Kind kind = Kind::greeted;
    Rank rank;
    configs::PodAnswer answer = {};    // of an `answered` event
    std::vector<std::byte> body = {};  // of the answer
  };
  // Returns at least one event, or none after `wait_limit`.
  std::vector<Event> wait(Seconds wait_limit);

  // *Requires*: the rank has connected. If it has just ended, the command is dropped; its end is an
  // event of wait(). *Throws* Error{timeout} if the worker does not take the command.
  void send(Rank rank, const configs::PodCommand& command, std::span<const std::byte> body = {});

 private:
  struct Line {
    Socket socket;
    configs::FrameDecoder decoder;
    std::optional<Rank> rank;
    bool closed = false;
  };
  void hear(Line& line, std::vector<Event>& events);

  Socket listening_;
  std::vector<Line> lines_;
};

}  // namespace understudy::launcher
