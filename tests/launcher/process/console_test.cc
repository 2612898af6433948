// SPDX-License-Identifier: Apache-2.0
#include "launcher/process/console.h"

#include <array>
#include <csignal>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <unistd.h>

#include "configs/base/standard_streams.h"

namespace understudy::launcher {
namespace {

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

File opened(const char* path, const char* mode) { return {std::fopen(path, mode), &std::fclose}; }

// A pipe whose reader has gone.
File broken_pipe() {
  make_failed_writes_errors();
  std::array<int, 2> ends{};
  EXPECT_EQ(::pipe(ends.data()), 0);
  ::close(ends[0]);
  return {::fdopen(ends[1], "w"), &std::fclose};
}

struct Streams {
  File out, err;
  Console console;
  Streams(File a, File b) : out(std::move(a)), err(std::move(b)) {
    console.out = out.get();
    console.err = err.get();
  }
  std::string said() const {
    std::rewind(err.get());
    std::array<char, 200> text{};
    const std::size_t got = std::fread(text.data(), 1, text.size(), err.get());
    return {text.data(), got};
  }
};

File memory() { return {std::tmpfile(), &std::fclose}; }

TEST(Console, ASuccessWhoseResultsAreLostIsNone) {
  const Streams streams(opened("/dev/full", "w"), memory());
  const Console copy = streams.console;  // verbs get copies
  copy.result("a result");
  EXPECT_EQ(finish_output(streams.console, 0), 71);
  EXPECT_EQ(streams.said(),
            "understudy: error: cannot write to standard output: No space left on device\n");
}

TEST(Console, AFailureKeepsItsCode) {
  const Streams streams(opened("/dev/full", "w"), memory());
  streams.console.result("a result");
  EXPECT_EQ(finish_output(streams.console, 4), 4);
}

TEST(Console, AReaderThatLeftEndsQuietly) {
  const Streams streams(broken_pipe(), memory());
  streams.console.result("a result");
  EXPECT_TRUE(streams.console.reader_left());
  EXPECT_EQ(finish_output(streams.console, 0), 128 + SIGPIPE);
  EXPECT_EQ(streams.said(), "");
}

TEST(Console, WordsOnStderrThatAreLostCountToo) {
  const Streams streams(memory(), opened("/dev/full", "w"));
  streams.console.failure("a warning");
  EXPECT_EQ(finish_output(streams.console, 0), 71);
}

TEST(Console, AStreamThatNobodyWroteToIsNotMissed) {
  const Streams streams(memory(), opened("/dev/null", "r"));
  streams.console.result("a result");
  EXPECT_EQ(finish_output(streams.console, 0), 0);
}

TEST(Console, WhatALoggerCouldNotWriteIsSeenAtTheEnd) {
  const Streams streams(memory(), opened("/dev/full", "w"));
  static_cast<void>(std::fputs("a warning\n", streams.err.get()));
  static_cast<void>(std::fflush(streams.err.get()));
  EXPECT_EQ(finish_output(streams.console, 0), 71);
}

}  // namespace
}  // namespace understudy::launcher
