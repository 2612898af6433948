// SPDX-License-Identifier: Apache-2.0
// understudy-worker RUN_DIR: one emulated chip. Started by mpirun, which understudy starts.
#include <cstdio>
#include <string_view>

#include "configs/base/caught.h"
#include "configs/base/log.h"
#include "configs/base/standard_streams.h"
#include "configs/launch/start_words.h"
#include "worker/bootstrap.h"
#include "worker/pod/lifeline.h"
#include "worker/pod/signals.h"
#include "worker/start.h"

int main(int count, char** words) {
  using understudy::ErrorKind;
  // Before anything opens a file: a descriptor 0, 1 or 2 that mpirun closed would otherwise be
  // given to a file, and logs would be written into it.
  understudy::open_closed_streams();
  understudy::make_failed_writes_errors();
  const bool started =
      count == 3 && std::string_view(words[2]) == understudy::configs::kInEnvironment;
  if (count != 2 && !started) {
    std::fputs("understudy-worker is started by understudy: see understudy run --help\n", stderr);
    return understudy::exit_code_of(ErrorKind::usage);
  }
  const auto failure = understudy::caught([&] {
    // Blocked before any thread exists, so that all threads inherit the mask. It survives the
    // execve() in start_in_host_environment().
    understudy::worker::block_stop_signals();
    if (!started) understudy::worker::start_in_host_environment(words[1]);
    // Before MPI_Init, which may block for ever when the launcher dies during the start.
    const understudy::worker::Lifeline lifeline(words[1]);
    understudy::worker::run_worker(words[1]);
  });
  if (!failure) return 0;
  understudy::log_error(failure->text());
  return understudy::exit_code_of(failure->kind());
}
