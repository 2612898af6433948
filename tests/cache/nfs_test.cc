// SPDX-License-Identifier: Apache-2.0
// The cache on a real network file system, where one is mounted and may be written.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <optional>
#include <sstream>
#include <unistd.h>

#include "cache/compile_cache.h"
#include "cache/self_test.h"
#include "tests/cache/sample.h"

namespace understudy::cache {
namespace {

// The first writable folder on an NFS mount; "" where there is none.
std::string nfs_folder() {
  std::ifstream mounts("/proc/self/mounts");
  for (std::string line; std::getline(mounts, line);) {
    std::istringstream words(line);
    std::string device, folder, type;
    words >> device >> folder >> type;
    if (type.starts_with("nfs") && ::access(folder.c_str(), W_OK) == 0) return folder;
  }
  return "";
}

TEST(NetworkFileSystem, ExcludesAndKeepsEntries) {
  const std::string base = nfs_folder();
  if (base.empty()) GTEST_SKIP() << "no NFS mount that may be written: FaultyFileSystem plays one";
  std::string folder = base + "/understudy-test-XXXXXX";
  ASSERT_NE(::mkdtemp(folder.data()), nullptr);
  EXPECT_NO_THROW(lock_for(test_exclusion(folder)));
  EXPECT_EQ(access_trouble(machine_files(), folder), "");
  CacheRequest request;
  request.directory = folder;
  request.policy = "shared";
  const auto compile = [] { return small_executable(5); };
  EXPECT_FALSE(obtain(request, sample_parts("p"), compile).cached);
  EXPECT_TRUE(obtain(request, sample_parts("p"), compile).cached);
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace understudy::cache
