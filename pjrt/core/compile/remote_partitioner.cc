// SPDX-License-Identifier: Apache-2.0
#include "pjrt/core/compile/remote_partitioner.h"

#include <array>
#include <span>
#include <utility>
#include <vector>

#include "configs/base/error.h"
#include "configs/base/unix_socket.h"
#include "configs/launch/message/frame.h"
#include "configs/launch/message/partition_message.h"

namespace understudy::pjrt {
namespace {

configs::PartitionQuestion question_of(const program::PartitionRequest& request,
                                       std::int64_t host) {
  configs::PartitionQuestion question;
  question.host = host;
  question.file = request.file;
  question.entry = request.entry;
  question.replicas = request.replicas;
  question.partitions = request.partitions;
  question.device_order = request.device_order;
  question.shardy = request.shardy;
  question.propagate_to_parameters.assign(request.propagate_to_parameters.begin(),
                                          request.propagate_to_parameters.end());
  question.propagate_to_output.assign(request.propagate_to_output.begin(),
                                      request.propagate_to_output.end());
  return question;
}

configs::Frame receive(const Socket& socket, Deadline deadline) {
  constexpr std::size_t kPiece = 1 << 16;
  std::array<std::byte, kPiece> piece;
  configs::FrameDecoder decoder;
  for (;;) {
    const auto got = socket.receive(piece, deadline);
    if (!got) throw Error(ErrorKind::timeout, "the launcher did not partition the program in time");
    if (*got == 0) throw Error(ErrorKind::system, "the launcher has ended");
    decoder.feed(std::span(piece).first(*got));
    if (auto frame = decoder.next()) return std::move(*frame);
  }
}

}  // namespace

program::PerChipProgram RemotePartitioner::partition(const program::PartitionRequest& request) {
  if (run_folder_.empty())
    throw Error(ErrorKind::unsupported,
                "the program has sharded arrays outside of shard_map, and this process has no "
                "launcher that partitions it")
        .note("start the script with: understudy run --slice v6e-4 -- python script.py");
  const Deadline deadline = Deadline::after(limit_);
  // One connection per question: it ends with the question, so an answer cannot be taken for that
  // of another thread.
  const Socket socket = Socket::connect(run_folder_ + "/" + std::string(configs::kPartitionSocket));
  socket.send(configs::encode(configs::to_json(question_of(request, host_)),
                              std::as_bytes(std::span(request.program))),
              deadline);
  configs::Frame frame = receive(socket, deadline);
  configs::PartitionReply reply = configs::read_partition_reply(frame.head);
  if (!reply.error_kind.empty()) {
    Error error(error_kind_of(reply.error_kind).value_or(ErrorKind::internal), reply.error);
    for (std::string& note : reply.notes) error.note(std::move(note));
    throw error;
  }
  return {{reinterpret_cast<const char*>(frame.body.data()), frame.body.size()},
          std::move(reply.warnings)};
}

}  // namespace understudy::pjrt
