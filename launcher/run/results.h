// SPDX-License-Identifier: Apache-2.0
// The results of a run: back from the run folder, compared, written.
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

// Cuts and writes every argument's tiles into the run folder.
void write_arguments(const RunFolder& folder, const configs::RunPlan& plan,
                     const program::Interface& interface,
                     const std::vector<program::Array>& arguments);

// The same of one argument.
void write_tiles(const RunFolder& folder, const configs::PlannedArray& planned,
                 const program::Parameter& argument, std::int64_t replicas,
                 const program::Array& array);

// The global arrays that rank 0 left in the run folder. *Throws* Error{input} where one lacks.
// `between` is called between two files and ends it by throwing.
std::vector<program::Array> read_results(
    const RunFolder& folder, const configs::RunPlan& plan, const program::Interface& interface,
    const std::function<void()>& between = [] {});

// Expected arrays of all results, read before anything runs so that a wrong file costs no time;
// empty where there is nothing to compare with.
struct Expected {
  std::int64_t index = 0;
  std::string file;
  program::Array array;
  Tolerance tolerance;
};
std::vector<Expected> read_expected(const RunOptions& options, const LoadedProgram& program);

std::vector<Comparison> compare_results(const std::vector<program::Array>& results,
                                        const std::vector<Expected>& expected);

// Writes outI.npy into a folder, which is made.
void write_results(const std::string& folder, const std::vector<program::Array>& results);

}  // namespace understudy::launcher
