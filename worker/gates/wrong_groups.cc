// SPDX-License-Identifier: Apache-2.0
#include "worker/gates/wrong_groups.h"

#include <variant>

#include "collectives/groups.h"
#include "configs/base/error.h"
#include "program/executable/host_messages.h"

namespace understudy::worker {
namespace {

class Groups {
 public:
  Groups(const program::Executable& executable, std::int64_t self)
      : replicas_(executable.replicas), partitions_(executable.partitions), self_(self) {}

  // *Throws* what the executor would throw.
  void check(const program::Code& code) const {
    for (const program::Instruction& instruction : code) {
      if (const auto* one = std::get_if<program::Collective>(&instruction.work)) {
        check(*one, instruction);
      } else if (const auto* sent = std::get_if<program::Transfer>(&instruction.work)) {
        for (const auto& [source, target] : sent->source_target)
          need((source == program::kHostPeer && target == program::kHostPeer) ||
                   (is_process(source) && is_process(target)),
               "a transfer between unknown processes");
      } else if (const auto* loop = std::get_if<program::While>(&instruction.work)) {
        check(loop->condition);
        check(loop->body);
      } else if (const auto* branch = std::get_if<program::Case>(&instruction.work)) {
        for (const program::Code& inner : branch->branches) check(inner);
      }
    }
  }

 private:
  static void need(bool holds, const char* what) {
    if (!holds) throw Error(ErrorKind::internal, what);
  }
  bool is_process(std::int64_t id) const { return id >= 0 && id < replicas_ * partitions_; }

  void check(const program::Collective& one, const program::Instruction& instruction) const {
    const auto mode = static_cast<collectives::Grouping>(one.mode);
    if (one.kind == program::CollectiveKind::collective_permute) {
      collectives::peers_of(mode, one.source_target, replicas_, partitions_, self_);
      return;
    }
    const auto group = collectives::group_of(mode, one.groups, replicas_, partitions_, self_);
    const bool gathers = one.kind == program::CollectiveKind::all_gather;
    if (!group || (!gathers && one.kind != program::CollectiveKind::reduce_scatter)) return;
    const auto members = static_cast<std::int64_t>(group->members.size());
    for (std::size_t i = 0; i < instruction.inputs.size(); ++i) {
      const std::int64_t in = instruction.inputs[i].type.elements();
      const std::int64_t out = instruction.outputs[i].type.elements();
      need(gathers ? out == in * members : in == out * members, "a group of another size");
    }
  }

  std::int64_t replicas_, partitions_, self_;
};

}  // namespace

std::string wrong_groups(const program::Executable& executable, std::int64_t self) {
  try {
    Groups(executable, self).check(executable.code);
    return "";
  } catch (const Error& error) {
    return error.message();
  }
}

}  // namespace understudy::worker
