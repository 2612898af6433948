// SPDX-License-Identifier: Apache-2.0
#include "configs/launch/message/compiler_message.h"

#include "configs/json/fields.h"

namespace understudy::configs {

template <class F, FieldsOf<CompilerError> T>
void fields(F& field, T& error) {
  field("code", error.code);
  field("message", error.message);
}

template <class F, FieldsOf<CompilerGreeting> T>
void fields(F& field, T& greeting) {
  field("protocol", greeting.protocol);
  field("error", greeting.error);
  field("api_major", greeting.api_major);
  field("api_minor", greeting.api_minor);
  field("missing", greeting.missing);
  field("attributes", greeting.attributes);
}

template <class F, FieldsOf<CompilerDevice> T>
void fields(F& field, T& device) {
  field("id", device.id);
  field("process", device.process);
  field("kind", device.kind);
  field("coords", device.coords);
  field("core", device.core);
  field("slice", device.slice);
  field("memory_bytes", device.memory_bytes);
}

template <class F, FieldsOf<CompilerMemory> T>
void fields(F& field, T& memory) {
  field("arguments", memory.arguments);
  field("outputs", memory.outputs);
  field("aliases", memory.aliases);
  field("temporaries", memory.temporaries);
  field("code", memory.code);
  field("peak", memory.peak);
}

template <class F, FieldsOf<CompilerAnswer> T>
void fields(F& field, T& answer) {
  field("command", answer.command);
  field("error", answer.error);
  field("platform", answer.platform);
  field("version", answer.version);
  field("devices", answer.devices);
  field("attributes", answer.attributes);
  field("seconds", answer.seconds);
  field("executable_bytes", answer.executable_bytes);
  field("memory", answer.memory);
  field("costs", answer.costs);
  field("fingerprint", answer.fingerprint);
  field("missing", answer.missing);
}

namespace {

constexpr std::string_view kCompilerGreeting = "understudy/compiler-greeting/1";
constexpr std::string_view kRequest = "understudy/compiler-request/1";
constexpr std::string_view kCompilerAnswer = "understudy/compiler-answer/1";

// std::vector<bool> has no elements that the field lists could refer to: flags travel as 0 and 1.
struct RequestOnWire {
  CompilerRequest request;
  std::vector<std::int64_t> to_parameters, to_output;
};

std::vector<std::int64_t> numbers_of(const std::vector<bool>& flags) {
  return {flags.begin(), flags.end()};
}

std::vector<bool> flags_of(const std::vector<std::int64_t>& numbers) {
  std::vector<bool> flags;
  for (const std::int64_t number : numbers) flags.push_back(number != 0);
  return flags;
}

}  // namespace

template <class F, FieldsOf<RequestOnWire> T>
void fields(F& field, T& wire) {
  field("command", wire.request.command);
  field("topology", wire.request.topology);
  field("chips_per_host", wire.request.chips_per_host);
  field("slices", wire.request.slices);
  field("format", wire.request.format);
  field("replicas", wire.request.replicas);
  field("partitions", wire.request.partitions);
  field("devices", wire.request.devices);
  field("shardy", wire.request.shardy);
  field("propagate_to_parameters", wire.to_parameters);
  field("propagate_to_output", wire.to_output);
  field("options", wire.request.options);
}

std::string to_json(const CompilerGreeting& greeting) {
  return document_of(greeting, kCompilerGreeting, JsonWriter::Layout::compact);
}

std::string to_json(const CompilerRequest& request) {
  const RequestOnWire wire{request, numbers_of(request.propagate_to_parameters),
                           numbers_of(request.propagate_to_output)};
  return document_of(wire, kRequest, JsonWriter::Layout::compact);
}

std::string to_json(const CompilerAnswer& answer) {
  return document_of(answer, kCompilerAnswer, JsonWriter::Layout::compact);
}

CompilerGreeting read_compiler_greeting(const std::string& text) {
  return read_document<CompilerGreeting>(JsonReader::parse(text, "a compiler's greeting"),
                                         kCompilerGreeting);
}

CompilerRequest read_compiler_request(const std::string& text) {
  static const std::vector<std::string> kCommands = {"topology", "compile"};
  const JsonReader in = JsonReader::parse(text, "a request to a compiler");
  auto wire = read_document<RequestOnWire>(in, kRequest);
  // Checked on this side as well: a wrong request would end in a call of the library with unchecked
  // arguments.
  in.at("command").one_of(kCommands, "a command");
  in.at("replicas").positive();
  in.at("partitions").positive();
  wire.request.propagate_to_parameters = flags_of(wire.to_parameters);
  wire.request.propagate_to_output = flags_of(wire.to_output);
  return wire.request;
}

CompilerAnswer read_compiler_answer(const std::string& text) {
  return read_document<CompilerAnswer>(JsonReader::parse(text, "a compiler's answer"),
                                       kCompilerAnswer);
}

}  // namespace understudy::configs
