// SPDX-License-Identifier: Apache-2.0
// hlo_mutants FOLDER SECONDS [SEED]: damages the HLO files of a folder at random for so long. Ends
// with a crash, or with the number of mutants, of those refused, and of the largest memory use.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <sys/resource.h>

#include "tests/program/hlo/hlo_testing.h"

int main(int argc, char** argv) {
  using understudy::program::Source;
  if (argc < 3) return std::fprintf(stderr, "usage: hlo_mutants FOLDER SECONDS [SEED]\n"), 2;
  std::vector<std::string> seeds;
  for (const auto& entry : std::filesystem::directory_iterator(argv[1]))
    if (entry.path().string().find(".hlo.") != std::string::npos)
      seeds.emplace_back(Source::read(entry.path().string())->text());
  std::mt19937 random(argc > 3 ? static_cast<unsigned>(std::atoi(argv[3])) : 1U);
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(std::atoi(argv[2]));
  long count = 0, refused = 0;
  while (std::chrono::steady_clock::now() < end) {
    const std::string mutant =
        understudy::program::mutant_of(seeds[random() % seeds.size()], random);
    std::FILE* last = std::fopen("last_mutant", "wb");
    if (last != nullptr) {
      std::fwrite(mutant.data(), 1, mutant.size(), last);
      std::fclose(last);
    }
    refused += !understudy::program::outcome_of(mutant).empty();
    ++count;
  }
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  std::printf("%ld mutants, %ld refused, %ld MB\n", count, refused, usage.ru_maxrss / 1024);
  return 0;
}
