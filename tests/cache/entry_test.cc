// SPDX-License-Identifier: Apache-2.0
// Entries whose digest fits and whose payload was altered, as somebody writes them who can compute
// a digest: each is refused or is an executable inside its bounds, and none ends the process.
#include "cache/entry.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <random>

#include "cache/archive.h"
#include "configs/base/error.h"
#include "program/compile.h"
#include "program/ir/source.h"
#include "program/read.h"
#include "tests/cache/sample.h"

namespace understudy::cache {
namespace {

using testing::AnyOf;
using testing::HasSubstr;

const NamedParts kEntryParts = named_parts(sample_parts("p"));

program::Executable compiled(const program::CompileOptions& options = {}) {
  static constexpr const char* kText = R"(
    func.func @main(%a: tensor<4x8xf32>, %n: tensor<i32>) -> (tensor<8xf32>, tensor<4x8xf32>) {
      %zero = stablehlo.constant dense<0.0> : tensor<f32>
      %one = stablehlo.constant dense<1> : tensor<i32>
      %0 = stablehlo.tanh %a : tensor<4x8xf32>
      %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0]
        : (tensor<4x8xf32>, tensor<f32>) -> tensor<8xf32>
      %2:2 = stablehlo.while(%i = %n, %x = %a) : tensor<i32>, tensor<4x8xf32>
        cond {
          %c = stablehlo.compare LT, %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i1>
          stablehlo.return %c : tensor<i1>
        } do {
          %j = stablehlo.add %i, %one : tensor<i32>
          %y = stablehlo.multiply %x, %0 : tensor<4x8xf32>
          stablehlo.return %j, %y : tensor<i32>, tensor<4x8xf32>
        }
      return %1, %2#1 : tensor<8xf32>, tensor<4x8xf32>
    })";
  const auto module =
      program::read_program(std::make_shared<const program::Source>("sample.mlir", kText));
  return program::compile(*module, options);
}

TEST(Entry, LoadsWhatTheCompilerMade) {
  const program::Executable executable = compiled();
  const LoadedEntry loaded =
      load_entry(seal(kEntryParts, archive_executable(executable)), kEntryParts);
  ASSERT_TRUE(loaded.executable) << loaded.reason;
  EXPECT_TRUE(*loaded.executable == executable);
}

TEST(Entry, AMisfitIsDamaged) {
  const std::string entry = seal(kEntryParts, archive_executable(compiled()));
  const LoadedEntry loaded =
      load_entry(entry, kEntryParts, [](const program::Executable&) { return "another program"; });
  EXPECT_EQ(loaded.opened.refusal, Refusal::damaged);
  EXPECT_EQ(loaded.reason, "another program");
  EXPECT_FALSE(loaded.executable);
}

// An entry under a good digest that once ended the run with a broken invariant.
TEST(Entry, AnExecutableThatLeavesItsBoundsIsDamaged) {
  program::Executable executable = compiled();
  executable.temporary_bytes = 0;
  const LoadedEntry loaded =
      load_entry(seal(kEntryParts, archive_executable(executable)), kEntryParts);
  EXPECT_EQ(loaded.opened.refusal, Refusal::damaged);
  EXPECT_THAT(loaded.reason, HasSubstr("operand outside its memory space"));
}

TEST(Entry, AnOperationWithoutAKernelForItsTypesIsDamaged) {
  program::CompileOptions options;
  options.disabled_passes = {"fuse-elementwise"};
  program::Executable executable = compiled(options);
  int changed = 0;
  for (program::Instruction& instruction : executable.code)
    if (auto* const unary = std::get_if<program::Unary>(&instruction.work)) {
      unary->op = program::UnaryOp::count_leading_zeros;
      ++changed;
    }
  ASSERT_EQ(changed, 1);
  const LoadedEntry loaded =
      load_entry(seal(kEntryParts, archive_executable(executable)), kEntryParts);
  EXPECT_EQ(loaded.opened.refusal, Refusal::damaged);
  EXPECT_THAT(loaded.reason, HasSubstr("no kernel"));
}

// The envelope fits, but a byte of the payload has changed since the executable was archived.
TEST(Entry, AnEnvelopeAroundAChangedPayloadDoesNotMakeItGood) {
  const std::string payload = archive_executable(compiled());
  for (std::size_t at = 0; at < payload.size(); ++at) {
    std::string changed = payload;
    changed[at] = static_cast<char>(changed[at] ^ 1);
    EXPECT_EQ(load_entry(seal(kEntryParts, changed), kEntryParts).opened.refusal, Refusal::damaged)
        << at;
  }
}

constexpr std::size_t kArchiveDigestDigits = 32;  // of the digest of an archive

TEST(Entry, MutantsWithAFittingDigestLoadInsideTheirBoundsOrAreDamaged) {
  const std::vector<std::string> payloads = {archive_executable(compiled()),
                                             archive_executable(every_kind())};
  std::mt19937_64 random(14);
  int damaged = 0;
  for (int i = 0; i < 4000; ++i) {
    std::string payload = payloads[static_cast<std::size_t>(i % 2)];
    payload.resize(payload.size() - kArchiveDigestDigits);
    const std::size_t changes = 1 + random() % 8;
    for (std::size_t n = 0; n < changes; ++n)
      payload[random() % payload.size()] = static_cast<char>(i % 3 == 0 ? 0xff : random());
    if (i % 5 == 0) payload.resize(random() % payload.size());
    const LoadedEntry loaded =
        load_entry(seal(kEntryParts, with_archive_digest(payload)), kEntryParts);
    EXPECT_THAT(loaded.opened.refusal, AnyOf(Refusal::none, Refusal::damaged));
    EXPECT_EQ(loaded.executable.has_value(), loaded.opened.refusal == Refusal::none);
    if (loaded.executable) {
      EXPECT_NO_THROW(program::check_bounds(*loaded.executable));
    }
    damaged += loaded.executable ? 0 : 1;
  }
  EXPECT_GT(damaged, 1000);
}

// A length is believed as far as there are bytes: none makes the reader allocate more.
TEST(Entry, HugeLengthsAreRefusedWithoutTheirMemory) {
  std::string payload = archive_executable(compiled());
  payload.resize(payload.size() - kArchiveDigestDigits);
  for (std::size_t at = 0; at + 8 <= payload.size(); ++at) {
    std::string huge = payload;
    huge.replace(at, 8, std::string("\xff\xff\xff\xff\xff\xff\xff\x7f", 8));
    EXPECT_NO_THROW(load_entry(seal(kEntryParts, with_archive_digest(huge)), kEntryParts)) << at;
  }
}

}  // namespace
}  // namespace understudy::cache
