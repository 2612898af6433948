// SPDX-License-Identifier: Apache-2.0
#include "configs/receipt/legacy.h"

#include <nlohmann/json.hpp>

namespace understudy::configs {
namespace {

using Json = nlohmann::ordered_json;

Json taken(Json& object, const char* key) {
  if (!object.is_object() || !object.contains(key)) return nullptr;
  Json value = std::move(object.at(key));
  object.erase(key);
  return value;
}

void rename(Json& object, const char* from, const char* to) {
  if (object.contains(from)) object[to] = taken(object, from);
}

// "failure", of all that is known, and "failures", in brief: the failed run's own first.
void join_failures(Json& receipt) {
  Json failure = taken(receipt, "failure");
  Json notes = taken(receipt, "failures");
  if (!notes.is_array()) notes = Json::array();
  Json all = Json::array();
  std::size_t next = 0;
  if (failure.is_object()) {
    rename(failure, "first_to_die", "rank_first");
    failure["id"] = notes.empty() ? Json("") : notes.at(0).value("id", Json(""));
    all.push_back(std::move(failure));
    next = notes.empty() ? 0 : 1;
  }
  for (; next < notes.size(); ++next) {
    Json warning = notes.at(next);
    warning["kind"] = nullptr;
    warning["missing_ranks"] = Json::array();
    all.push_back(std::move(warning));
  }
  receipt["failures"] = std::move(all);
}

// "chips", as their records tell, and "ranks", what a reader of several receipts looks for.
void join_ranks(Json& receipt) {
  Json chips = taken(receipt, "chips");
  const Json notes = taken(receipt, "ranks");
  for (std::size_t i = 0; i < chips.size(); ++i) {
    Json& chip = chips.at(i);
    rename(chip, "phase", "last_stage");
    const Json probed = taken(chip, "probed");
    if (probed.is_object()) {
      chip["coord"] = probed.value("coord", Json());
      chip["device_kind"] = probed.value("device_kind", Json());
    }
    if (notes.is_array() && i < notes.size()) chip.update(notes.at(i));
  }
  receipt["ranks"] = std::move(chips);
}

void join_cache(Json& receipt) {
  if (!receipt.contains("compile") || !receipt.at("compile").is_object()) return;
  Json& compile = receipt.at("compile");
  Json cache = taken(receipt, "cache");
  if (!cache.is_object()) cache = Json::object();
  for (const char* key : {"policy", "lock", "lock_wait_seconds"}) cache[key] = taken(compile, key);
  receipt["cache"] = std::move(cache);
}

void join_versions(Json& receipt) {
  if (!receipt.contains("versions") || !receipt.at("versions").is_object()) return;
  const Json version = taken(receipt.at("versions"), "understudy");
  const bool known = receipt.contains("tool_version") && receipt.at("tool_version").is_string();
  if (known || !version.is_string()) return;
  receipt["tool_version"] = "understudy " + version.get<std::string>() + " (" +
                            receipt.at("versions").value("revision", "") + ")";
}

}  // namespace

// Rewrites the JSON of format 1 to the keys of format 2 before the typed reader sees it. "chips" is
// a key that only format 1 has.
std::string upgraded_receipt(const std::string& text) {
  if (text.find("\"chips\"") == std::string::npos) return text;
  Json receipt = Json::parse(text, nullptr, false);
  if (!receipt.is_object() || !receipt.contains("chips") || !receipt.at("chips").is_array())
    return text;
  try {
    join_failures(receipt);
    join_ranks(receipt);
    join_cache(receipt);
    join_versions(receipt);
    return receipt.dump(2);
  } catch (const Json::exception&) {
    // A field has the wrong type. The reader of the unconverted text names its place.
    return text;
  }
}

}  // namespace understudy::configs
