// SPDX-License-Identifier: Apache-2.0
#include "configs/launch/message/pod_message.h"

#include "configs/json/fields.h"

namespace understudy::configs {

template <class F, FieldsOf<PodGreeting> G>
void fields(F& field, G& greeting) {
  field("rank", greeting.rank);
}

template <class F, FieldsOf<PodCommand> C>
void fields(F& field, C& command) {
  field("command", command.command);
  field("program", command.program);
  field("path", command.path);
  field("entry", command.entry);
  field("numerics", command.numerics);
  field("replicas", command.replicas);
  field("launch", command.launch);
  field("collectives", command.collectives);
  field("arguments", command.arguments);
  field("results", command.results);
  field("buffer", command.buffer);
  field("element", command.element);
  field("shape", command.shape);
}

template <class F, FieldsOf<PodAnswer> A>
void fields(F& field, A& answer) {
  field("command", answer.command);
  field("program", answer.program);
  field("error_kind", answer.error_kind);
  field("error", answer.error);
  field("op", answer.op);
  field("arguments", answer.arguments);
  field("results", answer.results);
  field("checks", answer.checks);
}

namespace {

constexpr std::string_view kPodGreeting = "understudy/pod-greeting/1";
constexpr std::string_view kCommand = "understudy/pod-command/1";
constexpr std::string_view kPodAnswer = "understudy/pod-answer/1";

template <class T>
std::string line_of(const T& value, std::string_view schema) {
  return document_of(value, schema, JsonWriter::Layout::compact);
}

template <class T>
// `what` takes the place of a file name in errors.
T read(const std::string& text, std::string_view schema, const char* what) {
  return read_document<T>(JsonReader::parse(text, what), schema);
}

}  // namespace

std::string to_json(const PodGreeting& greeting) { return line_of(greeting, kPodGreeting); }
std::string to_json(const PodCommand& command) { return line_of(command, kCommand); }
std::string to_json(const PodAnswer& answer) { return line_of(answer, kPodAnswer); }

PodGreeting read_greeting(const std::string& text) {
  return read<PodGreeting>(text, kPodGreeting, "a worker's greeting");
}

PodCommand read_command(const std::string& text) {
  static const std::vector<std::string> kNumerics = {"tpu", "ieee"};
  const JsonReader in = JsonReader::parse(text, "a host's command");
  auto command = read_document<PodCommand>(in, kCommand);
  for (const JsonReader& size : in.at("shape").items()) size.whole();
  if (command.command == PodVerb::load) in.at("numerics").one_of(kNumerics, "a numerics mode");
  return command;
}

PodAnswer read_answer(const std::string& text) {
  return read<PodAnswer>(text, kPodAnswer, "a worker's answer");
}

}  // namespace understudy::configs
