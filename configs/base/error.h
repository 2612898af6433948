// SPDX-License-Identifier: Apache-2.0
// The one exception type of the project. Thrown by value, never derived from, caught at the
// borders that docs/architecture.md names. Its kind decides the exit code. Thread-compatible.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace understudy {

enum class ErrorKind : std::uint8_t {
  check,        // a comparison, expectation or verdict failed                  exit 1
  usage,        // the command line is wrong                                    exit 2
  input,        // a program, array or manifest is wrong                        exit 2
  config,       // one of our JSON documents is wrong                           exit 2
  unsupported,  // the program is valid, but understudy cannot run it           exit 2
  protocol,     // hosts or chips disagree                                      exit 3
  timeout,      // a peer was lost or a wait timed out                          exit 4
  capacity,     // out of emulated memory                                       exit 5
  internal,     // a broken invariant of ours                                   exit 70
  system,       // the machine refused an operation                             exit 71
};

// How a wait detected that a peer is lost.
enum class PeerLoss : std::uint8_t {
  stopped,      // its process is in state T
  gone,         // its process ended
  no_progress,  // it made no progress for the wait limit
  gave_up,      // it had an error of its own, which it reports itself
};

// The peer because of which a wait failed, for the failure report.
struct LostPeer {
  std::int64_t rank = -1;
  PeerLoss how = PeerLoss::no_progress;
};

// A place in a user's file. Line and column count from 1; 0 means unknown. `text` is the source
// line; if it is not empty it is shown with a caret under `caret` (from 1, for a shortened line),
// or under `column` if that is 0. A binary file has a `byte` (from 0) instead of lines.
struct SourcePlace {
  std::string path;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  std::string text;
  std::uint32_t caret = 0;
  std::optional<std::uint64_t> byte = std::nullopt;
};

// "path:line:column", "path: byte N", or the path alone if nothing more is known.
std::string text_of(const SourcePlace& place);

class Error {
 public:
  Error(ErrorKind kind, std::string message) : kind_(kind), message_(std::move(message)) {}
  Error(ErrorKind kind, SourcePlace place, std::string message)
      : kind_(kind), message_(std::move(message)), place_(std::move(place)) {}

  ErrorKind kind() const { return kind_; }
  const std::string& message() const { return message_; }
  const std::optional<SourcePlace>& place() const { return place_; }
  const std::vector<std::string>& notes() const { return notes_; }
  const std::string& diagnosis() const { return diagnosis_; }  // empty: not named
  // Set if a wait failed because of a peer.
  const std::optional<LostPeer>& lost_peer() const { return lost_peer_; }

  // Adds a "note:" line; for callers that rethrow.
  Error& note(std::string text);

  // Sets the name of the failure, one of configs/receipt/diagnosis.h.
  Error& diagnosed(std::string_view name);

  Error& because_of(LostPeer peer);

  // The complete text for the user: "path:line:column: error: message" or "path: byte N: error:
  // message", the source line, a caret, then the notes. Ends without a newline.
  std::string text() const;

 private:
  ErrorKind kind_;
  std::string message_;
  std::optional<SourcePlace> place_;
  std::vector<std::string> notes_;
  std::string diagnosis_;
  std::optional<LostPeer> lost_peer_;
};

// "usage", "input", ...; the inverse throws nothing and returns nullopt for other words.
std::string_view name_of(ErrorKind kind);
// The inverse of name_of(), for errors that crossed a socket or a record; nullopt: another build's.
std::optional<ErrorKind> error_kind_of(std::string_view name);

// The exit code of docs/architecture.md.
int exit_code_of(ErrorKind kind);

// Added to the signal number for the exit code of an interrupted run, as shells do.
inline constexpr int kSignalled = 128;

[[noreturn]] void assertion_failed(const char* condition, const char* file, int line);

}  // namespace understudy

// A broken invariant of ours: on in every build type, reported as `internal` with its place.
#define UNDERSTUDY_ASSERT(condition)  \
  ((condition) ? static_cast<void>(0) \
               : ::understudy::assertion_failed(#condition, __FILE__, __LINE__))
