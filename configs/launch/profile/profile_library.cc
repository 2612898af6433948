// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <system_error>

#include "configs/base/file.h"
#include "configs/base/suggest.h"
#include "configs/embedded.h"
#include "configs/launch/profile/profile_fields.h"

namespace understudy::configs {
namespace {

namespace fs = std::filesystem;

struct Found {
  std::string text, path;
};

// A profile document, before it is applied to the profiles that it extends.
struct Document {
  JsonReader in;
  std::string name, summary;
  std::optional<std::string> extends;
};

Document document_of(const Found& found) {
  static const std::vector<std::string_view> kKeys = {
      "schema", "name", "summary", "extends", "spmd", "cache", "shape", "launch", "mem", "diag"};
  Document document{JsonReader::parse(found.text, found.path), "", "", std::nullopt};
  document.in.expect_schema("understudy/profile/1");
  document.in.only_keys(kKeys);
  document.name = document.in.at("name").text();
  if (document.name.empty()) document.in.at("name").fail("expected a name");
  document.summary = document.in.at("summary").text();
  if (const auto extends = document.in.find("extends")) document.extends = extends->text();
  return document;
}

bool is_path(const std::string& name) {
  return name.find('/') != std::string::npos || name.ends_with(".json");
}

// The first profile of this name in the search order that is not in `used` yet.
std::optional<Found> find(const std::string& name, const std::vector<std::string>& folders,
                          const std::vector<std::string>& used) {
  const auto is_free = [&](const std::string& path) {
    return std::ranges::find(used, path) == used.end();
  };
  std::error_code missing;
  for (const std::string& folder : folders) {
    const std::string path = fmt::format("{}/{}.json", folder, name);
    if (is_free(path) && fs::exists(path, missing)) return Found{read_text_file(path), path};
  }
  for (const EmbeddedFile& file : embedded_profiles()) {
    if (file.name != name + ".json" || !is_free(std::string(file.name))) continue;
    return Found{std::string(file.text), std::string(file.name)};
  }
  return std::nullopt;
}

// A path in `extends` is relative to the file that contains it.
std::string path_from(const std::string& path, const std::string& file) {
  if (file.empty() || path.starts_with('/')) return path;
  return (fs::path(file).parent_path() / path).string();
}

// The files of a folder that may be profiles, sorted.
std::vector<std::string> profile_files(const std::string& folder) {
  std::error_code missing;
  std::vector<std::string> paths;
  for (const auto& entry : fs::directory_iterator(folder, missing))
    if (entry.path().extension() == ".json") paths.push_back(entry.path().string());
  std::ranges::sort(paths);
  return paths;
}

// The available names. No file is read: a damaged file must not break the use of another one.
std::vector<std::string> names_in(const std::vector<std::string>& folders) {
  std::vector<std::string> names;
  const auto add = [&](const fs::path& path) {
    const std::string name = path.stem();
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  };
  for (const std::string& folder : folders)
    for (const std::string& path : profile_files(folder)) add(path);
  for (const EmbeddedFile& file : embedded_profiles()) add(file.name);
  return names;
}

constexpr const char* kCircle = "the profile extends itself";

// The profile `name` and all that it extends, nearest first.
std::vector<Document> chain_of(const std::string& name, const std::vector<std::string>& folders) {
  std::vector<Document> chain;
  std::vector<std::string> used;
  std::string wanted = name;
  std::string from;  // the file that contains `wanted`
  while (true) {
    const std::string path = is_path(wanted) ? path_from(wanted, from) : "";
    // Each file may occur once in a chain; a second time it would extend itself forever.
    if (std::ranges::find(used, path) != used.end()) chain.back().in.at("extends").fail(kCircle);
    const std::optional<Found> found =
        path.empty() ? find(wanted, folders, used) : Found{read_text_file(path), path};
    if (!found) {
      const std::vector<std::string> names = names_in(folders);
      const std::string why =
          std::ranges::find(names, wanted) != names.end()
              ? kCircle
              : fmt::format("unknown profile \"{}\"{} (known profiles: {})", wanted,
                            did_you_mean(wanted, names), join_words(names));
      if (chain.empty()) throw Error(ErrorKind::usage, why);
      chain.back().in.at("extends").fail(why);
    }
    used.push_back(found->path);
    from = path;
    chain.push_back(document_of(*found));
    if (!chain.back().extends) return chain;
    wanted = *chain.back().extends;
  }
}

}  // namespace

// The same value from two options is fine; two different values are an error, whichever came first.
void apply_settings(const std::vector<Setting>& settings, ResolvedProfile& resolved) {
  std::map<std::string, Setting> first;
  for (const Setting& setting : settings) {
    const auto [earlier, is_new] = first.emplace(setting.key, setting);
    if (!is_new && earlier->second.value != setting.value)
      throw Error(ErrorKind::usage,
                  fmt::format("conflicting values for {}: \"{}\" from {}, \"{}\" from {}",
                              setting.key, earlier->second.value, earlier->second.source,
                              setting.value, setting.source));
    if (!is_new) continue;
    const std::string given = value_of(resolved.values, setting.key);
    set_value(resolved.values, setting.key, setting.value);
    const std::string used = value_of(resolved.values, setting.key);
    resolved.sources[setting.key] = setting.source;
    if (given != used) resolved.overrides.push_back({setting.key, given, used, setting.source});
  }
}

ResolvedProfile ProfileLibrary::resolve(const std::string& name,
                                        const std::vector<Setting>& settings) const {
  const std::vector<Document> chain = chain_of(name, folders_);
  ResolvedProfile resolved;
  // From the most distant profile, which must be complete, to the named one, which overrides the
  // others.
  for (auto document = chain.rbegin(); document != chain.rend(); ++document)
    overlay(document->in, document == chain.rbegin(), resolved.values,
            [&](const std::string& key) { resolved.sources[key] = document->name; });
  resolved.name = chain.front().name;
  resolved.summary = chain.front().summary;
  for (std::size_t i = 1; i < chain.size(); ++i) resolved.lineage.push_back(chain[i].name);
  apply_settings(settings, resolved);
  return resolved;
}

// A profile hides later ones of the same name, as in resolve().
std::vector<ProfileListing> ProfileLibrary::list() const {
  std::vector<ProfileListing> all;
  const auto add = [&](const Found& found, const std::string& from) {
    const Document document = document_of(found);
    const bool is_hidden =
        std::ranges::find(all, document.name, &ProfileListing::name) != all.end();
    if (!is_hidden) all.push_back({document.name, document.summary, from});
  };
  for (const std::string& folder : folders_)
    for (const std::string& path : profile_files(folder)) add({read_text_file(path), path}, path);
  for (const EmbeddedFile& file : embedded_profiles())
    add({std::string(file.text), std::string(file.name)}, "embedded");
  return all;
}

}  // namespace understudy::configs
