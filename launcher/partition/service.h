// SPDX-License-Identifier: Apache-2.0
// The partitioner of a run with host processes: answers their questions over a socket, one after
// the other, from the cache or with the one helper process that they share. Hosts of one program
// ask the same question; the first one pays for it. Its thread owns the helper. Thread-compatible.
#pragma once

#include <cstddef>
#include <functional>
#include <list>
#include <string>
#include <thread>
#include <utility>

#include "configs/base/unix_socket.h"
#include "configs/launch/message/frame.h"
#include "configs/launch/message/partition_message.h"
#include "launcher/partition/partitioning.h"

namespace understudy::launcher {

class PartitionService {
 public:
  using Remark = std::function<void(const std::string&)>;

  // Listens at `path`. No helper is started before a question needs one. `remark` gets the
  // partitioner's warnings about programs, once each. *Throws* Error{system}.
  PartitionService(const std::string& path, PartitionerPlaces places, CacheChoice cache,
                   Remark remark);
  // Ends the helper. A question that is being answered is answered first.
  ~PartitionService();
  PartitionService(const PartitionService&) = delete;
  PartitionService& operator=(const PartitionService&) = delete;

 private:
  struct Line {
    Socket socket;
    configs::FrameDecoder decoder;
  };
  struct Kept {
    std::string question;  // head and body
    program::PerChipProgram made;
  };

  void serve(const std::stop_token& stop);
  void hear(Line& line, Partitioning& partitioning);  // closes it after the answer
  void answer(const Socket& to, const configs::Frame& question, Partitioning& partitioning);
  program::PerChipProgram made_for(const configs::Frame& question, Partitioning& partitioning,
                                   bool& cached);

  Socket listening_;
  PartitionerPlaces places_;
  CacheChoice cache_;
  Remark remark_;
  // The latest answers, newest first, for the other hosts: the cache on disk may be off.
  std::list<Kept> kept_;
  std::jthread thread_;
};

}  // namespace understudy::launcher
