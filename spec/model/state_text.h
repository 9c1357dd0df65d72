// The enumerators of the state's fields in words. Found by the Explained domain.
#pragma once

#include <array>
#include <string_view>

#include "spec/model/state.h"

namespace fencepost::spec {

inline std::string_view name_of_value(Mode v) {
  constexpr std::array<std::string_view, kModes> kNames{"assigned", "draining", "fatal",
                                                        "fatal, excused"};
  return kNames[static_cast<std::size_t>(v)];
}
inline std::string_view name_of_value(MessageStatus v) {
  constexpr std::array<std::string_view, kMessageStatuses> kNames{
      "unsent", "in flight", "to be retried", "delivered", "failed", "failed falsely"};
  return kNames[static_cast<std::size_t>(v)];
}
inline std::string_view name_of_value(Stage v) {
  constexpr std::array<std::string_view, kStages> kNames{"sent",
                                                         "waiting",
                                                         "ok",
                                                         "not leader",
                                                         "not leader after append",
                                                         "request timed out",
                                                         "not enough replicas",
                                                         "not enough replicas after append",
                                                         "permanent error",
                                                         "out of order",
                                                         "invalid epoch"};
  return kNames[static_cast<std::size_t>(v)];
}

}  // namespace fencepost::spec
