// SPDX-License-Identifier: Apache-2.0
// Runs the real `understudy` with a home, a temporary folder and a cache of its own.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <sys/types.h>
#include <utility>
#include <vector>

#include "configs/receipt/receipt.h"
#include "configs/receipt/record/record.h"

namespace understudy::mpi_testing {

struct Ran {
  int code = -1;  // exit code, or 128 + signal
  std::string out, err;
  double seconds = 0;
};

// The surroundings of one test. All files that a run may leave are in its folder or in /dev/shm.
class World {
 public:
  World();
  ~World();
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  // Prefix of every later start of understudy.
  void through(std::vector<std::string> prefix) { prefix_ = std::move(prefix); }
  // Runs `understudy WORDS...` to its end; the test fails after five minutes.
  Ran run(const std::vector<std::string>& words);
  // Starts it in the background; finish() waits for its end.
  void start(const std::vector<std::string>& words);
  Ran finish(double limit_seconds = 300);
  pid_t pid() const { return pid_; }

  // The receipt of the last run, from the path on the last line of stderr.
  configs::Receipt receipt(const Ran& ran) const;
  // Records of the run that goes on, by rank; empty until all of `ranks` are there.
  std::vector<configs::RecordContent> records(std::int64_t ranks) const;
  // Waits until `ready` holds for the records; the test fails after a minute.
  template <class Ready>
  std::vector<configs::RecordContent> wait_for(std::int64_t ranks, const Ready& ready) const {
    for (int look = 0; look < 6000; ++look) {
      std::vector<configs::RecordContent> all = records(ranks);
      if (!all.empty() && ready(all)) return all;
      pause(0.01);
    }
    complain("the workers did not come so far");
    return {};
  }

  // Remains of a run: files in the temporary folder, and in /dev/shm where a receipt names them.
  // Empty: none.
  std::string leftovers(const Ran& ran) const;
  std::string file(const std::string& name) const { return folder_ + "/" + name; }
  std::string write(const std::string& name, const std::string& text) const;

  static void pause(double seconds);

 private:
  static void complain(const std::string& what);
  std::string folder_;
  std::vector<std::string> prefix_;
  pid_t pid_ = -1;
  double started_ = 0;
};

// A program folder of tests/programs.
std::string program(const std::string& name);

std::int64_t pid_of(const configs::RecordContent& record);
// Whether the process that wrote the record still runs.
bool is_alive(const configs::RecordContent& record);

// Compares with tests/golden/mpi/<name>; UNDERSTUDY_UPDATE_GOLDEN=1 rewrites it. The source folder
// and the test's own folder are replaced by SOURCE and WORLD first.
void expect_golden(const World& world, const std::string& name, std::string got);

}  // namespace understudy::mpi_testing
