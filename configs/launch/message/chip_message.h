// SPDX-License-Identifier: Apache-2.0
// The binary protocol between a host process (pjrt/) and the chips of its host, over one stream
// socket per chip. The host process maps the chip's HBM and owns all of it: it allocates, writes
// and reads buffers itself. Commands therefore name places in HBM, in bytes from its start, and a
// transfer needs no message at all. A chip executes launches in order and reports each one. Values;
// reading validates. docs/formats.md shows the layout.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace understudy::configs {

// First message of a chip, followed by the descriptor of its memory (SCM_RIGHTS).
struct ChipGreeting {
  std::int64_t rank = 0, pid = 0;
  std::uint64_t pid_start = 0;    // field 22 of /proc/PID/stat
  std::string revision;           // of the worker; the host process must be of the same build
  std::string refusal;            // not empty: the chip does not accept this host process
  std::uint64_t hbm_offset = 0;   // of HBM in the memory object
  std::uint64_t hbm_bytes = 0;    // all of HBM
  std::uint64_t usable_from = 0;  // the part of HBM that the host process may use
  std::uint64_t usable_bytes = 0;
  std::string device_kind;
};

// Sent before the first launch of a program. `archive` has the executable without its constants,
// which the host process writes into HBM itself.
struct ChipLoad {
  std::uint64_t program = 0;
  std::uint64_t constants_bytes = 0;
  std::int64_t process = 0;         // the chip's number in the program
  std::vector<std::int64_t> ranks;  // of all processes of the program, in their order
  std::string archive;              // cache/archive.h
  std::string name;                 // for messages: "jit_step"
};
struct ChipUnload {
  std::uint64_t program = 0;
};
struct ChipLaunch {
  std::uint64_t program = 0, launch = 0;  // launches of one host process count up
  std::uint64_t temporaries = 0, constants = 0;
  std::uint64_t hbm_in_use = 0;  // bytes that the host process has allocated, this launch included
  std::vector<std::uint64_t> arguments, results;
};
// The host process is done with the chip.
struct ChipGoodbye {
  std::int64_t compiles = 0;  // by this host process; told to one chip, 0 to the others
  std::uint64_t hbm_peak = 0;
};
// The host process has taken, or written, the bytes that a launch asked for (ChipRequest).
struct ChipResume {
  std::uint64_t launch = 0;
  std::string error;  // not empty: the launch fails
};
using ChipCommand = std::variant<ChipLoad, ChipUnload, ChipLaunch, ChipGoodbye, ChipResume>;

// The outcome of a launch, or of a load that failed (launch 0).
struct ChipReport {
  std::uint64_t launch = 0, program = 0;
  std::string error_kind;  // empty: success
  std::string error;
  bool ends = false;  // the chip ends because of the error
  // When the chip executed the launch, in nanoseconds since the Unix epoch.
  std::int64_t begin_ns = 0, end_ns = 0;
};

// A launch has bytes for its host process, or wants some: it waits for ChipResume.
struct ChipRequest {
  std::uint64_t launch = 0;
  std::int64_t channel = 0;
  bool sends = false;               // from the chip to the host process
  std::uint64_t at = 0, bytes = 0;  // in HBM
};
using ChipNews = std::variant<ChipReport, ChipRequest>;

// Length (u32), tag (u8), fields in order; ready to be sent.
std::vector<std::byte> encode(const ChipGreeting& greeting);
std::vector<std::byte> encode(const ChipCommand& command);
std::vector<std::byte> encode(const ChipNews& news);
// *Throw* Error{protocol}.
ChipGreeting read_chip_greeting(std::span<const std::byte> message);
ChipCommand read_chip_command(std::span<const std::byte> message);
ChipNews read_chip_news(std::span<const std::byte> message);

// Cuts a stream into messages: a length of 4 bytes, little-endian, then the message.
class MessageCutter {
 public:
  void feed(std::span<const std::byte> bytes);
  // The next whole message without its length; valid until the next call. *Throws* Error{protocol}.
  std::optional<std::span<const std::byte>> next();

 private:
  std::vector<std::byte> bytes_;
  std::size_t begin_ = 0;  // of the messages that were not returned yet
};

}  // namespace understudy::configs
