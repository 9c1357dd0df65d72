// Packing loses nothing, both methods give the same bits, and stray bits are caught.
#include "checker/explicit/packing.h"

#include <gtest/gtest.h>

#include <random>

namespace fencepost::checker {
namespace {

ByteWidths random_widths(std::mt19937& random, std::size_t groups) {
  ByteWidths widths(groups * 8);
  // Whole groups unused, mostly small fields, sometimes all bits.
  for (std::size_t g = 0; g < groups; ++g) {
    const unsigned largest = random() % 4 == 0 ? 0 : 1 + random() % 8;
    for (std::size_t i = 0; i < 8; ++i) {
      widths[g * 8 + i] = static_cast<std::uint8_t>(
          largest == 8 && random() % 2 == 0 ? 8 : random() % (largest + 1));
    }
  }
  return widths;
}

std::vector<unsigned char> random_state(std::mt19937& random, const ByteWidths& widths) {
  std::vector<unsigned char> state;
  for (const unsigned width : widths) {
    state.push_back(static_cast<unsigned char>(random() & ((1U << width) - 1)));
  }
  return state;
}

std::vector<std::uint64_t> pack(const Packing& packing, const std::vector<unsigned char>& state) {
  std::vector<std::uint64_t> packed(packing.packed_words(), ~std::uint64_t{0});
  packing.pack(state.data(), packed.data());
  return packed;
}

TEST(Packing, RoundTripOfRandomStatesByBothMethods) {
  std::mt19937 random(1);
  for (int round = 0; round < 300; ++round) {
    const ByteWidths widths = random_widths(random, 1 + random() % 12);
    const Packing portable(widths, Packing::Method::kPortable);
    const Packing best(widths);
    EXPECT_EQ(portable.stored_words(), std::max<std::size_t>(1, (portable.bits() + 31) / 32));
    for (int i = 0; i < 20; ++i) {
      const std::vector<unsigned char> state = random_state(random, widths);
      const std::vector<std::uint64_t> packed = pack(portable, state);
      EXPECT_EQ(packed, pack(best, state));
      // Exactly the stored words, so that a sanitizer sees a read beyond them.
      const auto* words = reinterpret_cast<const std::uint32_t*>(packed.data());
      const std::vector<std::uint32_t> stored(words, words + portable.stored_words());
      if (portable.stored_words() % 2 == 1) {
        EXPECT_EQ(packed.back() >> 32, 0U);
      }
      for (const Packing& packing : {portable, best}) {
        std::vector<unsigned char> back(state.size(), 0xFF);
        packing.unpack(stored.data(), back.data());
        EXPECT_EQ(back, state);
      }
    }
  }
}

TEST(Packing, FullWidthsAreTheStateItself) {
  const Packing packing(ByteWidths(16, 8));
  std::vector<unsigned char> state;
  for (unsigned char i = 0; i < 16; ++i) state.push_back(static_cast<unsigned char>(0xF0 + i));
  const std::vector<std::uint64_t> packed = pack(packing, state);
  EXPECT_EQ(packed[0], 0xF7F6F5F4F3F2F1F0U);
  EXPECT_EQ(packed[1], 0xFFFEFDFCFBFAF9F8U);
}

TEST(PackingDeathTest, ABitOutsideTheWidthsIsAMistake) {
  ByteWidths widths(16, 0);
  widths[1] = 3;
  for (const auto method : {Packing::Method::kPortable, Packing::best_method()}) {
    const Packing packing(widths, method);
    for (const auto& [byte, value] : {std::pair{1, 8}, std::pair{0, 1}, std::pair{9, 1}}) {
      std::vector<unsigned char> state(16);
      state[static_cast<std::size_t>(byte)] = static_cast<unsigned char>(value);
      EXPECT_DEATH(pack(packing, state), "stray == 0");
    }
  }
}

}  // namespace
}  // namespace fencepost::checker
