// SPDX-License-Identifier: Apache-2.0
#include "program/bytecode/tables.h"

#include <algorithm>
#include <fmt/format.h>

#include "program/bytecode/decode.h"
#include "program/ir/source.h"

namespace understudy::program::bytecode {
namespace {

// Real types and attributes nest a few levels; each level costs stack.
constexpr int kDeepest = 128;

// An estimate of the memory that a copy of the type takes.
std::uint64_t bytes_of(const Type& type) {
  std::uint64_t bytes = sizeof(Type) + type.text.size() + 8 * type.tensor.shape.size();
  if (type.is_quantized()) bytes += 16 * type.quantization->scales.size();  // when it is printed
  for (const Type& part : type.elements) bytes += bytes_of(part);
  return bytes;
}

}  // namespace

// 256 bytes per byte of the file and 1 MiB more: honest artifacts stay far below, and a hostile one
// (entries that refer to earlier entries several times each double in size per level) is stopped
// long before memory is exhausted.
Budget::Budget(std::uint64_t file_bytes) : left_(256 * file_bytes + (1u << 20)) {}

void Budget::charge(std::uint64_t bytes, const Cursor& in) {
  if (bytes > left_)
    in.fail("the types and attributes of this file expand to far more data than it holds");
  left_ -= bytes;
}

void Budget::charge(const Type& type, const Cursor& in) { charge(bytes_of(type), in); }

// The size of the attribute when printed: shared parts count each time they appear.
void Budget::charge(const Attribute& attribute, const Cursor& in) {
  constexpr std::uint64_t kNode = 16;
  charge(kNode, in);
  if (const auto* text = attribute.get<StringAttribute>()) charge(text->value.size(), in);
  if (const auto* symbol = attribute.get<SymbolAttribute>()) charge(symbol->name.size(), in);
  if (const auto* type = attribute.get<TypeAttribute>()) charge(type->type, in);
  if (const auto* dense = attribute.get<DenseAttribute>()) {
    charge(8 * dense->type.shape.size() + dense->data->size(), in);
  }
  if (const ArrayAttribute* array = attribute.array()) {
    for (const Attribute& element : array->elements) charge(element, in);
  }
  const auto all = [&](const std::vector<NamedAttribute>& entries) {
    for (const auto& [name, value] : entries) {
      charge(name.size(), in);
      charge(value, in);
    }
  };
  if (const DictionaryAttribute* dictionary = attribute.dictionary()) all(dictionary->entries);
  if (const DialectAttribute* dialect = attribute.dialect()) all(dialect->parameters);
}

Places::Places(const std::string& path) { sources_.push_back(Source::of_bytes(path)); }

Location Places::line(std::string_view file, std::uint64_t line, std::uint64_t column) {
  auto found = files_.find(file);
  if (found == files_.end()) {
    // One source for each file that locations name, however often.
    sources_.push_back(Source::elsewhere(std::string(file)));
    found = files_.emplace(file, sources_.back().get()).first;
  }
  return {found->second, Source::elsewhere_offset(line, column)};
}

// Bounds the recursion over entries that contain entries.
class Tables::Nest {
 public:
  Nest(Tables& tables, const Cursor& in) : tables_(tables) {
    // Before the recursion goes deeper, so that a hostile file cannot exhaust the stack.
    if (tables.depth_ == kDeepest) {
      in.fail(fmt::format("attributes or types nested more than {} levels deep", kDeepest));
    }
    ++tables.depth_;
  }
  ~Nest() { --tables_.depth_; }
  Nest(const Nest&) = delete;
  Nest& operator=(const Nest&) = delete;

 private:
  Tables& tables_;
};

// Entries are decoded on first use: they may refer forward, and most locations are never needed.
Tables::Tables(const Container& container, Budget& budget, Places& places)
    : container_(container),
      budget_(budget),
      places_(places),
      data_(container.section(SectionId::attr_type)) {
  read_offsets();
  attributes_.resize(attribute_entries_.size());
  types_.resize(type_entries_.size());
  locations_.resize(attribute_entries_.size());
}

// varint attributes, varint types, then groups of attributes until all are read, then groups of
// types.
void Tables::read_offsets() {
  Cursor in = container_.section(SectionId::attr_type_offset);
  const std::size_t attributes = in.count("the number of attributes");
  const std::size_t types = in.count("the number of types");
  std::uint64_t at = 0;
  while (attribute_entries_.size() < attributes) read_group(in, attribute_entries_, attributes, at);
  while (type_entries_.size() < types) read_group(in, type_entries_, types, at);
  in.expect_end("the table of attributes and types");
}

// Entries of one dialect. Only their sizes are stored; offsets are running sums.
void Tables::read_group(Cursor& in, std::vector<Entry>& entries, std::size_t most,
                        std::uint64_t& at) {
  const std::uint64_t index = in.varint("the dialect of table entries");
  const std::string_view dialect = container_.dialect(index, in);
  const std::size_t count = in.count("the number of table entries");
  if (count > most - entries.size()) in.fail(fmt::format("too many table entries: {}", count));
  for (std::size_t i = 0; i < count; ++i) {
    Entry entry;
    entry.dialect = dialect;
    entry.begin = at;
    entry.size = in.flagged("the size of a table entry", entry.custom);
    if (entry.size > data_.remaining() - at)
      in.fail("a table entry extends past the end of its section");
    at += entry.size;
    entries.push_back(entry);
  }
}

// The bytes of an entry, starting with its code. Marks the entry as in progress, so that a cycle of
// references is found instead of followed.
Cursor Tables::open(std::vector<Entry>& entries, std::uint64_t index, const Cursor& in) {
  if (index >= entries.size())
    in.fail(fmt::format("table index {} is out of range: the table has {} entries", index,
                        entries.size()));
  Entry& entry = entries[index];
  if (entry.state == State::at_work) in.fail("an attribute or type contains itself");
  entry.state = State::at_work;
  Cursor all = data_;
  all.take(entry.begin, "a table entry");
  Cursor out = all.part(entry.size, "a table entry");
  if (!entry.custom) {
    constexpr std::size_t kShown = 80;
    out.unsupported_at(out.offset(),
                       fmt::format("'{}' of dialect {} is stored as text, which is not supported",
                                   out.until_nul("its text").substr(0, kShown), entry.dialect));
  }
  return out;
}

// Decoded on first use and kept: entries are shared by many operations.
const Attribute& Tables::attribute_of(std::uint64_t index, const Cursor& in) {
  if (index < attributes_.size() && attributes_[index] != nullptr) return *attributes_[index];
  const Nest nest(*this, in);
  Cursor entry = open(attribute_entries_, index, in);
  const Dialect* dialect = find_dialect(attribute_entries_[index].dialect);
  if (dialect == nullptr) {
    entry.unsupported_at(entry.offset(), fmt::format("attributes of dialect {} are not supported",
                                                     attribute_entries_[index].dialect));
  }
  auto made = std::make_unique<const Attribute>(dialect->attribute(entry, *this));
  entry.expect_end("an attribute");
  attribute_entries_[index].state = State::done;
  attributes_[index] = std::move(made);
  return *attributes_[index];
}

const Type& Tables::type_of(std::uint64_t index, const Cursor& in) {
  if (index < types_.size() && types_[index] != nullptr) return *types_[index];
  const Nest nest(*this, in);
  Cursor entry = open(type_entries_, index, in);
  const Dialect* dialect = find_dialect(type_entries_[index].dialect);
  if (dialect == nullptr || dialect->type == nullptr) {
    entry.unsupported_at(entry.offset(), fmt::format("types of dialect {} are not supported",
                                                     type_entries_[index].dialect));
  }
  auto made = std::make_unique<const Type>(dialect->type(entry, *this));
  budget_.charge(*made, entry);
  entry.expect_end("a type");
  type_entries_[index].state = State::done;
  types_[index] = std::move(made);
  return *types_[index];
}

const Attribute& Tables::attribute(Cursor& in, std::string_view what) {
  const Cursor at = in;
  return attribute_of(in.varint(what), at);
}

const Attribute* Tables::optional_attribute(Cursor& in, std::string_view what) {
  const Cursor at = in;
  bool present = false;
  const std::uint64_t index = in.flagged(what, present);
  return present ? &attribute_of(index, at) : nullptr;
}

const Type& Tables::type(Cursor& in, std::string_view what) {
  const Cursor at = in;
  return type_of(in.varint(what), at);
}

std::string Tables::string(Cursor& in, std::string_view what) {
  const std::string_view text = container_.string_at(in, what);
  budget_.charge(text.size(), in);
  return std::string(text);
}

// Refuses types that no literal can have, and sizes that overflow, before any element is read.
LiteralType Tables::literal_type(Cursor& in) {
  const Cursor at = in;
  const Type& found = type(in, "the type of a literal");
  std::optional<LiteralType> out = literal_of(found);
  if (!out) {
    at.unsupported_at(at.offset(), fmt::format("literals of {} are not supported", text_of(found)));
  }
  try {
    if (!out->tensor.is_static()) at.fail("a literal needs static dimensions");
    static_cast<void>(out->tensor.bytes());
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::input) throw;
    at.fail(fmt::format("{} is too large", text_of(found)));
  }
  return *out;
}

}  // namespace understudy::program::bytecode
