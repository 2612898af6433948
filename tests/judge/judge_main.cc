// SPDX-License-Identifier: Apache-2.0
// judge DIR: runs every program folder in DIR, or DIR itself, prints what differs, and a summary.
#include <cstdio>
#include <filesystem>

#include "tests/judge/in_process.h"

int main(int argc, char** argv) {
  using understudy::judge::Verdict;
  if (argc != 2) {
    std::fprintf(stderr, "usage: judge DIR\n");
    return 2;
  }
  std::vector<std::string> folders = understudy::judge::folders_in(argv[1]);
  if (std::filesystem::exists(std::filesystem::path(argv[1]) / "manifest.json")) {
    folders = {argv[1]};
  }
  int agree = 0, differ = 0, refused = 0;
  for (const std::string& folder : folders) {
    const Verdict verdict = understudy::judge::run_in_process(folder);
    agree += verdict.kind == Verdict::Kind::agrees;
    differ += verdict.kind == Verdict::Kind::differs;
    refused += verdict.kind == Verdict::Kind::refused;
    if (verdict.kind == Verdict::Kind::agrees) continue;
    std::printf("%s %s: %s\n", verdict.kind == Verdict::Kind::refused ? "refused" : "DIFFERS",
                verdict.name.c_str(), verdict.why.c_str());
  }
  std::printf("%d agree, %d differ, %d refused\n", agree, differ, refused);
  return differ == 0 ? 0 : 1;
}
