// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <gmock/gmock.h>
#include <limits>

#include "configs/json/fields.h"
#include "configs/json/reader.h"
#include "configs/json/writer.h"
#include "tests/configs/configs_testing.h"

namespace understudy::configs {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Inner {
  std::string name;
  std::optional<double> size;
};
template <class F, FieldsOf<Inner> I>
void fields(F& field, I& inner) {
  field("name", inner.name);
  field("size", inner.size);
}
struct Outer {
  std::int64_t count = 0;
  std::vector<Inner> inners;
  std::vector<std::vector<std::int64_t>> shapes;
  std::map<std::string, std::string> environment;
  std::vector<std::pair<std::int64_t, double>> scalars;
};
template <class F, FieldsOf<Outer> O>
void fields(F& field, O& outer) {
  field("count", outer.count);
  field("inners", outer.inners);
  field("shapes", outer.shapes);
  field("environment", outer.environment);
  field("scalars", outer.scalars);
}

JsonReader sample() {
  return JsonReader::parse(
      "{\n"
      "  \"name\": \"v\\u0035e\",\n"
      "  \"hbm\": {\"bytes\": \"16GiB\", \"a/b~c\": [1, -2, 3.5, true, null]},\n"
      "  \"last\" : 18446744073709551615\n"
      "}\n",
      "v5e.json");
}

std::string at(const JsonReader& reader) {
  return fmt::format("{}:{} {}", reader.place().line, reader.place().column, reader.pointer());
}

TEST(JsonReader, KnowsLineColumnAndPointerOfEveryValue) {
  const JsonReader root = sample();
  EXPECT_EQ(at(root), "1:1 ");
  EXPECT_EQ(at(root.at("name")), "2:11 /name");
  EXPECT_EQ(at(root.at("hbm")), "3:10 /hbm");
  EXPECT_EQ(at(root.at("hbm").at("bytes")), "3:20 /hbm/bytes");
  const auto items = root.at("hbm").at("a/b~c").items();
  ASSERT_EQ(items.size(), 5u);
  EXPECT_EQ(at(items[0]), "3:39 /hbm/a~1b~0c/0");
  EXPECT_EQ(at(items[1]), "3:42 /hbm/a~1b~0c/1");
  EXPECT_EQ(at(items[2]), "3:46 /hbm/a~1b~0c/2");
  EXPECT_EQ(at(items[3]), "3:51 /hbm/a~1b~0c/3");
  EXPECT_EQ(at(items[4]), "3:57 /hbm/a~1b~0c/4");
  EXPECT_EQ(at(root.at("last")), "4:12 /last");
}

TEST(JsonReader, GivesTypedValues) {
  const JsonReader root = sample();
  EXPECT_EQ(root.at("name").text(), "v5e");
  const auto items = root.at("hbm").at("a/b~c").items();
  EXPECT_EQ(items[0].positive(), 1);
  EXPECT_EQ(items[1].integer(), -2);
  EXPECT_EQ(items[2].number(), 3.5);
  EXPECT_TRUE(items[3].boolean());
  EXPECT_TRUE(items[4].is_null());
  EXPECT_EQ(root.at("last").whole(), std::numeric_limits<std::uint64_t>::max());
  EXPECT_FALSE(root.find("nothing"));
  EXPECT_EQ(root.members().size(), 3u);
}

TEST(JsonReader, KeepsTheTextsOfItsComplaints) {
  const JsonReader root = sample();
  std::string texts;
  const auto add = [&](auto body) { texts += error_of(body) + "\n\n"; };
  const std::string_view known[] = {"name", "hbm", "lats"};
  add([&] { root.at("hbm").at("bytes").whole(); });
  add([&] { root.at("hbm").at("bytes").positive_number(); });
  add([&] { root.at("last").integer(); });
  add([&] { root.at("last").text(); });
  add([&] { root.at("hbm").boolean(); });
  add([&] { root.at("name").items(); });
  add([&] { root.at("hbm").at("a/b~c").at("x"); });
  add([&] { root.at("hbm").at("a/b~c").items()[1].whole(); });
  add([&] { root.at("hbm").at("a/b~c").items()[4].number(); });
  add([&] { root.at("hmb"); });
  add([&] { root.at("hbm").at("byte"); });
  add([&] { root.only_keys(known); });
  add([&] { root.expect_schema("understudy/chip/1"); });
  const std::vector<std::string> chips = {"v4", "v5p", "v5litepod"};
  add([&] { root.at("name").one_of(chips, "a chip"); });
  add([&] { root.at("name").real(); });
  expect_golden("json/values.txt", texts);
}

TEST(JsonReader, KeepsTheTextsForWhatIsNoJson) {
  std::string texts;
  const std::string deep = std::string(101, '[') + std::string(101, ']');
  const std::string cases[] = {"",
                               "{",
                               "{\"a\": 1,}",
                               "{\"a\": 1} x",
                               "{\"a\" 1}",
                               "[1, 02]",
                               "[1e999]",
                               "\"a",
                               "\"\\x\"",
                               "\"\xff\"",
                               "// c\n[]",
                               "{\"a\": 1,\n \"a\": 2}",
                               "[nul]",
                               "{\"a\": NaN}",
                               deep};
  for (const std::string& text : cases) {
    texts += error_of([&] { JsonReader::parse(text, "x.json"); }) + "\n\n";
  }
  expect_golden("json/syntax.txt", texts);
}

TEST(JsonReader, LeavesOutALineTooLongToShow) {
  const JsonReader root = JsonReader::parse("[\"" + std::string(500, 'x') + "\"]", "x.json");
  EXPECT_EQ(
      error_of([&] { root.items()[0].integer(); }),
      "config: x.json:1:2: error: /0: expected an integer, got \"" + std::string(39, 'x') + "...");
}

TEST(JsonReader, NamesAFileThatIsMissing) {
  EXPECT_EQ(error_of([] { JsonReader::read("/nowhere/x.json"); }),
            "input: error: cannot read /nowhere/x.json: No such file or directory");
}

TEST(JsonWriter, WritesReadableAndCompact) {
  for (const auto layout : {JsonWriter::Layout::readable, JsonWriter::Layout::compact}) {
    JsonWriter out(layout);
    out.begin_object();
    out.key("a\"\n");
    out.begin_array(true);
    out.integer(-1);
    out.begin_array();
    out.whole(2);
    out.end_array();
    out.end_array();
    out.key("empty");
    out.begin_object();
    out.end_object();
    out.key("list");
    out.begin_array();
    out.number(1);
    out.null();
    out.end_array();
    out.key("b");
    out.boolean(false);
    out.end_object();
    EXPECT_EQ(out.take(),
              layout == JsonWriter::Layout::compact
                  ? "{\"a\\\"\\n\":[-1,[2]],\"empty\":{},\"list\":[1.0,null],\"b\":false}"
                  : "{\n  \"a\\\"\\n\": [-1, [2]],\n  \"empty\": {},\n  \"list\": [\n    1.0,\n"
                    "    null\n  ],\n  \"b\": false\n}\n");
  }
}

TEST(JsonWriter, GivesEveryDoubleBack) {
  for (const double value : {0.1, -0.0, 5e-324, 1.7976931348623157e308, 1e22, kNaN, kInfinity,
                             -kInfinity, 123456789012345680.0}) {
    JsonWriter out(JsonWriter::Layout::compact);
    out.number(value);
    const double back = JsonReader::parse(out.take(), "x").real();
    EXPECT_TRUE(std::isnan(value) ? std::isnan(back) : back == value) << value;
    EXPECT_EQ(std::signbit(back), std::signbit(value));
  }
}

TEST(JsonWriter, ReplacesBytesThatAreNoText) {
  JsonWriter out(JsonWriter::Layout::compact);
  out.text(
      "a\xff"
      "b");
  EXPECT_EQ(out.take(),
            "\"a\xef\xbf\xbd"
            "b\"");
}

TEST(JsonFields, GoThereAndBack) {
  Outer outer{
      3, {{"a", 1.5}, {"b", std::nullopt}}, {{1, 2}, {}}, {{"K", "v"}}, {{0, kNaN}, {1, 2}}};
  const std::string text = document_of(outer, "understudy/outer/1", JsonWriter::Layout::readable);
  const auto back = read_document<Outer>(JsonReader::parse(text, "x.json"), "understudy/outer/1");
  EXPECT_EQ(document_of(back, "understudy/outer/1", JsonWriter::Layout::readable), text);
  EXPECT_EQ(back.inners[0].size, 1.5);
  EXPECT_FALSE(back.inners[1].size);
  EXPECT_THAT(back.shapes[0], ElementsAre(1, 2));
  EXPECT_TRUE(std::isnan(back.scalars[0].second));
  EXPECT_THAT(text, HasSubstr("\"shapes\": [[1, 2], []]"));
}

TEST(JsonFields, ComplainAboutUnknownAndMissingKeysAndAnotherSchema) {
  std::string texts;
  for (const char* text :
       {"{\"schema\": \"understudy/outer/1\", \"count\": 1, \"inner\": []}",
        "{\"schema\": \"understudy/outer/1\", \"count\": 1}",
        "{\"schema\": \"understudy/outer/2\"}", "{\"count\": 1}", "[]",
        "{\"schema\": \"understudy/outer/1\", \"count\": 1, \"inners\": [{\"nam\": 1}]}",
        "{\"schema\": \"understudy/outer/1\", \"count\": 1, \"inners\": [], \"shapes\": [],\n"
        " \"environment\": {}, \"scalars\": [[1]]}"}) {
    texts += error_of([&] {
               read_document<Outer>(JsonReader::parse(text, "outer.json"), "understudy/outer/1");
             }) +
             "\n\n";
  }
  expect_golden("json/fields.txt", texts);
}

}  // namespace
}  // namespace understudy::configs
