// What the state machines' states are made of: small integers and short sequences, as fixed bytes
// for the exhaustive search or as growing containers for the simulator. Both behave alike.
#pragma once

#include <cstdint>
#include <type_traits>
#include <vector>

#include "spec/base.h"

namespace fencepost::impl {

/// A non-negative integer of a given width that reads and computes as `int`.
template <class T>
struct Cell {
  T v = 0;

  constexpr Cell() = default;
  constexpr Cell(int x) : v(static_cast<T>(x)) {}  // NOLINT: constants read as numbers
  template <class E>
  requires std::is_enum_v<E>
  constexpr Cell(E e) : v(static_cast<T>(e)) {}                   // NOLINT
  constexpr operator int() const { return static_cast<int>(v); }  // NOLINT

  friend constexpr bool operator==(Cell a, Cell b) { return a.v == b.v; }
  friend constexpr bool operator==(Cell a, int b) { return static_cast<int>(a.v) == b; }
  template <class E>
  requires std::is_enum_v<E>
  friend constexpr bool operator==(Cell a, E b) {
    return static_cast<int>(a.v) == static_cast<int>(b);
  }
};

/// A sequence of at most `N` items in place. Items beyond the length are zero, so that equal
/// sequences are equal bytes. Overflowing it is a mistake of the caller.
template <class T, int N>
struct FixedSeq {
  T item[N]{};
  std::uint8_t count = 0;

  static constexpr int kCapacity = N;
  [[nodiscard]] int size() const { return count; }
  [[nodiscard]] bool empty() const { return count == 0; }
  [[nodiscard]] T& operator[](int i) { return item[i]; }
  [[nodiscard]] const T& operator[](int i) const { return item[i]; }
  [[nodiscard]] const T& back() const { return item[count - 1]; }
  void push_back(const T& value) { insert(count, value); }
  void insert(int at, const T& value) {
    FP_ASSERT(count < N && at <= count);
    for (int i = count; i > at; --i) item[i] = item[i - 1];
    item[at] = value;
    ++count;
  }
  void erase(int at) {
    FP_ASSERT(at < count);
    for (int i = at; i + 1 < count; ++i) item[i] = item[i + 1];
    item[--count] = T{};
  }
  void truncate(int length) {
    while (count > length) item[--count] = T{};
  }
  bool operator==(const FixedSeq&) const = default;
};

/// The same without a bound, on the heap.
template <class T>
struct GrowingSeq {
  std::vector<T> item;

  [[nodiscard]] int size() const { return static_cast<int>(item.size()); }
  [[nodiscard]] bool empty() const { return item.empty(); }
  [[nodiscard]] T& operator[](int i) { return item[static_cast<std::size_t>(i)]; }
  [[nodiscard]] const T& operator[](int i) const { return item[static_cast<std::size_t>(i)]; }
  [[nodiscard]] const T& back() const { return item.back(); }
  void push_back(const T& value) { item.push_back(value); }
  void insert(int at, const T& value) { item.insert(item.begin() + at, value); }
  void erase(int at) { item.erase(item.begin() + at); }
  void truncate(int length) {
    if (length < size()) item.resize(static_cast<std::size_t>(length));
  }
  bool operator==(const GrowingSeq&) const = default;
};

/// Sizes for the exhaustive search: every field one byte, batches of one message.
struct Small {
  using Int = Cell<std::uint8_t>;
  template <class T, int N>
  using Seq = FixedSeq<T, N>;
  static constexpr int kPartitions = 2;
  static constexpr int kBrokers = 3;
  static constexpr int kMessages = 4;  // per partition, the warm one included
  static constexpr int kInFlight = 3;
  static constexpr int kBatch = 1;
  static constexpr int kLog = 8;
  static constexpr int kSequenceMask = 0x0f;
  static constexpr bool kCountsRetries = false;  // a count that only grows has no fixed point
};

/// Sizes for the simulator and the unit tests: only partitions and brokers are bounded.
struct Large {
  using Int = Cell<std::uint32_t>;
  template <class T, int N>
  using Seq = GrowingSeq<T>;
  static constexpr int kPartitions = 32;
  static constexpr int kBrokers = 5;
  static constexpr int kMessages = 0;
  static constexpr int kInFlight = 0;
  static constexpr int kBatch = 0;
  static constexpr int kLog = 0;
  static constexpr int kSequenceMask = 0x7fffffff;  // DefaultRecordBatch: sequences are 31 bits
  static constexpr bool kCountsRetries = true;
};

}  // namespace fencepost::impl
