// SPDX-License-Identifier: Apache-2.0
#include "cache/envelope.h"

#include <array>
#include <bit>
#include <cstring>
#include <span>

#include "configs/base/digest.h"
#include "configs/base/error.h"

namespace understudy::cache {
namespace {

static_assert(std::endian::native == std::endian::little, "entries are written as they lie");

constexpr std::string_view kMagic = "USTDYEXE";
constexpr std::size_t kDigits = 32;
constexpr std::size_t kFingerprintAt = 12, kKeyAt = 44, kPartsLengthAt = 76, kLengthAt = 84,
                      kDigestAt = 92, kHeaderBytes = 124;

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

// Magic, length of a head and format; none where the rest may be read.
Refusal check_head(std::string_view entry) {
  if (entry.substr(0, kMagic.size()) != kMagic.substr(0, entry.size())) return Refusal::foreign;
  if (entry.size() < kMagic.size() + sizeof(kEnvelopeFormat)) return Refusal::torn;
  if (number_at<std::uint32_t>(entry, kMagic.size()) != kEnvelopeFormat) return Refusal::stale;
  return entry.size() < kHeaderBytes ? Refusal::torn : Refusal::none;
}

// Lengths and digest. *Requires* a good head.
Refusal check_content(std::string_view entry) {
  const std::size_t content = entry.size() - kHeaderBytes;
  const auto parts = number_at<std::uint64_t>(entry, kPartsLengthAt);
  const auto payload = number_at<std::uint64_t>(entry, kLengthAt);
  if (parts > content || payload != content - parts) return Refusal::torn;
  const bool fits = entry.substr(kDigestAt, kDigits) == digest_of(entry.substr(kHeaderBytes));
  return fits ? Refusal::none : Refusal::damaged;
}

std::string_view payload_of(std::string_view entry) {
  return entry.substr(kHeaderBytes + number_at<std::uint64_t>(entry, kPartsLengthAt));
}

}  // namespace

std::string_view words_for(Refusal refusal) {
  static constexpr std::array<std::string_view, 6> kWords = {
      "good", "of another build", "not a cache entry", "torn", "for another key", "damaged",
  };
  return kWords[static_cast<std::size_t>(refusal)];
}

std::string head_of_entry(const NamedParts& parts, std::string_view payload) {
  const std::string text = text_of(parts);
  Digester content;
  content.add(std::as_bytes(std::span(text)));
  content.add(std::as_bytes(std::span(payload)));
  std::string head(kMagic);
  append_number(head, kEnvelopeFormat);
  head += build_fingerprint();
  head += key_of(parts);
  append_number(head, static_cast<std::uint64_t>(text.size()));
  append_number(head, static_cast<std::uint64_t>(payload.size()));
  head += content.hex();
  UNDERSTUDY_ASSERT(head.size() == kHeaderBytes);
  return head + text;
}

std::string seal(const NamedParts& parts, std::string_view payload) {
  std::string entry = head_of_entry(parts, payload);
  entry += payload;
  return entry;
}

Opened open(std::string_view entry, std::string_view key) {
  if (const Refusal head = check_head(entry); head != Refusal::none) return {head, {}};
  if (entry.substr(kFingerprintAt, kDigits) != build_fingerprint()) return {Refusal::stale, {}};
  if (entry.substr(kKeyAt, kDigits) != key) return {Refusal::wrong_key, {}};
  if (const Refusal content = check_content(entry); content != Refusal::none) return {content, {}};
  return {Refusal::none, payload_of(entry)};
}

Inspected inspect(std::string_view entry) {
  Inspected seen;
  seen.refusal = check_head(entry);
  if (seen.refusal != Refusal::none) return seen;
  seen.fingerprint = entry.substr(kFingerprintAt, kDigits);
  seen.key = entry.substr(kKeyAt, kDigits);
  seen.refusal = check_content(entry);
  if (seen.refusal != Refusal::none) return seen;
  seen.payload = payload_of(entry);
  const std::size_t parts = entry.size() - kHeaderBytes - seen.payload.size();
  const auto named = parse_parts(entry.substr(kHeaderBytes, parts));
  if (!named || key_of(*named) != seen.key) {
    seen.refusal = Refusal::damaged;
    return seen;
  }
  seen.parts = *named;
  if (seen.fingerprint != build_fingerprint()) seen.refusal = Refusal::stale;
  return seen;
}

}  // namespace understudy::cache
