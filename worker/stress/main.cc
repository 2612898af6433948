// SPDX-License-Identifier: Apache-2.0
// understudy-cache-stress PLAN: one rank of `understudy cache stress`. Started by mpirun, which
// understudy starts.
#include <cstdio>
#include <exception>

#include "configs/base/host_memory.h"
#include "configs/base/log.h"
#include "configs/base/standard_streams.h"
#include "worker/stress/stress_rank.h"

int main(int count, char** words) {
  using understudy::Error;
  using understudy::ErrorKind;
  // A closed stdout would make the next opened file descriptor 1, and output would go into a cache
  // entry.
  understudy::open_closed_streams();
  understudy::make_failed_writes_errors();
  if (count != 2) {
    std::fputs(
        "understudy-cache-stress is started by understudy: see understudy cache stress "
        "--help\n",
        stderr);
    return understudy::exit_code_of(ErrorKind::usage);
  }
  try {
    return understudy::worker::run_stress_rank(words[1]);
  } catch (const Error& error) {
    understudy::log_error(error.text());
    return understudy::exit_code_of(error.kind());
  } catch (const std::exception& error) {
    const Error known = understudy::error_from(error);
    understudy::log_error(known.text());
    return understudy::exit_code_of(known.kind());
  }
}
