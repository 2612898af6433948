// SPDX-License-Identifier: Apache-2.0
// The life of MPI in this process: start it once, end it once. Call from the main thread only; that
// thread alone may call MPI afterwards (thread level FUNNELED).
#pragma once

#include <string>

#include "collectives/communicator.h"

namespace understudy::collectives {

class MpiRuntime {
 public:
  // Whether to set the parameters that MpiTransport relies on, unless the environment has them; not
  // when the library itself is measured.
  enum class Parameters : bool { for_the_transport, as_they_are };
  // Initialises MPI. *Throws* Error{system}, also when the thread level is not granted.
  explicit MpiRuntime(Parameters parameters = Parameters::for_the_transport);
  MpiRuntime(const MpiRuntime&) = delete;
  MpiRuntime& operator=(const MpiRuntime&) = delete;

  // A duplicate of the communicator of all workers. Collective.
  Communicator duplicate_world() const;
  // "Open MPI v4.1.4, ..."
  std::string library_version() const;
  // Collective. Communicators must be freed before.
  void finalize();
  // Ends all processes of the job; the launcher reads the reason from the records.
  [[noreturn]] static void abort(int exit_code);
};

}  // namespace understudy::collectives
