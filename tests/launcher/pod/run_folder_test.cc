// SPDX-License-Identifier: Apache-2.0
#include "launcher/pod/run_folder.h"

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sys/wait.h>
#include <unistd.h>

#include "gtest/gtest.h"

#include "configs/base/folder_owner.h"
#include "launcher/pod/interfaces.h"
#include "launcher/pod/orphans.h"

namespace understudy::launcher {
namespace {

namespace fs = std::filesystem;

class RunFolderTest : public testing::Test {
 protected:
  RunFolderTest() {
    std::string name = fs::temp_directory_path() / "us-folder-XXXXXX";
    if (::mkdtemp(name.data()) == nullptr) std::abort();
    base_ = name;
  }
  ~RunFolderTest() override { fs::remove_all(base_); }
  std::string base_;
};

TEST_F(RunFolderTest, IsItsMakersWhileThatLives) {
  {
    const RunFolder folder(base_);
    const OwnerSeen seen = owner_of_folder(folder.path());
    EXPECT_EQ(seen.state, OwnerState::alive);
    ASSERT_TRUE(seen.owner);
    EXPECT_EQ(*seen.owner, own_identity());
    EXPECT_TRUE(remove_orphans({base_}).removed.empty());
    EXPECT_TRUE(fs::exists(folder.path()));
  }
  EXPECT_TRUE(fs::is_empty(base_));
}

TEST_F(RunFolderTest, GoesWithAMakerThatIsKilled) {
  const pid_t maker = ::fork();
  if (maker == 0) {
    const RunFolder folder(base_);
    ::kill(::getpid(), SIGKILL);
  }
  ASSERT_EQ(::waitpid(maker, nullptr, 0), maker);
  for (int look = 0; look < 2000 && !fs::is_empty(base_); ++look) ::usleep(10000);
  EXPECT_TRUE(fs::is_empty(base_));
}

// A folder whose owner ended, as one that was killed together with its guardian.
std::string abandoned(const std::string& base, const std::string& name) {
  const std::string path = base + "/" + name;
  fs::create_directories(path + "/records");
  const FolderLock lock(path);
  return path;
}

TEST_F(RunFolderTest, RemovesWhatIsAbandonedAndNothingElse) {
  const std::string gone = abandoned(base_, "understudy-abcdef");
  const std::string nobodys = base_ + "/understudy-nobody";
  fs::create_directory(nobodys);
  const std::string elsewhere = abandoned(base_, "understudy-remote");
  std::ifstream in(elsewhere + "/owner");
  std::string text((std::istreambuf_iterator<char>(in)), {});
  const FolderOwner own = own_identity();
  text.replace(text.find(own.boot), own.boot.size(), "another-boot");
  text.replace(text.rfind(own.host), own.host.size(), "another-host");
  std::ofstream(elsewhere + "/owner") << text;
  const std::string target = base_ + "/kept";
  abandoned(base_, "kept");
  fs::create_directory_symlink(target, base_ + "/understudy-linked");
  const Orphans orphans = remove_orphans({base_});
  EXPECT_EQ(orphans.removed, std::vector<std::string>{gone});
  EXPECT_FALSE(fs::exists(gone));
  for (const std::string& kept : {nobodys, elsewhere, target})
    EXPECT_TRUE(fs::exists(kept)) << kept;
}

TEST(Hostfile, NamesMachinesByTheFirstWordOfALine) {
  EXPECT_EQ(hosts_in("# pod\nalpha slots=4\n\nme@beta\n10.0.0.7 # last\nalpha\n^gamma\n"),
            (std::vector<std::string>{"alpha", "beta", "10.0.0.7"}));
}

TEST(Hostfile, ReachesThisMachineByTheLoopback) {
  const auto reach = routes_to({"127.0.0.1"});
  ASSERT_TRUE(reach);
  EXPECT_EQ(reach->networks, std::vector<std::string>{"127.0.0.0/8"});
  EXPECT_EQ(reach->address, "127.0.0.1");
}

}  // namespace
}  // namespace understudy::launcher
