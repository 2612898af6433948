// SPDX-License-Identifier: Apache-2.0
#include "launcher/partition/partition_cache.h"

#include <fmt/format.h>
#include <utility>

#include "configs/base/digest.h"
#include "configs/base/error.h"
#include "configs/json/reader.h"
#include "configs/json/writer.h"

namespace understudy::launcher {
namespace {

constexpr DerivedKind kEntryKind{"partitioned", ".partitioned", "1"};

template <class Values>
std::string joined(const Values& values) {
  std::string text;
  for (const auto value : values) text += fmt::format("{},", static_cast<std::int64_t>(value));
  return text;
}

// The header of the frame: the warnings.
std::string header_of(const program::PerChipProgram& made) {
  configs::JsonWriter json(configs::JsonWriter::Layout::compact);
  json.begin_object();
  json.key("warnings");
  json.begin_array();
  for (const std::string& warning : made.warnings) json.text(warning);
  json.end_array();
  json.end_object();
  return json.take();
}

}  // namespace

// All that the answer depends on. The file name is included, because locations in the answer hold
// it.
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
  std::optional<Frame> frame = find_derived(cache, kEntryKind, key);
  if (!frame) return std::nullopt;
  program::PerChipProgram made;
  try {
    for (const configs::JsonReader& one :
         configs::JsonReader::parse(frame->header, "cache entry").at("warnings").items())
      made.warnings.push_back(one.text());
  } catch (const Error&) {
    return std::nullopt;  // of a build with other headers
  }
  made.program = std::move(frame->payload);
  return made;
}

void keep_partitioned(const CacheChoice& cache, const cache::NamedParts& key,
                      const program::PerChipProgram& made) {
  keep_derived(cache, kEntryKind, key, {header_of(made), made.program});
}

}  // namespace understudy::launcher
