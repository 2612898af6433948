// SPDX-License-Identifier: Apache-2.0
// Work on a stack that recursion as deep as a program is long overflows: a process that does so is
// killed, and the test fails.
#pragma once

#include <cstddef>
#include <exception>
#include <functional>
#include <gtest/gtest.h>
#include <pthread.h>

namespace understudy::program {

// Sanitizers make frames several times as large.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr std::size_t kStackFactor = 8;
#else
inline constexpr std::size_t kStackFactor = 1;
#endif

struct StackWork {
  const std::function<void()>* work = nullptr;
  std::exception_ptr thrown;
};

// Runs `work` in a thread of its own with a stack of so many bytes; rethrows what it throws.
inline void on_stack_of(std::size_t bytes, const std::function<void()>& work) {
  StackWork context{&work, nullptr};
  const auto run = [](void* at) -> void* {
    auto& own = *static_cast<StackWork*>(at);
    try {
      (*own.work)();
    } catch (...) {
      own.thrown = std::current_exception();
    }
    return nullptr;
  };
  pthread_attr_t attributes;
  ASSERT_EQ(pthread_attr_init(&attributes), 0);
  ASSERT_EQ(pthread_attr_setstacksize(&attributes, bytes * kStackFactor), 0);
  pthread_t thread{};
  ASSERT_EQ(pthread_create(&thread, &attributes, run, &context), 0);
  ASSERT_EQ(pthread_join(thread, nullptr), 0);
  pthread_attr_destroy(&attributes);
  if (context.thrown != nullptr) std::rethrow_exception(context.thrown);
}

}  // namespace understudy::program
