// Kafka's record batch, version 2: the encoder, and the CRC-32C that it carries. Enough to show
// that two printed batches hold the same bytes but for the stamp.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "traces/event.h"

namespace fencepost::traces {

/// CRC-32C (Castagnoli) of `bytes`, as in RFC 3720: reflected, start and final xor all ones.
std::uint32_t crc32c(std::string_view bytes);

/// The batch as it stands on the wire: 61 bytes of header, then the records, uncompressed, without
/// headers, with 0 as leader epoch when `batch` names none (as librdkafka sends it). Times of the
/// batch are those of its records; offsets are relative to the first record. Nothing when the
/// batch has no stamp or no records, is compressed, or a key or value is not hex.
std::optional<std::string> encode_batch(const Batch& batch);

/// The CRC-32C that the encoded batch carries, eight lower-case hex digits; nothing as above.
std::optional<std::string> encoded_crc(const Batch& batch);

/// The bytes that `hex` stands for, or nothing when it is not an even number of hex digits.
std::optional<std::string> bytes_of_hex(std::string_view hex);

}  // namespace fencepost::traces
