// SPDX-License-Identifier: Apache-2.0
// Pipes, links, devices, folders and huge files under every name that a cache reads or writes: no
// request waits for one, follows one or reads one whole.
#include <filesystem>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cache/compile_cache.h"
#include "cache/policy.h"
#include "configs/base/deadline.h"
#include "configs/base/error.h"
#include "tests/cache/sample.h"

namespace understudy::cache {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

constexpr Seconds kPatience{60};  // what a request must not wait for
constexpr std::int64_t kSparseBytes = std::int64_t{12} << 30;

struct Planted {
  const char* what;
  std::function<void(const std::string& path, const std::string& target)> plant;
};
std::vector<Planted> all_planted() {
  return {
      {"pipe", [](const std::string& path, const std::string&) { ::mkfifo(path.c_str(), 0666); }},
      {"link to /dev/zero",
       [](const std::string& path, const std::string&) { fs::create_symlink("/dev/zero", path); }},
      {"link to nowhere", [](const std::string& path,
                             const std::string& target) { fs::create_symlink(target, path); }},
      {"folder", [](const std::string& path, const std::string&) { fs::create_directory(path); }},
      {"sparse file", [](const std::string& path, const std::string&) {
         write_text(path, "");
         fs::resize_file(path, kSparseBytes);
       }}};
}

class SpecialFiles : public testing::Test {
 protected:
  // A leader and, after it, a neighbour; both get an executable well before their wait limit ends.
  void expect_served(const std::string& policy, const std::string& lock) {
    for (const bool leads : {true, false}) {
      CacheRequest request;
      request.directory = folder_.path() + "/cache";
      request.policy = policy;
      request.lock = lock;
      request.max_bytes = 1 << 20;
      request.host_leader = request.pod_leader = leads;
      request.wait_limit = kPatience;
      const CacheOutcome outcome =
          obtain(request, sample_parts("p"), [] { return small_executable(5); });
      EXPECT_EQ(outcome.executable.replicas, 5);
      EXPECT_LT(outcome.wall_seconds, kPatience.count() / 2);
    }
  }
  const std::string key_ = key_of(sample_parts("p"));
  TemporaryFolder folder_;
};

TEST_F(SpecialFiles, NoNameOfTheCacheHangsARequest) {
  struct Way {
    const char *policy, *lock, *folder;
  };
  constexpr Way kWays[] = {{"per-host", "exclusive-file", "host0"},
                           {"per-process", "exclusive-file", "host0/rank0"},
                           {"single-writer", "exclusive-file", "shared"},
                           {"read-only", "exclusive-file", "shared"},
                           {"shared", "exclusive-file", "shared"},
                           {"shared", "directory", "shared"},
                           {"shared", "none", "shared"}};
  const std::vector<std::string> names = {
      key_ + ".entry", key_ + ".compiling",   key_ + ".unpublished",
      key_ + ".lock",  key_ + ".entry.atime", key_ + ".entry.quarantined",
      ".evicting",     ".lockfile",           ".breaking"};
  const std::string target = folder_.path() + "/target";
  for (const Way& way : kWays)
    for (const std::string& name : names)
      for (const Planted& planted : all_planted()) {
        SCOPED_TRACE(std::string(way.policy) + " " + way.lock + ", " + planted.what + " as " +
                     name);
        const std::string folder = folder_.path() + "/cache/" + way.folder;
        fs::create_directories(folder);
        planted.plant(folder + "/" + name, target);
        expect_served(way.policy, way.lock);
        EXPECT_FALSE(fs::exists(target)) << "a link was followed";
        fs::remove_all(folder_.path() + "/cache");
      }
}

TEST_F(SpecialFiles, AnEntryThatIsNoRegularFileIsMovedAsideAndWrittenAnew) {
  const std::string path = folder_.path() + "/cache/host0/" + key_ + ".entry";
  for (const Planted& planted : all_planted()) {
    SCOPED_TRACE(planted.what);
    fs::create_directories(fs::path(path).parent_path());
    planted.plant(path, folder_.path() + "/target");
    expect_served("per-host", "exclusive-file");
    EXPECT_TRUE(fs::is_regular_file(fs::symlink_status(path)));
    EXPECT_TRUE(fs::exists(fs::symlink_status(path + ".quarantined")));
    fs::remove_all(folder_.path() + "/cache");
  }
}

TEST_F(SpecialFiles, ALinkInThePlaceOfAFolderIsRefusedAndNothingIsMadeBehindIt) {
  const std::string elsewhere = folder_.path() + "/elsewhere";
  fs::create_directories(elsewhere);
  fs::create_directories(folder_.path() + "/cache");
  for (const char* name : {"host0", "shared"})
    fs::create_directory_symlink(elsewhere, folder_.path() + "/cache/" + name);
  struct Way {
    const char *policy, *lock;
  };
  for (const auto& [policy, lock] :
       {Way{"per-host", "exclusive-file"}, Way{"per-process", "exclusive-file"},
        Way{"single-writer", "exclusive-file"}, Way{"read-only", "exclusive-file"},
        Way{"shared", "exclusive-file"}, Way{"shared", "directory"}, Way{"shared", "none"}}) {
    CacheRequest request;
    request.directory = folder_.path() + "/cache";
    request.policy = policy;
    request.lock = lock;
    request.host_leader = request.pod_leader = true;
    const CacheOutcome outcome =
        obtain(request, sample_parts("p"), [] { return small_executable(5); });
    EXPECT_EQ(outcome.executable.replicas, 5);
    EXPECT_THAT(outcome.warnings, testing::ElementsAre(HasSubstr("symbolic link")));
    EXPECT_TRUE(fs::is_empty(elsewhere)) << policy;
  }
}

// The person who names the cache folder may name a link.
TEST_F(SpecialFiles, TheCacheFolderItselfMayBeALink) {
  fs::create_directories(folder_.path() + "/real");
  fs::create_directory_symlink(folder_.path() + "/real", folder_.path() + "/cache");
  expect_served("per-host", "exclusive-file");
  EXPECT_TRUE(fs::exists(folder_.path() + "/real/host0/" + key_ + ".entry"));
}

}  // namespace
}  // namespace understudy::cache
