// SPDX-License-Identifier: Apache-2.0
// Commands from the host process of a chip (pjrt/), over the chip's own socket in the run folder
// (configs/launch/message/chip_message.h). One host process at a time; when it leaves, its programs
// are unloaded and the chip waits for the next one, until the launcher sends "finish". A chip
// without work counts as alive for its peers, however long it waits, until a peer has waited for it
// longer than the launch timeout. Call from the executor thread only. Equivalents: the runtime side
// of a PJRT client.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "collectives/wait_monitor.h"
#include "configs/base/deadline.h"
#include "configs/base/error.h"
#include "configs/base/unix_socket.h"
#include "configs/launch/message/chip_message.h"
#include "configs/launch/message/frame.h"
#include "worker/commands.h"
#include "worker/pod/host_link.h"
#include "worker/pod/worker_status.h"

namespace understudy::worker {

// What the source works with; everything outlives it.
struct PjrtSourceSetup {
  std::string launcher_socket;  // its owner ends the run
  std::string own_socket;       // created here
  configs::ChipGreeting greeting;
  int memory = -1;  // descriptor of the chip's memory object
  std::span<std::byte> hbm;
  WorkerStatus& worker_status;
  collectives::PeerWatch& watch;
  std::int64_t ranks = 0;
  Seconds launch_timeout{300};
};

class PjrtSource final : public CommandSource, public HostLink {
 public:
  // Listens, and greets the launcher. *Throws* Error{system}.
  explicit PjrtSource(PjrtSourceSetup setup);

  // *Throws* Error{system} where the launcher's connection ends without "finish", Error{timeout}
  // where a peer waits longer than the launch timeout for a launch of this chip.
  std::optional<Command> next() override;
  void deliver(const GetBuffer& asked, const program::TensorType& type,
               std::span<const std::byte> bytes) override;
  void answer(const Command& command, const Answer& answer) override;
  void send(std::int64_t channel, std::span<const std::byte> bytes) override;
  void receive(std::int64_t channel, std::span<std::byte> bytes) override;

 private:
  void wait();
  void hear_launcher();
  void admit();
  void hear_client();
  void take(configs::ChipCommand command);
  void part(bool said_goodbye);
  void look_at_peers();
  void tell(const configs::ChipNews& news);
  void exchange(std::int64_t channel, std::span<const std::byte> bytes, bool sends);

  PjrtSourceSetup setup_;
  Rank self_;
  Socket launcher_, listening_, client_;
  configs::FrameDecoder decoder_;
  configs::MessageCutter cutter_;
  std::deque<Command> queue_;
  std::map<ProgramName, std::string> programs_;              // loaded, with their names
  std::map<std::int64_t, Clock::time_point> waiting_since_;  // peers that wait for this chip
  std::uint64_t launch_ = 0;                                 // the one that is executed
  std::int64_t launch_began_ns_ = 0;                         // since the Unix epoch
  std::optional<configs::ChipResume> resume_;
  std::optional<Error> callback_failure_;  // the first one of the launch that is executed
  bool finished_ = false;
};

}  // namespace understudy::worker
