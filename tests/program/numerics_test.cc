// SPDX-License-Identifier: Apache-2.0
#include "program/executable/numerics.h"

#include <gtest/gtest.h>

#include "configs/base/error.h"

namespace understudy::program {
namespace {

TEST(Numerics, HaveNamesThatLeadBackToThem) {
  for (const Numerics numerics : {Numerics::tpu, Numerics::ieee})
    EXPECT_EQ(numerics_named(name_of(numerics)), numerics);
}

TEST(Numerics, AnUnknownWordIsNeitherOfThem) {
  try {
    numerics_named("TPU");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::config);
    EXPECT_EQ(error.message(), "unknown numerics \"TPU\"; known: tpu, ieee");
  }
}

}  // namespace
}  // namespace understudy::program
