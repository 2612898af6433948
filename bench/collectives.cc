// SPDX-License-Identifier: Apache-2.0
// Our all-reduce and MPI_Allreduce in one process group, on the same buffers, in the order A B B A.
// Both results are verified before anything is timed; a sample is the maximum over ranks. Start it
// with mpirun; rank 0 prints the table and writes the JSON document.
#include "collectives/collectives.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>
#include <functional>
#include <mpi.h>
#include <numeric>
#include <span>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "bench/paired.h"
#include "bench/shared_bells.h"
#include "collectives/mpi_runtime.h"
#include "collectives/mpi_transport.h"
#include "configs/base/error.h"
#include "configs/base/file.h"
#include "configs/base/version.h"
#include "configs/json_writer.h"

namespace understudy::bench {
namespace {

using collectives::mpi_check;

struct Options {
  std::string algorithm = "ring";
  std::vector<std::size_t> bytes = {4, 1024, 65536, 1 << 20, 16 << 20};
  std::int64_t pairs = 20;
  std::string out;  // empty: no document
};

struct Row {
  std::size_t bytes = 0;
  Ratio ratio;
  double ours_seconds = 0, rival_seconds = 0;  // medians
};

Options read_options(std::span<char*> words) {
  Options options;
  for (std::size_t i = 1; i + 1 < words.size(); i += 2) {
    const std::string key = words[i], value = words[i + 1];
    if (key == "--algorithm") {
      options.algorithm = value;
    } else if (key == "--pairs") {
      options.pairs = std::stoll(value);
    } else if (key == "--out") {
      options.out = value;
    } else if (key == "--bytes") {
      options.bytes.clear();
      std::istringstream list(value);
      for (std::string one; std::getline(list, one, ',');)
        options.bytes.push_back(std::stoull(one));
    } else {
      throw Error(ErrorKind::usage, fmt::format("unknown option {}", key));
    }
  }
  return options;
}

class SumF32 final : public collectives::Reducer {
 public:
  std::size_t element_bytes() const override { return sizeof(float); }
  std::size_t accumulator_bytes() const override { return sizeof(float); }
  void widen(const std::byte* in, std::byte* out, std::size_t n) const override {
    copy(in, out, n);
  }
  void narrow(const std::byte* in, std::byte* out, std::size_t n) const override {
    copy(in, out, n);
  }
  void combine(const std::byte* left, const std::byte* right, std::byte* out,
               std::size_t n) const override {
    const auto* a = reinterpret_cast<const float*>(left);
    const auto* b = reinterpret_cast<const float*>(right);
    auto* sum = reinterpret_cast<float*>(out);
    for (std::size_t i = 0; i < n; ++i) sum[i] = a[i] + b[i];
  }
  void merge(const std::byte* left, const std::byte* right, std::byte* out,
             std::size_t n) const override {
    combine(left, right, out, n);
  }

 private:
  static void copy(const std::byte* in, std::byte* out, std::size_t n) {
    std::copy(in, in + n * sizeof(float), out);
  }
};

// Calls in one sample: enough for small operands to be seen by the clock.
std::int64_t calls_for(std::size_t bytes) { return bytes <= 65536 ? 20 : bytes <= 1 << 20 ? 4 : 1; }

class Contest {
 public:
  Contest(collectives::Transport& transport, const collectives::Algorithm& algorithm,
          std::size_t bytes)
      : transport_(transport),
        algorithm_(algorithm),
        in_(std::max<std::size_t>(bytes / sizeof(float), 1)),
        out_(in_.size()) {
    group_.self = static_cast<std::size_t>(transport.rank().value);
    for (int rank = 0; rank < transport.size(); ++rank) group_.members.emplace_back(rank);
    // Small whole numbers: their sums are exact in any order.
    for (std::size_t i = 0; i < in_.size(); ++i)
      in_[i] = static_cast<float>((i + group_.self) % 17) - 8.0F;
  }

  void ours() {
    const collectives::CallSite site{.op = "all_reduce",
                                     .element = "f32",
                                     .elements = in_.size(),
                                     .place = "bench",
                                     .reduction = "sum"};
    algorithm_.all_reduce({transport_, layout_}, group_, sum_, std::as_bytes(std::span(in_)),
                          std::as_writable_bytes(std::span(out_)), site);
  }
  void rival() {
    mpi_check(MPI_Allreduce(in_.data(), out_.data(), static_cast<int>(in_.size()), MPI_FLOAT,
                            MPI_SUM, MPI_COMM_WORLD),
              "MPI_Allreduce");
  }

  void verify(const std::function<void()>& call, const char* whose) {
    std::fill(out_.begin(), out_.end(), -1e9F);
    call();
    for (std::size_t i = 0; i < out_.size(); ++i) {
      float want = 0;
      for (std::size_t member = 0; member < group_.size(); ++member)
        want += static_cast<float>((i + member) % 17) - 8.0F;
      if (out_[i] != want)
        throw Error(ErrorKind::check, fmt::format("{}: element {} is {}, not {}: nothing is timed",
                                                  whose, i, out_[i], want));
    }
  }

  // Seconds of one call: the slowest rank of a sample counts.
  static double sample(const std::function<void()>& call, std::int64_t calls) {
    mpi_check(MPI_Barrier(MPI_COMM_WORLD), "MPI_Barrier");
    const double start = MPI_Wtime();
    for (std::int64_t i = 0; i < calls; ++i) call();
    const double mine = (MPI_Wtime() - start) / static_cast<double>(calls);
    double slowest = 0;
    mpi_check(MPI_Allreduce(&mine, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD),
              "MPI_Allreduce");
    return slowest;
  }

  Row run(std::int64_t pairs) {
    const std::function<void()> a = [this] { ours(); }, b = [this] { rival(); };
    verify(a, "ours");
    verify(b, "MPI_Allreduce");
    const std::int64_t calls = calls_for(in_.size() * sizeof(float));
    std::vector<Pair> measured;
    std::vector<double> all_ours, all_rivals;
    for (std::int64_t i = 0; i < pairs; ++i) {
      Pair pair;  // A B, then B A
      if (i % 2 == 0) pair.ours_seconds = sample(a, calls);
      pair.rival_seconds = sample(b, calls);
      if (i % 2 == 1) pair.ours_seconds = sample(a, calls);
      measured.push_back(pair);
      all_ours.push_back(pair.ours_seconds);
      all_rivals.push_back(pair.rival_seconds);
    }
    return {in_.size() * sizeof(float), ratio_of(measured), median_of(all_ours),
            median_of(all_rivals)};
  }

 private:
  collectives::Transport& transport_;
  const collectives::PodLayout layout_ = collectives::layout_in_a_row(1);
  const collectives::Algorithm& algorithm_;
  const SumF32 sum_;
  collectives::Group group_;
  std::vector<float> in_, out_;
};

// Bytes that each rank must send at least, per second: comparable between sizes and rank counts.
double bus_bytes_per_second(const Row& row, int ranks) {
  const double n = ranks;
  return 2 * (n - 1) / n * static_cast<double>(row.bytes) / row.ours_seconds;
}

std::string document(const Options& options, const std::string& mpi, int ranks,
                     std::span<const Row> rows) {
  configs::JsonWriter json(configs::JsonWriter::Layout::readable);
  const auto field = [&json](std::string_view name, double value) {
    json.key(name);
    json.number(value);
  };
  const auto text = [&json](std::string_view name, std::string_view value) {
    json.key(name);
    json.text(value);
  };
  json.begin_object();
  text("schema", "understudy/bench-collectives/1");
  text("revision", revision());
  text("mpi", mpi);
  text("algorithm", options.algorithm);
  field("ranks", ranks);
  field("cores", std::thread::hardware_concurrency());
  json.key("rows");
  json.begin_array();
  for (const Row& row : rows) {
    json.begin_object();
    field("bytes", static_cast<double>(row.bytes));
    field("ratio_median", row.ratio.median);
    field("ratio_low", row.ratio.low);
    field("ratio_high", row.ratio.high);
    field("pairs", static_cast<double>(row.ratio.pairs));
    field("ours_seconds", row.ours_seconds);
    field("mpi_seconds", row.rival_seconds);
    field("ours_algorithm_bytes_per_second", static_cast<double>(row.bytes) / row.ours_seconds);
    field("ours_bus_bytes_per_second", bus_bytes_per_second(row, ranks));
    json.end_object();
  }
  json.end_array();
  json.end_object();
  return json.take();
}

void print_row(const Row& row, int ranks) {
  const Ratio& ratio = row.ratio;
  const bool same = ratio.low <= 1 && 1 <= ratio.high;
  fmt::print(
      "{:>10} B  ratio {:6.2f} [{:.2f}, {:.2f}]{}  ours {:.3g} s  MPI {:.3g} s  bus {:.3g} B/s\n",
      row.bytes, ratio.median, ratio.low, ratio.high, same ? " no difference" : "",
      row.ours_seconds, row.rival_seconds, bus_bytes_per_second(row, ranks));
}

void run(const Options& options) {
  collectives::MpiRuntime runtime;
  SharedBells bells;
  AllAlive alive;
  collectives::Communicator world = runtime.duplicate_world();
  const int ranks = world.size();
  std::vector<Row> rows;
  {
    collectives::MpiTransport transport(world, {});
    transport.attach(bells, alive);
    const collectives::Algorithm& algorithm = collectives::algorithm_named(options.algorithm);
    for (const std::size_t bytes : options.bytes) {
      rows.push_back(Contest(transport, algorithm, bytes).run(options.pairs));
      if (world.rank() == Rank(0)) print_row(rows.back(), ranks);
    }
  }
  if (world.rank() == Rank(0) && !options.out.empty())
    write_file_atomically(options.out, document(options, runtime.library_version(), ranks, rows));
  bells.free();
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
    return understudy::exit_code_of(error.kind());
  }
}
