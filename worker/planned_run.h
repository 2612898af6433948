// SPDX-License-Identifier: Apache-2.0
// The commands of a run that the launcher planned: load the program, put this chip's tiles, run the
// steps with the carried results, get every result, collect the counters. Rank 0 reads the files of
// the run folder and sends each rank its own tiles; for each result tile one of its holders sends
// it back, and rank 0 writes it. Every rank works through the same sequence. Call from the executor
// thread only.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "configs/launch/run_plan.h"
#include "worker/commands.h"
#include "worker/pod/control_channel.h"
#include "worker/pod/worker_status.h"

namespace understudy::worker {

// The path of a file that the plan names: absolute, or relative to the run folder.
std::string path_in(const std::string& run_dir, const std::string& file);

class PlannedRun final : public CommandSource {
 public:
  // Only rank 0 reads `run_dir`; every rank has the program's text. `others` are the texts of the
  // plan's other programs, in its order. `plan`, `control_channel` and `worker_status` outlive the
  // run.
  PlannedRun(const configs::RunPlan& plan, std::shared_ptr<const std::string> program,
             std::vector<std::string> others, std::string run_dir, ControlChannel& control_channel,
             WorkerStatus& worker_status);

  std::optional<Command> next() override;
  void deliver(const GetBuffer& asked, const program::TensorType& type,
               std::span<const std::byte> bytes) override;
  void answer(const Command& command, const Answer& answer) override;

 private:
  void load();
  void put(std::size_t argument);
  void step();
  ProgramName program_of_step();
  ProgramName load_of_step(const configs::PlannedProgram& planned);
  void carry_over(const std::vector<BufferName>& results);
  void get();
  Bytes read_tile(const configs::PlannedArray& array, std::size_t tile) const;
  void write_tile(const std::string& file, std::span<const std::byte> bytes) const;
  // Of an argument with data for each step: the tile of the next step.
  std::shared_ptr<const Bytes> own_tile(const configs::PlannedArray& array, std::string_view what);
  void put_data_of_step();
  bool is_on_host(std::size_t argument) const;
  std::vector<std::size_t> donated() const;
  bool asks_for(const configs::PlannedArray& result) const;

  const configs::RunPlan& plan_;
  std::shared_ptr<const std::string> program_;
  std::vector<std::string> others_;
  std::string run_dir_;
  ControlChannel& control_channel_;
  WorkerStatus& worker_status_;
  std::deque<Command> queue_;
  std::size_t next_argument_ = 0;
  std::int64_t next_step_ = 0;
  std::set<ProgramName> known_;  // loaded programs of single steps
  bool loaded_ = false, got_ = false;
  BufferName fresh_ = 1;
  std::vector<BufferName> arguments_, results_;          // of the next step; of the last step
  std::vector<std::uint32_t> host_arguments_, donated_;  // of the program
  std::set<BufferName> gone_;                            // given up to a launch
  // Argument buffers that a step's own program uses instead of `arguments_`, by index.
  std::map<ProgramName, std::map<std::size_t, BufferName>> instead_;
};

}  // namespace understudy::worker
