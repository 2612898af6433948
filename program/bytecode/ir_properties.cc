// SPDX-License-Identifier: Apache-2.0
// Attributes and properties of operations in the IR section.
#include <fmt/format.h>
#include <utility>

#include "program/bytecode/decode.h"
#include "program/bytecode/ir_reader.h"

namespace understudy::program::bytecode {
namespace {

constexpr std::uint64_t kPropertiesSince = 5;

}  // namespace

// varint count, count x (varint size, the properties of one operation).
void IrReader::read_properties_section() {
  if (container_.version() < kPropertiesSince) return;
  auto in = container_.find(SectionId::properties);
  if (!in) return;
  properties_.resize(in->count("the number of properties"));
  for (Cursor& entry : properties_) {
    entry = in->part(in->varint("the size of properties"), "properties");
  }
  in->expect_end("the properties");
}

// Discardable attributes are stored on the operation; its properties are returned. Before version 5
// both are in one dictionary, and the table of known operations tells them apart.
std::vector<NamedAttribute> IrReader::attributes(Cursor& in, const Head& head, Operation& op) {
  std::vector<NamedAttribute> properties;
  const bool in_dictionary = container_.version() < kPropertiesSince;
  if ((head.mask & kHasAttributes) != 0) {
    const Attribute& found = tables_.attribute(in, "the attributes of an operation");
    budget_.charge(found, in);
    const DictionaryAttribute* entries = found.dictionary();
    if (entries == nullptr) in.fail("the attributes of an operation must be a dictionary");
    for (const NamedAttribute& entry : entries->entries) {
      bool is_property = false;
      // The table of known operations tells properties from discardable attributes.
      for (const Property& property : head.known->properties) {
        is_property |= in_dictionary && property.name == entry.first;
      }
      auto& into = is_property ? properties : op.attributes;
      into.push_back(entry);
    }
  }
  if ((head.mask & kHasProperties) == 0) return properties;
  if (in_dictionary) in.fail("an operation has properties, but this bytecode version has none");
  add_properties(in, *head.known, properties);
  return properties;
}

// Properties have no names in the bytecode: their order is that of the operation's definition,
// which the table of known operations repeats.
void IrReader::add_properties(Cursor& in, const KnownOp& known, std::vector<NamedAttribute>& into) {
  const Cursor at = in;
  const std::uint64_t index = in.varint("the number of properties");
  if (index >= properties_.size()) {
    at.fail(fmt::format("properties index {} is out of range: the file has {}", index,
                        properties_.size()));
  }
  Cursor entry = properties_[index];
  for (const Property& property : known.properties) {
    const Attribute* value = property.is_optional ? tables_.optional_attribute(entry, property.name)
                                                  : &tables_.attribute(entry, property.name);
    if (value != nullptr) into.emplace_back(property.name, *value);
  }
  entry.expect_end(fmt::format("the properties of {}", known.name));
}

}  // namespace understudy::program::bytecode
