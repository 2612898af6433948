// SPDX-License-Identifier: Apache-2.0
// The typed parts of a failure, from the worker that detects it to the receipt: its kind, and the
// evidence for it. They are turned into text once, at the end. Values.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "configs/base/error.h"
#include "configs/json/enum_names.h"

namespace understudy::configs {

// The kinds of ErrorKind, in its order, and the end by a signal.
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
// Every kind of error is a kind of failure; `interrupted` has no error.
FailureKind failure_kind_of(ErrorKind kind);
// nullopt for interrupted.
std::optional<ErrorKind> error_kind_of(FailureKind kind);

// Several workers report one failure, in any order. The report with the best evidence is used,
// whenever it arrived. Best first.
enum class Evidence : std::uint8_t {
  own_error,   // an error of the worker itself, without a peer
  own_signal,  // the worker received a signal that neither mpirun nor the launcher sent
  mismatch,    // its collective and a peer's do not match
  stopped,     // it saw the peer in process state T
  gone,  // a peer or the launcher saw that the process ended; perhaps while a stop was cleaned up
  no_progress,   // the peer made no progress for the wait limit
  peer_gave_up,  // second-hand: the peer had an error of its own, and reports it itself
  interrupted,   // ended by mpirun or the launcher, after another process had ended
};
std::string_view name_of(Evidence evidence);

// Whether the worker observed it itself: all but peer_gave_up and interrupted.
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
