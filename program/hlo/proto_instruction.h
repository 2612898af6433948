// SPDX-License-Identifier: Apache-2.0
// One instruction of an HLO proto, private to the proto reader.
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "program/hlo/proto_parts.h"

namespace understudy::program::hlo {

// Source lines by stack frame; ids count from 1, 0 means none.
struct Frames {
  struct Place {
    std::int64_t file = 0, line = 0, column = 0;
  };
  std::vector<std::string> files;
  std::vector<Place> places;
  std::vector<std::int64_t> frames;  // ids of places
  // nullptr where an id is out of range.
  const Place* find(std::int64_t frame) const;
};

// What instructions refer to.
struct ProtoContext {
  const Source* source = nullptr;
  Frames frames;
  std::vector<std::string_view> payloads;
  std::unordered_map<std::int64_t, std::uint32_t> computations;  // read so far, by id
  mutable UserFiles files;
};

struct RawInstruction {
  Instruction out;
  std::int64_t id = 0;
  std::vector<std::int64_t> operands;  // ids
};
RawInstruction instruction_in(const Wire& in, const ProtoContext& context);

}  // namespace understudy::program::hlo
