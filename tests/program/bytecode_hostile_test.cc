// SPDX-License-Identifier: Apache-2.0
// Whatever bytes come: a module or an error of the user's kind, and little memory.
#include <cstring>
#include <gtest/gtest.h>
#include <random>
#include <sys/resource.h>

#include "tests/program/reader_testing.h"

namespace understudy::program {
namespace {

std::string bytes_of(const std::string& name) {
  const auto path = repository() / "tests/program/bytecode" / name;
  return std::string(Source::read(path.string())->text());
}

// The error of reading these bytes, or "" where they are a module (right or not).
std::string outcome(std::string bytes) {
  try {
    const auto module = parse(std::make_shared<const Source>("x.mlirbc", std::move(bytes)));
    verify(*module);
  } catch (const Error& error) {
    const bool of_the_user =
        error.kind() == ErrorKind::input || error.kind() == ErrorKind::unsupported;
    EXPECT_TRUE(of_the_user) << error.text();
    return error.text();
  }
  return "";
}

TEST(BytecodeHostile, EveryTruncationIsAnErrorWithItsPlace) {
  for (const char* name :
       {"control.1.17.0.mlirbc", "control.0.9.0.mlirbc", "shardy.1.17.0.mlirbc"}) {
    SCOPED_TRACE(name);
    const std::string whole = bytes_of(name);
    for (std::size_t size = 4; size < whole.size(); ++size) {
      const std::string text = outcome(whole.substr(0, size));
      ASSERT_EQ(text.substr(0, 15), "x.mlirbc: byte ") << "cut at " << size << ": " << text;
    }
  }
}

TEST(BytecodeHostile, FlippedBytesNeverCrash) {
  std::mt19937 random(20240607);
  int refused = 0;
  for (const char* name :
       {"operations.1.17.0.mlirbc", "constants.0.12.0.mlirbc", "shardy.1.17.0.mlirbc",
        "control.0.14.0.mlirbc", "newer.1.17.0.mlirbc"}) {
    const std::string whole = bytes_of(name);
    for (int round = 0; round < 1000; ++round) {
      std::string bytes = whole;
      for (int flips = 1 + round % 3; flips > 0; --flips) {
        bytes[random() % bytes.size()] = static_cast<char>(random());
      }
      refused += outcome(std::move(bytes)).empty() ? 0 : 1;
    }
  }
  EXPECT_GT(refused, 1000);
}

// ---- files built by hand

std::string varint(std::uint64_t value) {
  std::string out(1, '\0');
  out.append(reinterpret_cast<const char*>(&value), sizeof(value));
  return out;
}

std::string section(int id, const std::string& data) {
  return std::string(1, static_cast<char>(id)) + varint(data.size()) + data;
}

std::string strings(const std::vector<std::string>& all) {
  std::string out = varint(all.size());
  for (std::size_t i = all.size(); i-- > 0;) out += varint(all[i].size() + 1);
  for (const std::string& each : all) out += each + '\0';
  return section(0, out);
}

const std::string kHead = std::string("ML\xEFR\x0D") + "StableHLO_v1.15.0" + '\0';

std::string dialects() {
  return section(1, varint(2) + varint(0) + varint(2) + varint(1) +  // builtin, vhlo
                        varint(0) + varint(1) + varint(5));          // op builtin.module
}

// A module whose attribute dictionary is attribute 0 of these entries of the builtin dialect.
std::string with_attributes(const std::vector<std::string>& entries) {
  std::string offsets = varint(entries.size()) + varint(0) + varint(0) + varint(entries.size());
  std::string data;
  for (const std::string& entry : entries) {
    offsets += varint(entry.size() << 1 | 1);
    data += entry;
  }
  // One module with attributes, location 0 (which is none), no regions.
  const std::string ir = varint(2) + varint(0) + '\x01' + varint(0) + varint(0);
  return kHead + strings({"builtin", "vhlo", "module"}) + dialects() + section(2, data) +
         section(3, offsets) + section(4, ir) + section(8, varint(0));
}

std::string array_of(const std::vector<std::uint64_t>& parts) {
  std::string out = varint(0) + varint(parts.size());
  for (const std::uint64_t part : parts) out += varint(part);
  return out;
}

TEST(BytecodeHostile, AttributesThatContainThemselvesAreRefused) {
  EXPECT_NE(outcome(with_attributes({array_of({1}), array_of({0})}))
                .find("an attribute or type contains itself"),
            std::string::npos);
}

TEST(BytecodeHostile, DeepNestingIsRefused) {
  std::vector<std::string> entries;
  for (std::uint64_t i = 0; i < 10'000; ++i) entries.push_back(array_of({i + 1}));
  entries.push_back(array_of({}));
  EXPECT_NE(outcome(with_attributes(entries)).find("nested more than 128 levels deep"),
            std::string::npos);
}

TEST(BytecodeHostile, DoublingNeverFillsTheMemory) {
  std::vector<std::string> entries;
  for (std::uint64_t i = 0; i < 100; ++i) entries.push_back(array_of({i + 1, i + 1}));
  entries.push_back(array_of({}));
  EXPECT_NE(outcome(with_attributes(entries)).find("expand to far more data"), std::string::npos);
}

TEST(BytecodeHostile, HugeCountsAndLengthsAreRefused) {
  const std::string huge = varint(std::uint64_t{1} << 32);
  const std::string largest = varint(~std::uint64_t{0});
  for (const std::string& number : {huge, largest}) {
    EXPECT_NE(outcome(kHead + '\x01' + number), "");                      // section
    EXPECT_NE(outcome(kHead + section(0, number)), "");                   // strings
    EXPECT_NE(outcome(kHead + strings({"a"}) + section(1, number)), "");  // dialects
    const std::string names = kHead + strings({"builtin", "vhlo", "module"}) + dialects();
    EXPECT_NE(outcome(names + section(2, "") + section(3, number + number)), "");  // entries
    EXPECT_NE(outcome(with_attributes({varint(0) + number})), "");                 // array
    EXPECT_NE(outcome(with_attributes({varint(1) + number})), "");                 // dictionary
  }
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  constexpr long kMostKilobytes = 1024 * 1024;
  EXPECT_LT(usage.ru_maxrss, kMostKilobytes);
}

TEST(BytecodeHostile, SaysWhyItDoesNotReadOtherBytecode) {
  const auto head = [](const std::string& version, const std::string& producer) {
    return outcome("ML\xEFR" + version + producer + '\0');
  };
  EXPECT_EQ(head("\x0d", "MLIR18.0.0git"),
            "x.mlirbc: byte 5: error: bytecode written by 'MLIR18.0.0git' is not a portable "
            "StableHLO artifact\nnote: write a portable artifact with "
            "jax.export(...).mlir_module_serialized or stablehlo-translate --serialize");
  EXPECT_EQ(head("\x0d", "StableHLO_v2.3.4"),
            "x.mlirbc: byte 5: error: unsupported artifact version StableHLO 2.3.4; the newest "
            "supported is 1.20.0\n"
            "note: write the artifact again for an older target version");
  EXPECT_EQ(head("\x0f", "StableHLO_v1.0.0"),
            "x.mlirbc: byte 4: error: unsupported MLIR bytecode version 7; expected 0 to 6");
  EXPECT_EQ(head("\x0d", "StableHLO_v1.0.0"),
            "x.mlirbc: byte 22: error: the string section is missing");
}

}  // namespace
}  // namespace understudy::program
