// SPDX-License-Identifier: Apache-2.0
#include "configs/launch/message/partition_message.h"

#include "configs/json/fields.h"

namespace understudy::configs {

template <class F, FieldsOf<PartitionQuestion> Q>
void fields(F& field, Q& question) {
  field("host", question.host);
  field("file", question.file);
  field("entry", question.entry);
  field("replicas", question.replicas);
  field("partitions", question.partitions);
  field("device_order", question.device_order);
  field("shardy", question.shardy);
  field("propagate_to_parameters", question.propagate_to_parameters);
  field("propagate_to_output", question.propagate_to_output);
}

template <class F, FieldsOf<PartitionReply> R>
void fields(F& field, R& reply) {
  field("error_kind", reply.error_kind);
  field("error", reply.error);
  field("notes", reply.notes);
  field("warnings", reply.warnings);
  field("cached", reply.cached);
}

namespace {

constexpr std::string_view kQuestion = "understudy/partition-question/1";
constexpr std::string_view kReply = "understudy/partition-reply/1";

}  // namespace

std::string to_json(const PartitionQuestion& question) {
  return document_of(question, kQuestion, JsonWriter::Layout::compact);
}

std::string to_json(const PartitionReply& reply) {
  return document_of(reply, kReply, JsonWriter::Layout::compact);
}

PartitionQuestion read_partition_question(const std::string& text) {
  return read_document<PartitionQuestion>(JsonReader::parse(text, "a question for a partitioner"),
                                          kQuestion);
}

PartitionReply read_partition_reply(const std::string& text) {
  return read_document<PartitionReply>(JsonReader::parse(text, "the answer of the launcher"),
                                       kReply);
}

}  // namespace understudy::configs
