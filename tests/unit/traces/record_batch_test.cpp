#include "traces/record_batch.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace fencepost::traces {
namespace {

// A batch of the field captures: keys are the partition in four bytes, values numbers in eight.
Batch batch(const Stamp& stamp, int partition, int first_value,
            const std::vector<std::int64_t>& times) {
  Batch batch;
  batch.stamp = stamp;
  for (const std::int64_t time : times) {
    Record record;
    record.time_ms = time;
    record.key = fmt::format("{:08x}", partition);
    record.value = fmt::format("{:016x}", first_value++);
    batch.records.push_back(record);
  }
  return batch;
}

std::string hex(const std::string& bytes) {
  std::string out;
  for (const char c : bytes) out += fmt::format("{:02x}", static_cast<unsigned char>(c));
  return out;
}

constexpr std::int64_t kJan = 1737733031000;  // Jan 24, 2025 15:37:11 UTC
constexpr std::int64_t kFeb = 1738758820000;  // Feb  5, 2025 12:33:40 UTC

struct Printed {
  Batch batch;
  const char* crc;
  std::size_t size;  // "Message Size": what follows the length field
};

std::vector<Printed> printed_batches() {
  const std::int64_t first = 7078;
  const std::int64_t second = 57024;
  return {
      {batch({first, 0, 2703}, 0, 0xa8f, {kJan + 519}), "1ee6e86f", 68},
      {batch({first, 0, 2704}, 0, 0xa90, {kJan + 553, kJan + 587}), "e97ffa59", 87},
      {batch({first, 1, 0}, 0, 0xa90, {kJan + 553, kJan + 587}), "1cbeb4b1", 87},
      {batch({second, 0, 80}, 1, 80, {kFeb + 706}), "f048b3f4", 68},
      {batch({second, 0, 77}, 12, 77, {kFeb + 378}), "a13d1e15", 68},
      {batch({second, 0, 78}, 12, 78, {kFeb + 511}), "990ad0e8", 68},
      {batch({second, 0, 79}, 12, 79, {kFeb + 645, kFeb + 779}), "a4039d66", 88},
      {batch({second, 0, 81}, 12, 81, {kFeb + 913, kFeb + 1046, kFeb + 1179}), "daac6093", 108},
      {batch({second, 0, 78}, 5, 78, {kFeb + 465, kFeb + 598, kFeb + 732}), "5145fc97", 108},
      {batch({second, 1, 0}, 12, 77, {kFeb + 378}), "86d7f53e", 68},
  };
}

TEST(RecordBatch, RebuildsTheTenBatchesOfTheCaptures) {
  for (const Printed& printed : printed_batches()) {
    EXPECT_EQ(encoded_crc(printed.batch), printed.crc);
    const std::optional<std::string> bytes = encode_batch(printed.batch);
    ASSERT_TRUE(bytes);
    EXPECT_EQ(bytes->size() - 12, printed.size) << printed.crc;
    EXPECT_EQ(hex(bytes->substr(17, 4)), printed.crc);
  }
}

TEST(RecordBatch, IsTheWireFormatByteForByte) {
  // Encoded by hand from the table of the format: 61 bytes of header, two records.
  EXPECT_EQ(hex(encode_batch(printed_batches()[1].batch).value()),
            "0000000000000000000000570000000002e97ffa590000000000010000019498f5c681"
            "0000019498f5c6a30000000000001ba6000000000a9000000002240000000800000000"
            "100000000000000a9000240044020800000000100000000000000a9100");
}

TEST(RecordBatch, LeaderEpochAndOffsetAreOutsideTheCrc) {
  Batch read = printed_batches()[1].batch;
  read.base_offset = 71229;
  read.leader_epoch = 17;
  EXPECT_EQ(encoded_crc(read), "e97ffa59");
}

TEST(RecordBatch, EveryFieldChangesTheCrc) {
  const Batch original = printed_batches()[1].batch;
  std::vector<Batch> changed(7, original);
  changed[0].stamp->producer_id += 1;
  changed[1].stamp->epoch += 1;
  changed[2].stamp->sequence += 1;
  changed[3].records[0].time_ms += 1;
  changed[4].records[1].key = "00000001";
  changed[5].records[1].value.reset();
  changed[6].records.pop_back();
  for (const Batch& batch : changed) EXPECT_NE(encoded_crc(batch), "e97ffa59");
}

TEST(RecordBatch, SaysNothingOfWhatItCannotRebuild) {
  const Batch original = printed_batches()[1].batch;
  std::vector<Batch> beyond(5, original);
  beyond[0].stamp.reset();
  beyond[1].records.clear();
  beyond[2].attributes = 2;  // snappy
  beyond[3].headers = 1;
  beyond[4].records[0].value = "0a9";
  for (const Batch& batch : beyond) EXPECT_EQ(encode_batch(batch), std::nullopt);
}

TEST(Crc32c, GivesTheCheckValues) {
  EXPECT_EQ(crc32c("123456789"), 0xe3069283U);  // the catalogue's check value
  EXPECT_EQ(crc32c(""), 0U);
  EXPECT_EQ(crc32c(std::string(32, '\0')), 0x8a9136aaU);  // RFC 3720, B.4
  EXPECT_EQ(crc32c(std::string(32, '\xff')), 0x62a8ab43U);
}

TEST(Hex, IsReadInPairs) {
  EXPECT_EQ(bytes_of_hex("00fF"), std::string("\0\xff", 2));
  EXPECT_EQ(bytes_of_hex(""), "");
  EXPECT_EQ(bytes_of_hex("0"), std::nullopt);
  EXPECT_EQ(bytes_of_hex("0g"), std::nullopt);
}

}  // namespace
}  // namespace fencepost::traces
