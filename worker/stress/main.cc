// SPDX-License-Identifier: Apache-2.0
// understudy-cache-stress PLAN: one rank of `understudy cache stress`. Started by mpirun, which
// understudy starts.
#include <cstdio>

#include "configs/base/caught.h"
#include "configs/base/log.h"
#include "configs/base/standard_streams.h"
#include "worker/stress/stress_rank.h"

int main(int count, char** words) {
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
  int exit_code = 0;
  const auto failure =
      understudy::caught([&] { exit_code = understudy::worker::run_stress_rank(words[1]); });
  if (!failure) return exit_code;
  understudy::log_error(failure->text());
  return understudy::exit_code_of(failure->kind());
}
