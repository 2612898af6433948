// SPDX-License-Identifier: Apache-2.0
#include "cache/envelope.h"

#include <array>
#include <bit>
#include <cstring>
#include <span>
#include <utility>

#include "configs/base/digest.h"
#include "configs/base/error.h"

namespace understudy::cache {
namespace {

static_assert(std::endian::native == std::endian::little, "numbers are written in host byte order");

constexpr std::string_view kMagic = "USTDYEXE";
constexpr std::size_t kDigits = 32;
// Offsets of the fields in envelope.h: magic 8 bytes, format 4, three digests of 32 digits, two
// lengths of 8 bytes.
// Fixed offsets: a reader can check a header without parsing anything.
constexpr std::size_t kDigestAt = 12, kFingerprintAt = 44, kKeyAt = 76, kPartsLengthAt = 108,
                      kLengthAt = 116, kHeaderBytes = 124;

template <class Number>
Number number_at(std::string_view entry, std::size_t at) {
  Number number = 0;
  std::memcpy(&number, entry.data() + at, sizeof(number));
  return number;
}

template <class Number>
void append_number(std::string& entry, Number number) {
  std::array<char, sizeof(number)> bytes{};
  std::memcpy(bytes.data(), &number, sizeof(number));
  entry.append(bytes.data(), bytes.size());
}

// Checks magic, header length and format. none: the rest may be read. A file that ends inside of
// the magic is torn, not foreign: a writer may have died after the first bytes.
Refusal check_head(std::string_view entry) {
  // Compared up to the shorter of both, so that a torn file is recognised by the bytes it has.
  if (entry.substr(0, kMagic.size()) != kMagic.substr(0, entry.size())) return Refusal::foreign;
  if (entry.size() < kMagic.size() + sizeof(kEnvelopeFormat)) return Refusal::torn;
  const auto format = number_at<std::uint32_t>(entry, kMagic.size());
  if (format != kEnvelopeFormat) return Refusal::other_format;
  return entry.size() < kHeaderBytes ? Refusal::torn : Refusal::none;
}

// The digest of all bytes except its own field.
std::string digest_around(std::string_view before, std::string_view middle, std::string_view end) {
  Digester digester;
  for (const std::string_view piece : {before, middle, end})
    digester.add(std::as_bytes(std::span(piece)));
  return digester.hex();
}

// Checks lengths and digest. *Requires* a valid header.
Refusal check_content(std::string_view entry) {
  const std::size_t content = entry.size() - kHeaderBytes;
  const auto parts = number_at<std::uint64_t>(entry, kPartsLengthAt);
  const auto payload = number_at<std::uint64_t>(entry, kLengthAt);
  // Written so that no sum can overflow: both lengths come from the file.
  if (parts > content || payload != content - parts) return Refusal::torn;
  const std::string digest =
      // The digest's own field is left out; all other bytes are covered.
      digest_around(entry.substr(0, kDigestAt), entry.substr(kFingerprintAt), {});
  return entry.substr(kDigestAt, kDigits) == digest ? Refusal::none : Refusal::damaged;
}

}  // namespace

// In the order of Refusal. `cache ls --json` prints these words as the state of an entry.
std::string_view words_for(Refusal refusal) {
  static constexpr std::array<std::string_view, 10> kWords = {
      "good",
      "of another build",
      "of another format",
      "not a cache entry",
      "torn",
      "for another key",
      "damaged",
      "not a regular file of an entry's size",
      "of a user who is not trusted",
      "not readable by this user",
  };
  return kWords[static_cast<std::size_t>(refusal)];
}

bool is_miss(Refusal refusal) {
  // Nothing is wrong with such an entry: it is good for somebody else.
  return refusal == Refusal::stale || refusal == Refusal::other_format ||
         refusal == Refusal::untrusted || refusal == Refusal::unreadable;
}

// The digest is near the start but covers everything after it: the payload is passed by reference
// and never copied.
std::string head_of_entry(const NamedParts& parts, std::string_view payload) {
  const std::string text = text_of(parts);
  std::string start(kMagic);
  append_number(start, kEnvelopeFormat);
  std::string rest = fingerprint_of(parts);
  rest += key_of(parts);
  append_number(rest, static_cast<std::uint64_t>(text.size()));
  append_number(rest, static_cast<std::uint64_t>(payload.size()));
  UNDERSTUDY_ASSERT(start.size() + kDigits + rest.size() == kHeaderBytes);
  rest += text;
  return start + digest_around(start, rest, payload) + rest;
}

std::string seal(const NamedParts& parts, std::string_view payload) {
  std::string entry = head_of_entry(parts, payload);
  entry += payload;
  return entry;
}

Opened open(std::string_view entry) {
  Opened opened;
  opened.refusal = check_head(entry);
  if (opened.refusal == Refusal::none) opened.refusal = check_content(entry);
  if (opened.refusal != Refusal::none) return opened;
  const auto length = number_at<std::uint64_t>(entry, kPartsLengthAt);
  auto parts = parse_parts(entry.substr(kHeaderBytes, length));
  opened.fingerprint = entry.substr(kFingerprintAt, kDigits);
  opened.key = entry.substr(kKeyAt, kDigits);
  // The digest matches, so these bytes were written on purpose: only a forged entry has them.
  // Wrong parts behind a valid digest are damage to the reader all the same.
  if (!parts || key_of(*parts) != opened.key || fingerprint_of(*parts) != opened.fingerprint) {
    opened.refusal = Refusal::damaged;
    return opened;
  }
  opened.parts = std::move(*parts);
  opened.payload = entry.substr(kHeaderBytes + length);
  // Last: a stale entry is whole, and `ls` shows its parts.
  if (opened.fingerprint != build_fingerprint()) opened.refusal = Refusal::stale;
  return opened;
}

Opened open(std::string_view entry, const NamedParts& wanted) {
  Opened opened = open(entry);
  if (opened.refusal != Refusal::none && opened.refusal != Refusal::stale) return opened;
  // The parts are compared, not only the key: a collision of the 128-bit key cannot return a wrong
  // program.
  if (opened.parts == wanted) return opened;
  opened.refusal = Refusal::wrong_key;
  opened.payload = {};
  return opened;
}

}  // namespace understudy::cache
