// SPDX-License-Identifier: Apache-2.0
// MPI's own collectives, in their non-blocking form: the main thread starts one and tests it until
// it is done, under the same WaitMonitor as a message. Each group gets a communicator, which is
// kept.
// Creating a communicator blocks the main thread, which then neither beats nor looks at peers. A
// member that dies between the agreement before the call and this step stops the others, until
// their own peers (which see a heartbeat that stands still and a wait without progress) or the
// launcher end them. Call from the executor thread only, free() from the main thread.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "collectives/library.h"
#include "collectives/mpi/transport.h"

namespace understudy::collectives {

class MpiLibrary final : public Library {
 public:
  // `world` is the communicator of the transport. Both outlive this.
  MpiLibrary(MpiTransport& transport, const Communicator& world)
      : transport_(transport), world_(world) {}
  MpiLibrary(const MpiLibrary&) = delete;
  MpiLibrary& operator=(const MpiLibrary&) = delete;
  ~MpiLibrary() override = default;

  void all_reduce(const Group& group, const Reducer& reducer, std::span<const std::byte> in,
                  std::span<std::byte> out, const Waiting& waiting) override;
  void all_gather(const Group& group, std::span<const std::byte> in, std::span<std::byte> out,
                  const Waiting& waiting) override;
  void reduce_scatter(const Group& group, const Reducer& reducer, std::span<const std::byte> in,
                      std::span<std::byte> out, const Waiting& waiting) override;
  void all_to_all(const Group& group, std::span<const std::byte> in, std::span<std::byte> out,
                  const Waiting& waiting) override;
  void broadcast(const Group& group, std::size_t root, std::span<std::byte> buffer,
                 const Waiting& waiting) override;

  // Collective. Frees communicators, types and operations; only after a run without errors.
  void free();

 private:
  // Starts a collective on a communicator (of MPI_Comm_c2f) and gives its request.
  using Start = std::function<std::uintptr_t(int handle)>;
  void run(const Group& group, const Waiting& waiting, const Start& start);
  // Calls begin(sent, received, type, operation, communicator, &request) with MPI's values.
  template <class Begin>
  void reduce(const Group& group, const Reducer& reducer, std::span<const std::byte> in,
              std::span<std::byte> out, const Waiting& waiting, const Begin& begin);
  // All of these on the main thread; handles as MPI_..._c2f gives them, made at first use.
  int communicator_of(const Group& group);
  int type_of(const Reducer& reducer);
  int fold_operation();

  MpiTransport& transport_;
  const Communicator& world_;
  std::map<std::vector<Rank>, int> made_;  // communicators, by members in group order
  std::map<std::size_t, int> types_;       // by bytes of an accumulator
  std::optional<int> operation_;
  std::vector<std::byte> sent_, received_;  // accumulators that are wider than elements
};

}  // namespace understudy::collectives
