// SPDX-License-Identifier: Apache-2.0
// Exchanges byte strings between workers outside of the program's collectives: the plan, the
// program, argument and result tiles, the addresses of segments. Every call names what it carries,
// which the errors of the transport quote. All ranks make the same calls in the same order; call
// from the executor thread only.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "collectives/transport.h"

namespace understudy::worker {

using Bytes = std::vector<std::byte>;

class ControlChannel {
 public:
  explicit ControlChannel(collectives::Transport& transport) : transport_(transport) {}

  Rank rank() const { return transport_.rank(); }
  int size() const { return transport_.size(); }
  bool is_root() const { return rank() == Rank(0); }

  void send(Rank to, std::span<const std::byte> bytes, std::string_view what);
  Bytes receive(Rank from, std::string_view what);
  // Rank 0's bytes, on every rank.
  Bytes broadcast(Bytes bytes, std::string_view what);
  std::string broadcast_text(std::string text, std::string_view what);
  // Everybody's bytes by rank, at rank 0; empty elsewhere.
  std::vector<Bytes> gather(Bytes bytes, std::string_view what);
  // Everybody's bytes by rank, on every rank.
  std::vector<Bytes> all_gather(Bytes bytes, std::string_view what);
  // Returns once every rank has called it.
  void barrier(std::string_view what);

 private:
  // All packages by rank, at rank 0; empty elsewhere.
  Bytes gather_packed(std::span<const std::byte> bytes, std::string_view what);

  collectives::Transport& transport_;
};

Bytes bytes_of(std::string_view text);
std::string text_of(std::span<const std::byte> bytes);

}  // namespace understudy::worker
