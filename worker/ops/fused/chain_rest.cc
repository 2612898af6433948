// SPDX-License-Identifier: Apache-2.0
#include "worker/ops/fused/chain_rest.h"

#include <algorithm>
#include <utility>

#include "worker/ops/fused/fused_chain.h"

namespace understudy::worker::ops {
namespace {

using program::kernels::ChainSource;
using program::kernels::ChainStep;

}  // namespace

ChainRest rest_of(std::span<const ChainLink> links, const FusedPlace& copies, std::size_t lanes) {
  ChainRest rest{lanes, {}, {}, {}};
  const auto piece_of = [&](const FusedPlace& place) {
    const FusedPlace first = place.first_turn();
    const auto found = std::ranges::find(rest.pieces, first, &ChainRest::Piece::place);
    const auto number = static_cast<std::size_t>(found - rest.pieces.begin());
    if (found != rest.pieces.end()) return number;
    FusedPlace copy = copies;
    copy.beyond += copies_bytes(rest);
    rest.pieces.push_back({first, copy});
    return number;
  };
  for (std::size_t l = 0; l < links.size(); ++l) {
    const ChainLink& link = links[l];
    const auto add_input = [&](const std::optional<FusedPlace>& place, ChainSource from,
                               auto member) {
      if (!place || from != ChainSource::dense) return;
      rest.inputs.push_back({l, member, piece_of(*place), place->turn() * place->bytes});
      rest.pieces[rest.inputs.back().piece].is_read = true;
    };
    add_input(link.a, link.from[0], &ChainStep::a);
    add_input(link.b, link.from[1], &ChainStep::b);
    add_input(link.c, link.from[2], &ChainStep::c);
    if (!link.out || link.operation.kind != ChainOperation::Kind::store) continue;
    rest.outputs.push_back(
        {l, &ChainStep::out, piece_of(*link.out), link.out->turn() * link.out->bytes});
    rest.pieces[rest.outputs.back().piece].is_written = true;
  }
  return rest;
}

// Each copy begins with a line.
std::size_t copies_bytes(const ChainRest& rest) {
  constexpr std::size_t kLine = 64;
  std::size_t bytes = 0;
  for (const ChainRest::Piece& piece : rest.pieces)
    bytes += (rest.lanes * piece.place.lane_bytes() + kLine - 1) / kLine * kLine;
  return bytes;
}

// Measured: computing 1.35 times as many elements takes as long as filling values of rows, 1.5
// times as many as copying views. An iteration of few vectors waits for its own results.
std::size_t vectors_of_rows(std::size_t columns, std::size_t lanes, std::size_t least,
                            bool has_views) {
  constexpr std::pair<std::size_t, std::size_t> kPercent[] = {{4, 100}, {2, 105}, {1, 115}};
  const std::size_t most = has_views ? 150 : 135;
  std::size_t found = 0, cost = most * columns + 1;
  for (const auto& [vectors, percent] : kPercent) {
    const std::size_t whole = vectors * lanes;
    const std::size_t needed = (columns + whole - 1) / whole * whole * percent;
    if (vectors < least || columns < whole || needed >= cost) continue;
    found = vectors;
    cost = needed;
  }
  return found;
}

}  // namespace understudy::worker::ops
