// SPDX-License-Identifier: Apache-2.0
// What a plugin needs of a framework's CompileOptionsProto. Values.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace understudy::pjrt {

struct CompileOptions {
  std::int64_t replicas = 1, partitions = 1;
  // The device of each process (process = replica * partitions + partition); empty: not given.
  std::vector<std::int64_t> devices;
  // One per argument and per result, or one for all; empty: not given. True: the partitioner may
  // choose the sharding of those that the program leaves open.
  std::vector<bool> propagate_to_parameters, propagate_to_output;
  std::string bytes;  // as they came

  std::int64_t processes() const { return replicas * partitions; }
};

// *Throws* Error{input}, also for overrides that name no option of a TPU's compiler.
CompileOptions read_compile_options(std::string_view bytes);
// DeviceAssignmentProto.
std::string device_assignment_proto(const CompileOptions& options);

}  // namespace understudy::pjrt
