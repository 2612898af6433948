// SPDX-License-Identifier: Apache-2.0
// One process of bench/collectives, which starts mpirun: our collectives beside the library's.
// Rank 0 prints one line of JSON per measurement.
#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>
#include <mpi.h>
#include <span>
#include <sstream>
#include <string>
#include <vector>

#include "bench/contest.h"
#include "collectives/mpi/library.h"
#include "collectives/mpi/runtime.h"
#include "collectives/mpi/transport.h"
#include "configs/base/error.h"
#include "configs/json/writer.h"
#include "worker/pod/neighbours.h"
#include "worker/pod/peers.h"

namespace understudy::bench {
namespace {

using Words = std::vector<std::string>;

struct Options {
  std::string algorithm = "direct", run_id = "bench";
  Words kinds = bench::kinds(), paths = {"hbm", "shared_result", "private"}, dtypes = {"f32"};
  std::vector<std::size_t> bytes = {4, 1024, 65536, 1 << 20, 16 << 20};
  // Odd, so that the median is a measured pair.
  std::int64_t pairs = 31;
  double seconds = 4;  // limit for one row; the minimum number of pairs may exceed it
};

Words split(const std::string& list) {
  Words words;
  std::istringstream in(list);
  for (std::string one; std::getline(in, one, ',');) words.push_back(one);
  return words;
}

Options read_options(std::span<char*> words) {
  Options options;
  // Options come in pairs: a name and a value.
  for (std::size_t i = 1; i + 1 < words.size(); i += 2) {
    const std::string key = words[i], value = words[i + 1];
    if (key == "--algorithm") {
      options.algorithm = value;
    } else if (key == "--kinds") {
      options.kinds = split(value);
    } else if (key == "--paths") {
      options.paths = split(value);
    } else if (key == "--dtypes") {
      options.dtypes = split(value);
    } else if (key == "--pairs") {
      options.pairs = std::stoll(value);
    } else if (key == "--seconds") {
      options.seconds = std::stod(value);
    } else if (key == "--run-id") {
      options.run_id = value;
    } else if (key == "--bytes") {
      options.bytes.clear();
      for (const std::string& one : split(value)) options.bytes.push_back(std::stoull(one));
    } else {
      throw Error(ErrorKind::usage, fmt::format("unknown option {}", key));
    }
  }
  return options;
}

// Field names are those that bench/collectives reads.
std::string line_of(const Row& row, const std::string& algorithm, int ranks) {
  configs::JsonWriter json(configs::JsonWriter::Layout::compact);
  const auto number = [&json](std::string_view name, double value) {
    json.key(name);
    json.number(value);
  };
  const auto text = [&json](std::string_view name, std::string_view value) {
    json.key(name);
    json.text(value);
  };
  json.begin_object();
  text("kind", row.match.kind);
  text("path", row.match.path);
  text("dtype", row.match.dtype);
  json.key("ranks");
  json.integer(ranks);
  // Bytes of the whole array: of the operand or the result, whichever is larger.
  json.key("bytes");
  json.whole(row.match.bytes);
  text("algorithm", algorithm);
  number("ours_seconds", row.ours_seconds);
  number("rival_seconds", row.rival_seconds);
  number("ratio_median", row.ratio.median);
  number("ratio_low", row.ratio.low);
  number("ratio_high", row.ratio.high);
  json.key("pairs");
  json.integer(row.ratio.pairs);
  json.key("calls_per_sample");
  json.integer(row.calls);
  json.end_object();
  return json.take();
}

// Enough for two results, an operand and the rounding of allocations.
std::size_t hbm_for(const Options& options) {
  std::size_t largest = 0;
  for (const std::size_t bytes : options.bytes) largest = std::max(largest, bytes);
  return 4 * largest + (std::size_t{1} << 20);
}

void contest_all(const Options& options, const collectives::Fabric& fabric, worker::Hbm& hbm) {
  const collectives::Algorithm& algorithm = collectives::algorithm_named(options.algorithm);
  for (const std::string& kind : options.kinds)
    for (const std::string& path : options.paths)
      for (const std::string& dtype : options.dtypes)
        for (const std::size_t bytes : options.bytes) {
          // Only all_reduce may give all members one shared result.
          if (path == "shared_result" && kind != "all_reduce") continue;
          Contest contest(fabric, hbm, algorithm, {kind, path, dtype, bytes});
          contest.verify();
          const Row row = contest.measure(options.pairs, options.seconds);
          // Every rank frees its MPI operation, also the ranks that print nothing.
          contest.close();
          // All ranks measure the same times, so one prints.
          if (fabric.transport.rank() != Rank(0)) continue;
          // Flushed per line: a run that dies later keeps the finished rows.
          fmt::print("{}\n", line_of(row, options.algorithm, fabric.transport.size()));
          std::fflush(stdout);
        }
}

void run(const Options& options) {
  // The rival runs with MPI's default parameters, without those that our transport sets.
  collectives::MpiRuntime runtime(collectives::MpiRuntime::Parameters::as_they_are);
  collectives::Communicator world = runtime.duplicate_world();
  {
    collectives::MpiTransport transport(world, {});
    worker::ControlChannel control_channel(transport);
    const worker::PodMemory memory(control_channel, hbm_for(options), options.run_id);
    const auto ranks = static_cast<std::size_t>(world.size());
    worker::PodDoorbells bells(memory);
    // One emulated host: the algorithms then see the machine as it is.
    worker::PodWatch watch(memory, std::vector<HostId>(ranks, HostId(0)));
    transport.attach(bells, watch);
    worker::Neighbours neighbours(memory);
    worker::Hbm hbm(memory.own().hbm());
    const collectives::PodLayout layout = collectives::layout_in_a_row(ranks);
    collectives::MpiLibrary library(transport, world);
    contest_all(
        options,
        {.transport = transport, .layout = layout, .shared = &neighbours, .library = &library},
        hbm);
    // Communicators are freed by all ranks in the same order, before MPI_Finalize.
    library.free();
    control_channel.barrier("the end of the benchmark");
  }
  world.free();
  runtime.finalize();
}

}  // namespace
}  // namespace understudy::bench

int main(int argc, char** argv) {
  try {
    understudy::bench::run(understudy::bench::read_options({argv, static_cast<std::size_t>(argc)}));
    return EXIT_SUCCESS;
  } catch (const understudy::Error& error) {
    fmt::print(stderr, "{}\n", error.text());
    // One rank that fails must end the others, which would wait for it.
    understudy::collectives::MpiRuntime::abort(understudy::exit_code_of(error.kind()));
  }
}
