// SPDX-License-Identifier: Apache-2.0
// Messages inside an HLO instruction that become fields of it, private to the proto reader. Field
// numbers are those of xla_data.proto and hlo.proto of XLA. All throw Error{input} at a byte.
#pragma once

#include <string>
#include <string_view>

#include "program/hlo/proto_instruction.h"

namespace understudy::program::hlo {

// Enumerations whose words HLO text spells.
enum class WordList : std::uint8_t { random, distribution, fft, version };
std::string word_in(WordList words, const Wire& in);

void append_to(Instruction& out, std::string_view name, const Wire& in);  // a repeated number
void append_row(Instruction& out, std::string_view name, Ints row);
// The numbers of a message whose fields 1 to `count` are single numbers.
Ints numbers_of(Wire in, std::size_t count);

void dot_in(const Wire& in, Instruction& out);
void ragged_in(Wire in, Instruction& out);
void gather_in(const Wire& in, Instruction& out);
void scatter_in(const Wire& in, Instruction& out);
Rows labels_in(Wire in);
void precision_in(Wire in, Instruction& out);
void triangular_in(Wire in, Instruction& out);
void aliasing_in(Wire in, Instruction& out);
void metadata_in(Wire in, const ProtoContext& context, Instruction& out);
std::string payload_in(Wire in, const ProtoContext& context);

}  // namespace understudy::program::hlo
