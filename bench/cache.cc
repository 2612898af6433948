// SPDX-License-Identifier: Apache-2.0
// The cache's side of bench/cache.py: writes and reads entries of a given size, in one process or
// with many concurrent readers. Each entry that is read is verified before its time counts.
#include <array>
#include <atomic>
#include <cstdio>
#include <fmt/format.h>
#include <iostream>
#include <sstream>
#include <string>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include "cache/envelope.h"
#include "cache/lock.h"
#include "cache/store.h"
#include "configs/base/deadline.h"
#include "configs/base/error.h"

namespace understudy::bench {
namespace {

using cache::FileSystem;

cache::NamedParts parts_of(std::int64_t number) {
  return cache::named_parts({fmt::format("program {}", number), "tpu", 1, "v6e", "bench"});
}

std::string name_of(std::int64_t number) {
  return cache::key_of(parts_of(number)) + std::string(cache::kEntrySuffix);
}

std::string payload_of(std::int64_t number, std::size_t bytes) {
  std::string payload(bytes, '\0');
  for (std::size_t i = 0; i < bytes; ++i)
    // Different for each entry, so that a swapped payload fails the digest.
    payload[i] = static_cast<char>(i * 31 + static_cast<std::size_t>(number));
  return payload;
}

void put(cache::Store& store, std::int64_t number, const std::string& payload) {
  const std::string head = cache::head_of_entry(parts_of(number), payload);
  const std::array<std::string_view, 2> entry = {head, payload};
  store.write(name_of(number), entry);
}

// The payload's size; the digest is verified.
std::size_t get(cache::Store& store, std::int64_t number) {
  const auto entry = store.read(name_of(number));
  if (!entry) throw Error(ErrorKind::check, "an entry is not there");
  const cache::Opened opened = cache::open(*entry, parts_of(number));
  if (opened.refusal != cache::Refusal::none) throw Error(ErrorKind::check, "an entry is bad");
  return opened.payload.size();
}

// Commands "put FIRST COUNT BYTES" and "get FIRST COUNT" on the input, seconds on the output.
int serve(const std::string& directory) {
  const auto store =
      cache::open_disk_store(cache::machine_files(), directory, cache::StoreMode::read_write);
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream words(line);
    std::string what;
    std::int64_t first = 0, count = 0;
    std::size_t bytes = 0;
    words >> what >> first >> count >> bytes;
    // Payloads are made before the clock starts.
    std::vector<std::string> payloads;
    for (std::int64_t i = 0; what == "put" && i < count; ++i)
      payloads.push_back(payload_of(first + i, bytes));
    const auto begin = Clock::now();
    for (std::int64_t i = 0; i < count; ++i) {
      if (what == "put") {
        // Only this loop is timed, with the check of each digest: a reader must pay for it too.
        put(*store, first + i, payloads[static_cast<std::size_t>(i)]);
      } else {
        get(*store, first + i);
      }
    }
    std::cout << fmt::format("{:.9f}\n", Seconds(Clock::now() - begin).count()) << std::flush;
  }
  return 0;
}

// Reads by one process until its time is over.
std::int64_t read_on(const std::string& directory, bool locks, std::int64_t entries,
                     Seconds seconds) {
  FileSystem& files = cache::machine_files();
  // The rival, a store under one lock per directory, touches access times as an LRU cache must.
  cache::PlainStoreOptions options;
  options.keeps_access_times = true;
  const auto store = locks ? cache::open_plain_store(files, directory, options)
                           : cache::open_disk_store(files, directory, cache::StoreMode::read_only);
  const auto lock =
      cache::make_lock(locks ? LockKind::directory : LockKind::none, {files, directory, ""});
  const Deadline end = Deadline::after(seconds);
  std::int64_t reads = 0;
  while (!end.passed()) {
    while (!lock->try_acquire() && !end.passed())
      // The lock's own first interval, so that the rival is polled as in production.
      ::usleep(static_cast<useconds_t>(lock->poll_intervals().first.count()));
    if (end.passed()) break;
    get(*store, reads % entries);
    lock->release();
    ++reads;
  }
  return reads;
}

int readers(const std::string& directory, bool locks, std::int64_t count, std::int64_t entries,
            double seconds) {
  // Shared by the forked readers; an anonymous page needs no name and no clean-up.
  void* const page = ::mmap(nullptr, sizeof(std::atomic<std::int64_t>), PROT_READ | PROT_WRITE,
                            MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) return 71;
  auto* const reads = std::construct_at(static_cast<std::atomic<std::int64_t>*>(page), 0);
  for (std::int64_t i = 0; i < count; ++i) {
    if (::fork() != 0) continue;
    *reads += read_on(directory, locks, entries, Seconds(seconds));
    // No destructors: the parent's streams would be flushed twice.
    ::_exit(0);
  }
  int status = 0;
  bool good = true;
  while (::wait(&status) > 0) good = good && status == 0;
  std::cout << fmt::format("{:.3f}\n", static_cast<double>(reads->load()) / seconds);
  return good ? 0 : 1;
}

}  // namespace
}  // namespace understudy::bench

// bench_cache serve DIR
// bench_cache readers DIR lock-free|directory READERS ENTRIES SECONDS: reads per second
int main(int count, char** words) {
  const std::vector<std::string> given(words + 1, words + count);
  try {
    if (given.size() == 2 && given[0] == "serve") return understudy::bench::serve(given[1]);
    if (given.size() == 6 && given[0] == "readers")
      return understudy::bench::readers(given[1], given[2] == "directory", std::stoll(given[3]),
                                        std::stoll(given[4]), std::stod(given[5]));
  } catch (const understudy::Error& error) {
    std::fputs((error.text() + "\n").c_str(), stderr);
    return 1;
  }
  std::fputs("usage: bench_cache serve DIR | readers DIR lock-free|directory N ENTRIES SECONDS\n",
             stderr);
  return 2;
}
