// SPDX-License-Identifier: Apache-2.0
#include "program/npz.h"

#include <filesystem>
#include <random>
#include <unistd.h>

#include "gtest/gtest.h"

#include "configs/base/error.h"
#include "configs/base/file.h"
#include "tests/program/zip_testing.h"

namespace understudy::program {
namespace {

using zip_testing::archive;
using zip_testing::Member;

class Npz : public testing::Test {
 protected:
  ~Npz() override { std::filesystem::remove(path_); }

  NpzFile open(const std::string& bytes) const {
    write_file(path_, std::as_bytes(std::span(bytes)));
    return NpzFile(path_);
  }
  // The error of reading array "a"; empty if there is none.
  std::string error_of(const std::string& bytes) const {
    try {
      open(bytes).read("a");
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::input);
      return error.message();
    }
    return "";
  }

  const std::string path_ =
      testing::TempDir() + "/understudy-npz-" + std::to_string(getpid()) + ".npz";
};

std::string npy(const Array& array) {
  const std::vector<std::byte> bytes = npy_bytes(array);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

Array counting(std::int64_t count) {
  Array array{{ElementType::i32, {count}},
              std::vector<std::byte>(static_cast<std::size_t>(4 * count))};
  for (std::size_t i = 0; i < array.bytes.size(); i += 4)
    array.bytes[i] = static_cast<std::byte>(i / 4);
  return array;
}

TEST_F(Npz, ReadsStoredAndDeflatedArrays) {
  for (const bool deflated : {false, true}) {
    const NpzFile file = open(archive(
        {{"b.npy", npy(counting(3)), deflated}, {"a.npy", npy(counting(70000)), deflated}}));
    EXPECT_EQ(file.names(), (std::vector<std::string>{"b", "a"}));
    EXPECT_EQ(file.type("a"), counting(70000).type);
    EXPECT_EQ(file.read("a"), counting(70000));
    EXPECT_EQ(file.read("b"), counting(3));
    EXPECT_FALSE(file.has("c"));
  }
}

TEST_F(Npz, AMissingArrayIsNamed) {
  EXPECT_NE(error_of(archive({{"b.npy", npy(counting(3))}})).find("there is no array 'a'"),
            std::string::npos);
}

TEST_F(Npz, RefusesASizeThatThePackedBytesCannotHold) {
  const Member bomb{"a.npy", npy(counting(3)), true, std::uint64_t{1} << 31};
  EXPECT_NE(error_of(archive({bomb})).find("packed bytes cannot hold"), std::string::npos);
}

TEST_F(Npz, RefusesASizeThatTheHeaderContradicts) {
  const std::string content = npy(counting(3));
  const Member more{"a.npy", content, true, content.size() + 100};
  EXPECT_NE(error_of(archive({more})), "");
  const Member less{"a.npy", content, true, content.size() - 4};
  EXPECT_NE(error_of(archive({less})), "");
}

TEST_F(Npz, NoticesChangedData) {
  std::string bytes = archive({{"a.npy", npy(counting(3)), false}});
  bytes[140] ^= 1;  // in the elements, after a local header of 35 bytes and an .npy header of 128
  bytes[165] ^= 1;
  EXPECT_NE(error_of(bytes).find("checksum of a.npy is wrong"), std::string::npos);
}

TEST_F(Npz, EveryChangedByteAndEveryCutIsReadOrRefused) {
  const std::string whole =
      archive({{"b.npy", npy(counting(2)), false}, {"a.npy", npy(counting(40)), true}});
  for (std::size_t at = 0; at < whole.size(); ++at) {
    error_of(whole.substr(0, at));
    for (const int value : {0x00, 0x7f, 0xff}) {
      std::string changed = whole;
      changed[at] = static_cast<char>(value);
      error_of(changed);
    }
  }
  std::mt19937 draw(1);
  for (int i = 0; i < 2000; ++i) {
    std::string changed = whole;
    for (int n = 0; n < 4; ++n) changed[draw() % changed.size()] = static_cast<char>(draw());
    error_of(changed);
  }
}

}  // namespace
}  // namespace understudy::program
