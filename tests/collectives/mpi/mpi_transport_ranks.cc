// SPDX-License-Identifier: Apache-2.0
// One rank of the tests of MpiTransport; mpirun starts it: mpi_transport_ranks SCENARIO.
#include <csignal>
#include <numeric>
#include <sys/resource.h>
#include <thread>

#include "tests/collectives/mpi/ranks.h"

namespace understudy::collectives {
namespace {

double cpu_seconds() {
  rusage usage{};
  expect(getrusage(RUSAGE_SELF, &usage) == 0, "getrusage");
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

// Every size around the borders of opening, piece and window, both ways at once.
void sizes(const Pod& pod) {
  const Rank right((pod.rank() + 1) % pod.size());
  const Rank left((pod.rank() + pod.size() - 1) % pod.size());
  const std::size_t window = kWindow * kPieceBytes;
  for (const std::size_t bytes :
       {std::size_t{0}, std::size_t{1}, kInlineBytes - 1, kInlineBytes, kInlineBytes + 1,
        kInlineBytes + kPieceBytes, kInlineBytes + kPieceBytes + 1, kInlineBytes + window,
        kInlineBytes + window + 1, 3 * window + 12345}) {
    std::vector<std::byte> out(bytes), in(bytes), expected(bytes);
    for (std::size_t i = 0; i < bytes; ++i) {
      out[i] = static_cast<std::byte>(i * 31 + static_cast<std::size_t>(right.value));
      expected[i] = static_cast<std::byte>(i * 31 + static_cast<std::size_t>(pod.rank()));
    }
    pod.transport.exchange(out, right, in, left, Stream::collective, {}, {"sizes"});
    expect(in == expected, fmt::format("{} bytes differ", bytes));
    std::fill(in.begin(), in.end(), std::byte{0});
    // One way at a time: a long message needs its receiver, so rank 0 starts.
    if (pod.rank() == 0)
      pod.transport.exchange(out, right, {}, kNobody, Stream::collective, {}, {"sizes, to"});
    pod.transport.exchange({}, kNobody, in, left, Stream::collective, {}, {"sizes, from"});
    if (pod.rank() != 0)
      pod.transport.exchange(out, right, {}, kNobody, Stream::collective, {}, {"sizes, to"});
    expect(in == expected, fmt::format("{} bytes differ the second time", bytes));
  }
}

// Two messages to everybody at once, the second of them long; the same batch twice.
void batch(const Pod& pod) {
  const auto fill = [](std::vector<std::byte>& bytes, int from, int to, std::size_t lane) {
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      bytes[i] =
          static_cast<std::byte>(i * 7 + static_cast<std::size_t>(from * 31 + to * 5) + lane);
    }
  };
  const std::size_t sizes[] = {5, kInlineBytes + 3 * kWindow * kPieceBytes / 2};
  for (int round = 0; round < 2; ++round) {
    std::vector<std::vector<std::byte>> sent, received, expected;
    std::vector<Outbound> out;
    std::vector<Inbound> in;
    for (int peer = 0; peer < pod.size(); ++peer) {
      for (std::size_t lane = 0; peer != pod.rank() && lane < 2; ++lane) {
        fill(sent.emplace_back(sizes[lane]), pod.rank(), peer, lane);
        fill(expected.emplace_back(sizes[lane]), peer, pod.rank(), lane);
        received.emplace_back(sizes[lane]);
        out.push_back({sent.back(), Rank(peer)});
        in.push_back({received.back(), Rank(peer)});
      }
    }
    pod.transport.exchange_all(out, in, Stream::collective, {}, {"batch"});
    expect(received == expected, "a message of the batch differs");
  }
}

void one_rank_fails(const Pod& pod) { expect(pod.rank() != 2, "the checks of rank 2"); }

// 16 MiB from each rank to its right neighbour. The bound is far below what any machine does; a
// transport that sleeps through a ring misses it by far.
void throughput(const Pod& pod) {
  const Rank right((pod.rank() + 1) % pod.size());
  const Rank left((pod.rank() + pod.size() - 1) % pod.size());
  std::vector<std::byte> out(std::size_t{16} << 20), in(out.size());
  const auto begin = Clock::now();
  constexpr int kRounds = 4;
  for (int round = 0; round < kRounds; ++round) {
    pod.transport.exchange(out, right, in, left, Stream::collective, {}, {"throughput"});
  }
  const double seconds = Seconds(Clock::now() - begin).count() / kRounds;
  const auto begin_small = Clock::now();
  for (int round = 0; round < 100; ++round) {
    pod.transport.exchange(std::span(out).first(4), right, std::span(in).first(4), left,
                           Stream::collective, {}, {"latency"});
  }
  const double small = Seconds(Clock::now() - begin_small).count() / 100;
  if (pod.rank() == 0) {
    fmt::print("16 MiB each way: {:.1f} ms; 4 bytes: {:.1f} us\n", seconds * 1e3, small * 1e6);
  }
  expect(seconds < 1.5, fmt::format("16 MiB took {} s", seconds));
  expect(small < 0.02, fmt::format("4 bytes took {} s", small));
}

// All ranks wait until rank 0 comes, so many seconds late. Returns the processor time of the
// others.
double wait_for_rank_0(const Pod& pod, int seconds_late) {
  gather(pod, 0);
  const double before = cpu_seconds();
  const auto begin = Clock::now();
  while (pod.rank() == 0 && Clock::now() - begin < std::chrono::seconds(seconds_late)) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    ++pod.statuses.status().instructions;
  }
  std::vector<float> in(300'000, 1), out(in.size());
  algorithm_named("ring").broadcast(pod.fabric(), everybody(pod), 0, std::as_bytes(std::span(in)),
                                    std::as_writable_bytes(std::span(out)),
                                    {.op = "broadcast", .element = "f32", .elements = in.size()});
  const auto used = gather(pod, cpu_seconds() - before);
  return std::accumulate(used.begin() + 1, used.end(), 0.0);
}

// What waiting costs: a late rank 0 against one that comes at once.
void idle(const Pod& pod) {
  constexpr int kLate = 3;
  const double waited = wait_for_rank_0(pod, kLate) - wait_for_rank_0(pod, 0);
  if (pod.rank() == 0) {
    fmt::print("{} ranks waited {} s for {:.4f} CPU s\n", pod.size() - 1, kLate, waited);
  }
  expect(waited < 0.03 * kLate, fmt::format("waiting took {} CPU seconds", waited));
}

void mismatch(const Pod& pod) {
  std::vector<float> in(static_cast<std::size_t>(pod.rank() == 2 ? 900 : 1000)), out(in.size() * 4);
  algorithm_named("ring").all_gather(
      pod.fabric(), everybody(pod), std::as_bytes(std::span(in)),
      std::as_writable_bytes(std::span(out)),
      {.op = "all_gather", .channel = 1, .element = "f32", .elements = in.size(), .place = "op 7"});
}

// Rank 2 ends or stops in the middle; the others are in a ring that cannot go on.
void lose_rank_2(const Pod& pod, int signal) {
  gather(pod, 0);
  if (pod.rank() == 2) expect(raise(signal) == 0, "raise");
  gather(pod, 1);
}
void killed(const Pod& pod) { lose_rank_2(pod, SIGKILL); }
void stopped(const Pod& pod) { lose_rank_2(pod, SIGSTOP); }

// Rank 2 lives, but never comes.
void stuck(const Pod& pod) {
  if (pod.rank() == 2) std::this_thread::sleep_for(std::chrono::seconds(20));
  gather(pod, 1);
}

const Scenarios& scenarios() {
  static const Scenarios table{{"sizes", sizes},
                               {"batch", batch},
                               {"throughput", throughput},
                               {"idle", idle},
                               {"one_rank_fails", one_rank_fails},
                               {"mismatch", mismatch},
                               {"killed", killed},
                               {"stopped", stopped},
                               {"stuck", stuck}};
  return table;
}

}  // namespace
}  // namespace understudy::collectives

int main(int argc, char** argv) {
  using namespace understudy;
  return collectives::run_scenario(collectives::scenarios(), std::span(argv, argv + argc));
}
