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
  std::string bytes;  // as they came

  std::int64_t processes() const { return replicas * partitions; }
};

// *Throws* Error{input}.
CompileOptions read_compile_options(std::string_view bytes);
// DeviceAssignmentProto.
std::string device_assignment_proto(const CompileOptions& options);

}  // namespace understudy::pjrt
