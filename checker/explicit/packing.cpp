// The widths give each eight bytes of a state a mask. `pext` gathers the bits under the mask, the
// gathered pieces follow each other without gaps in a stream of 64-bit words, and the last word is
// stored in half if that is enough. Positions in the stream are the same for every state, so the
// branches below are always predicted.
//
// Invariant: pack is injective on states without bits outside the masks, and it asserts that there
// are none; without the check two states could silently become one.
//
// Rejected: one shift per field (three times slower on fields of one to four bits); compiling this
// file for BMI2 alone (the binary would not start elsewhere).
#include "checker/explicit/packing.h"

#include <cstring>

#include "spec/base.h"

#if defined(__x86_64__)
#include <immintrin.h>
#define FP_TARGET_BMI2 __attribute__((target("bmi2")))
#else
#define FP_TARGET_BMI2
#endif

namespace fencepost::checker {
namespace {

constexpr std::size_t kGroup = 8;

std::uint64_t load(const unsigned char* from) {
  std::uint64_t word = 0;
  std::memcpy(&word, from, sizeof word);
  return word;
}

void store(unsigned char* to, std::uint64_t word) { std::memcpy(to, &word, sizeof word); }

std::uint64_t extract_portable(std::uint64_t word, std::uint64_t mask) {
  std::uint64_t out = 0;
  for (unsigned at = 0; mask != 0; ++at, mask &= mask - 1) {
    if ((word & mask & (~mask + 1)) != 0) out |= std::uint64_t{1} << at;
  }
  return out;
}

std::uint64_t deposit_portable(std::uint64_t bits, std::uint64_t mask) {
  std::uint64_t out = 0;
  for (; mask != 0; bits >>= 1, mask &= mask - 1) {
    if ((bits & 1) != 0) out |= mask & (~mask + 1);
  }
  return out;
}

#if defined(__x86_64__)
FP_TARGET_BMI2 inline std::uint64_t extract_bmi2(std::uint64_t word, std::uint64_t mask) {
  return _pext_u64(word, mask);
}
FP_TARGET_BMI2 inline std::uint64_t deposit_bmi2(std::uint64_t bits, std::uint64_t mask) {
  return _pdep_u64(bits, mask);
}
#else
std::uint64_t extract_bmi2(std::uint64_t word, std::uint64_t mask) {
  return extract_portable(word, mask);
}
std::uint64_t deposit_bmi2(std::uint64_t bits, std::uint64_t mask) {
  return deposit_portable(bits, mask);
}
#endif

// The stream being written: the word that is being filled and how many of its bits are.
struct Writer {
  std::uint64_t* out;
  std::uint64_t word = 0;
  unsigned fill = 0;

  void put(std::uint64_t value, unsigned bits) {
    word |= value << fill;
    if (fill + bits >= 64) {
      *out++ = word;
      word = (value >> 1) >> (63 - fill);  // a shift by 64 when fill is 0
      fill = fill + bits - 64;
    } else {
      fill += bits;
    }
  }
  void finish() {
    if (fill != 0) *out = word;
  }
};

// The stream being read, by 32-bit words: the last 64-bit word may be stored in half.
struct Reader {
  const std::uint32_t* in;
  const std::uint32_t* end;
  std::uint64_t word = 0;
  unsigned left = 0;  // bits of `word` not yet taken; the others are zero

  std::uint64_t take(unsigned bits) {
    std::uint64_t value = word;
    if (left < bits) {
      word = next();
      value |= word << left;
      const unsigned used = bits - left;
      word = used == 64 ? 0 : word >> used;
      left = 64 - used;
    } else {
      word = bits == 64 ? 0 : word >> bits;
      left -= bits;
    }
    return bits == 64 ? value : value & ((std::uint64_t{1} << bits) - 1);
  }
  std::uint64_t next() {
    std::uint64_t value = *in++;
    if (in != end) value |= std::uint64_t{*in++} << 32;
    return value;
  }
};

}  // namespace

Packing::Method Packing::best_method() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("bmi2")) return Method::kBmi2;
#endif
  return Method::kPortable;
}

Packing::Packing(const ByteWidths& widths, Method method)
    : method_(method), state_bytes_(widths.size()) {
  FP_ASSERT(!widths.empty() && widths.size() % kGroup == 0);
  for (std::size_t offset = 0; offset < widths.size(); offset += kGroup) {
    unsigned char bytes[kGroup];
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < kGroup; ++i) {
      const unsigned width = widths[offset + i];
      FP_ASSERT(width <= 8);
      bytes[i] = static_cast<unsigned char>((1U << width) - 1);
      bits += width;
    }
    const auto at = static_cast<std::uint32_t>(offset);
    if (bits == 0) {
      unused_.push_back(at);
    } else {
      groups_.push_back({load(bytes), at, bits});
    }
    bits_ += bits;
  }
  if (bits_ > 0) stored_words_ = (bits_ + 31) / 32;
}

void Packing::pack(const unsigned char* state, std::uint64_t* packed) const {
  const std::uint64_t stray =
      method_ == Method::kBmi2 ? pack_bmi2(state, packed) : pack_portable(state, packed);
  FP_ASSERT(stray == 0);
}

void Packing::unpack(const std::uint32_t* stored, unsigned char* state) const {
  for (const std::uint32_t offset : unused_) store(state + offset, 0);
  if (method_ == Method::kBmi2) {
    unpack_bmi2(stored, state);
  } else {
    unpack_portable(stored, state);
  }
}

FP_TARGET_BMI2 std::uint64_t Packing::pack_bmi2(const unsigned char* state,
                                                std::uint64_t* packed) const {
  Writer writer{packed};
  packed[0] = 0;
  std::uint64_t stray = 0;
  for (const std::uint32_t offset : unused_) stray |= load(state + offset);
  for (const Group& group : groups_) {
    const std::uint64_t word = load(state + group.offset);
    stray |= word & ~group.mask;
    writer.put(extract_bmi2(word, group.mask), group.bits);
  }
  writer.finish();
  return stray;
}

std::uint64_t Packing::pack_portable(const unsigned char* state, std::uint64_t* packed) const {
  Writer writer{packed};
  packed[0] = 0;
  std::uint64_t stray = 0;
  for (const std::uint32_t offset : unused_) stray |= load(state + offset);
  for (const Group& group : groups_) {
    const std::uint64_t word = load(state + group.offset);
    stray |= word & ~group.mask;
    writer.put(extract_portable(word, group.mask), group.bits);
  }
  writer.finish();
  return stray;
}

FP_TARGET_BMI2 void Packing::unpack_bmi2(const std::uint32_t* stored, unsigned char* state) const {
  Reader reader{stored, stored + stored_words_};
  for (const Group& group : groups_) {
    store(state + group.offset, deposit_bmi2(reader.take(group.bits), group.mask));
  }
}

void Packing::unpack_portable(const std::uint32_t* stored, unsigned char* state) const {
  Reader reader{stored, stored + stored_words_};
  for (const Group& group : groups_) {
    store(state + group.offset, deposit_portable(reader.take(group.bits), group.mask));
  }
}

}  // namespace fencepost::checker
