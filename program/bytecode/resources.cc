// SPDX-License-Identifier: Apache-2.0
// Resources: payloads that attributes refer to by number, stored apart from the tables so that
// large literals are aligned in the file. Portable artifacts do not contain any (the converter to
// VHLO refuses them); plain bytecode may.
#include <fmt/format.h>

#include "program/bytecode/decode.h"
#include "program/bytecode/tables.h"

namespace understudy::program::bytecode {
namespace {

enum class Kind : std::uint8_t { blob, boolean, string };

// The elements of a blob: alignment, size, padding up to that alignment in the file, bytes.
std::string_view blob_in(Cursor& in, std::uint64_t& offset) {
  constexpr std::uint64_t kLargestAlignment = 1u << 20;
  constexpr std::uint8_t kPadding = 0xCB;
  const std::uint64_t alignment = in.varint("a resource's alignment");
  const std::uint64_t size = in.varint("a resource's size");
  if (alignment == 0 || alignment > kLargestAlignment || (alignment & (alignment - 1)) != 0) {
    // As for sections: a power of two, bounded.
    in.fail(fmt::format("a resource cannot be aligned to {} bytes", alignment));
  }
  while (in.offset() % alignment != 0) {
    if (in.byte("padding") != kPadding) in.fail("expected padding before a resource");
  }
  offset = in.offset();
  return in.take(size, "a resource");
}

}  // namespace

// Groups of entries (key, size, kind): first those of external producers, then those of dialects.
// Attributes number the entries of all groups together.
void Tables::read_resources() {
  resources_read_ = true;
  auto heads = container_.find(SectionId::resource_offset);
  auto bodies = container_.find(SectionId::resource);
  if (!heads || !bodies) return;
  // External groups are read like those of dialects: attributes count through both.
  heads->count("the number of external resource groups");
  while (!heads->at_end()) {
    heads->varint("the key of a resource group");
    const std::size_t count = heads->count("the number of resources");
    for (std::size_t i = 0; i < count; ++i) {
      container_.string_at(*heads, "a resource's key");
      const std::uint64_t size = heads->varint("a resource's size");
      const auto kind = static_cast<Kind>(heads->byte("a resource's kind"));
      Cursor body = bodies->part(size, "a resource");
      Resource resource;
      resource.is_blob = kind == Kind::blob;
      if (resource.is_blob) resource.bytes = blob_in(body, resource.offset);
      resources_.push_back(resource);
    }
  }
}

Attribute Tables::resource(std::uint64_t index, const LiteralType& type, const Cursor& in) {
  if (!resources_read_) read_resources();
  if (index >= resources_.size()) {
    in.fail(fmt::format("resource index {} is out of range: the file has {}", index,
                        resources_.size()));
  }
  const Resource& found = resources_[index];
  if (!found.is_blob) in.fail("a literal needs a resource of bytes");
  return dense_of(type, found.bytes, in);
}

}  // namespace understudy::program::bytecode
