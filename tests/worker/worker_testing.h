// SPDX-License-Identifier: Apache-2.0
// Pods of threads, folders and records for the tests of workers.
#pragma once

#include <functional>
#include <string>

#include "collectives/local_transport.h"
#include "configs/base/error.h"
#include "configs/receipt/record/record.h"

namespace understudy::worker {

// The chips of a small pod.
inline constexpr int kChips = 4;

// Runs `work` for each rank of a pod of `ranks` threads. Returns the error of each, "" for none.
std::vector<std::string> run_pod(int ranks,
                                 const std::function<void(const collectives::Fabric&)>& work,
                                 Seconds wait_limit = Seconds(20));

// A fresh folder that is removed with everything in it.
class TestFolder {
 public:
  TestFolder();
  ~TestFolder();
  TestFolder(const TestFolder&) = delete;
  TestFolder& operator=(const TestFolder&) = delete;
  const std::string& path() const { return path_; }
  std::string file(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

// The text of the Error that `act` throws, with its kind in front: "capacity: RESOURCE_...".
std::string error_of(const std::function<void()>& act);

}  // namespace understudy::worker
