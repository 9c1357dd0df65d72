// The table behind the entries of a behaviour: each with its way into the struct. Both models have
// one; only the struct, the kinds and the rows differ.
#pragma once

#include <functional>
#include <string_view>
#include <utility>
#include <vector>

#include "spec/base.h"

namespace fencepost::spec {

/// `Info` has `values`; a value of an entry is an index into them.
template <class Behaviour, class Info>
struct EntrySlot {
  Info info;
  std::function<int(const Behaviour&)> get;
  std::function<void(Behaviour&, int)> set;
};

/// An entry that is one member of the struct, an enumeration or a bool.
template <class Info, class Behaviour, class T>
EntrySlot<Behaviour, Info> member_slot(Info info, T Behaviour::*member) {
  return {std::move(info), [member](const Behaviour& b) { return static_cast<int>(b.*member); },
          [member](Behaviour& b, int v) { b.*member = static_cast<T>(v); }};
}

template <class Behaviour, class Info>
std::vector<Info> infos_of(const std::vector<EntrySlot<Behaviour, Info>>& slots) {
  std::vector<Info> infos;
  infos.reserve(slots.size());
  for (const auto& slot : slots) infos.push_back(slot.info);
  return infos;
}

template <class Behaviour, class Info>
int value_in(const std::vector<EntrySlot<Behaviour, Info>>& slots, const Behaviour& behaviour,
             std::size_t entry) {
  FP_ASSERT(entry < slots.size());
  return slots[entry].get(behaviour);
}

template <class Behaviour, class Info>
void set_in(const std::vector<EntrySlot<Behaviour, Info>>& slots, Behaviour& behaviour,
            std::size_t entry, int value) {
  FP_ASSERT(entry < slots.size());
  FP_ASSERT(value >= 0 && value < static_cast<int>(slots[entry].info.values.size()));
  slots[entry].set(behaviour, value);
}

}  // namespace fencepost::spec
