// SPDX-License-Identifier: Apache-2.0
#include "configs/launch/profile/profile.h"

#include <gmock/gmock.h>

#include "configs/embedded.h"
#include "tests/configs/configs_testing.h"
#include "tests/configs/schema_checker.h"

namespace understudy::configs {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

ResolvedProfile resolve(const std::string& name, const std::vector<Setting>& settings = {}) {
  return ProfileLibrary().resolve(name, settings);
}

void write(const std::string& path, const std::string& text) {
  std::filesystem::create_directories(std::filesystem::path(path).parent_path());
  std::ofstream(path) << text;
}

TEST(Profile, EveryShippedOneFitsItsSchemaAndIsFoundByItsName) {
  std::vector<std::string> names;
  for (const EmbeddedFile& file : embedded_profiles()) {
    EXPECT_THAT(schema_faults("profile", std::string(file.text)), IsEmpty()) << file.name;
    names.push_back(std::string(file.name.substr(0, file.name.find('.'))));
    const ResolvedProfile profile = resolve(names.back());
    EXPECT_EQ(profile.name, names.back());
    EXPECT_FALSE(profile.summary.empty());
    EXPECT_EQ(profile.sources.size(), settings_of(profile.values).size());
  }
  EXPECT_THAT(names, ElementsAre("steady", "cold-isolated", "warm-shared", "stress-cache",
                                 "diagnose", "legacy-replica"));
}

TEST(Profile, ExtendsAnotherAndSaysWhereEachValueComesFrom) {
  const ResolvedProfile profile = resolve("warm-shared");
  EXPECT_THAT(profile.lineage, ElementsAre("steady"));
  EXPECT_EQ(profile.values.cache.policy, "single-writer");
  EXPECT_EQ(profile.values.shape.guard, "strict");
  EXPECT_EQ(profile.sources.at("cache.policy"), "warm-shared");
  EXPECT_EQ(profile.sources.at("shape.guard"), "steady");
  EXPECT_TRUE(resolve("diagnose").values.diag.ir_debug);
  EXPECT_FALSE(resolve("legacy-replica").values.spmd.enabled);
}

TEST(Profile, RecordsWhatIsSetOverIt) {
  const ResolvedProfile profile = resolve("steady", {{"cache.policy", "shared", "--cache-policy"},
                                                     {"mem.premapped_bytes", "16GiB", "--set"},
                                                     {"launch.xla_flags", "--a --b", "--set"},
                                                     {"launch.variables.FOO", "a=b", "--set"},
                                                     {"shape.guard", "strict", "--set"}});
  EXPECT_EQ(profile.values.mem.premapped_bytes, 17179869184U);
  EXPECT_THAT(profile.values.launch.xla_flags, ElementsAre("--a", "--b"));
  EXPECT_EQ(profile.values.launch.variables.at("FOO"), "a=b");
  EXPECT_THAT(
      profile.overrides,
      ElementsAre(ProfileOverride{"cache.policy", "per-host", "shared", "--cache-policy"},
                  ProfileOverride{"mem.premapped_bytes", "4294967296", "17179869184", "--set"},
                  ProfileOverride{"launch.xla_flags", "--xla_cpu_enable_fast_math=false", "--a --b",
                                  "--set"},
                  ProfileOverride{"launch.variables.FOO", "", "a=b", "--set"}))
      << "what is set to the value that it has is no override";
}

TEST(Profile, KeepsTheTextsOfItsComplaints) {
  std::string texts;
  const auto add = [&](auto&& act) { texts += error_of(act) + "\n\n"; };
  add([] { resolve("stady"); });
  add([] { parse_setting("cache.policy"); });
  add([] { parse_setting("policy=x"); });
  for (const auto& [key, value] : std::initializer_list<std::pair<const char*, const char*>>{
           {"cache.polcy", "shared"},
           {"cache.policy", "everybody"},
           {"nonsense.at_all", "1"},
           {"spmd.enabled", "yes"},
           {"mem.premapped_bytes", "4 GB"},
           {"mem.premapped_bytes", "99999999999GiB"},
           {"launch.timeout_seconds", "0"},
           {"launch.process_port", "70000"},
           {"launch.variables", "FOO=1"}})
    add([key = key, value = value] { resolve("steady", {{key, value}}); });
  add([] {
    resolve("steady",
            {{"cache.policy", "off", "--set"}, {"cache.policy", "shared", "--cache-policy"}});
  });
  expect_golden("profile/settings.txt", texts);
}

TEST(Profile, KeepsTheTextsOfComplaintsAboutFiles) {
  const std::string steady = std::string(embedded_profiles().front().text);
  const std::pair<std::string, std::string> changes[] = {
      {"profile/1", "profile/0"},
      {"\"spmd\"", "\"smpd\""},
      {"\"policy\": \"per-host\"", "\"policy\": \"per-hots\""},
      {"\"max_bytes\": 0,", ""},
      {"\"process_port\": 8476", "\"process_port\": 0"},
      {"\"enabled\": true", "\"enabled\": 1"},
      {"\"name\": \"steady\",", "\"name\": \"steady\", \"extends\": \"steady\","},
      {"\"name\": \"steady\",", "\"name\": \"steady\", \"extends\": \"stedy\","},
  };
  std::string texts;
  TemporaryFolder folder;
  for (const auto& [from, to] : changes) {
    std::string text = steady;
    const std::size_t at = text.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    write(folder.file("mine.json"), text.replace(at, from.size(), to));
    std::string said = error_of([&] { ProfileLibrary().resolve(folder.file("mine.json"), {}); });
    for (std::size_t hit = said.find(folder.path()); hit != std::string::npos;
         hit = said.find(folder.path()))
      said.replace(hit, folder.path().size(), "FOLDER");
    texts += said + "\n\n";
  }
  expect_golden("profile/files.txt", texts);
}

TEST(Profile, IsFoundInFoldersBeforeTheEmbeddedOnesAndMayExtendItsNamesake) {
  TemporaryFolder folder;
  write(folder.file("near/steady.json"),
        R"({"schema": "understudy/profile/1", "name": "steady", "summary": "ours",
            "extends": "steady", "cache": {"policy": "off"}})");
  write(folder.file("far/mine.json"),
        R"({"schema": "understudy/profile/1", "name": "mine", "summary": "more of ours",
            "extends": "steady", "launch": {"variables": {"FOO": "1"}}})");
  const ProfileLibrary library({folder.file("near"), folder.file("far")});
  const ResolvedProfile mine = library.resolve("mine", {});
  EXPECT_THAT(mine.lineage, ElementsAre("steady", "steady"));
  EXPECT_EQ(mine.values.cache.policy, "off");
  EXPECT_EQ(mine.values.launch.variables.at("FOO"), "1");
  EXPECT_EQ(library.list().size(), 7U);
  EXPECT_EQ(library.list().front().summary, "ours");
  EXPECT_THAT(library.list().front().from, HasSubstr("near/steady.json"));
}

TEST(Profile, IsNotRefusedForADamagedFileBesideIt) {
  TemporaryFolder folder;
  write(folder.file("near/other.json"), "not JSON");
  const ProfileLibrary library({folder.file("near")});
  EXPECT_EQ(library.resolve("steady", {}).name, "steady");
  EXPECT_THAT(error_of([&] { library.resolve("othr", {}); }),
              testing::HasSubstr("did you mean \"other\""));
}

TEST(Profile, ThatExtendsItselfInACircleIsRefused) {
  TemporaryFolder folder;
  for (const auto& [name, other] : {std::pair("a", "b"), std::pair("b", "a")})
    write(folder.file(std::string(name) + ".json"),
          fmt::format(R"({{"schema": "understudy/profile/1", "name": "{}", "summary": "",
                          "extends": "{}"}})",
                      name, other));
  EXPECT_THAT(error_of([&] { ProfileLibrary({folder.path()}).resolve("a", {}); }),
              HasSubstr("the profile extends itself"));
}

TEST(Profile, GivesTheSameBytesForTheSameValues) {
  EXPECT_EQ(to_json(resolve("steady").values), to_json(resolve("steady", {}).values));
  EXPECT_NE(to_json(resolve("steady").values), to_json(resolve("diagnose").values));
}

// Flags and switches that change code, as the frameworks hash them; what only dumps does not.
TEST(Profile, TellsWhatOfItChangesCode) {
  Profile profile;
  EXPECT_TRUE(code_values(profile).empty());
  profile.launch.libtpu_init_args = {"--xla_tpu_x=true", "--xla_dump_to=/d", "--xla_tpu_y=1"};
  profile.launch.xla_flags = {"--xla_dump_hlo_as_text"};
  profile.launch.inflight = 7;
  profile.diag.hlo_debug = true;
  EXPECT_EQ(code_values(profile),
            (std::map<std::string, std::string>{
                {"hlo_debug", "1"}, {"libtpu_init_args", "--xla_tpu_x=true --xla_tpu_y=1"}}));
}

}  // namespace
}  // namespace understudy::configs
