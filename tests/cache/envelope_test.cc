// SPDX-License-Identifier: Apache-2.0
#include "cache/envelope.h"

#include <cstdlib>
#include <gtest/gtest.h>

#include "cache/archive.h"
#include "cache/compile_cache.h"
#include "tests/cache/sample.h"

namespace understudy::cache {
namespace {

const std::string kKey(32, 'a');
const std::string kGolden = UNDERSTUDY_SOURCE_DIR "/tests/golden/archive/format-1.entry";

TEST(Envelope, OpensWhatItSealed) {
  for (const std::string& payload : {std::string(), std::string("x"), std::string(1000, '\0')}) {
    const std::string entry = seal(kKey, payload);
    EXPECT_EQ(entry.size(), payload.size() + 116);
    const Opened opened = open(entry, kKey);
    EXPECT_EQ(opened.refusal, Refusal::none);
    EXPECT_EQ(opened.payload, payload);
  }
}

TEST(Envelope, RefusesEveryTruncation) {
  const std::string entry = seal(kKey, "a payload");
  for (std::size_t size = 0; size < entry.size(); ++size) {
    const Opened opened = open(std::string_view(entry).substr(0, size), kKey);
    EXPECT_EQ(opened.refusal, Refusal::torn) << size;
    EXPECT_TRUE(opened.payload.empty());
  }
  EXPECT_EQ(open(entry + "x", kKey).refusal, Refusal::torn);
}

TEST(Envelope, RefusesEveryFlippedByte) {
  const std::string entry = seal(kKey, archive_executable(small_executable(1)));
  for (std::size_t at = 0; at < entry.size(); ++at) {
    std::string bad = entry;
    bad[at] = static_cast<char>(bad[at] ^ 0x10);
    EXPECT_NE(open(bad, kKey).refusal, Refusal::none) << "byte " << at;
  }
}

TEST(Envelope, TellsWhyItRefuses) {
  std::string entry = seal(kKey, "a payload");
  EXPECT_EQ(open(entry, std::string(32, 'b')).refusal, Refusal::wrong_key);
  EXPECT_EQ(open("#!/bin/sh", kKey).refusal, Refusal::foreign);
  entry.back() = '!';
  EXPECT_EQ(open(entry, kKey).refusal, Refusal::damaged);
  entry[12] = 'x';
  EXPECT_EQ(open(entry, kKey).refusal, Refusal::stale);
  EXPECT_EQ(words_for(Refusal::stale), "of another build");
  EXPECT_EQ(words_for(Refusal::foreign), "not a cache entry");
  EXPECT_EQ(words_for(Refusal::torn), "torn");
  EXPECT_EQ(words_for(Refusal::damaged), "damaged");
}

// One sample per format number, kept for ever: it loads, or it is refused as stale.
TEST(Envelope, GoldenSampleLoadsOrIsStale) {
  if (std::getenv("UNDERSTUDY_UPDATE_GOLDEN") != nullptr) {
    write_text(kGolden, seal(kKey, archive_executable(every_kind())));
  }
  const std::string entry = read_text(kGolden);
  const Opened opened = open(entry, kKey);
  if (opened.refusal != Refusal::none) {
    EXPECT_EQ(opened.refusal, Refusal::stale);
    return;
  }
  const program::Executable executable = restore_executable(opened.payload);
  EXPECT_EQ(archive_executable(executable), opened.payload);
}

TEST(Key, DependsOnEveryPart) {
  const KeyParts base = sample_parts("p");
  const std::string key = key_of(base);
  EXPECT_EQ(key.size(), 32U);
  EXPECT_EQ(key_of(base), key);
  std::vector<KeyParts> others(5, base);
  others[0].program = "q";
  others[1].numerics = "ieee";
  others[2].replicas = 2;
  others[3].chip = "v5e";
  others[4].chip_digest = "other";
  for (const KeyParts& other : others) EXPECT_NE(key_of(other), key);
}

TEST(Key, FingerprintHasThirtyTwoDigits) {
  EXPECT_EQ(build_fingerprint().size(), 32U);
  EXPECT_EQ(build_fingerprint(), build_fingerprint());
}

}  // namespace
}  // namespace understudy::cache
