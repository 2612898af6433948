// SPDX-License-Identifier: Apache-2.0
// The manifest.json of a program folder: the inputs and outputs of the program. Plain values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace understudy::configs {

struct ManifestArray {
  std::string path;                 // of the .npy file, with the folder
  std::string dtype;                // NumPy's name, "bfloat16" included
  std::vector<std::int64_t> shape;  // global; per_replica: the leading axis is the replica
  std::vector<std::vector<std::string>> spec;  // mesh axes over which each dimension is sharded
  bool per_replica = false;
  bool per_step = false;  // the leading axis, before that of replicas, is the step
};

struct ManifestResult : ManifestArray {
  double rtol = 0, atol = 0;  // |got - want| <= atol + rtol * |want|
};

struct Manifest {
  std::string path;  // of the manifest itself
  std::string name, about;
  std::optional<std::string> rung;  // of the bring-up ladder
  std::int64_t devices = 1;         // chips
  std::vector<std::pair<std::string, std::int64_t>> mesh;
  std::optional<std::int64_t> replicas;                      // if the program does not say
  std::int64_t steps = 1;                                    // after which the results hold
  std::vector<std::pair<std::int64_t, std::int64_t>> carry;  // result, argument of the next step
  // From each of these steps on, another program of the folder runs, until the next such step.
  std::vector<std::pair<std::int64_t, std::string>> step_programs;  // step, path
  std::vector<std::string> platforms;  // of the export, in order; empty: not known
  std::vector<ManifestArray> args;
  std::vector<std::string> argument_names;  // of names.json, if the folder has it
  std::vector<ManifestResult> results;
};

// <folder>/manifest.json. Throws Error{config} with file, line, column and pointer; Error{input}
// for a file that is missing.
Manifest read_manifest(const std::string& folder);

}  // namespace understudy::configs
