// SPDX-License-Identifier: Apache-2.0
#include "collectives/algorithms/direct_pieces.h"

#include <algorithm>
#include <functional>
#include <vector>

#include "collectives/algorithms/direct_work.h"

namespace understudy::collectives {
namespace {

// 256 KiB: operands and result of a piece stay in a second-level cache.
constexpr std::size_t kStagedBytes = std::size_t{256} << 10;  // of one member, to be folded
constexpr std::size_t kLent = std::size_t{64} << 10;          // of one member, to be copied on

// A barrier. `first` is memory that the others read until the next meeting; `places` receives where
// theirs is.
CallReport meet(const Fabric& fabric, const Group& group, const CallSite& site,
                std::string_view name, std::span<const std::byte> first,
                std::vector<const std::byte*>* places = nullptr) {
  DirectCall call(fabric, group, site, Role::member, name);
  auto nothing = [](std::size_t) {};
  // Published bytes must be equal on all members; `first` has the same size everywhere.
  call.arrive(first, {}, first.size(), {}, nothing);
  const CallReport report = call.finish();
  if (places != nullptr) {
    const auto in = call.in();
    places->assign(in.begin(), in.end());
  }
  return report;
}

// The size of a piece: the part of one block that a member lends at a time.
std::size_t piece_of(std::size_t block, std::size_t blocks) {
  // Whole lines, at least one, so that neighbours never share a line.
  const std::size_t lines = std::max(kLent / blocks / kLine, std::size_t{1});
  return std::min(block, lines * kLine);
}

// Every member lends piece after piece, alternating between two halves of its staging memory. One
// meeting per piece suffices: a member reads piece k - 2 before it arrives for piece k - 1, so
// after the meeting for k - 1 that half may be overwritten with piece k. The meeting at the end
// keeps the next operation from overwriting the last two pieces.
// `lend(half, at, bytes)` fills a half with bytes [at, at + bytes) of every block that is lent;
// `borrow(places, at, bytes)` reads the halves of all members.
CallReport in_halves(const Fabric& fabric, const Group& group, const CallSite& site,
                     std::string_view name, std::size_t block, std::size_t lent,
                     const std::function<void(std::byte*, std::size_t, std::size_t)>& lend,
                     const std::function<void(std::span<const std::byte* const>, std::size_t,
                                              std::size_t)>& borrow) {
  const std::size_t piece = piece_of(block, lent), half = piece * lent;
  const auto staged = fabric.shared->staging(fabric.lane, Staging::in, 2 * half);
  std::vector<const std::byte*> places, now;
  CallReport report;
  bool second = false;
  for (std::size_t at = 0; at < block; at += piece, second = !second) {
    const std::size_t bytes = std::min(piece, block - at), offset = second ? half : 0;
    lend(staged.data() + offset, at, bytes);
    // The published place is the same for every piece, so a member that reads it late does no harm.
    report = meet(fabric, group, site, name, staged, at == 0 ? &places : nullptr);
    now.clear();
    for (const std::byte* const place : places) now.push_back(place + offset);
    borrow(now, at, bytes);
  }
  meet(fabric, group, site, name, staged);
  return report;
}

}  // namespace

// The result of a piece is written once, in the staging memory of the first member. It is
// overwritten only after all members have arrived with the next piece, so all have read it by then.
CallReport reduce_in_pieces(const Fabric& fabric, const Group& group, const FoldOrder& folds,
                            const Reducer& reducer, std::span<const std::byte> in,
                            std::span<std::byte> out, const CallSite& site, std::string_view name) {
  CallReport report;
  // Traffic of the whole group: every operand is read once and written once.
  const Stores stores = stores_for(2 * group.size() * in.size());
  const auto staged = fabric.shared->staging(fabric.lane, Staging::in, kStagedBytes);
  const auto result = fabric.shared->staging(fabric.lane, Staging::out, kStagedBytes);
  // Once even for an empty operand: all members must meet to compare their calls.
  for (std::size_t at = 0; at == 0 || at < in.size(); at += kStagedBytes) {
    const std::size_t bytes = std::min(kStagedBytes, in.size() - at);
    copy_bytes(staged.data(), in.data() + at, bytes, Stores::ordinary);
    DirectUnderWay<ReduceWork> call(fabric, group, site, name, folds, reducer, bytes, group.size(),
                                    std::size_t{1});
    call.enter(staged.first(bytes), result.first(bytes), bytes);
    report = call.finish();
    if (bytes > 0) copy_bytes(out.data() + at, call.first_out(), bytes, stores);
  }
  if (stores == Stores::streaming) finish_streams();
  meet(fabric, group, site, name, {});
  return report;
}

// Every member lends a piece of its block; all others copy it to the block's place in their result.
CallReport gather_in_pieces(const Fabric& fabric, const Group& group, std::span<const std::byte> in,
                            std::span<std::byte> out, const CallSite& site, std::string_view name) {
  const std::size_t block = in.size();
  const Stores stores = stores_for(2 * group.size() * out.size());
  const auto lend = [&](std::byte* half, std::size_t at, std::size_t bytes) {
    copy_bytes(half, in.data() + at, bytes, Stores::ordinary);
  };
  const auto borrow = [&](std::span<const std::byte* const> halves, std::size_t at,
                          std::size_t bytes) {
    for (std::size_t m = 0; m < halves.size(); ++m)
      copy_bytes(out.data() + m * block + at, halves[m], bytes, stores);
    if (stores == Stores::streaming) finish_streams();
  };
  return in_halves(fabric, group, site, name, block, 1, lend, borrow);
}

// A half holds a piece of every block, one per receiver; a member copies the pieces that are meant
// for it.
CallReport exchange_in_pieces(const Fabric& fabric, const Group& group,
                              std::span<const std::byte> in, std::span<std::byte> out,
                              const CallSite& site, std::string_view name) {
  const std::size_t n = group.size(), block = in.size() / n, piece = piece_of(block, n);
  const Stores stores = stores_for(2 * n * out.size());
  const auto lend = [&](std::byte* half, std::size_t at, std::size_t bytes) {
    for (std::size_t m = 0; m < n; ++m)
      copy_bytes(half + m * piece, in.data() + m * block + at, bytes, Stores::ordinary);
  };
  const auto borrow = [&](std::span<const std::byte* const> halves, std::size_t at,
                          std::size_t bytes) {
    for (std::size_t m = 0; m < n; ++m)
      copy_bytes(out.data() + m * block + at, halves[m] + group.self * piece, bytes, stores);
    if (stores == Stores::streaming) finish_streams();
  };
  return in_halves(fabric, group, site, name, block, n, lend, borrow);
}

}  // namespace understudy::collectives
