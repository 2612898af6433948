// SPDX-License-Identifier: Apache-2.0
#include "launcher/partition/partition_cache.h"

#include <fmt/format.h>

#include "cache/envelope.h"
#include "cache/folder.h"
#include "cache/store.h"
#include "configs/base/cache_policy.h"
#include "configs/base/digest.h"
#include "configs/base/error.h"
#include "configs/json/reader.h"
#include "configs/json/writer.h"
#include "launcher/partition/wire.h"

namespace understudy::launcher {
namespace {

constexpr const char* kFolder = "/partitioned";
// Not the suffix of executables: the verbs of the cache list those only.
constexpr const char* kSuffix = ".partitioned";

std::string name_of(const cache::NamedParts& key) { return cache::key_of(key) + kSuffix; }

template <class Values>
std::string joined(const Values& values) {
  std::string text;
  for (const auto value : values) text += fmt::format("{},", static_cast<std::int64_t>(value));
  return text;
}

// The payload of an entry is one frame: the warnings as JSON, then the program.
std::string payload_of(const program::PerChipProgram& made) {
  configs::JsonWriter json(configs::JsonWriter::Layout::compact);
  json.begin_object();
  json.key("warnings");
  json.begin_array();
  for (const std::string& warning : made.warnings) json.text(warning);
  json.end_array();
  json.end_object();
  return encoded({json.take(), made.program});
}

std::optional<program::PerChipProgram> program_in(std::string_view payload) {
  if (payload.size() < kFramePrefixBytes) return std::nullopt;
  const std::optional<FrameSizes> sizes = frame_sizes(payload);
  if (!sizes || sizes->all() != payload.size()) return std::nullopt;
  program::PerChipProgram made;
  const std::string header(payload.substr(kFramePrefixBytes, sizes->header));
  for (const configs::JsonReader& one :
       configs::JsonReader::parse(header, "cache entry").at("warnings").items())
    made.warnings.push_back(one.text());
  made.program = payload.substr(kFramePrefixBytes + sizes->header);
  return made;
}

}  // namespace

cache::NamedParts partition_key(const program::PartitionRequest& request,
                                const std::vector<std::string>& xla_flags,
                                const std::string& helper, const std::string& version) {
  std::string flags;
  for (const std::string& word : xla_flags) flags += word + " ";
  return {{"input", digest_of(std::string_view(request.program))},
          {"file", digest_of(std::string_view(request.file))},
          {"entry", request.entry},
          {"replicas", fmt::format("{}", request.replicas)},
          {"partitions", fmt::format("{}", request.partitions)},
          {"device-order", joined(request.device_order)},
          {"shardy", request.shardy ? "on" : "off"},
          {"propagate-to-parameters", joined(request.propagate_to_parameters)},
          {"propagate-to-output", joined(request.propagate_to_output)},
          {"xla-flags", digest_of(std::string_view(flags))},
          {"helper", helper},
          {"jaxlib", version}};
}

std::optional<program::PerChipProgram> find_partitioned(const CacheChoice& cache,
                                                        const cache::NamedParts& key) {
  if (!cache_policy_named(cache.policy).keeps_entries()) return std::nullopt;
  const std::string folder = cache.folder + kFolder;
  try {
    cache::check_folder(cache.folder, folder);
    const std::optional<FileBytes> entry = cache::machine_files().read(folder + "/" + name_of(key));
    if (!entry || !entry->owner || entry->owner->everybody_writes ||
        !cache::is_trusted(entry->owner->user, cache.folder, cache.trust))
      return std::nullopt;
    const cache::Opened opened = cache::open(*entry, key);
    // The program does not depend on the build of understudy: a stale entry is as good.
    const bool good =
        opened.refusal == cache::Refusal::none || opened.refusal == cache::Refusal::stale;
    return good ? program_in(opened.payload) : std::nullopt;
  } catch (const Error&) {
    return std::nullopt;  // a broken cache costs a partition, never the run
  }
}

void keep_partitioned(const CacheChoice& cache, const cache::NamedParts& key,
                      const program::PerChipProgram& made) {
  const CachePolicyRow& policy = cache_policy_named(cache.policy);
  if (!policy.keeps_entries() || !policy.writes()) return;
  const std::string folder = cache.folder + kFolder;
  try {
    cache::check_folder(cache.folder, folder);
    const auto store =
        cache::open_disk_store(cache::machine_files(), folder, cache::StoreMode::read_write);
    store->write(name_of(key), cache::seal(key, payload_of(made)));
  } catch (const Error&) {
    return;  // the workers warn about a folder that cannot be written
  }
}

}  // namespace understudy::launcher
