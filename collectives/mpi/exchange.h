// SPDX-License-Identifier: Apache-2.0
// A batch of messages over MPI. Each message has its own Outgoing or Incoming; all of them make
// progress at the same time. Call from the main thread only.
#pragma once

#include <memory>
#include <vector>

#include "collectives/doorbell.h"
#include "collectives/mpi/job.h"
#include "collectives/mpi/link.h"

namespace understudy::collectives {

// Created when a batch first needs them, and kept until the transport ends: MPI may still access
// their buffers.
struct MpiLinks {
  explicit MpiLinks(const Communicator& world) : communicator(world) {}
  Outgoing& outgoing_at(std::size_t i);
  Incoming& incoming_at(std::size_t i);

  const Communicator& communicator;
  std::vector<std::unique_ptr<Outgoing>> outgoing;
  std::vector<std::unique_ptr<Incoming>> incoming;
};

class MpiExchange final : public MpiJob {
 public:
  // The references must outlive the job.
  MpiExchange(MpiLinks& links, Doorbells& doorbells, std::span<const Outbound> out,
              std::span<Inbound> in, Stream stream, const MessageHeader& header,
              const Waiting& waiting);

  void start() override;
  bool advance() override;
  bool done() const override;
  bool needs_polling() const override;
  bool lingers() const override;
  void add_awaited(std::vector<Rank>& peers) const override;
  const std::string& what() const override { return waiting_.what; }
  TrafficCount sent() const override;

 private:
  MpiLinks& links_;
  Doorbells& doorbells_;
  const std::span<const Outbound> out_;
  const std::span<Inbound> in_;
  const Stream stream_;
  const MessageHeader& header_;
  const Waiting& waiting_;
};

}  // namespace understudy::collectives
