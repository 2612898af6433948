// SPDX-License-Identifier: Apache-2.0
// Commands all chips of a pod as one device: every call is sent to all chips and returns when all
// have answered. Uses a PodHost; call from its thread. Equivalents: the loaded executable and the
// buffers of a PJRT client.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "launcher/pod/host.h"
#include "program/ir/types.h"

namespace understudy::launcher {

class PodClient {
 public:
  // `limit`: time limit of one call. `host` must outlive this.
  PodClient(PodHost& host, std::int64_t ranks, Seconds limit, std::stop_token stop);

  // Each call *throws* the first error that a chip returned, or Error{timeout} after the limit or
  // if a worker has ended.
  void greet();  // waits until all workers have connected
  // execute() runs the program that was loaded last.
  void load(const std::string& path, const std::string& text, const std::string& numerics,
            std::int64_t replicas);
  // bytes_of(rank): the tile of that chip.
  void put(std::uint64_t buffer, const program::TensorType& type,
           const std::function<std::span<const std::byte>(std::int64_t rank)>& bytes_of);
  void execute(const std::vector<std::uint64_t>& arguments,
               const std::vector<std::uint64_t>& results, const std::string& collectives);
  std::vector<std::vector<std::byte>> get(std::uint64_t buffer);  // by rank
  void free(std::uint64_t buffer);
  void finish();

  // The error that a chip returned to the last call. The chips are in step, so finish() is allowed.
  const std::optional<configs::PodAnswer>& refusal() const { return refusal_; }

 private:
  using Body = std::function<std::span<const std::byte>(std::int64_t rank)>;
  void call(const configs::PodCommand& command, const Body& body);
  void wait_for_all(std::string_view what);

  PodHost& host_;
  std::int64_t ranks_;
  Seconds limit_;
  std::stop_token stop_;
  std::int64_t launch_ = 0;
  std::uint64_t program_ = 0;  // id of the last program loaded, which execute() runs
  std::vector<bool> heard_;    // by rank: connected, or answered the current call
  std::vector<std::vector<std::byte>> bodies_;  // of the last answers, by rank
  std::optional<configs::PodAnswer> refusal_;   // the first error of the current call
};

}  // namespace understudy::launcher
