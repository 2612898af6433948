// SPDX-License-Identifier: Apache-2.0
// Programs that an SPMD partitioner has made: @main is the program of one chip. Its arguments and
// results have the type of one shard; attributes tell how shards form global arrays:
//   module: understudy.partitioned (unit)
//   argument, result: mhlo.sharding = "{devices=[2,1]<=[2]}" (absent: whole on every chip),
//                     understudy.global_type = tensor<7x4xf32> (absent: shard times tiles)
// Without the first one, the attributes of XLA's own dumps count: mhlo.spmd_parameters_shardings
// (a list of strings) and mhlo.spmd_output_sharding (one string, of a tuple for several results).
// The last shards of a dimension may be padded (padded_local_type). Pure functions.
#pragma once

#include <vector>

#include "program/passes/sharding/sharding.h"

namespace understudy::program::passes {

struct PartitionedValue {
  TensorType global;
  Sharding sharding;  // per partition
};

bool is_partitioned(const Module& module);

// Argument or result `index` of @main, of type `local`. Throws Error{input} where the attributes do
// not fit the type.
PartitionedValue partitioned_argument(const Module& module, const Function& main, std::size_t index,
                                      const TensorType& local, std::int64_t partitions);
PartitionedValue partitioned_result(const Module& module, const Function& main, std::size_t index,
                                    const TensorType& local, std::int64_t partitions);

}  // namespace understudy::program::passes
