#include "traces/record_batch.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace fencepost::traces {
namespace {

constexpr std::uint32_t kReversedCastagnoli = 0x82f63b78U;
constexpr std::size_t kAttributesOffset = 21;
constexpr std::size_t kLengthEnd = 12;  // the length counts what follows it
constexpr std::int64_t kCodecBits = 7;

constexpr std::array<std::uint32_t, 256> make_table() {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t i = 0; i < 256; ++i) {
    std::uint32_t value = i;
    for (int bit = 0; bit < 8; ++bit) {
      value = (value >> 1) ^ ((value & 1U) != 0 ? kReversedCastagnoli : 0U);
    }
    table[i] = value;
  }
  return table;
}

constexpr std::array<std::uint32_t, 256> kTable = make_table();

void put_big_endian(std::string& out, std::uint64_t value, int bytes) {
  for (int shift = 8 * (bytes - 1); shift >= 0; shift -= 8) {
    out.push_back(static_cast<char>((value >> shift) & 0xffU));
  }
}

void put_number(std::string& out, std::int64_t value, int bytes) {
  put_big_endian(out, static_cast<std::uint64_t>(value), bytes);
}

void put_varint(std::string& out, std::int64_t value) {
  auto zigzag = (static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63);
  while (zigzag >= 0x80U) {
    out.push_back(static_cast<char>((zigzag & 0x7fU) | 0x80U));
    zigzag >>= 7;
  }
  out.push_back(static_cast<char>(zigzag));
}

// False when the text is no hex.
bool put_bytes(std::string& out, const std::optional<std::string>& hex) {
  if (!hex) {
    put_varint(out, -1);
    return true;
  }
  const std::optional<std::string> bytes = bytes_of_hex(*hex);
  if (!bytes) return false;
  put_varint(out, static_cast<std::int64_t>(bytes->size()));
  out += *bytes;
  return true;
}

// Subtraction that may wrap: damaged input holds any number.
std::int64_t minus(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
}

bool put_records(std::string& out, const Batch& batch) {
  std::int64_t index = 0;
  for (const Record& record : batch.records) {
    std::string body;
    body.push_back(0);  // record attributes: unused
    put_varint(body, minus(record.time_ms, batch.records.front().time_ms));
    put_varint(body, index++);
    if (!put_bytes(body, record.key) || !put_bytes(body, record.value)) return false;
    put_varint(body, 0);  // no headers
    put_varint(out, static_cast<std::int64_t>(body.size()));
    out += body;
  }
  return true;
}

}  // namespace

std::uint32_t crc32c(std::string_view bytes) {
  std::uint32_t crc = 0xffffffffU;
  for (const char c : bytes) {
    crc = (crc >> 8) ^ kTable[(crc ^ static_cast<unsigned char>(c)) & 0xffU];
  }
  return crc ^ 0xffffffffU;
}

std::optional<std::string> bytes_of_hex(std::string_view hex) {
  const auto digit = [](char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
  };
  if (hex.size() % 2 != 0) return std::nullopt;
  std::string bytes;
  for (std::size_t i = 0; i < hex.size(); i += 2) {
    const int high = digit(hex[i]);
    const int low = digit(hex[i + 1]);
    if (high < 0 || low < 0) return std::nullopt;
    bytes.push_back(static_cast<char>(high * 16 + low));
  }
  return bytes;
}

std::optional<std::string> encode_batch(const Batch& batch) {
  if (!batch.stamp || batch.records.empty() || batch.headers.value_or(0) != 0) return std::nullopt;
  const std::int64_t attributes = batch.attributes.value_or(0);
  if ((attributes & kCodecBits) != 0) return std::nullopt;
  std::int64_t latest = batch.records.front().time_ms;
  for (const Record& record : batch.records) latest = std::max(latest, record.time_ms);
  const auto count = static_cast<std::int64_t>(batch.records.size());

  std::string tail;
  put_number(tail, attributes, 2);
  put_number(tail, count - 1, 4);
  put_number(tail, batch.records.front().time_ms, 8);
  put_number(tail, latest, 8);
  put_number(tail, batch.stamp->producer_id, 8);
  put_number(tail, batch.stamp->epoch, 2);
  put_number(tail, batch.stamp->sequence, 4);
  put_number(tail, count, 4);
  if (!put_records(tail, batch)) return std::nullopt;

  std::string bytes;
  put_number(bytes, batch.base_offset.value_or(0), 8);
  put_number(bytes, static_cast<std::int64_t>(tail.size() + kAttributesOffset - kLengthEnd), 4);
  put_number(bytes, batch.leader_epoch.value_or(0), 4);
  put_number(bytes, 2, 1);
  put_big_endian(bytes, crc32c(tail), 4);
  return bytes + tail;
}

std::optional<std::string> encoded_crc(const Batch& batch) {
  const std::optional<std::string> bytes = encode_batch(batch);
  if (!bytes) return std::nullopt;
  return fmt::format("{:08x}", crc32c(std::string_view(*bytes).substr(kAttributesOffset)));
}

}  // namespace fencepost::traces
