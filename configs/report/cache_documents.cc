// SPDX-License-Identifier: Apache-2.0
#include "configs/report/cache_documents.h"

#include "configs/json/schema.h"
#include "configs/report/schemas.h"

namespace understudy::configs {
namespace {

constexpr std::string_view kList = "understudy/cache-ls/1";
constexpr std::string_view kVerify = "understudy/cache-verify/1";
constexpr std::string_view kExplain = "understudy/cache-explain/1";
constexpr std::string_view kPrune = "understudy/cache-prune/1";
constexpr JsonWriter::Layout kReadable = JsonWriter::Layout::readable;

struct CacheList {
  std::vector<CacheEntry> entries;
  std::vector<CacheLeftover> leftovers;
};

struct CacheVerification {
  std::int64_t bad = 0;
  std::vector<CacheEntry> entries;
  std::vector<CacheLeftover> leftovers;
};

}  // namespace

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

template <class F, FieldsOf<CacheList> T>
void fields(F& field, T& list) {
  field("entries", list.entries);
  field("leftovers", list.leftovers);
}

template <class F, FieldsOf<CacheVerification> T>
void fields(F& field, T& seen) {
  field("bad", seen.bad);
  field("entries", seen.entries);
  field("leftovers", seen.leftovers);
}

std::string cache_list_json(const std::vector<CacheEntry>& entries,
                            const std::vector<CacheLeftover>& leftovers) {
  return document_of(CacheList{entries, leftovers}, kList, kReadable);
}

std::string cache_verify_json(const std::vector<CacheEntry>& entries, std::int64_t bad,
                              const std::vector<CacheLeftover>& leftovers) {
  return document_of(CacheVerification{bad, entries, leftovers}, kVerify, kReadable);
}

std::string to_json(const CacheExplanation& explanation) {
  return document_of(explanation, kExplain, kReadable);
}

std::string to_json(const CachePrune& pruned) { return document_of(pruned, kPrune, kReadable); }

std::vector<NamedSchema> cache_schemas() {
  return {
      {"cache-ls", schema_text<CacheList>(kList, "Entries of a compile cache")},
      {"cache-verify", schema_text<CacheVerification>(kVerify, "Entries after a verification")},
      {"cache-explain",
       schema_text<CacheExplanation>(kExplain, "A key compared with that of an entry")},
      {"cache-prune", schema_text<CachePrune>(kPrune, "Files that were removed")},
  };
}

}  // namespace understudy::configs
