// SPDX-License-Identifier: Apache-2.0
#include "cache/envelope.h"

#include <cstdlib>
#include <gtest/gtest.h>
#include <span>

#include "cache/archive.h"
#include "cache/compile_cache.h"
#include "configs/base/digest.h"
#include "tests/cache/sample.h"

namespace understudy::cache {
namespace {

const NamedParts kParts = named_parts(sample_parts("p"));
const std::string kKey = key_of(kParts);
constexpr std::size_t kDigits = 32, kDigestAt = 12, kFingerprintAt = 44, kKeyAt = 76;
const std::string kGolden = UNDERSTUDY_SOURCE_DIR "/tests/golden/archive/format-";

// The digest of everything but itself, as somebody makes it who wants to deceive.
std::string with_digest(std::string entry) {
  Digester digester;
  digester.add(std::as_bytes(std::span(entry).first(kDigestAt)));
  digester.add(std::as_bytes(std::span(entry).subspan(kDigestAt + kDigits)));
  return entry.replace(kDigestAt, kDigits, digester.hex());
}

TEST(Envelope, OpensWhatItSealed) {
  for (const std::string& payload : {std::string(), std::string("x"), std::string(1000, '\0')}) {
    const std::string entry = seal(kParts, payload);
    EXPECT_EQ(entry.size(), payload.size() + 124 + text_of(kParts).size());
    EXPECT_EQ(with_digest(entry), entry);
    const Opened opened = open(entry, kParts);
    EXPECT_EQ(opened.refusal, Refusal::none);
    EXPECT_EQ(opened.payload, payload);
  }
}

TEST(Envelope, RefusesEveryTruncation) {
  const std::string entry = seal(kParts, "a payload");
  for (std::size_t size = 0; size < entry.size(); ++size) {
    const Opened opened = open(std::string_view(entry).substr(0, size), kParts);
    EXPECT_EQ(opened.refusal, Refusal::torn) << size;
    EXPECT_TRUE(opened.payload.empty());
  }
  EXPECT_EQ(open(entry + "x", kParts).refusal, Refusal::torn);
}

// Every byte of the head too: fingerprint, key and lengths once stood outside of the digest.
TEST(Envelope, RefusesEveryFlippedByteWhoeverReads) {
  const std::string entry = seal(kParts, archive_executable(small_executable(1)));
  for (std::size_t at = 0; at < entry.size(); ++at) {
    std::string bad = entry;
    bad[at] = static_cast<char>(bad[at] ^ 0x10);
    EXPECT_NE(open(bad, kParts).refusal, Refusal::none) << "byte " << at;
    EXPECT_EQ(open(bad).refusal, open(bad, kParts).refusal) << "byte " << at;
  }
}

TEST(Envelope, TellsWhyItRefuses) {
  std::string entry = seal(kParts, "a payload");
  EXPECT_EQ(open(entry, named_parts(sample_parts("q"))).refusal, Refusal::wrong_key);
  EXPECT_EQ(open("#!/bin/sh", kParts).refusal, Refusal::foreign);
  entry.back() = '!';
  EXPECT_EQ(open(entry, kParts).refusal, Refusal::damaged);
  entry[8] = 9;
  EXPECT_EQ(open(entry, kParts).refusal, Refusal::other_format);
  EXPECT_EQ(words_for(Refusal::stale), "of another build");
  EXPECT_EQ(words_for(Refusal::other_format), "of another format");
  EXPECT_EQ(words_for(Refusal::foreign), "not a cache entry");
  EXPECT_EQ(words_for(Refusal::torn), "torn");
  EXPECT_EQ(words_for(Refusal::damaged), "damaged");
}

// Another program's entry under this program's key, the head patched and the digest made anew: its
// parts still tell whose it is.
TEST(Envelope, APatchedKeyIsRefusedAlthoughTheDigestFits) {
  const std::string other = seal(named_parts(sample_parts("q")), "another payload");
  std::string patched = other;
  patched.replace(kKeyAt, kDigits, kKey);
  EXPECT_EQ(open(patched, kParts).refusal, Refusal::damaged) << "the digest of the other";
  EXPECT_EQ(open(with_digest(patched), kParts).refusal, Refusal::damaged);
  EXPECT_EQ(open(with_digest(patched)).refusal, Refusal::damaged);
  EXPECT_EQ(open(other, kParts).refusal, Refusal::wrong_key);
  std::string build = seal(kParts, "a payload");
  build[kFingerprintAt] = build[kFingerprintAt] == 'x' ? 'y' : 'x';
  EXPECT_EQ(open(with_digest(build)).refusal, Refusal::damaged);
}

// One sample per format number, kept for ever: it loads, or it is refused with the right words. The
// samples of older formats and builds have other keys.
TEST(Envelope, GoldenSamplesLoadOrAreRefusedByTheirFormat) {
  if (std::getenv("UNDERSTUDY_UPDATE_GOLDEN") != nullptr) {
    write_text(kGolden + "5.entry", seal(kParts, archive_executable(every_kind())));
  }
  for (const char* format : {"1", "2", "3", "4", "5"}) {
    const std::string entry = read_text(kGolden + format + ".entry");
    const Opened seen = open(entry);
    if (format[0] != '5') {
      EXPECT_EQ(seen.refusal, Refusal::other_format) << format;
      EXPECT_TRUE(seen.payload.empty());
      continue;
    }
    ASSERT_TRUE(seen.refusal == Refusal::none || seen.refusal == Refusal::stale);
    EXPECT_EQ(seen.parts.size(), kParts.size());
    if (seen.refusal == Refusal::none) {
      EXPECT_EQ(archive_executable(restore_executable(seen.payload)), seen.payload);
    }
  }
}

TEST(Envelope, TellsTheKeyAndItsPartsWhateverTheyAre) {
  const std::string entry = seal(kParts, "a payload");
  const Opened seen = open(entry);
  EXPECT_EQ(seen.refusal, Refusal::none);
  EXPECT_EQ(seen.key, kKey);
  EXPECT_EQ(seen.parts, kParts);
  EXPECT_EQ(seen.payload, "a payload");
}

TEST(Envelope, KnowsEntriesOfOtherBuilds) {
  NamedParts parts = kParts;
  parts.back().second = "other sources";
  const std::string entry = seal(parts, "a payload");
  const Opened seen = open(entry);
  EXPECT_EQ(seen.refusal, Refusal::stale);
  EXPECT_EQ(seen.parts, parts);
  EXPECT_EQ(seen.payload, "a payload");
  EXPECT_EQ(open(entry, kParts).refusal, Refusal::wrong_key);
}

TEST(Key, DependsOnEveryPart) {
  const KeyParts base = sample_parts("p");
  const std::string key = key_of(base);
  EXPECT_EQ(key.size(), 32U);
  EXPECT_EQ(key_of(base), key);
  std::vector<KeyParts> others(7, base);
  others[0].program = "q";
  others[1].numerics = "ieee";
  others[2].replicas = 2;
  others[3].chip = "v5e";
  others[4].chip_digest = "other";
  others[5].entry = "step";
  others[6].profile["tiling"] = "wide";
  for (const KeyParts& other : others) EXPECT_NE(key_of(other), key);
}

TEST(Key, PartsSurviveTheirText) {
  KeyParts parts = sample_parts("p");
  parts.profile["flags"] = "a=b c";
  const NamedParts named = named_parts(parts);
  EXPECT_EQ(parse_parts(text_of(named)), named);
  EXPECT_EQ(parse_parts("no equals\n"), std::nullopt);
  EXPECT_EQ(parse_parts("cut=off"), std::nullopt);
}

TEST(Key, DifferencesAreToldInTheOrderOfTheParts) {
  KeyParts here = sample_parts("p"), there = sample_parts("q");
  here.profile["x"] = "1";
  there.chip = "v5e";
  const auto all = differences(named_parts(here), named_parts(there));
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[0].part, "program");
  EXPECT_EQ(all[0].here, "p");
  EXPECT_EQ(all[0].there, "q");
  EXPECT_EQ(all[1].part, "chip");
  EXPECT_EQ(all[2].part, "profile.x");
  EXPECT_EQ(all[2].there, std::nullopt);
  EXPECT_TRUE(differences(named_parts(here), named_parts(here)).empty());
}

TEST(Key, HoldsNoPathTimeOrCommitName) {
  for (const auto& [name, value] : named_parts(sample_parts("p"))) {
    EXPECT_EQ(value.find('/'), std::string::npos) << name;
    EXPECT_EQ(value.find(':'), std::string::npos) << name;
  }
}

TEST(Key, FingerprintHasThirtyTwoDigits) {
  EXPECT_EQ(build_fingerprint().size(), 32U);
  EXPECT_EQ(build_fingerprint(), build_fingerprint());
}

}  // namespace
}  // namespace understudy::cache
