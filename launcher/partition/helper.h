// SPDX-License-Identifier: Apache-2.0
// The partitioner's helper: a Python process with jaxlib, which lives as long as this object and
// answers requests one after the other. It is never in the address space of the launcher or of a
// worker. Call from the main thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "configs/base/deadline.h"
#include "launcher/partition/wire.h"
#include "launcher/process/subprocess.h"

namespace understudy::launcher {

// What is started, and how long it may take.
struct HelperCommand {
  std::string python;  // path of the interpreter
  std::string folder;  // holds the package understudy_partitioner
  Seconds start_limit{60};
  Seconds answer_limit{600};
  std::optional<Deadline> end = {};  // of the whole command (--deadline), if it has one
};

class Helper {
 public:
  // Starts the process and reads its greeting. *Throws* Error{system} if it does not start, or
  // refuses to: the message says why, the notes what to do.
  explicit Helper(HelperCommand command);

  // *Throws* Error{timeout} after the limit, Error{unsupported} with XLA's words if XLA crashed,
  // because the program breaks one of its invariants, Error{system} if the process ended otherwise
  // or sent garbage; the process is killed then. The notes hold the end of its error
  // output.
  Frame exchange(const Frame& request);

  // What it wrote to its error output since the last exchange began.
  std::string remarks() const;
  const Greeting& greeting() const { return greeting_; }

 private:
  Deadline within(Seconds limit) const;
  void send(const std::string& bytes, Deadline deadline);
  Frame receive(Deadline deadline);
  std::string receive_bytes(std::size_t count, Deadline deadline);
  void wait_until(short events, Deadline deadline);
  [[noreturn]] void lost(const std::string& why);

  HelperCommand command_;
  int socket_ = -1;  // one end of a socket pair: standard input and output of the process
  struct Closed {    // closes it after process_ has ended
    int& socket;
    ~Closed();
  } closed_{socket_};
  std::optional<Subprocess> process_;
  std::size_t remarks_from_ = 0;  // offset in its error output
  Greeting greeting_;
  bool is_asked_ = false;  // a request was sent
};

// What XLA says when it ends its process, "Check failed: ... (spmd_partitioner.cc:12)"; "" if the
// error output has no such line.
std::string fatal_words(const std::string& text);

// The last lines of an error output, for notes.
std::vector<std::string> last_lines(const std::string& text, std::size_t most);

}  // namespace understudy::launcher
