// The enumerators of the transactional state's fields in words. Found by the Explained domain.
#pragma once

#include <array>
#include <string_view>

#include "spec/transactions/state.h"

namespace fencepost::spec::transactions {

inline std::string_view name_of_value(Mode v) {
  constexpr std::array<std::string_view, kModes> kNames{
      "not started",    "initialising", "positioning",    "ready",    "in transaction",
      "bumping inside", "committing",   "abortable",      "aborting", "bumping",
      "crashed",        "fenced",       "fenced falsely", "fatal",    "fatal, excused"};
  return kNames[static_cast<std::size_t>(v)];
}
inline std::string_view name_of_value(RequestKind v) {
  constexpr std::array<std::string_view, kRequestKinds> kNames{"none", "init",   "init for a bump",
                                                               "add",  "commit", "abort"};
  return kNames[static_cast<std::size_t>(v)];
}
inline std::string_view name_of_value(Result v) {
  constexpr std::array<std::string_view, kResults> kNames{
      "sent", "ok", "fenced", "invalid mapping", "invalid state", "unexpected"};
  return kNames[static_cast<std::size_t>(v)];
}
inline std::string_view name_of_value(MessageStatus v) {
  constexpr std::array<std::string_view, kMessageStatuses> kNames{
      "unsent", "in flight", "to be retried", "acknowledged", "failed"};
  return kNames[static_cast<std::size_t>(v)];
}
inline std::string_view name_of_value(Stage v) {
  constexpr std::array<std::string_view, kStages> kNames{
      "none",      "sent", "ok", "not leader", "out of order", "invalid epoch", "invalid mapping",
      "unverified"};
  return kNames[static_cast<std::size_t>(v)];
}
inline std::string_view name_of_value(TransactionState v) {
  constexpr std::array<std::string_view, kTransactionStates> kNames{
      "empty", "ongoing", "prepare commit", "prepare abort", "complete commit", "complete abort"};
  return kNames[static_cast<std::size_t>(v)];
}

}  // namespace fencepost::spec::transactions
