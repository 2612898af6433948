// SPDX-License-Identifier: Apache-2.0
#include "launcher/process/subprocess.h"

#include <sys/wait.h>
#include <unistd.h>

#include "gtest/gtest.h"

#include "configs/base/error.h"
#include "launcher/pod/process_session.h"

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

TEST(Subprocess, LeadsASessionOfItsOwnWithTheGivenVariables) {
  const Finished finished = run_to_end(
      {"/bin/sh", "-c", "ps -o sid= -p $$ | tr -d ' ' | grep -qx $$ && echo leads; echo $HOME"},
      Seconds(20));
  EXPECT_TRUE(finished.output.starts_with("leads\n")) << finished.output;
  Subprocess child({"/bin/sh", "-c", "echo $HOME-$NEW"}, {"HOME=/elsewhere", "NEW=1"});
  ASSERT_TRUE(child.wait(Deadline::after(Seconds(20))));
  EXPECT_EQ(child.output(), "/elsewhere-1\n");
}

TEST(Subprocess, EndsWithAllThatItStarted) {
  Subprocess child({"/bin/sh", "-c", "sleep 60 & (sleep 60; true) & kill -STOP $$"});
  const auto all = [&] { return processes_of_session(child.identity()); };
  for (int look = 0; look < 2000 && all().size() < 4; ++look) usleep(1000);
  EXPECT_GE(all().size(), 3U);
  EXPECT_TRUE(end_session(child.identity(), Deadline::after(Seconds(20))));
  EXPECT_TRUE(all().empty());
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
