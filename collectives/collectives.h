// SPDX-License-Identifier: Apache-2.0
// Collective operations over a group of ranks, whatever the algorithm. Each call is made by every
// member of the group, in the same order. Call from the executor thread only.
// Equivalents: ncclAllReduce and friends, MPI collectives.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "collectives/fabric.h"

namespace understudy::collectives {

// The members in the order written in the program, with our own place among them.
struct Group {
  std::vector<Rank> members;
  std::size_t self = 0;
  std::size_t size() const { return members.size(); }
};

// One step of a reduction on dense elements. Workers hand in the kernel table or an evaluated
// region. `accumulator_bytes` may exceed `element_bytes` (bf16 accumulates in f32): partial results
// travel widened, and are narrowed once at the end. Where both are as wide, accumulators *are*
// elements.
class Reducer {
 public:
  virtual ~Reducer() = default;
  virtual std::size_t element_bytes() const = 0;
  virtual std::size_t accumulator_bytes() const = 0;
  virtual void widen(const std::byte* elements, std::byte* accumulators, std::size_t n) const = 0;
  virtual void narrow(const std::byte* accumulators, std::byte* elements, std::size_t n) const = 0;
  // accumulators = combine(left accumulators, right elements): `left` comes first in group order.
  virtual void combine(const std::byte* left, const std::byte* right, std::byte* out,
                       std::size_t n) const = 0;
  // accumulators = the fold of all operands (at least one) from left to right, of n elements each.
  virtual void combine_all(std::span<const std::byte* const> operands, std::byte* accumulators,
                           std::size_t n) const;
  // out = combine(left accumulators, right accumulators). `out` may be either.
  virtual void merge(const std::byte* left, const std::byte* right, std::byte* out,
                     std::size_t n) const = 0;
};

// Identifies a call to its peers; hashed into the signature of every message, shown in errors.
struct CallSite {
  std::string_view op = {};  // "all_reduce"
  std::int64_t channel = 0;
  std::string_view element = {};    // "f32"
  std::uint64_t elements = 0;       // of one operand
  std::string_view place = {};      // "op 29"
  std::string_view reduction = {};  // "sum", empty if there is none
  std::string_view layout = {};     // "layout constrained", else empty
  double emulated_seconds = 0;      // this chip's clock on arrival
  // The result of header_of() for the other fields and the group, if the caller kept it.
  const MessageHeader* header = nullptr;
  bool operator==(const CallSite&) const = default;
};

// What one call did, for the receipt.
struct CallReport {
  std::string_view algorithm = {};
  std::uint64_t messages = 0;   // sent by this rank
  std::uint64_t bytes = 0;      // payload bytes sent by this rank
  double emulated_seconds = 0;  // latest clock heard of, our own included
};

// A call that was entered and continues while its members compute. A member that waits for it works
// on it.
class UnderWay {
 public:
  virtual ~UnderWay() = default;
  // Once. Returns when our result is there. *Throws* what the call itself would throw.
  virtual CallReport finish() = 0;
};

// One way to do all of the collectives. Buffers are dense; `in` and `out` do not overlap.
class Algorithm {
 public:
  virtual ~Algorithm() = default;
  virtual std::string_view name() const = 0;

  // out[i] = reduction over members of in[i]; both hold the same number of elements.
  virtual CallReport all_reduce(const Fabric& fabric, const Group& group, const Reducer& reducer,
                                std::span<const std::byte> in, std::span<std::byte> out,
                                const CallSite& site) const = 0;
  // out = blocks of all members in group order; out.size() == n * in.size().
  virtual CallReport all_gather(const Fabric& fabric, const Group& group,
                                std::span<const std::byte> in, std::span<std::byte> out,
                                const CallSite& site) const = 0;
  // out = block `self` of the reduction; in.size() == n * out.size(), both of reducer elements.
  virtual CallReport reduce_scatter(const Fabric& fabric, const Group& group,
                                    const Reducer& reducer, std::span<const std::byte> in,
                                    std::span<std::byte> out, const CallSite& site) const = 0;
  // block j of in goes to member j; block i of out came from member i.
  virtual CallReport all_to_all(const Fabric& fabric, const Group& group,
                                std::span<const std::byte> in, std::span<std::byte> out,
                                const CallSite& site) const = 0;
  // out of every member = in of member `root`.
  virtual CallReport broadcast(const Fabric& fabric, const Group& group, std::size_t root,
                               std::span<const std::byte> in, std::span<std::byte> out,
                               const CallSite& site) const = 0;
  // in goes to rank `to`, out comes from rank `from`; kNobody leaves a side out.
  virtual CallReport permute(const Fabric& fabric, Rank to, Rank from,
                             std::span<const std::byte> in, std::span<std::byte> out,
                             const CallSite& site) const = 0;

  // The same, but only entered: until finish() the caller must not change `in` nor access `out`.
  // All arguments except `site` must outlive the call. One call at a time in each lane of the
  // fabric. nullptr: not supported by this algorithm or for this group; nothing was entered then,
  // and all members get the same answer.
  virtual std::unique_ptr<UnderWay> start_all_reduce(const Fabric& fabric, const Group& group,
                                                     const Reducer& reducer,
                                                     std::span<const std::byte> in,
                                                     std::span<std::byte> out,
                                                     const CallSite& site) const;
  virtual std::unique_ptr<UnderWay> start_all_gather(const Fabric& fabric, const Group& group,
                                                     std::span<const std::byte> in,
                                                     std::span<std::byte> out,
                                                     const CallSite& site) const;
  virtual std::unique_ptr<UnderWay> start_reduce_scatter(const Fabric& fabric, const Group& group,
                                                         const Reducer& reducer,
                                                         std::span<const std::byte> in,
                                                         std::span<std::byte> out,
                                                         const CallSite& site) const;
};

// The name that leaves the choice of the algorithm to us.
inline constexpr std::string_view kAuto = "auto";

// By a name of configs/base/collective_algorithms.h. Throws Error{usage} with the known names for
// others.
const Algorithm& algorithm_named(std::string_view name);

}  // namespace understudy::collectives
