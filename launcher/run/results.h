// SPDX-License-Identifier: Apache-2.0
// The results of a run: read from the run folder, compared, written.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "configs/receipt/receipt.h"
#include "launcher/pod/run_folder.h"
#include "launcher/run/compare.h"
#include "launcher/run/plan_run.h"
#include "program/npy.h"

namespace understudy::launcher {

// Cuts every argument into tiles and writes them into the run folder.
void write_arguments(const RunFolder& folder, const configs::RunPlan& plan,
                     const program::Interface& interface,
                     const std::vector<program::Array>& arguments);

// The same for one argument of one step; `first` is the index of its first file.
void write_tiles(const RunFolder& folder, const configs::PlannedArray& planned,
                 const program::Parameter& argument, std::int64_t replicas,
                 const program::Array& array, std::size_t first = 0);

// Joins the tiles in the run folder to global arrays. *Throws* Error{input} if a file is missing.
// `between` is called before each file and may cancel by throwing.
std::vector<program::Array> read_results(
    const RunFolder& folder, const configs::RunPlan& plan, const program::Interface& interface,
    const std::function<void()>& between = [] {});

// The expected arrays, read before anything runs so that a wrong file is reported at once. Empty if
// there is nothing to compare with.
struct Expected {
  std::int64_t index = 0;
  std::string file;
  program::Array array;
  Tolerance tolerance;
  std::string name = {};  // of the result
};
std::vector<Expected> read_expected(const RunOptions& options, const LoadedProgram& program);

std::vector<Comparison> compare_results(const std::vector<program::Array>& results,
                                        const std::vector<Expected>& expected);

// Writes out0.npy, out1.npy, ... into a folder; creates the folder.
void write_results(const std::string& folder, const std::vector<program::Array>& results);

}  // namespace understudy::launcher
