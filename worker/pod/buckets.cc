// SPDX-License-Identifier: Apache-2.0
#include "worker/pod/buckets.h"

#include <cstdint>
#include <cstring>
#include <map>

namespace understudy::worker {
namespace {

std::size_t bytes_of(const program::Operand& operand) {
  return static_cast<std::size_t>(operand.type.bytes());
}

}  // namespace

std::vector<Bucket> one_by_one(const program::Collective& collective,
                               const program::Instruction& instruction) {
  // Its other inputs are offsets and sizes, no data of their own.
  if (collective.kind == program::CollectiveKind::ragged_all_to_all) return {{0}};
  std::vector<Bucket> buckets;
  for (std::size_t i = 0; i < instruction.inputs.size(); ++i) buckets.push_back({i});
  return buckets;
}

std::vector<Bucket> buckets_of(const program::Collective& collective,
                               const program::Instruction& instruction) {
  // A body that is no known reduction may depend on the shape of its operands, and only an
  // all_reduce has results as large as its operands: everything else stays uncombined.
  const bool combines = collective.kind == program::CollectiveKind::all_reduce &&
                        collective.reduction != program::Reduction::none;
  if (!combines) return one_by_one(collective, instruction);
  std::vector<Bucket> buckets;
  // One open bucket per element type: a reduction has one type, and an operand joins whatever
  // bucket is open.
  std::map<program::ElementType, std::size_t> open;  // the bucket of an element type
  for (std::size_t i = 0; i < instruction.inputs.size(); ++i) {
    const program::Operand& input = instruction.inputs[i];
    // Large operands gain nothing from company, and packing would copy them twice.
    if (bytes_of(input) > program::kMaxCombinableOperandBytes) {
      buckets.push_back({i});
      continue;
    }
    // The bucket takes the position of its first operand, so all ranks build the same order.
    const auto [bucket, is_new] = open.try_emplace(input.type.element, buckets.size());
    if (is_new) buckets.emplace_back();
    buckets[bucket->second].push_back(i);
  }
  return buckets;
}

std::vector<std::uint32_t> ops_of(const program::Collective& collective,
                                  const program::Instruction& instruction, const Bucket& bucket) {
  // A combined instruction lists an operation for each operand; a plain one has its own only.
  std::vector<std::uint32_t> ops;
  for (const std::size_t i : bucket)
    ops.push_back(collective.ops.empty() ? instruction.op : collective.ops.at(i));
  return ops;
}

// One dimension: a reduction takes elements one by one, so shapes do not matter to it.
program::TensorType Packing::type() const {
  program::TensorType whole = instruction_.inputs[bucket_[0]].type;
  whole.shape = {0};
  for (const std::size_t i : bucket_) whole.shape[0] += instruction_.inputs[i].type.elements();
  return whole;
}

void Packing::pack(const Execution& execution, std::span<std::byte> packed) const {
  for (const std::size_t i : bucket_) {
    const program::Operand& input = instruction_.inputs[i];
    // memcpy must not be given null pointers, which empty buffers may have.
    if (bytes_of(input) == 0) continue;
    std::memcpy(packed.data(), execution.address(input.at), bytes_of(input));
    packed = packed.subspan(bytes_of(input));
  }
}

void Packing::unpack(std::span<const std::byte> packed, Execution& execution) const {
  for (const std::size_t i : bucket_) {
    const program::Operand& output = instruction_.outputs[i];
    if (bytes_of(output) == 0) continue;
    std::memcpy(execution.writable(output.at), packed.data(), bytes_of(output));
    packed = packed.subspan(bytes_of(output));
  }
}

}  // namespace understudy::worker
