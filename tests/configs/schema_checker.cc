// SPDX-License-Identifier: Apache-2.0
#include "tests/configs/schema_checker.h"

#include <array>
#include <fmt/format.h>
#include <map>
#include <regex>

#include "tests/configs/configs_testing.h"

namespace understudy::configs {
namespace {

template <class Read>
bool can(Read read) {
  try {
    read();
    return true;
  } catch (const Error&) {
    return false;
  }
}

bool has_type(const JsonReader& value, const std::string& type) {
  if (type == "object") return value.is_object();
  if (type == "string") return value.is_text();
  if (type == "null") return value.is_null();
  if (type == "boolean") return can([&] { value.boolean(); });
  if (type == "array") return can([&] { value.items(); });
  if (type == "number") return can([&] { value.number(); });
  if (type == "integer") return can([&] { value.integer(); }) || can([&] { value.whole(); });
  throw Error(ErrorKind::config, "schema: unknown type " + type);
}

bool equal(const JsonReader& a, const JsonReader& b) {
  if (a.is_text() || b.is_text()) return a.is_text() && b.is_text() && a.text() == b.text();
  return has_type(a, "number") && has_type(b, "number") && a.number() == b.number();
}

class Checker {
 public:
  explicit Checker(const JsonReader& root) : root_(root) {}

  void check(const JsonReader& schema, const JsonReader& value) {
    for (const auto& [keyword, rule] : schema.members()) {
      const auto found = kKeywords.find(keyword);
      if (found == kKeywords.end()) {
        fault(value, "the schema has the unknown keyword " + keyword);
      } else if (found->second != nullptr) {
        (this->*found->second)(schema, rule, value);
      }
    }
  }

  std::vector<std::string> faults;

 private:
  using Rule = void (Checker::*)(const JsonReader&, const JsonReader&, const JsonReader&);

  void fault(const JsonReader& value, const std::string& text) {
    faults.push_back(fmt::format("{}: {}", value.pointer(), text));
  }

  void reference(const JsonReader&, const JsonReader& rule, const JsonReader& value) {
    const std::string prefix = "#/$defs/";
    check(root_.at("$defs").at(rule.text().substr(prefix.size())), value);
  }
  void type(const JsonReader&, const JsonReader& rule, const JsonReader& value) {
    if (!has_type(value, rule.text())) fault(value, "is no " + rule.text());
  }
  void constant(const JsonReader&, const JsonReader& rule, const JsonReader& value) {
    if (!equal(rule, value)) fault(value, "is not the constant");
  }
  void choice(const JsonReader&, const JsonReader& rule, const JsonReader& value) {
    for (const JsonReader& item : rule.items()) {
      if (equal(item, value)) return;
    }
    fault(value, "is none of the enum");
  }
  void any_of(const JsonReader&, const JsonReader& rule, const JsonReader& value) {
    std::string all;
    for (const JsonReader& item : rule.items()) {
      Checker other(root_);
      other.check(item, value);
      if (other.faults.empty()) return;
      for (const std::string& text : other.faults) all += "; " + text;
    }
    fault(value, "fits no alternative" + all);
  }
  void properties(const JsonReader& schema, const JsonReader& rule, const JsonReader& value) {
    if (!value.is_object()) return;
    for (const auto& [key, member] : value.members()) {
      if (const auto known = rule.find(key)) {
        check(*known, member);
      } else if (schema.find("additionalProperties")) {
        fault(member, "is an unknown key");
      }
    }
  }
  void required(const JsonReader&, const JsonReader& rule, const JsonReader& value) {
    if (!value.is_object()) return;
    for (const JsonReader& key : rule.items()) {
      if (!can([&] { value.at(key.text()); })) fault(value, "lacks " + key.text());
    }
  }
  void items(const JsonReader&, const JsonReader& rule, const JsonReader& value) {
    if (!has_type(value, "array")) return;
    for (const JsonReader& item : value.items()) check(rule, item);
  }
  void at_least(const JsonReader&, const JsonReader& rule, const JsonReader& value) {
    if (has_type(value, "number") && value.number() < rule.number()) fault(value, "is too small");
  }
  void more_than(const JsonReader&, const JsonReader& rule, const JsonReader& value) {
    if (has_type(value, "number") && value.number() <= rule.number()) fault(value, "is too small");
  }
  void shortest(const JsonReader&, const JsonReader& rule, const JsonReader& value) {
    if (value.is_text() && value.text().size() < rule.whole()) fault(value, "is too short");
  }
  void fewest(const JsonReader&, const JsonReader& rule, const JsonReader& value) {
    if (value.items().size() < rule.whole()) fault(value, "has too few items");
  }
  void most(const JsonReader&, const JsonReader& rule, const JsonReader& value) {
    if (value.items().size() > rule.whole()) fault(value, "has too many items");
  }
  void pattern(const JsonReader&, const JsonReader& rule, const JsonReader& value) {
    if (value.is_text() && !std::regex_search(value.text(), std::regex(rule.text()))) {
      fault(value, "does not match " + rule.text());
    }
  }

  static const std::map<std::string, Rule> kKeywords;
  JsonReader root_;
};

const std::map<std::string, Checker::Rule> Checker::kKeywords = {
    {"$schema", nullptr},
    {"$id", nullptr},
    {"$defs", nullptr},
    {"title", nullptr},
    {"additionalProperties", nullptr},  // with "properties"
    {"$ref", &Checker::reference},
    {"type", &Checker::type},
    {"const", &Checker::constant},
    {"enum", &Checker::choice},
    {"anyOf", &Checker::any_of},
    {"properties", &Checker::properties},
    {"required", &Checker::required},
    {"items", &Checker::items},
    {"minimum", &Checker::at_least},
    {"exclusiveMinimum", &Checker::more_than},
    {"minLength", &Checker::shortest},
    {"minItems", &Checker::fewest},
    {"maxItems", &Checker::most},
    {"pattern", &Checker::pattern},
};

}  // namespace

std::vector<std::string> schema_faults(const JsonReader& schema, const JsonReader& document) {
  Checker checker(schema);
  checker.check(schema, document);
  return checker.faults;
}

std::vector<std::string> schema_faults(const std::string& name, const std::string& document) {
  const std::string path = std::string(UNDERSTUDY_SOURCE_DIR) + "/configs/schema/" + name + ".json";
  return schema_faults(JsonReader::read(path), JsonReader::parse(document, "document"));
}

}  // namespace understudy::configs
