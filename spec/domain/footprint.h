// The Footprint domain: runs a guard or an effect on no values at all, both branches of every
// conditional, and records which cells are read and written. From it come the dependency matrix,
// the cone of influence, and "what can change this" in explanations.
#pragma once

#include <cstdint>
#include <set>
#include <type_traits>

namespace fencepost::spec {

class Footprint {
 public:
  /// The cells touched, by identity. Ordered, so that output is deterministic.
  struct Record {
    std::set<int> reads;
    std::set<int> writes;
  };

  class Bool {
   public:
    explicit Bool(bool /*v*/ = false) {}
  };

  class Num {
   public:
    Num(int /*v*/ = 0) {}  // NOLINT: constants read as numbers
    template <class E>
    requires std::is_enum_v<E> Num(E /*v*/) {}  // NOLINT
  };

  /// Requires: `id` and `record` are set before use (a visitor over the state's cells does so).
  struct Cell {
    int id = -1;
    Record* record = nullptr;
    operator Num() const {  // NOLINT
      record->reads.insert(id);
      return {};
    }
  };

  void set(Cell& cell, Num /*value*/) { cell.record->writes.insert(cell.id); }

  template <class B>
  void increment(Cell& cell, int /*limit*/, B /*bound*/) {
    cell.record->reads.insert(cell.id);
    cell.record->writes.insert(cell.id);
  }

  template <class Then>
  void when(Bool /*c*/, Then&& then) {
    then();
  }
  template <class Then, class Otherwise>
  void when(Bool /*c*/, Then&& then, Otherwise&& otherwise) {
    then();
    otherwise();
  }

  [[nodiscard]] static Num pick(Bool /*c*/, Num /*a*/, Num /*b*/) { return {}; }

  [[nodiscard]] static int upto(Num /*num*/, int limit) { return limit; }

  template <class F>
  void cases(Num /*num*/, int count, F&& f) {
    for (int k = 0; k < count; ++k) f(k);
  }

  template <class T>
  [[nodiscard]] static Num at(const T* array, int count, Num /*index*/) {
    for (int i = 0; i < count; ++i) static_cast<void>(static_cast<Num>(array[i]));
    return {};
  }
  template <class T>
  [[nodiscard]] static Num at(const T* array, int count, Num /*index*/, Cell T::*member) {
    for (int i = 0; i < count; ++i) static_cast<void>(static_cast<Num>(array[i].*member));
    return {};
  }
  void put(Cell* array, int count, Num /*index*/, Num value) {
    for (int i = 0; i < count; ++i) set(array[i], value);
  }
  template <class T>
  void put(T* array, int count, Num /*index*/, Cell T::*member, Num value) {
    for (int i = 0; i < count; ++i) set(array[i].*member, value);
  }

  template <class N>
  void note(N /*n*/) {}
};

inline Footprint::Bool operator&&(Footprint::Bool, Footprint::Bool) { return Footprint::Bool{}; }
inline Footprint::Bool operator||(Footprint::Bool, Footprint::Bool) { return Footprint::Bool{}; }
inline Footprint::Bool operator!(Footprint::Bool) { return Footprint::Bool{}; }
inline Footprint::Bool operator==(Footprint::Num, Footprint::Num) { return Footprint::Bool{}; }
inline Footprint::Bool operator!=(Footprint::Num, Footprint::Num) { return Footprint::Bool{}; }
inline Footprint::Bool operator<(Footprint::Num, Footprint::Num) { return Footprint::Bool{}; }
inline Footprint::Bool operator<=(Footprint::Num, Footprint::Num) { return Footprint::Bool{}; }
inline Footprint::Bool operator>(Footprint::Num, Footprint::Num) { return Footprint::Bool{}; }
inline Footprint::Bool operator>=(Footprint::Num, Footprint::Num) { return Footprint::Bool{}; }
inline Footprint::Num operator+(Footprint::Num, Footprint::Num) { return {}; }
inline Footprint::Num operator-(Footprint::Num, Footprint::Num) { return {}; }

}  // namespace fencepost::spec
