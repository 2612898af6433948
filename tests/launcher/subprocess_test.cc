// SPDX-License-Identifier: Apache-2.0
#include "launcher/subprocess.h"

#include <sys/wait.h>
#include <unistd.h>

#include "gtest/gtest.h"

#include "configs/base/error.h"

namespace understudy::launcher {
namespace {

TEST(Subprocess, CapturesBothStreamsAndTheStatus) {
  const Finished finished =
      run_to_end({"/bin/sh", "-c", "echo one; echo two >&2; echo three; exit 7"}, Seconds(20));
  ASSERT_TRUE(finished.status);
  EXPECT_TRUE(WIFEXITED(*finished.status));
  EXPECT_EQ(WEXITSTATUS(*finished.status), 7);
  EXPECT_EQ(finished.output, "one\ntwo\nthree\n");
}

TEST(Subprocess, GivesNoTerminalAndNoInput) {
  EXPECT_EQ(
      run_to_end({"/bin/sh", "-c", "read x || echo end; test -t 1 || echo captured"}, Seconds(20))
          .output,
      "end\ncaptured\n");
}

TEST(Subprocess, NamesTheProgramThatCannotStart) {
  try {
    Subprocess child({"/nonexistent/program"});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::system);
    EXPECT_EQ(error.message(), "cannot start /nonexistent/program: No such file or directory");
  }
}

TEST(Subprocess, IsKilledAtItsLimit) {
  const Finished finished =
      run_to_end({"/bin/sh", "-c", "echo begun; exec sleep 60"}, Seconds(0.2));
  EXPECT_FALSE(finished.status);
}

TEST(Subprocess, TakesSignalsWithTheDefaultMeaning) {
  const SignalQueue held;  // a child must not inherit what the launcher holds back
  Subprocess child({"/bin/sleep", "60"});
  child.signal(SIGTERM);
  const std::optional<int> status = child.wait(Deadline::after(Seconds(20)));
  ASSERT_TRUE(status);
  EXPECT_TRUE(WIFSIGNALED(*status));
  EXPECT_EQ(WTERMSIG(*status), SIGTERM);
}

TEST(SignalQueue, HandsOutWhatArrivesAndTheEndOfAChild) {
  SignalQueue queue;
  ASSERT_EQ(kill(getpid(), SIGINT), 0);
  EXPECT_EQ(queue.next(Seconds(5)), SIGINT);
  Subprocess child({"/bin/true"});
  EXPECT_EQ(queue.next(Seconds(20)), SIGCHLD);
  EXPECT_EQ(queue.next(Seconds(0)), std::nullopt);
}

}  // namespace
}  // namespace understudy::launcher
