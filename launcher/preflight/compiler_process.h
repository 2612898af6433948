// SPDX-License-Identifier: Apache-2.0
// The process that loads the library of the TPU compiler (understudy-tpu-compiler), seen from the
// launcher. The library may end its process, abort, hang or take all memory: each becomes an Error
// with the last words of the library. Call from the main thread.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "configs/base/deadline.h"
#include "configs/base/error.h"
#include "configs/launch/message/compiler_message.h"
#include "configs/launch/message/frame.h"
#include "launcher/process/subprocess.h"

namespace understudy::launcher {

struct CompilerLimits {
  Seconds start{120};              // loading and initialising: seconds on an idle machine
  Seconds answer{600};             // one compile
  std::uint64_t memory_bytes = 0;  // resident; 0: no limit
};

// Called several times a second while the launcher waits; true: give up, the user wants to end.
using OnWait = std::function<bool(Seconds waited)>;

struct CompilerReply {
  configs::CompilerAnswer answer;
  std::string body;
};

class CompilerProcess {
 public:
  // `words`: the binary and its arguments. `variables`: "NAME=value". *Throws* Error{system},
  // Error{timeout}, Error{capacity}.
  CompilerProcess(const std::vector<std::string>& words, const std::vector<std::string>& variables,
                  CompilerLimits limits, OnWait on_wait);
  ~CompilerProcess();
  CompilerProcess(const CompilerProcess&) = delete;
  CompilerProcess& operator=(const CompilerProcess&) = delete;

  const configs::CompilerGreeting& greeting() const { return greeting_; }
  // The same errors; the process is gone then.
  CompilerReply ask(const configs::CompilerRequest& request, std::string_view body);
  // All that the library wrote.
  std::string log() const { return process_->output(); }

 private:
  void send(std::string_view bytes, Deadline deadline);
  configs::Frame receive(Deadline deadline);
  void wait_until(short events, Deadline deadline);
  [[noreturn]] void ended();
  [[noreturn]] void give_up(const Error& error);

  std::string library_;
  CompilerLimits limits_;
  OnWait on_wait_;
  Clock::time_point began_;
  int socket_ = -1;
  std::optional<Subprocess> process_;
  configs::FrameDecoder decoder_;
  configs::CompilerGreeting greeting_;
};

// The sentence of a library that ended its process: the line after "ERROR:" or of a fatal log
// message, without place and time; else its last line. Empty if it wrote nothing.
std::string last_words(const std::string& log);
// The last lines of a log, without stack traces and the warning that every start writes.
std::vector<std::string> end_of_log(const std::string& log, std::size_t most);

}  // namespace understudy::launcher
