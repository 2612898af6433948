// SPDX-License-Identifier: Apache-2.0
#include "collectives/mpi/runtime.h"

#include <array>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>  // setenv: POSIX
#include <string>
#include <sys/socket.h>
#include <system_error>
#include <utility>

#include "fmt/format.h"
#include "mpi.h"

#include "collectives/mpi/link.h"
#include "configs/base/error.h"

namespace understudy::collectives {
namespace {

// Open MPI parameters that make a transport with doorbells work without polling. eager_limit: each
// of our pieces is sent eagerly, without a handshake. fbox_max 0: no message waits in a full "fast
// box" for the next call of the sender. single_copy_mechanism none: single copy needs ptrace
// permission, which containers deny. yield_when_idle: MPI's own polling loops yield the core.
constexpr std::array<std::pair<const char*, const char*>, 4> kParameters{{
    {"OMPI_MCA_btl_vader_eager_limit", "32768"},
    {"OMPI_MCA_btl_vader_fbox_max", "0"},
    {"OMPI_MCA_btl_vader_single_copy_mechanism", "none"},
    {"OMPI_MCA_mpi_yield_when_idle", "1"},
}};
static_assert(kPieceBytes + 512 <= 32768, "a piece and MPI's own header must be sent eagerly");

// PMIx, by which Open MPI talks to mpirun, writes its small messages to a TCP connection with
// Nagle's algorithm: one that follows another waits until mpirun's kernel acknowledges the first,
// which it delays by 40 ms. MPI_Finalize sends such a pair.
void send_small_messages_at_once() {
  std::error_code code;
  std::filesystem::directory_iterator entry("/proc/self/fd", code);
  for (; !code && entry != std::filesystem::directory_iterator(); entry.increment(code)) {
    const std::string name = entry->path().filename().string();
    int descriptor = -1, protocol = 0;
    socklen_t size = sizeof protocol;
    (void)std::from_chars(name.data(), name.data() + name.size(), descriptor);
    if (getsockopt(descriptor, SOL_SOCKET, SO_PROTOCOL, &protocol, &size) != 0) continue;
    const int on = 1;
    if (protocol == IPPROTO_TCP)
      (void)setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  }
}

}  // namespace

MpiRuntime::MpiRuntime(Parameters parameters) {
  for (const auto& [name, value] : kParameters) {
    if (parameters == Parameters::as_they_are) break;
    // 0: a value that the user set wins.
    if (setenv(name, value, 0) != 0) {
      throw Error(ErrorKind::system, fmt::format("cannot set {} in the environment", name));
    }
  }
  int level = 0;
  mpi_check(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &level), "MPI_Init_thread");
  if (level < MPI_THREAD_FUNNELED) {
    throw Error(
        ErrorKind::system,
        fmt::format("MPI provides thread level {}, but MPI_THREAD_FUNNELED is required", level));
  }
  send_small_messages_at_once();
}

Communicator MpiRuntime::duplicate_world() const {
  MPI_Comm copy = MPI_COMM_NULL;
  mpi_check(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
  mpi_check(MPI_Comm_dup(MPI_COMM_WORLD, &copy), "MPI_Comm_dup");
  return Communicator(MPI_Comm_c2f(copy));
}

std::string MpiRuntime::library_version() const {
  std::string text(MPI_MAX_LIBRARY_VERSION_STRING, '\0');
  int length = 0;
  mpi_check(MPI_Get_library_version(text.data(), &length), "MPI_Get_library_version");
  text.resize(static_cast<std::size_t>(length));
  while (!text.empty() && text.back() == '\0') text.pop_back();
  return text;
}

void MpiRuntime::finalize() { mpi_check(MPI_Finalize(), "MPI_Finalize"); }

void MpiRuntime::abort(int exit_code) {
  mpi_check(MPI_Abort(MPI_COMM_WORLD, exit_code), "MPI_Abort");
  // MPI_Abort may return before mpirun has ended this process.
  std::_Exit(exit_code);
}

}  // namespace understudy::collectives
