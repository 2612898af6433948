// SPDX-License-Identifier: Apache-2.0
// Reads the log of processes that launcher/preload/process_log.cc writes inside mpirun
// (docs/formats.md). mpirun is the parent of the workers on its machine: the log has their wait
// statuses, and it tells the ends that mpirun caused from those that it did not. Pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "launcher/diagnose/loss.h"

namespace understudy::launcher {

// The process of the pod that was lost first.
struct FirstEnd {
  std::int64_t rank = -1;  // -1: mpirun, which received a signal that ends it
  std::int64_t pid = 0;    // of the worker
  Loss loss;
};

inline std::string process_log_in(const std::string& run_folder) {
  return run_folder + "/processes";
}

// What a reader of the log has to know of the run.
struct ProcessLogFacts {
  std::int64_t launcher = 0;  // pid; its signals to mpirun are no loss
  std::int64_t ranks = 0;
};

// The first entry of the log that mpirun did not cause: the end of a worker with a status other
// than 0 to which mpirun had sent no signal, or a signal to mpirun (seen by its handler, or by its
// passing it on to the workers). nullopt: none, or the log is empty because mpirun could not load
// its library.
std::optional<FirstEnd> first_end_in(std::string_view log, const ProcessLogFacts& facts);

// The same from a file. Adds the name of the process that sent the signal to mpirun.
std::optional<FirstEnd> first_end_of(const std::string& path, const ProcessLogFacts& facts);

}  // namespace understudy::launcher
