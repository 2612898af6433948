// SPDX-License-Identifier: Apache-2.0
// Stream sockets between processes of one machine, by the path of a file. A Socket owns its
// descriptor. Thread-compatible; one thread may send while another receives.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "configs/base/deadline.h"

namespace understudy {

class Socket {
 public:
  Socket() = default;  // none
  explicit Socket(int descriptor) : descriptor_(descriptor) {}
  Socket(Socket&& other) noexcept;
  Socket& operator=(Socket&& other) noexcept;
  Socket(const Socket&) = delete;
  ~Socket();

  // *Throws* Error{system}: the path is too long, in use, or does not exist.
  static Socket listen(const std::string& path);
  static Socket connect(const std::string& path);

  // A pending connection, if there is one. Does not wait.
  std::optional<Socket> accept() const;
  // Sends all bytes. *Throws* Error{system} if the peer is gone, Error{timeout}.
  void send(std::span<const std::byte> bytes, Deadline deadline) const;
  // Receives what is available, at least one byte; waits until the deadline (then nullopt). 0
  // bytes: the peer closed the connection.
  std::optional<std::size_t> receive(std::span<std::byte> into, Deadline deadline) const;

  // Passes a descriptor to the peer (SCM_RIGHTS) with one byte, and takes one. *Throw*
  // Error{system}, Error{timeout}; taking returns -1 if the peer closed the connection.
  void send_descriptor(int descriptor) const;
  int receive_descriptor(Deadline deadline) const;

  int get() const { return descriptor_; }
  void close();

 private:
  int descriptor_ = -1;
};

}  // namespace understudy
