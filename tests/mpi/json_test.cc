// SPDX-License-Identifier: Apache-2.0
// --json prints exactly one JSON document on standard output for every verb, also when the command
// fails, and each document fits its schema, which notices missing and unknown fields.
#include <gmock/gmock.h>
#include <set>
#include <string>
#include <vector>

#include "configs/json/reader.h"
#include "configs/receipt/preflight/preflight.h"
#include "launcher/verbs.h"
#include "tests/configs/schema_checker.h"
#include "tests/mpi/mpi_testing.h"

namespace understudy::mpi_testing {
namespace {

using configs::JsonReader;
using ::testing::IsEmpty;
using Words = std::vector<std::string>;

struct Line {
  std::string schema;  // "run", of understudy/run/2
  int code;
  Words words;  // without --json
};

std::string words_text(const Words& words) {
  std::string text;
  for (const std::string& word : words) text += " " + word;
  return text;
}

// Replaces "DENSE" by a program folder and "FILE:x" by a file of the test's own folder.
Words settled(const World& world, Words words) {
  for (std::string& word : words) {
    if (word == "DENSE") word = program("dense_data_parallel");
    if (word == "MLIR") word = program("dense_data_parallel") + "/program.mlir";
    if (word == "OPS") word = std::string(UNDERSTUDY_SOURCE_DIR) + "/tests/ops/add.mlir";
    if (word.starts_with("FILE:")) word = world.file(word.substr(5));
  }
  return words;
}

// In this order: later lines read what earlier ones wrote. Over 40 lines: a row per command.
const std::vector<Line>& lines() {
  static const std::vector<Line> kAll = {
      {"version", 0, {"--version"}},
      {"help", 0, {"--help"}},
      {"help", 0, {"help"}},
      {"help", 0, {"help", "cache"}},
      {"help", 0, {"run", "--help"}},
      {"help", 0, {"receipt", "--help"}},
      {"error", 2, {}},
      {"error", 2, {"cache"}},
      {"error", 2, {"nonsense"}},
      {"error", 2, {"help", "nonsense"}},
      {"slice", 0, {"describe", "v6e-8"}},
      {"slices", 0, {"describe", "--list"}},
      {"error", 2, {"describe", "v6q-8"}},
      {"environment", 0, {"env", "--slice", "v6e-8"}},
      {"profiles", 0, {"env", "--list"}},
      {"error", 2, {"env"}},
      {"completion", 0, {"completion", "bash"}},
      {"completion", 0, {"completion", "man"}},
      {"error", 2, {"completion", "tcsh"}},
      {"error", 2, {"run", "FILE:none.mlir"}},
      {"error", 2, {"run", "FILE:bad.mlir"}},
      {"error", 2, {"run", "DENSE", "--steps", "0"}},
      {"error", 2, {"run", "DENSE", "--no-such-option"}},
      {"error", 71, {"run", "DENSE", "--out", "/proc/nothing"}},
      {"run-plan", 0, {"run", "DENSE", "--dry-run"}},
      {"job", 0, {"run", "DENSE", "--dry-run", "--as", "slurm"}},
      {"run", 0, {"run", "DENSE", "--receipt", "FILE:cold.json"}},
      {"run", 0, {"run", "DENSE", "--receipt", "FILE:warm.json"}},
      {"run", 1, {"run", "DENSE", "--atol", "0", "--rtol", "0"}},
      {"run", 5, {"run", "DENSE", "--fault", "hbm-limit:rank=2,bytes=65536"}},
      {"error", 2, {"metrics", "FILE:bad.mlir"}},
      {"metrics", 0, {"metrics", "DENSE", "--static"}},
      {"metrics", 0, {"metrics", "DENSE"}},
      {"check", 0, {"check", "OPS"}},
      {"check", 1, {"check", "FILE:bad.mlir"}},
      {"error", 2, {"check"}},
      {"rungs", 0, {"rehearse", "--slice", "v6e-4", "--dry-run"}},
      {"error", 2, {"rehearse", "--slice", "v6e-4", "--ladder", "FILE:none.json"}},
      {"error", 2, {"rehearse", "--drill", "nonsense"}},
      {"cache-ls", 0, {"cache", "ls"}},
      {"cache-verify", 0, {"cache", "verify"}},
      {"cache-explain", 0, {"cache", "explain", "DENSE"}},
      {"cache-prune", 0, {"cache", "prune"}},
      {"error", 2, {"cache", "ls", "FILE:nothing"}},
      {"error", 2, {"cache", "prune", "--max-bytes", "-1"}},
      {"stress-plan", 0, {"cache", "stress", "--processes", "2", "--dry-run"}},
      {"cache-stress", 0, {"cache", "stress", "--processes", "2", "--keys", "1", "--no-receipt"}},
      {"cache-scenarios", 0, {"cache", "stress", "--scenario", "C1"}},
      {"error", 2, {"cache", "stress", "--scenario", "C99"}},
      {"diff", 0, {"diff", "MLIR", "MLIR"}},
      {"error", 2, {"diff", "MLIR"}},
      {"receipt", 0, {"receipt", "show", "FILE:cold.json"}},
      {"receipt-diff", 0, {"receipt", "diff", "FILE:cold.json", "FILE:warm.json"}},
      {"preflight-diff", 1, {"receipt", "diff", "FILE:then.json", "FILE:now.json"}},
      {"page", 0, {"receipt", "html", "FILE:cold.json"}},
      {"receipt-prune", 0, {"receipt", "prune", "--dry-run"}},
      {"error", 2, {"receipt", "show", "FILE:none.json"}},
      {"doctor", 0, {"doctor", "--slice", "v6e-1"}},
      // tests/preflight has its own document, made with a compiler of the test.
      {"error", 2, {"preflight", "--slice", "v6e-8", "--libtpu", "FILE:none.so"}},
      {"error", 2, {"export", "module_without_factory", "--out", "FILE:step"}},
  };
  return kAll;
}

TEST(Json, IsOneDocumentThatFitsItsSchemaForEveryVerbAndError) {
  World world;
  world.write("bad.mlir", "module @m { nonsense }\n");
  // Written without a compiler: only their differences matter.
  configs::Preflight then, now;
  then.libtpu = configs::PreflightLibrary{};
  configs::judge(then);
  configs::judge(now);
  world.write("then.json", configs::to_json(then));
  world.write("now.json", configs::to_json(now));
  for (const Line& line : lines()) {
    Words words = settled(world, line.words);
    words.emplace_back("--json");
    const Ran ran = world.run(words);
    SCOPED_TRACE(words_text(words) + "\n" + ran.err);
    // A machine may lack something that doctor looks for; its document is the same.
    if (line.schema != "doctor") {
      EXPECT_EQ(ran.code, line.code);
    }
    // Throws for anything but one document.
    const JsonReader document = JsonReader::parse(ran.out, "standard output");
    const std::string schema = document.at("schema").text();
    EXPECT_EQ(schema.substr(0, schema.rfind('/')), "understudy/" + line.schema);
    EXPECT_THAT(configs::schema_faults(line.schema, ran.out), IsEmpty()) << ran.out.substr(0, 500);
    EXPECT_THAT(configs::unnoticed_mutants(line.schema, ran.out), IsEmpty());
    if (line.schema == "error") {
      EXPECT_EQ(document.at("exit_code").integer(), line.code);
    }
  }
}

TEST(Json, IsTriedForEveryVerb) {
  std::set<std::string> tried;
  for (const Line& line : lines()) {
    if (line.words.empty()) continue;
    tried.insert(line.words[0]);
    if (line.words.size() > 1) tried.insert(line.words[0] + " " + line.words[1]);
  }
  for (const launcher::Verb& verb : launcher::verbs())
    EXPECT_TRUE(tried.contains(std::string(verb.name))) << verb.name;
}

}  // namespace
}  // namespace understudy::mpi_testing
