// SPDX-License-Identifier: Apache-2.0
#include "tests/mpi/mpi_testing.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <spawn.h>
#include <sstream>
#include <stdexcept>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "gtest/gtest.h"

#include "configs/base/procfs.h"

namespace understudy::mpi_testing {
namespace {

namespace fs = std::filesystem;

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::string slurp(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

pid_t spawn(const std::vector<std::string>& words, const std::vector<std::string>& environment,
            const std::string& out, const std::string& err) {
  const auto pointers = [](const std::vector<std::string>& texts) {
    std::vector<char*> all;
    for (const std::string& text : texts) all.push_back(const_cast<char*>(text.c_str()));
    all.push_back(nullptr);
    return all;
  };
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  constexpr int kWrite = O_WRONLY | O_CREAT | O_TRUNC;
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, out.c_str(), kWrite, 0600);
  posix_spawn_file_actions_addopen(&files, STDERR_FILENO, err.c_str(), kWrite, 0600);
  pid_t pid = -1;
  const int code = posix_spawn(&pid, words[0].c_str(), &files, nullptr, pointers(words).data(),
                               pointers(environment).data());
  posix_spawn_file_actions_destroy(&files);
  if (code != 0) throw std::runtime_error("cannot start " + words[0]);
  return pid;
}

}  // namespace

World::World() {
  std::string name = "/tmp/ustest-XXXXXX";  // short: Open MPI makes sockets below it
  if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("mkdtemp");
  folder_ = name;
  for (const char* part : {"tmp", "state", "cache"}) fs::create_directory(file(part));
}

World::~World() {
  if (pid_ > 0) {
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

void World::start(const std::vector<std::string>& words) {
  std::vector<std::string> all = prefix_;
  all.push_back(std::string(UNDERSTUDY_BINARY_DIR) + "/bin/understudy");
  all.insert(all.end(), words.begin(), words.end());
  std::vector<std::string> environment;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    if (!text.starts_with("XDG_") && !text.starts_with("TMPDIR=") &&
        !text.starts_with("UNDERSTUDY_"))
      environment.emplace_back(text);
  }
  environment.push_back("XDG_STATE_HOME=" + file("state"));
  environment.push_back("XDG_CACHE_HOME=" + file("cache"));
  environment.push_back("TMPDIR=" + file("tmp"));
  started_ = now();
  pid_ = spawn(all, environment, file("out"), file("err"));
}

Ran World::finish(double limit_seconds) {
  int status = 0;
  while (waitpid(pid_, &status, WNOHANG) == 0) {
    if (now() - started_ > limit_seconds) {
      ADD_FAILURE() << "understudy still runs after " << limit_seconds << " s";
      kill(pid_, SIGKILL);
      waitpid(pid_, &status, 0);
      break;
    }
    pause(0.005);
  }
  pid_ = -1;
  Ran ran;
  ran.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  ran.out = slurp(file("out"));
  ran.err = slurp(file("err"));
  ran.seconds = now() - started_;
  return ran;
}

Ran World::run(const std::vector<std::string>& words) {
  start(words);
  return finish();
}

configs::Receipt World::receipt(const Ran& ran) const {
  const std::size_t at = ran.err.rfind("receipt: ");
  if (at == std::string::npos) {
    ADD_FAILURE() << "no receipt was named:\n" << ran.err;
    return {};
  }
  const std::size_t begin = at + std::string("receipt: ").size();
  const std::string path = ran.err.substr(begin, ran.err.find('\n', begin) - begin);
  return configs::read_receipt(slurp(path), path);
}

std::vector<configs::RecordContent> World::records(std::int64_t ranks) const {
  std::vector<configs::RecordContent> all;
  for (const auto& entry : fs::directory_iterator(file("tmp"))) {
    for (std::int64_t rank = 0; rank < ranks; ++rank) {
      const auto record =
          configs::read_record(fmt::format("{}/records/{}", entry.path().string(), rank));
      if (!record || pid_of(*record) == 0) return {};
      all.push_back(*record);
    }
  }
  return all;
}

std::string World::leftovers(const Ran& ran) const {
  std::string found;
  for (const auto& entry : fs::directory_iterator(file("tmp")))
    found += entry.path().string() + " ";
  if (ran.err.find("receipt: ") == std::string::npos) return found;
  // A run's name ends as its folders do.
  const std::string name = receipt(ran).run_id;
  const std::string shared = "/dev/shm/understudy-" + name.substr(name.rfind('-') + 1);
  if (fs::exists(shared)) found += shared;
  return found;
}

std::string World::write(const std::string& name, const std::string& text) const {
  std::ofstream(file(name), std::ios::binary) << text;
  return file(name);
}

void World::pause(double seconds) {
  std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
}

void World::complain(const std::string& what) { ADD_FAILURE() << what; }

std::string program(const std::string& name) {
  return std::string(UNDERSTUDY_SOURCE_DIR) + "/tests/programs/" + name;
}

std::int64_t pid_of(const configs::RecordContent& record) {
  for (const configs::Observation& observation : record.observations)
    if (const auto* started = std::get_if<configs::ProcessSeen>(&observation)) return started->pid;
  return 0;
}

bool is_alive(const configs::RecordContent& record) {
  for (const configs::Observation& observation : record.observations)
    if (const auto* started = std::get_if<configs::ProcessSeen>(&observation)) {
      const auto stat = process_stat(started->pid);
      return stat && stat->start == started->pid_start && stat->state != 'Z';
    }
  return false;
}

void expect_golden(const World& world, const std::string& name, std::string got) {
  const auto replace = [&](const std::string& from, const std::string& to) {
    for (std::size_t at = 0; (at = got.find(from, at)) != std::string::npos; at += to.size())
      got.replace(at, from.size(), to);
  };
  replace(UNDERSTUDY_SOURCE_DIR, "SOURCE");
  replace(world.file(""), "WORLD/");
  const std::string path = std::string(UNDERSTUDY_SOURCE_DIR) + "/tests/golden/mpi/" + name;
  if (std::getenv("UNDERSTUDY_UPDATE_GOLDEN") != nullptr) {
    fs::create_directories(fs::path(path).parent_path());
    std::ofstream(path, std::ios::binary) << got;
    return;
  }
  EXPECT_EQ(slurp(path), got) << "golden file " << path;
}

}  // namespace understudy::mpi_testing
