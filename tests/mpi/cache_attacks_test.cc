// SPDX-License-Identifier: Apache-2.0
// Hostile cache folders in whole runs: entries of other programs, altered payloads with valid
// digests, pipes and links, other users. Every run ends with its own correct result.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <random>
#include <span>
#include <sys/stat.h>
#include <unistd.h>

#include "configs/base/digest.h"
#include "configs/base/file.h"
#include "tests/mpi/mpi_testing.h"

namespace understudy::mpi_testing {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

constexpr std::size_t kDigits = 32, kDigestAt = 12, kPartsLengthAt = 108, kHeadBytes = 124;
constexpr double kTimeoutSeconds = 60;

std::string with_digest(std::string entry) {
  Digester digester;
  digester.add(std::as_bytes(std::span(entry).first(kDigestAt)));
  digester.add(std::as_bytes(std::span(entry).subspan(kDigestAt + kDigits)));
  return entry.replace(kDigestAt, kDigits, digester.hex());
}

class CacheAttacks : public testing::Test {
 protected:
  // Four chips of one host; what each element of the argument 1 becomes is what the run expects.
  Ran run(const std::string& operation, const std::string& expected,
          std::vector<std::string> more = {}) {
    const std::string text =
        "func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {\n  %0 = stablehlo." + operation +
        " %a, %a : tensor<8xf32>\n  %1 = stablehlo.constant dense<" + expected +
        "> : tensor<8xf32>\n  check.expect_eq %0, %1 : tensor<8xf32>\n" +
        "  return %0 : tensor<8xf32>\n}\n";
    std::vector<std::string> words = {"run",         world_.write(operation + ".mlir", text),
                                      "--slice",     "v6e-4",
                                      "--replicas",  "4",
                                      "--fill",      "ones",
                                      "--cache-dir", world_.file("cache"),
                                      "--timeout",   "60"};
    words.insert(words.end(), more.begin(), more.end());
    const Ran ran = world_.run(words);
    EXPECT_LT(ran.seconds, kTimeoutSeconds) << "nobody waits out the timeout";
    return ran;
  }
  std::vector<std::string> entries() const {
    std::vector<std::string> all;
    for (const auto& item : fs::recursive_directory_iterator(world_.file("cache")))
      if (item.path().extension() == ".entry") all.push_back(item.path());
    std::ranges::sort(all);
    return all;
  }
  World world_;
};

TEST_F(CacheAttacks, AnotherProgramsEntryUnderThisKeyIsNeverUsed) {
  ASSERT_EQ(run("add", "2.0").code, 0);
  const std::string of_add = entries().at(0);
  ASSERT_EQ(run("subtract", "0.0").code, 0);
  std::string of_subtract = entries().at(0) == of_add ? entries().at(1) : entries().at(0);
  const std::string add = read_text_file(of_add), other = read_text_file(of_subtract);
  // As it is; with the key patched; with the whole head of the other and a new digest.
  std::string patched = other, dressed = other;
  patched.replace(44, 64, add, 44, 64);
  const std::string wrongs[] = {other, patched, with_digest(patched)};
  for (const std::string& wrong : wrongs) {
    std::ofstream(of_add, std::ios::binary) << wrong;
    const Ran verified = world_.run({"cache", "verify", world_.file("cache")});
    EXPECT_EQ(verified.code, 1) << verified.out;
    const Ran ran = run("add", "2.0");
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_THAT(ran.out, HasSubstr("moved to"));
  }
}

// Counts trials and correct outcomes, with a fixed seed.
TEST_F(CacheAttacks, AlteredPayloadsUnderGoodDigestsNeverEndARunWithABrokenInvariant) {
  ASSERT_EQ(run("add", "2.0").code, 0);
  const std::string path = entries().at(0), good = read_text_file(path);
  const std::size_t payload = kHeadBytes + static_cast<unsigned char>(good[kPartsLengthAt]) +
                              256 * static_cast<unsigned char>(good[kPartsLengthAt + 1]);
  std::mt19937_64 random(5);
  constexpr int kTrials = 12;
  int held = 0;
  for (int trial = 0; trial < kTrials; ++trial) {
    std::string bad = good;
    for (int change = 0; change < 3; ++change)
      bad[payload + random() % (bad.size() - payload)] = static_cast<char>(random());
    std::ofstream(path, std::ios::binary) << with_digest(bad);
    const Ran ran = run("add", "2.0");
    EXPECT_NE(ran.code, 70) << ran.err;
    EXPECT_LT(ran.code, 128) << ran.err;
    held += ran.code < 70 ? 1 : 0;
  }
  EXPECT_EQ(held, kTrials);
}

TEST_F(CacheAttacks, PipesAndLinksInTheCacheDelayNobody) {
  ASSERT_EQ(run("add", "2.0").code, 0);
  const std::string path = entries().at(0), stem = path.substr(0, path.size() - 6);
  for (const char* suffix : {".entry", ".compiling", ".unpublished"}) {
    fs::remove(path);
    ASSERT_EQ(::mkfifo((stem + suffix).c_str(), 0666), 0);
    EXPECT_EQ(run("add", "2.0").code, 0) << suffix;
    fs::remove(stem + suffix);
  }
  fs::create_symlink(world_.file("target"), fs::path(path).parent_path() / ".evicting");
  fs::create_symlink("/dev/zero", stem + ".lock");
  EXPECT_EQ(run("add", "2.0", {"--cache-max-bytes", "1000"}).code, 0);
  EXPECT_FALSE(fs::exists(world_.file("target")));
}

TEST_F(CacheAttacks, ProgramsThatAreNoRegularFilesAreRefusedAtOnce) {
  ASSERT_EQ(::mkfifo(world_.file("pipe.mlir").c_str(), 0666), 0);
  for (const std::string& path : {world_.file("pipe.mlir"), std::string("/dev/zero")}) {
    const Ran ran = world_.run({"run", path});
    EXPECT_EQ(ran.code, 2);
    EXPECT_THAT(ran.err, AllOf(HasSubstr(path), HasSubstr("not a regular file")));
  }
}

// A world whose understudy runs as one user under one umask.
class UsersWorld {
 public:
  UsersWorld(uid_t user, const std::string& mask) {
    for (const char* part : {"", "tmp", "state", "cache"})
      if (::chown(world.file(part).c_str(), user, user) != 0) ADD_FAILURE() << "chown";
    const std::string id = std::to_string(user);
    world.through({"/usr/bin/setpriv", "--reuid=" + id, "--regid=" + id, "--clear-groups",
                   "/bin/sh", "-c", "umask " + mask + "; exec \"$@\"", "sh"});
  }
  World world;
};

// The second user neither fails nor waits, and is warned once, whatever umask the first one has.
TEST_F(CacheAttacks, ASecondUserReadsWhatIsReadableAndWaitsForNothing) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root may become other users";
  const std::string text =
      "func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {\n  return %a : "
      "tensor<8xf32>\n}\n";
  for (const char* mask : {"022", "077"})
    for (const char* policy : {"shared", "per-host"}) {
      SCOPED_TRACE(std::string(mask) + " " + policy);
      const World common;
      fs::permissions(common.file(""), fs::perms(01777));
      UsersWorld alice(12345, mask), bob(65534, mask);
      const auto run = [&](World& world) {
        return world.run({"run", world.write("p.mlir", text), "--slice", "v6e-8", "--hosts", "2",
                          "--replicas", "8", "--fill", "ones", "--timeout", "60", "--cache-dir",
                          common.file("of-alice"), "--cache-policy", policy});
      };
      fs::permissions(alice.world.file(""), fs::perms(0755));
      fs::permissions(bob.world.file(""), fs::perms(0755));
      const Ran first = run(alice.world);
      ASSERT_EQ(first.code, 0) << first.err;
      const Ran second = run(bob.world);
      EXPECT_EQ(second.code, 0) << second.err;
      EXPECT_LT(second.seconds, kTimeoutSeconds);
      const bool readable = std::string(mask) == "022";
      EXPECT_THAT(second.out,
                  HasSubstr(readable ? "0 chips compiled, 8 loaded" : "8 chips compiled"));
      const std::string words = "which belongs to user 12345";
      const std::size_t at = second.out.find(words);
      EXPECT_EQ(at == std::string::npos, readable) << second.out;
      EXPECT_EQ(second.out.find(words, at + 1), std::string::npos) << second.out;
    }
}

}  // namespace
}  // namespace understudy::mpi_testing
