// SPDX-License-Identifier: Apache-2.0
// Runs one program after the other on one chip inside this process, as bench/operations.py asks on
// stdin, one request a line: "load PROGRAM FOLDER" compiles, and reads the arguments FOLDER/in<i>
// (raw bytes); "run" runs once and writes the results FOLDER/out<i>; "time N" prints the CPU
// seconds of N runs and how many instructions they had; "copy N" the CPU seconds of N plain copies
// of as many bytes; "chains" how many chains of the program have become machine code, stay steps,
// and were refused. Each request is answered by one line, "error ..." where it failed.
#include <algorithm>
#include <cstring>
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
#include "worker/hbm/hbm.h"
#include "worker/ops/bind.h"

namespace understudy::bench {
namespace {

constexpr std::uint64_t kVmemBytes = 128 << 20;  // of a v5e
constexpr std::size_t kPage = 4096;

// The buffers of a program, placed as a chip places them in its HBM.
class Memory {
 public:
  Memory() = default;
  // Kernels may read one register (64 bytes) beyond the last element.
  explicit Memory(const std::vector<std::size_t>& sizes) {
    std::size_t bytes = 0;
    for (const std::size_t size : sizes) bytes += size + kPage;
    held_.resize(bytes + kPage);
    const auto at = reinterpret_cast<std::uintptr_t>(held_.data());
    // No chip has less than kLeastWithGaps; the end of that is not touched.
    worker::Hbm hbm({held_.data() + (kPage - at % kPage) % kPage,
                     std::max<std::size_t>(bytes, worker::Hbm::kLeastWithGaps)});
    for (const std::size_t size : sizes) buffers_.push_back(hbm.allocate(size, "buffer"));
  }
  std::byte* buffer(std::size_t i) { return buffers_[i]; }

 private:
  std::vector<std::byte> held_;
  std::vector<std::byte*> buffers_;
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
    bound_ = worker::ops::bind(executable_, kernels_);
    execution_.chains = {};
    execution_.arguments.clear();
    execution_.results.clear();
    const std::size_t arguments = executable_.arguments.size(),
                      results = executable_.results.size();
    std::vector<std::size_t> sizes;
    for (const program::TensorType& type : executable_.arguments)
      sizes.push_back(static_cast<std::size_t>(type.bytes()));
    for (const program::TensorType& type : executable_.results)
      sizes.push_back(static_cast<std::size_t>(type.bytes()));
    sizes.push_back(executable_.temporary_bytes);
    sizes.push_back(executable_.host_temporary_bytes);
    memory_ = {};  // those of the program before
    memory_ = Memory(sizes);
    for (std::size_t i = 0; i < arguments; ++i) {
      read(i, memory_.buffer(i), sizes[i]);
      execution_.arguments.push_back(memory_.buffer(i));
    }
    for (std::size_t i = 0; i < results; ++i)
      execution_.results.push_back(memory_.buffer(arguments + i));
    execution_.temporaries = memory_.buffer(arguments + results);
    execution_.host = memory_.buffer(arguments + results + 1);
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

  // CPU seconds of `runs` copies, each of which reads and writes as many bytes together as one run
  // reads of its arguments and writes of its results.
  double time_copy(std::int64_t runs) const {
    std::size_t bytes = 0;
    for (const program::TensorType& type : executable_.arguments)
      bytes += static_cast<std::size_t>(type.bytes());
    for (const program::TensorType& type : executable_.results)
      bytes += static_cast<std::size_t>(type.bytes());
    Memory memory({bytes / 2, bytes / 2});
    // Volatile: no copy may be left out because the next one writes the same bytes.
    void* (*volatile copy)(void*, const void*, std::size_t) = std::memcpy;
    // The pages of both exist before the first copy that counts.
    std::memset(memory.buffer(0), 1, bytes / 2);
    copy(memory.buffer(1), memory.buffer(0), bytes / 2);
    const double start = cpu_seconds();
    for (std::int64_t i = 0; i < runs; ++i) copy(memory.buffer(1), memory.buffer(0), bytes / 2);
    return cpu_seconds() - start;
  }

 private:
  void read(std::size_t argument, std::byte* to, std::size_t bytes) const {
    const std::string path = fmt::format("{}/in{}", folder_, argument);
    std::ifstream file(path, std::ios::binary);
    if (!file.read(reinterpret_cast<char*>(to), static_cast<std::streamsize>(bytes)))
      throw Error(ErrorKind::input, fmt::format("{}: expected {} bytes", path, bytes));
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
  Memory memory_;
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
  } else if (verb == "copy") {
    std::int64_t runs = 0;
    words >> runs;
    return fmt::format("{}", runner.time_copy(runs));
  } else if (verb == "chains") {
    const worker::ChainCompilation& chains = runner.chains();
    return fmt::format("{} {} {}", chains.compiled, chains.stay, chains.refused);
  } else {
    return "error: expected load, run, time, copy or chains";
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
