// SPDX-License-Identifier: Apache-2.0
#include "launcher/command_line.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "gtest/gtest.h"

#include "configs/base/error.h"
#include "launcher/process/console.h"
#include "launcher/process/environment.h"

namespace understudy::launcher {
namespace {

struct Said {
  int code = 0;
  std::string out, err;
};

Said say(const std::vector<std::string>& words) {
  char* out = nullptr;
  char* err = nullptr;
  std::size_t out_size = 0;
  std::size_t err_size = 0;
  Console console;
  console.out = open_memstream(&out, &out_size);
  console.err = open_memstream(&err, &err_size);
  Said said;
  Environment environment;
  try {
    said.code = run_command_line(words, console, environment);
  } catch (const Error& error) {
    said.code = exit_code_of(error.kind());
    console.failure(error.text());
  }
  std::fclose(console.out);
  std::fclose(console.err);
  said.out.assign(out, out_size);
  said.err.assign(err, err_size);
  std::free(out);
  std::free(err);
  return said;
}

// Compares with tests/golden/launcher/<name>; UNDERSTUDY_UPDATE_GOLDEN=1 rewrites it.
void expect_golden(const std::string& name, const std::string& got) {
  const std::string path = std::string(UNDERSTUDY_SOURCE_DIR) + "/tests/golden/launcher/" + name;
  if (std::getenv("UNDERSTUDY_UPDATE_GOLDEN") != nullptr) {
    std::filesystem::create_directories(std::filesystem::path(path).parent_path());
    std::ofstream(path, std::ios::binary) << got;
    return;
  }
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream want;
  want << stream.rdbuf();
  EXPECT_EQ(want.str(), got) << "golden file " << path;
}

TEST(CommandLine, ExplainsItself) {
  const Said said = say({"--help"});
  EXPECT_EQ(said.code, 0);
  EXPECT_EQ(said.err, "");
  expect_golden("help.txt", said.out);
}

TEST(CommandLine, EveryVerbExplainsItselfWithAnExampleInThreeWays) {
  for (const Verb& verb : verbs()) {
    const std::string name(verb.name);
    std::vector<std::string> words;
    std::istringstream stream(name);
    for (std::string word; stream >> word;) words.push_back(word);
    const auto with = [&](const std::string& before, const std::string& after) {
      std::vector<std::string> all = words;
      if (!before.empty()) all.insert(all.begin(), before);
      if (!after.empty()) all.push_back(after);
      return all;
    };
    const Said said = say(with("", "--help"));
    EXPECT_EQ(said.code, 0);
    EXPECT_NE(said.out.find("Example:\n  " + std::string(verb.example)), std::string::npos);
    std::string file = "help_" + name + ".txt";
    std::ranges::replace(file, ' ', '_');
    expect_golden(file, said.out);
    EXPECT_EQ(say(with("help", "")).out, said.out);
    EXPECT_EQ(say(with("", "-h")).out, said.out);
  }
}

TEST(CommandLine, ExplainsAGroupOfVerbsInThreeWays) {
  const Said said = say({"cache", "--help"});
  EXPECT_EQ(said.code, 0);
  EXPECT_NE(said.out.find("cache explain"), std::string::npos) << said.out;
  EXPECT_EQ(say({"help", "cache"}).out, said.out);
  EXPECT_EQ(say({"cache", "-h"}).out, said.out);
}

TEST(CommandLine, SaysItsVersions) {
  const Said said = say({"--version"});
  EXPECT_EQ(said.code, 0);
  for (const char* part :
       {"understudy 0.", "(revision ", "\nMPI: ", "\ninstruction set: ", "\noneDNN: "})
    EXPECT_NE(said.out.find(part), std::string::npos) << part;
}

TEST(CommandLine, HelpsWhoeverSaysNothing) {
  const Said said = say({});
  EXPECT_EQ(said.code, 2);
  EXPECT_EQ(said.out, "");
  EXPECT_EQ(said.err, say({"--help"}).out);
}

TEST(CommandLine, SuggestsWhatWasMeant) {
  const std::pair<std::vector<std::string>, std::string> cases[] = {
      {{"descrbe", "v6e-8"}, "unknown verb descrbe; did you mean \"describe\"?"},
      {{"help", "rum"}, "unknown verb rum; did you mean \"run\"?"},
      {{"describe", "v6e-8", "--jsn"}, "unknown option --jsn; did you mean \"--json\"?"},
      {{"run", "p.mlir", "--slcie=v6e-8"}, "unknown option --slcie; did you mean \"--slice\"?"},
      {{"describe", "v6-8"}, "unknown chip \"v6\"; did you mean \"v6e\""},
      {{"--nonsense"}, "unknown option --nonsense"},
      {{"describe", "v6e-8", "v6e-16"}, "unexpected argument 'v6e-16'"},
      {{"run"}, "no program given"},
      {{"describe"}, "describe requires a slice name"},
      {{"completion", "ksh"}, "completion requires \"bash\", \"zsh\", \"fish\" or \"man\""},
      {{"run", "p.mlir", "--numerics", "gpu"}, "--numerics"},
      {{"run", "p.mlir", "--steps", "0"}, "--steps"},
      {{"run", "p.mlir", "--fill", "twos"}, "--fill: expected random:SEED, zeros or ones"},
  };
  for (const auto& [words, text] : cases) {
    const Said said = say(words);
    EXPECT_EQ(said.code, 2) << text;
    EXPECT_EQ(said.out, "");
    EXPECT_NE(said.err.find(text), std::string::npos) << said.err;
  }
}

TEST(CommandLine, DescribesASliceAndListsAll) {
  const Said text = say({"describe", "v6e-16"});
  EXPECT_EQ(text.code, 0);
  EXPECT_NE(text.out.find("v6e-16"), std::string::npos);
  EXPECT_NE(say({"describe", "v6e-16", "--json"}).out.find("understudy/slice/1"),
            std::string::npos);
  EXPECT_NE(say({"-q", "describe", "--list"}).out.find("\nv5e-8\n"), std::string::npos);
}

// The candidates for a command line, one per line.
std::string candidates(std::vector<std::string> line) {
  line.insert(line.begin(), {"completion", "words", "--"});
  return "\n" + say(line).out;
}

TEST(Completion, KnowsEveryVerbAndItsOptions) {
  const std::string man = say({"completion", "man"}).out;
  for (const Verb& verb : verbs()) {
    const std::size_t blank = verb.name.find(' ');  // the words of a verb are completed one by one
    std::vector<std::string> line = {std::string(verb.name.substr(0, blank))};
    EXPECT_NE(candidates({""}).find("\n" + line[0] + "\n"), std::string::npos);
    if (blank != std::string_view::npos) {
      line.emplace_back(verb.name.substr(blank + 1));
      EXPECT_NE(candidates({line[0], ""}).find("\n" + line[1] + "\n"), std::string::npos);
    }
    EXPECT_NE(man.find(".SS understudy " + std::string(verb.name)), std::string::npos);
    line.emplace_back("--");
    if (verb.name == "help") continue;
    const std::string options = candidates(line);
    for (const OptionText& option : options_of(verb)) {
      if (option.positional) continue;
      EXPECT_NE(options.find("\n" + option.name + "\n"), std::string::npos) << option.name;
    }
  }
}

TEST(Completion, KnowsTheValuesOfOptions) {
  EXPECT_EQ(candidates({"run", "--slice", "v6e-1"}), "\nv6e-1\nv6e-16\nv6e-128\n");
  EXPECT_EQ(candidates({"describe", "v5e-2"}), "\nv5e-256\n");
  EXPECT_EQ(candidates({"run", "p.mlir", "--cache-policy", "per-"}), "\nper-host\nper-process\n");
  EXPECT_EQ(candidates({"run", "--chip", "v7"}), "\nv7x\n");
  EXPECT_EQ(candidates({"rehearse", "--profile", "ste"}), "\nsteady\n");
  EXPECT_NE(candidates({"run", "--fault", "kill"}).find("\nkill:"), std::string::npos);
  EXPECT_NE(candidates({"cache", "stress", "--scenario", "C2"}).find("\nC25\n"), std::string::npos);
  EXPECT_EQ(candidates({"env", "--format", ""}), "\nshell\njson\nkubernetes\n");
  EXPECT_EQ(candidates({"help", "cache", "st"}), "\nstress\n");
  EXPECT_EQ(candidates({"run", ""}), "\n:files\n");
  EXPECT_EQ(candidates({"run", "--args", "x"}), "\n:files\n");
  EXPECT_EQ(candidates({"no-verb", "x"}), "\n");
}

// As a shell, JSON and Kubernetes take it.
TEST(Env, PrintsTheEnvironmentOfOneHost) {
  const std::vector<std::string> words = {"env",     "--slice",     "v6e-16",   "--host",
                                          "3",       "--profile",   "diagnose", "--hostnames",
                                          "a,b,c,d", "--cache-dir", "/cache"};
  for (const char* format : {"shell", "json", "kubernetes"}) {
    std::vector<std::string> all = words;
    all.insert(all.end(), {"--format", format});
    const Said said = say(all);
    EXPECT_EQ(said.code, 0) << said.err;
    expect_golden(std::string("env_") + format + ".txt", said.out);
  }
  expect_golden("env_list.txt", say({"env", "--list", "--profile", "warm-shared"}).out);
}

TEST(Env, SaysWhatIsWrong) {
  const std::pair<std::vector<std::string>, std::string> cases[] = {
      {{"env"}, "env requires a slice"},
      {{"env", "--slice", "v6e-16", "--host", "4"}, "the pod has 4 hosts, 0 to 3"},
      {{"env", "--slice", "v6e-16", "--process", "1"},
       "launch.processes of the profile gives each host 1"},
      {{"env", "--slice", "v6e-16", "--hostnames", "a,b"}, "--hostnames has 2 names for 4 hosts"},
      {{"env", "--slice", "v6e-8", "--profile", "warm-share"}, "did you mean \"warm-shared\"?"},
      {{"env", "--slice", "v6e-8", "--set", "cache=1"}, "--set takes GROUP.KEY=VALUE"},
  };
  for (const auto& [words, text] : cases) {
    const Said said = say(words);
    EXPECT_EQ(said.code, 2);
    EXPECT_NE(said.err.find(text), std::string::npos) << said.err;
  }
}

TEST(Describe, TakesSlicesThatAreJoined) {
  const Said said = say({"describe", "2xv6e-8"});
  EXPECT_EQ(said.code, 0) << said.err;
  for (const char* part : {"2xv6e-8: 16 chips on 2 hosts", "2 of v6e-8, joined by DCN"})
    EXPECT_NE(said.out.find(part), std::string::npos) << part;
  const Said mesh = say({"describe", "2xv6e-8", "--mesh", "x=16"});
  EXPECT_EQ(mesh.code, 2);
  for (const char* part : {"none leads from one slice to another", "describe v6e-8 --mesh"})
    EXPECT_NE(mesh.err.find(part), std::string::npos) << part;
}

TEST(Env, TakesSlicesThatAreJoined) {
  const Said said = say({"env", "--slice", "2xv6e-16", "--host", "6"});
  EXPECT_EQ(said.code, 0) << said.err;
  for (const char* part :
       {"# 2xv6e-16, profile steady: host 6 of 8", "MEGASCALE_SLICE_ID=1", "TPU_WORKER_ID=2"})
    EXPECT_NE(said.out.find(part), std::string::npos) << part;
}

}  // namespace
}  // namespace understudy::launcher
