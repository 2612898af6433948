// SPDX-License-Identifier: Apache-2.0
// A pod as one machine: every call reaches all chips and returns when all have answered. Over a
// PodHost; call from its thread. Equivalents: a PJRT client's loaded executable and buffers.
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
  // `limit`: for one call. `host` outlives this.
  PodClient(PodHost& host, std::int64_t ranks, Seconds limit, std::stop_token stop);

  // Each *throws* the first chip's Error, Error{timeout} after the limit or when a chip is gone.
  void greet();  // until all are there
  void load(const std::string& path, const std::string& text, const std::string& numerics,
            std::int64_t replicas);
  // bytes_of(rank): the chip's own tile.
  void put(std::uint64_t buffer, const program::TensorType& type,
           const std::function<std::span<const std::byte>(std::int64_t rank)>& bytes_of);
  void execute(const std::vector<std::uint64_t>& arguments,
               const std::vector<std::uint64_t>& results, const std::string& collectives);
  std::vector<std::vector<std::byte>> get(std::uint64_t buffer);  // by rank
  void free(std::uint64_t buffer);
  void finish();

 private:
  using Body = std::function<std::span<const std::byte>(std::int64_t rank)>;
  void call(const configs::PodCommand& command, const Body& body);
  void wait_for_all(const char* what);

  PodHost& host_;
  std::int64_t ranks_;
  Seconds limit_;
  std::stop_token stop_;
  std::int64_t launch_ = 0;
  std::vector<bool> heard_;                     // who greeted, or answered the call
  std::vector<std::vector<std::byte>> bodies_;  // of the last answers, by rank
  std::optional<configs::PodAnswer> refusal_;   // the first of the call
};

}  // namespace understudy::launcher
