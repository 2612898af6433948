// SPDX-License-Identifier: Apache-2.0
// understudy-worker RUN_DIR: one emulated chip. Started by mpirun, which understudy starts.
#include <cstdio>
#include <exception>

#include "configs/base/error.h"
#include "configs/base/log.h"
#include "worker/bootstrap.h"

int main(int count, char** words) {
  using understudy::Error;
  using understudy::ErrorKind;
  if (count != 2) {
    std::fputs("understudy-worker is started by understudy: see understudy run --help\n", stderr);
    return understudy::exit_code_of(ErrorKind::usage);
  }
  try {
    return understudy::worker::run_worker(words[1]);
  } catch (const Error& error) {
    understudy::log_error(error.text());
    return understudy::exit_code_of(error.kind());
  } catch (const std::exception& error) {
    understudy::log_error(error.what());
    return understudy::exit_code_of(ErrorKind::internal);
  }
}
