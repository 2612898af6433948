// SPDX-License-Identifier: Apache-2.0
#include "configs/report/cache_documents.h"

#include "configs/json/fields.h"

namespace understudy::configs {

template <class F, FieldsOf<CacheEntry> T>
void fields(F& field, T& entry) {
  field("path", entry.path);
  field("key", entry.key);
  field("bytes", entry.bytes);
  field("state", entry.state);
  field("parts", entry.parts);
}

template <class F, FieldsOf<CacheLeftover> T>
void fields(F& field, T& left) {
  field("path", left.path);
  field("owner", left.owner);
  field("is_dead", left.is_dead);
}

template <class F, FieldsOf<KeyDifference> T>
void fields(F& field, T& difference) {
  field("part", difference.part);
  field("here", difference.here);
  field("there", difference.there);
}

template <class F, FieldsOf<CacheExplanation> T>
void fields(F& field, T& explanation) {
  field("program", explanation.program);
  field("key", explanation.key);
  field("parts", explanation.parts);
  field("against", explanation.against);
  field("hit", explanation.hit);
  field("differences", explanation.differences);
  field("details", explanation.details);
}

template <class F, FieldsOf<CachePrune> T>
void fields(F& field, T& pruned) {
  field("temporaries", pruned.temporaries);
  field("locks", pruned.locks);
  field("quarantined", pruned.quarantined);
  field("orphans", pruned.orphans);
  field("stale", pruned.stale);
  field("evicted", pruned.evicted);
  field("bytes", pruned.bytes);
  field("kept", pruned.kept);
  field("refused", pruned.refused);
}

std::string cache_list_json(const std::vector<CacheEntry>& entries,
                            const std::vector<CacheLeftover>& leftovers) {
  JsonWriter out(JsonWriter::Layout::readable);
  out.begin_object();
  out.key("schema");
  out.text("understudy/cache-ls/1");
  out.key("entries");
  write_value(out, entries);
  out.key("leftovers");
  write_value(out, leftovers);
  out.end_object();
  return out.take();
}

std::string cache_verify_json(const std::vector<CacheEntry>& entries, std::int64_t bad,
                              const std::vector<CacheLeftover>& leftovers) {
  JsonWriter out(JsonWriter::Layout::readable);
  out.begin_object();
  out.key("schema");
  out.text("understudy/cache-verify/1");
  out.key("bad");
  out.integer(bad);
  out.key("entries");
  write_value(out, entries);
  out.key("leftovers");
  write_value(out, leftovers);
  out.end_object();
  return out.take();
}

std::string to_json(const CacheExplanation& explanation) {
  return document_of(explanation, "understudy/cache-explain/1", JsonWriter::Layout::readable);
}

std::string to_json(const CachePrune& pruned) {
  return document_of(pruned, "understudy/cache-prune/1", JsonWriter::Layout::readable);
}

}  // namespace understudy::configs
