// SPDX-License-Identifier: Apache-2.0
#include "pjrt/core/completion.h"

#include <gtest/gtest.h>
#include <thread>

namespace understudy::pjrt {
namespace {

TEST(Completion, CallsBackAtOnceWhereItIsReady) {
  int calls = 0;
  Completion::done()->then([&](const FailureRef& failure) {
    EXPECT_EQ(failure, nullptr);
    ++calls;
  });
  EXPECT_EQ(calls, 1);
}

TEST(Completion, CallsEveryWaiterOnceAndKeepsTheFirstFailure) {
  Completion completion;
  int calls = 0;
  for (int i = 0; i < 3; ++i)
    completion.then([&](const FailureRef& failure) {
      EXPECT_EQ(failure->message, "first");
      ++calls;
    });
  EXPECT_FALSE(completion.ready());
  completion.set(make_failure(abi::kInternal, "first"));
  completion.set(make_failure(abi::kInternal, "second"));
  EXPECT_EQ(calls, 3);
  EXPECT_EQ(completion.wait()->message, "first");
}

TEST(Completion, WakesAThreadThatWaits) {
  const auto completion = std::make_shared<Completion>();
  std::jthread setter([completion] { completion->set(); });
  EXPECT_EQ(completion->wait(), nullptr);
}

// A callback may set off more work on the same completion: no lock may be held.
TEST(Completion, HoldsNoLockWhileItCallsBack) {
  Completion completion;
  bool inner = false;
  completion.then(
      [&](const FailureRef&) { completion.then([&](const FailureRef&) { inner = true; }); });
  completion.set();
  EXPECT_TRUE(inner);
}

}  // namespace
}  // namespace understudy::pjrt
