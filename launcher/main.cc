// SPDX-License-Identifier: Apache-2.0
#include <exception>
#include <fmt/format.h>
#include <signal.h>
#include <string>
#include <unistd.h>
#include <vector>

#include "configs/base/error.h"
#include "launcher/command_line.h"
#include "launcher/console.h"
#include "launcher/environment.h"
#include "launcher/guardian.h"

int main(int count, char** words) {
  using namespace understudy;
  // A parent that ignores it would take from us how our children end.
  (void)signal(SIGCHLD, SIG_DFL);
  launcher::end_at_once_on_signals();
  const launcher::Environment environment = launcher::read_environment();
  launcher::Console console;
  console.out_colour = isatty(STDOUT_FILENO) == 1 && !environment.no_color;
  console.err_terminal = isatty(STDERR_FILENO) == 1;
  try {
    return launcher::run_command_line({words + 1, words + count}, console, environment);
  } catch (const Error& error) {
    console.failure(error.place() ? error.text() : "understudy: " + error.text());
    return exit_code_of(error.kind());
  } catch (const std::exception& error) {
    console.failure(fmt::format("understudy: error: {}", error.what()));
    return exit_code_of(ErrorKind::internal);
  }
}
