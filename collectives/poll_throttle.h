// SPDX-License-Identifier: Apache-2.0
// While the ranks of a pod start or end, they poll: Open MPI makes each of them wake up every 100
// us, and until shared memory is mapped so do we. With 256 ranks on two cores nothing else runs,
// and ranks with work to do wait for their turn: 42 s in MPI_Init, 10 s with this.
// While this object exists, sleeps of this thread, and of threads that it starts, may end later, so
// that the ranks of a machine together wake up as often as one rank per core would. Linux:
// prctl(PR_SET_TIMERSLACK). Create and end it on the main thread.
#pragma once

namespace understudy::collectives {

// From now on the sleeps of this thread, and of threads that it starts, may be late by so much that
// the ranks of a machine together look around as often as one rank for each core would. Linux:
// prctl(PR_SET_TIMERSLACK). Make and end it on the main thread.
class PollThrottle {
 public:
  PollThrottle() noexcept;
  ~PollThrottle() { end_here(); }
  PollThrottle(const PollThrottle&) = delete;
  PollThrottle& operator=(const PollThrottle&) = delete;

  // Sleeps of the calling thread are on time again; any thread, any number of times.
  void end_here() const noexcept;

 private:
  unsigned long before_ = 0;  // nanoseconds; 0: nothing was changed
};

}  // namespace understudy::collectives
