// SPDX-License-Identifier: Apache-2.0
// Programs that contain several processes (interpreter.run_parallel, used by test suites), and
// messages between processes or with their host: send, recv, infeed, outfeed.
//
// Every chip runs all of @main. A run_parallel becomes a branch on the process id, one arm per
// process; then each process broadcasts its results to all, so that everything after it is the same
// on every chip again.
#include <fmt/format.h>
#include <numeric>

#include "program/executable/host_messages.h"
#include "program/lowering/lowering.h"
#include "program/passes/module/attributes.h"
#include "program/passes/module/grid.h"

namespace understudy::program::passes {

namespace {

// replica * partitions + partition
Operand process_number(Lowering& lowering) {
  const TensorType scalar{ElementType::ui32, {}};
  const Operand replica = lowering.emit(ProcessIndex{true}, {}, scalar);
  const Operand partition = lowering.emit(ProcessIndex{false}, {}, scalar);
  const auto partitions = static_cast<double>(lowering.interface().partitions);
  const Operand row =
      lowering.binary(BinaryOp::multiply, replica, lowering.scalar(ElementType::ui32, partitions));
  return lowering.binary(BinaryOp::add, row, partition);
}

std::size_t parts_in(const Type& type) {
  if (type.is_tensor()) return 1;
  return std::transform_reduce(type.elements.begin(), type.elements.end(), std::size_t{0},
                               std::plus<>(), parts_in);
}

const Function& function_of(const Lowering& lowering, const Operation& op,
                            const std::string& name) {
  const Function* found = lowering.module().find_function(name);
  if (found == nullptr || found->body.blocks.empty())
    throw error_at(op.location, ErrorKind::input,
                   fmt::format("{}: no function @{}", op.name, name));
  return *found;
}

// How many tensors the function of each process takes and returns.
struct Share {
  std::size_t takes = 0, gives = 0;
};

Share share_of(const Function& function) {
  Share share;
  for (const auto& argument : function.block().arguments) share.takes += parts_in(argument->type);
  for (const Type& result : function.result_types) share.gives += parts_in(result);
  return share;
}

Parts part_of(const Parts& all, std::size_t first, std::size_t count) {
  const auto begin = all.begin() + static_cast<std::ptrdiff_t>(first);
  return {begin, begin + static_cast<std::ptrdiff_t>(count)};
}

Parts outputs_of(Lowering& lowering, const Operation& op) {
  Parts outputs;
  for (std::size_t i = 0; i < op.results.size(); ++i)
    if (op.results[i]->type.is_tensor())
      outputs.push_back(lowering.make(lowering.result_type(op, i)));
  return outputs;
}

Collective broadcast_from(std::int64_t root, std::int64_t processes) {
  Collective work;
  work.kind = CollectiveKind::collective_broadcast;
  ProcessGroup& all = work.groups.emplace_back();
  for (std::int64_t process = 0; process < processes; ++process) all.emplace_back(process);
  // The root stands first in its group.
  std::swap(all.front(), all[static_cast<std::size_t>(root)]);
  return work;
}

class RunParallel {
 public:
  RunParallel(Lowering& lowering, const Operation& op)
      : lowering_(lowering), op_(op), grid_(grid_of(op)), parallel_{grid_.infeed, {}} {
    parallel_.wiring = wiring_of(lowering.module(), grid_);
    for (const std::string& name : grid_.functions)
      shares_.push_back(share_of(function_of(lowering, op, name)));
    inputs_ = lowering.parts(op);
    outputs_ = outputs_of(lowering, op);
    const auto add = [](const Share& a, const Share& b) {
      return Share{a.takes + b.takes, a.gives + b.gives};
    };
    // Operands and results are the lists of all functions, one after the other.
    const Share all = std::accumulate(shares_.begin(), shares_.end(), Share{}, add);
    if (all.takes != inputs_.size() || all.gives != outputs_.size())
      throw error_at(op.location, ErrorKind::input,
                     fmt::format("{}: the functions take {} and return {} tensors, but the "
                                 "operation has {} operands and {} results",
                                 op.name, all.takes, all.gives, inputs_.size(), outputs_.size()));
  }

  void lower() {
    const Operand process = process_number(lowering_);
    Case work;
    Share first;
    for (std::size_t i = 0; i < shares_.size(); ++i) {
      work.branches.push_back(lowering_.nested([&] { run(i, first); }));
      first = {first.takes + shares_[i].takes, first.gives + shares_[i].gives};
    }
    lowering_.emit(std::move(work), {process}, outputs_);
    // A single process has nobody to share with.
    if (grid_.functions.size() > 1) share_results();
    lowering_.bind_all(op_.results, outputs_);
  }

 private:
  // One arm of the branch: the function of one process on its share of the operands.
  void run(std::size_t process, Share first) {
    // Messages inside look up their channel in this grid.
    const Lowering::WithParallel inside(lowering_, parallel_);
    const Share& share = shares_[process];
    const Parts results =
        lowering_.call(op_, grid_.functions[process], part_of(inputs_, first.takes, share.takes));
    const Parts places = part_of(outputs_, first.gives, share.gives);
    for (std::size_t i = 0; i < results.size(); ++i)
      if (results[i].type != places[i].type)
        throw error_at(op_.location, ErrorKind::input,
                       fmt::format("{}: @{} returns {}, but the operation returns {}", op_.name,
                                   grid_.functions[process], text_of(results[i].type),
                                   text_of(places[i].type)));
    lowering_.move_all(results, places);
  }

  // Every chip calls these broadcasts, in the same order, after its own arm of the branch.
  void share_results() {
    const auto processes = static_cast<std::int64_t>(grid_.functions.size());
    std::size_t next = 0;
    for (std::int64_t process = 0; process < processes; ++process)
      for (std::size_t i = 0; i < shares_[static_cast<std::size_t>(process)].gives; ++i, ++next)
        outputs_[next] = lowering_.emit(broadcast_from(process, processes), {outputs_[next]},
                                        outputs_[next].type);
  }

  Lowering& lowering_;
  const Operation& op_;
  Grid grid_;
  Parallel parallel_;
  std::vector<Share> shares_;
  Parts inputs_, outputs_;
};

void lower_run_parallel(Lowering& lowering, const Operation& op) {
  if (lowering.in_body() || lowering.parallel() != nullptr)
    throw error_at(op.location, ErrorKind::unsupported,
                   fmt::format("{}: not supported inside a process or a reducer", op.name));
  RunParallel(lowering, op).lower();
}

// Processes of an SPMD program are numbered by partition if there are several, else by replica.
std::vector<ProcessPair> pairs_of(const Lowering& lowering, const Operation& op) {
  std::vector<ProcessPair> pairs;
  if (op.find(kHostMessage) != nullptr) return {{kHostPeer, kHostPeer}};
  const std::int64_t processes = lowering.interface().processes();
  const Attribute* const table = op.find("source_target_pairs");
  if (table != nullptr)
    for (const Shape& row : rows_of(op, *table)) {
      if (row.size() != 2) continue;
      for (const std::int64_t id : row)
        if (id < 0 || id >= processes)
          throw error_at(
              op.location, ErrorKind::input,
              fmt::format("{}: source_target_pairs: process {} is out of range: expected 0 to {}",
                          op.name, id, processes - 1));
      pairs.push_back({ProcessId(row[0]), ProcessId(row[1])});
    }
  if (!pairs.empty()) {
    if (lowering.interface().replicas > 1 && lowering.interface().partitions > 1)
      throw error_at(
          op.location, ErrorKind::unsupported,
          fmt::format("{}: source_target_pairs are not supported with both replicas and partitions",
                      op.name));
    return pairs;
  }
  if (lowering.parallel() == nullptr)
    throw error_at(op.location, ErrorKind::unsupported,
                   fmt::format("{}: channel {} connects to a host program, but there is none",
                               op.name, channel_of(op)));
  return lowering.parallel()->wiring.at(channel_of(op));
}

// JAX sends to its host, and receives from it, for a callback into Python. Where a host process
// runs the program, it has marked the messages that it serves.
void refuse_host(const Operation& op) {
  if (op.find(kHostMessage) != nullptr) return;
  const Attribute* attributes = op.find("mhlo.frontend_attributes");
  const auto* entries = attributes == nullptr ? nullptr : attributes->dictionary();
  if (entries == nullptr || entries->find("_xla_host_transfer_rendezvous") == nullptr) return;
  Error error = error_at(op.location, ErrorKind::unsupported,
                         fmt::format("{}: messages to and from a host are not supported", op.name));
  throw error.note(
      "a callback into Python, which is not there when the program runs: return the value as a "
      "result instead of jax.debug.print, and compute with JAX operations instead of "
      "pure_callback");
}

Transfer transfer_of(Lowering& lowering, const Operation& op, bool sends) {
  refuse_host(op);
  if (lowering.in_body())
    throw error_at(op.location, ErrorKind::unsupported,
                   fmt::format("{}: messages inside a reducer are not supported", op.name));
  return {sends, channel_of(op), pairs_of(lowering, op)};
}

void lower_send(Lowering& lowering, const Operation& op) {
  lowering.emit(transfer_of(lowering, op, true), lowering.parts(op), Parts{});
  lowering.bind_all(op.results, {});
}

void lower_recv(Lowering& lowering, const Operation& op) {
  const Parts outputs = outputs_of(lowering, op);
  lowering.emit(transfer_of(lowering, op, false), Parts{}, outputs);
  lowering.bind_all(op.results, outputs);
}

// Whether the results of a function of the queue match those of this infeed.
bool fits(const Function& function, const Operation& op) {
  std::vector<Type> taken;
  for (const auto& result : op.results)
    if (result->type.is_tensor()) taken.push_back(result->type);
  return function.result_types == taken;
}

// The next function of the queue, whichever process reads it. The worker finds the turn at run
// time.
void lower_infeed(Lowering& lowering, const Operation& op) {
  if (lowering.parallel() == nullptr || lowering.parallel()->infeed.empty())
    throw error_at(op.location, ErrorKind::unsupported,
                   fmt::format("{}: the program has no infeed source", op.name));
  const std::vector<std::string>& queue = lowering.parallel()->infeed;
  InfeedTurn turn;
  for (const std::string& name : queue)
    turn.fits.push_back(fits(function_of(lowering, op, name), op));
  const Parts outputs = outputs_of(lowering, op);
  Case work;
  for (std::size_t i = 0; i < queue.size(); ++i)
    work.branches.push_back(lowering.nested([&] {
      if (turn.fits[i]) lowering.move_all(lowering.call(op, queue[i], {}), outputs);
    }));
  const Operand index = lowering.emit(std::move(turn), {}, TensorType{ElementType::i32, {}});
  lowering.emit(std::move(work), {index}, outputs);
  lowering.bind_all(op.results, outputs);
}

// No host listens: the values are dropped.
void lower_outfeed(Lowering& lowering, const Operation& op) { lowering.bind_all(op.results, {}); }

}  // namespace

void add_parallel(LowerTable& table) {
  table.emplace("interpreter.run_parallel", lower_run_parallel);
  table.emplace("stablehlo.send", lower_send);
  table.emplace("stablehlo.recv", lower_recv);
  table.emplace("stablehlo.infeed", lower_infeed);
  table.emplace("stablehlo.outfeed", lower_outfeed);
}

}  // namespace understudy::program::passes
