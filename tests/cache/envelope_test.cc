// SPDX-License-Identifier: Apache-2.0
#include "cache/envelope.h"

#include <cstdlib>
#include <gtest/gtest.h>

#include "cache/archive.h"
#include "cache/compile_cache.h"
#include "tests/cache/sample.h"

namespace understudy::cache {
namespace {

const NamedParts kParts = named_parts(sample_parts("p"));
const std::string kKey = key_of(kParts);
const std::string kGolden = UNDERSTUDY_SOURCE_DIR "/tests/golden/archive/format-";

TEST(Envelope, OpensWhatItSealed) {
  for (const std::string& payload : {std::string(), std::string("x"), std::string(1000, '\0')}) {
    const std::string entry = seal(kParts, payload);
    EXPECT_EQ(entry.size(), payload.size() + 124 + text_of(kParts).size());
    const Opened opened = open(entry, kKey);
    EXPECT_EQ(opened.refusal, Refusal::none);
    EXPECT_EQ(opened.payload, payload);
  }
}

TEST(Envelope, RefusesEveryTruncation) {
  const std::string entry = seal(kParts, "a payload");
  for (std::size_t size = 0; size < entry.size(); ++size) {
    const Opened opened = open(std::string_view(entry).substr(0, size), kKey);
    EXPECT_EQ(opened.refusal, Refusal::torn) << size;
    EXPECT_TRUE(opened.payload.empty());
  }
  EXPECT_EQ(open(entry + "x", kKey).refusal, Refusal::torn);
}

TEST(Envelope, RefusesEveryFlippedByte) {
  const std::string entry = seal(kParts, archive_executable(small_executable(1)));
  for (std::size_t at = 0; at < entry.size(); ++at) {
    std::string bad = entry;
    bad[at] = static_cast<char>(bad[at] ^ 0x10);
    EXPECT_NE(open(bad, kKey).refusal, Refusal::none) << "byte " << at;
  }
}

TEST(Envelope, TellsWhyItRefuses) {
  std::string entry = seal(kParts, "a payload");
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

// One sample per format number, kept for ever: it loads, or it is refused as stale. The samples of
// older formats and builds have other keys.
TEST(Envelope, GoldenSamplesLoadOrAreStale) {
  if (std::getenv("UNDERSTUDY_UPDATE_GOLDEN") != nullptr) {
    write_text(kGolden + "2.entry", seal(kParts, archive_executable(every_kind())));
  }
  for (const char* format : {"1", "2"}) {
    const std::string entry = read_text(kGolden + format + ".entry");
    const Inspected seen = inspect(entry);
    ASSERT_TRUE(seen.refusal == Refusal::none || seen.refusal == Refusal::stale) << format;
    if (seen.refusal == Refusal::none) {
      EXPECT_EQ(archive_executable(restore_executable(seen.payload)), seen.payload);
    }
    if (format[0] == '2') {
      EXPECT_EQ(seen.parts.size(), kParts.size());
    }
  }
}

TEST(Envelope, InspectTellsTheKeyAndItsPartsWhateverTheyAre) {
  const std::string entry = seal(kParts, "a payload");
  const Inspected seen = inspect(entry);
  EXPECT_EQ(seen.refusal, Refusal::none);
  EXPECT_EQ(seen.key, kKey);
  EXPECT_EQ(seen.parts, kParts);
  EXPECT_EQ(seen.payload, "a payload");
}

TEST(Envelope, InspectKnowsEntriesOfOtherBuilds) {
  NamedParts parts = kParts;
  parts.back().second = "other sources";
  std::string entry = seal(parts, "a payload");
  entry[12] = entry[12] == 'x' ? 'y' : 'x';
  const Inspected seen = inspect(entry);
  EXPECT_EQ(seen.refusal, Refusal::stale);
  EXPECT_EQ(seen.parts, parts);
  EXPECT_EQ(seen.payload, "a payload");
}

TEST(Envelope, InspectRefusesPartsThatDoNotMakeTheKey) {
  std::string entry = seal(kParts, "a payload");
  entry[44] = entry[44] == '0' ? '1' : '0';
  EXPECT_EQ(inspect(entry).refusal, Refusal::damaged);
  EXPECT_EQ(inspect(entry.substr(0, entry.size() - 1)).refusal, Refusal::torn);
  EXPECT_EQ(inspect("junk").refusal, Refusal::foreign);
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
