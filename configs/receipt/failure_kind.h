// SPDX-License-Identifier: Apache-2.0
// The typed parts of a failure, from the worker that detects it to the receipt: its kind, and the
// evidence that a report rests on. Words are made from them once, at the end. Values.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "configs/base/error.h"
#include "configs/json/enum_names.h"

namespace understudy::configs {

// The kinds of errors, in the order of ErrorKind, and the end by a signal.
enum class FailureKind : std::uint8_t {
  check,
  usage,
  input,
  config,
  unsupported,
  protocol,
  timeout,
  capacity,
  internal,
  system,
  interrupted,
};
std::string_view name_of(FailureKind kind);
FailureKind failure_kind_of(ErrorKind kind);
// nullopt for interrupted.
std::optional<ErrorKind> error_kind_of(FailureKind kind);

// Several workers report one failure, in any order; the report that rests on the best evidence is
// believed, whenever it arrived. Best first.
enum class Evidence : std::uint8_t {
  own_error,     // the worker met an error itself, no peer involved
  own_signal,    // the worker received a signal that neither mpirun nor the launcher sent
  mismatch,      // its collective and a peer's do not fit
  stopped,       // it saw the peer in process state T
  gone,          // it saw that the peer's process had ended; after a stop that may be clearing up
  no_progress,   // the peer did nothing for as long as a wait may take
  peer_gave_up,  // second-hand: the peer had an error of its own, and reports it itself
  interrupted,   // told to end by mpirun or the launcher, after somebody else's end
};
std::string_view name_of(Evidence evidence);

// The worker saw it itself: all but peer_gave_up and interrupted.
bool is_first_hand(Evidence evidence);

template <>
struct EnumNames<FailureKind> {
  static constexpr std::string_view kWhat = "a kind of failure";
  static constexpr std::string_view kNames[] = {"check",       "usage",    "input",      "config",
                                                "unsupported", "protocol", "timeout",    "capacity",
                                                "internal",    "system",   "interrupted"};
};
template <>
struct EnumNames<Evidence> {
  static constexpr std::string_view kWhat = "a kind of evidence";
  static constexpr std::string_view kNames[] = {"own_error",    "own_signal", "mismatch",
                                                "stopped",      "gone",       "no_progress",
                                                "peer_gave_up", "interrupted"};
};

}  // namespace understudy::configs
