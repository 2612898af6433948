// SPDX-License-Identifier: Apache-2.0
#include <exception>
#include <signal.h>
#include <string>
#include <unistd.h>
#include <vector>

#include "configs/base/error.h"
#include "configs/base/host_memory.h"
#include "configs/base/standard_streams.h"
#include "configs/report/command_documents.h"
#include "launcher/command_json.h"
#include "launcher/command_line.h"
#include "launcher/pod/guardian.h"
#include "launcher/process/console.h"
#include "launcher/process/environment.h"

namespace {

using namespace understudy;

int fail(const Error& error, bool json, const launcher::Console& console) {
  console.failure(error.place() ? error.text() : "understudy: " + error.text());
  // A verb may fail after its document was printed: there is never a second one.
  if (json && !console.lost->answered)
    console.document(configs::to_json(configs::document_of_error(error)));
  return exit_code_of(error.kind());
}

int run(const std::vector<std::string>& words, const launcher::Console& console,
        const launcher::Environment& environment) {
  const bool json = launcher::wants_json(words);
  try {
    const int exit_code = launcher::run_command_line(words, console, environment);
    if (json && !console.lost->answered) launcher::answer_in_json(exit_code, console);
    return exit_code;
  } catch (const Error& error) {
    return fail(error, json, console);
  } catch (const std::exception& error) {
    return fail(error_from(error), json, console);
  }
}

}  // namespace

// Order matters: standard streams are opened before anything could reuse their descriptors, write
// errors become errno values before the first output, and signal handlers exist before the first
// child.
int main(int count, char** words) {
  open_closed_streams();
  make_failed_writes_errors();
  // A parent may have set SIGCHLD to be ignored; the kernel would then reap our children itself and
  // waitpid() could not return their exit statuses.
  (void)signal(SIGCHLD, SIG_DFL);
  launcher::end_at_once_on_signals();
  const launcher::Environment environment = launcher::read_environment();
  launcher::Console console;
  console.out_colour = isatty(STDOUT_FILENO) == 1 && !environment.no_color;
  console.err_terminal = isatty(STDERR_FILENO) == 1;
  const int exit_code = run({words + 1, words + count}, console, environment);
  return launcher::finish_output(console, exit_code);
}
