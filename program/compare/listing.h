// SPDX-License-Identifier: Apache-2.0
// A program as a flat list of what matters for comparison: operations in program order with their
// types and attributes, and who uses whose results. Value names, ids, locations and metadata are
// left out. HLO is listed as it is, supported or not; StableHLO likewise. Values.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "program/ir/ir.h"
#include "program/ir/source.h"

namespace understudy::program::compare {

// A result (or region argument) of an entry.
struct Use {
  std::uint32_t entry = 0, index = 0;
  bool operator==(const Use&) const = default;
};

struct CollectiveFacts {
  std::string kind;     // "all-reduce"
  std::string groups;   // "{{0,1},{2,3}}", or the pairs of a permutation
  std::string channel;  // "3, global ids"; empty: none
  std::string types;    // of the results
};

struct Entry {
  std::string name;        // "stablehlo.add", "add"
  std::string types;       // of the results
  std::string attributes;  // canonical text; large literals as digests
  std::vector<Use> uses;   // operands, then computations that it calls
  std::uint32_t depth = 0;
  std::optional<CollectiveFacts> collective;
  Location location;
};

// A fact about the whole program: "argument 0", "partitions".
struct Fact {
  std::string name, value;
  bool text_only = false;  // HLO protos cannot say it
};

enum class Form : std::uint8_t { stablehlo, hlo };

struct Listing {
  Form form = Form::stablehlo;
  std::vector<Fact> facts;
  std::vector<Entry> entries;
  bool is_proto = false;  // of HLO
  bool elided = false;    // literals that the dump leaves out were not listed
  // Removes facts that only text can say; for both sides where one is a proto.
  void keep_common_facts();
  // Of everything above but locations.
  std::string digest() const;
  // What entries' locations point into.
  std::shared_ptr<const void> owner;
};

// Reads StableHLO text, a portable artifact, HLO text or an HLO proto. HLO is converted to
// StableHLO where `form` asks for it. Throws Error{input}; Error{unsupported} only for a
// conversion.
Form form_of(const Source& source);
Listing listing_of(std::shared_ptr<const Source> source, Form form);

}  // namespace understudy::program::compare
