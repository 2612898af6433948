// SPDX-License-Identifier: Apache-2.0
// Runs one program after the other on one chip inside this process, as bench/operations.py asks on
// stdin, one request a line: "load PROGRAM FOLDER" compiles, and reads the arguments FOLDER/in<i>
// (raw bytes); "run" runs once and writes the results FOLDER/out<i>; "time N" prints the CPU
// seconds of N runs and how many instructions they had; "chains" how many chains of the program
// have become machine code, stay steps, and were refused. Each request is answered by one line,
// "error ..." where it failed.
#include <ctime>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "fmt/format.h"

#include "configs/base/error.h"
#include "program/compile.h"
#include "program/kernels/kernels.h"
#include "program/read.h"
#include "worker/chip/bound_code.h"
#include "worker/ops/bind.h"

namespace understudy::bench {
namespace {

constexpr std::uint64_t kVmemBytes = 128 << 20;  // of a v5e
constexpr std::size_t kAlignment = 4096;         // as buffers in HBM

// Page-aligned memory of one buffer, with room for kernels that read whole registers.
class Memory {
 public:
  // Kernels may read one register (64 bytes) beyond the last element.
  explicit Memory(std::size_t bytes) : held_(bytes + kAlignment + 64) {}
  std::byte* data() {
    const auto at = reinterpret_cast<std::uintptr_t>(held_.data());
    return held_.data() + (kAlignment - at % kAlignment) % kAlignment;
  }

 private:
  std::vector<std::byte> held_;
};

double cpu_seconds() {
  // CPU time of the process: other programs on the machine do not count.
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

class Runner {
 public:
  Runner() {
    execution_.vmem = &vmem_;
    execution_.mxu = &mxu_;
    execution_.kernels = &kernels_;
    execution_.fft_plans = &fft_plans_;
    execution_.status = &status_;
  }

  void load(const std::string& program, const std::string& folder) {
    folder_ = folder;
    executable_ = program::compile(*program::read_program(program), {});
    // Offsets are checked once, as the executor does not check them.
    program::check_bounds(executable_);
    // Buffers of the program before are freed.
    memory_.clear();
    bound_ = worker::ops::bind(executable_, kernels_);
    execution_.chains = {};
    execution_.arguments.clear();
    execution_.results.clear();
    for (std::size_t i = 0; i < executable_.arguments.size(); ++i)
      execution_.arguments.push_back(argument(i));
    for (const program::TensorType& type : executable_.results)
      execution_.results.push_back(room(static_cast<std::size_t>(type.bytes())));
    execution_.temporaries = room(executable_.temporary_bytes);
    execution_.host = room(executable_.host_temporary_bytes);
    execution_.constants = executable_.constants.data();
    execution_.numerics = executable_.numerics;
  }

  void run() { worker::run(bound_, execution_); }

  void write_results() {
    for (std::size_t i = 0; i < executable_.results.size(); ++i) {
      std::ofstream file(fmt::format("{}/out{}", folder_, i), std::ios::binary);
      file.write(reinterpret_cast<const char*>(execution_.results[i]),
                 executable_.results[i].bytes());
    }
  }

  std::uint64_t instructions() const { return status_.instructions.load(); }

  const worker::ChainCompilation& chains() const { return execution_.chains; }

  double time(std::int64_t runs) {
    const double start = cpu_seconds();
    for (std::int64_t i = 0; i < runs; ++i) run();
    return cpu_seconds() - start;
  }

 private:
  std::byte* room(std::size_t bytes) {
    return memory_.emplace_back(std::make_unique<Memory>(bytes))->data();
  }
  const std::byte* argument(std::size_t i) {
    const std::string path = fmt::format("{}/in{}", folder_, i);
    const auto bytes = executable_.arguments[i].bytes();
    std::byte* const at = room(static_cast<std::size_t>(bytes));
    std::ifstream file(path, std::ios::binary);
    if (!file.read(reinterpret_cast<char*>(at), bytes))
      throw Error(ErrorKind::input, fmt::format("{}: expected {} bytes", path, bytes));
    return at;
  }

  const program::kernels::KernelTable& kernels_ = program::kernels::select("");
  worker::Vmem vmem_{kVmemBytes};
  worker::Mxu mxu_{kernels_};
  configs::StatusCell status_;
  std::shared_ptr<worker::ops::FftPlans> fft_plans_;
  worker::Execution execution_;
  program::Executable executable_;
  worker::BoundCode bound_;
  std::string folder_;
  std::vector<std::unique_ptr<Memory>> memory_;
};

std::string answer(Runner& runner, const std::string& line) {
  std::istringstream words(line);
  std::string verb, program, folder;
  words >> verb;
  if (verb == "load") {
    words >> program >> folder;
    runner.load(program, folder);
  } else if (verb == "run") {
    runner.run();
    runner.write_results();
  } else if (verb == "time") {
    std::int64_t runs = 0;
    words >> runs;
    // The counter goes on from request to request.
    const std::uint64_t before = runner.instructions();
    const double seconds = runner.time(runs);
    return fmt::format("{} {}", seconds, runner.instructions() - before);
  } else if (verb == "chains") {
    const worker::ChainCompilation& chains = runner.chains();
    return fmt::format("{} {} {}", chains.compiled, chains.stay, chains.refused);
  } else {
    return "error: expected load, run, time or chains";
  }
  return "done";
}

}  // namespace
}  // namespace understudy::bench

int main() {
  understudy::bench::Runner runner;
  for (std::string line; std::getline(std::cin, line);) {
    try {
      // Flushed, as the other side waits for each answer.
      std::cout << understudy::bench::answer(runner, line) << std::endl;
    } catch (const understudy::Error& error) {
      const std::string text = error.text();
      std::cout << "error: " << text.substr(0, text.find('\n')) << std::endl;
    }
  }
}
