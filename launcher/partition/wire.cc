// SPDX-License-Identifier: Apache-2.0
#include "launcher/partition/wire.h"

#include <cstring>

#include "configs/json/fields.h"

namespace understudy::launcher {
namespace {

using configs::JsonReader;
using configs::JsonWriter;

// Greater sizes come from a process that is not our helper.
constexpr std::uint32_t kMostHeaderBytes = 1U << 26;
constexpr std::uint64_t kMostPayloadBytes = std::uint64_t{1} << 33;
constexpr const char* kAnswerName = "answer of the partitioner";

template <class Number>
// Little-endian, whatever the machine is: Python reads it with struct format "<IQ".
void append(std::string& bytes, Number number) {
  for (std::size_t i = 0; i < sizeof number; ++i)
    bytes.push_back(static_cast<char>(number >> (8 * i) & 0xff));
}

template <class Number>
Number number_at(std::string_view bytes, std::size_t at) {
  Number number = 0;
  for (std::size_t i = 0; i < sizeof number; ++i)
    number |= static_cast<Number>(static_cast<Number>(static_cast<unsigned char>(bytes[at + i]))
                                  << (8 * i));
  return number;
}

void booleans(JsonWriter& json, const char* key, const std::vector<bool>& values) {
  json.key(key);
  json.begin_array();
  for (const bool value : values) json.boolean(value);
  json.end_array();
}

// "--xla_name=value" as the pair that XLA's option overrides take; a flag without a value is true.
void flag(JsonWriter& json, const std::string& word) {
  const std::size_t begin = word.find_first_not_of('-');
  const std::string text = begin == std::string::npos ? "" : word.substr(begin);
  const std::size_t equals = text.find('=');
  json.begin_array();
  json.text(text.substr(0, equals));
  json.text(equals == std::string::npos ? "true" : text.substr(equals + 1));
  json.end_array();
}

}  // namespace

std::string encoded(const Frame& frame) {
  std::string bytes;
  append(bytes, static_cast<std::uint32_t>(frame.header.size()));
  append(bytes, static_cast<std::uint64_t>(frame.payload.size()));
  bytes += frame.header;
  bytes += frame.payload;
  return bytes;
}

std::optional<FrameSizes> frame_sizes(std::string_view prefix) {
  const auto header = number_at<std::uint32_t>(prefix, 0);
  const auto payload = number_at<std::uint64_t>(prefix, sizeof header);
  if (header > kMostHeaderBytes || payload > kMostPayloadBytes) return std::nullopt;
  return FrameSizes{header, payload};
}

Frame request_frame(const program::PartitionRequest& request,
                    const std::vector<std::string>& xla_flags) {
  JsonWriter json(JsonWriter::Layout::compact);
  json.begin_object();
  configs::FieldWriter field(json);
  field("form", std::string("stablehlo"));
  field("file", request.file);
  field("entry", request.entry);
  field("replicas", request.replicas);
  field("partitions", request.partitions);
  field("device_order", request.device_order);
  field("shardy", request.shardy);
  booleans(json, "propagate_to_parameters", request.propagate_to_parameters);
  booleans(json, "propagate_to_output", request.propagate_to_output);
  json.key("xla_flags");
  json.begin_array();
  for (const std::string& word : xla_flags) flag(json, word);
  json.end_array();
  json.end_object();
  return {json.take(), request.program};
}

Greeting greeting_of(const std::string& header) {
  const JsonReader json = JsonReader::parse(header, kAnswerName);
  return {json.at("protocol").integer(), json.at("jaxlib").text(), json.at("python").text(),
          json.at("error").text()};
}

Answer answer_of(const std::string& header) {
  const JsonReader json = JsonReader::parse(header, kAnswerName);
  Answer answer{json.at("error").text(), "", {}};
  if (!answer.error.empty()) {
    answer.kind = json.at("kind").text();
    return answer;
  }
  for (const JsonReader& warning : json.at("warnings").items())
    answer.warnings.push_back(warning.text());
  return answer;
}

}  // namespace understudy::launcher
