// SPDX-License-Identifier: Apache-2.0
#include "tests/worker/worker_testing.h"

#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <thread>
#include <vector>

namespace understudy::worker {

std::vector<std::string> run_pod(int ranks,
                                 const std::function<void(const collectives::Fabric&)>& work,
                                 Seconds wait_limit) {
  collectives::LocalPod pod(ranks, WaitLimit{wait_limit});
  std::vector<std::string> errors(static_cast<std::size_t>(ranks));
  {
    std::vector<std::jthread> threads;
    for (int rank = 0; rank < ranks; ++rank) {
      threads.emplace_back([&, rank] {
        try {
          work(pod.fabric(Rank(rank)));
        } catch (const Error& error) {
          errors[static_cast<std::size_t>(rank)] = error.text();
          pod.declare_dead(Rank(rank));
        }
      });
    }
  }
  return errors;
}

TestFolder::TestFolder() {
  std::string pattern = std::filesystem::temp_directory_path() / "understudy-worker-XXXXXX";
  UNDERSTUDY_ASSERT(::mkdtemp(pattern.data()) != nullptr);
  path_ = pattern;
}

TestFolder::~TestFolder() {
  std::error_code left;
  std::filesystem::remove_all(path_, left);
}

std::string error_of(const std::function<void()>& act) {
  try {
    act();
  } catch (const Error& error) {
    return fmt::format("{}: {}", name_of(error.kind()), error.text());
  }
  return "no error";
}

}  // namespace understudy::worker
