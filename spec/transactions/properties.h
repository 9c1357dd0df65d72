// The names of the properties of the transactional model and of what its steps note. The formulas
// are in property_formulas.h, what each means in README.md.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace fencepost::spec::transactions {

/// Safety properties first, in the order of the bits of a violation mask.
enum class Property : std::uint8_t {
  kFencing,
  kNoSelfFencing,
  kAtomic,
  kExactlyOnce,
  kEpochMonotonic,
  kNoResetInside,
  kNoFalseFailure,
  kWellFormed,
  kProgress,
};
inline constexpr int kSafetyProperties = 8;
inline constexpr int kProperties = 9;

/// A property, or a note: `says` is one sentence (of a note: "sometimes ...").
struct NameInfo {
  std::string_view name;
  std::string_view says;
};
const std::array<NameInfo, kProperties>& properties();
std::optional<Property> property_named(std::string_view name);

/// What an effect notes about a step: witnesses, and remarks for the reader.
enum class Note : std::uint8_t {
  kCommitted,
  kSuccessorCommitted,
  kAborted,
  kAbortAfterError,
  kEpochBumped,
  kRetryRecognised,
  kExpectedEpochRefused,
  kForeignIdRefused,
  kNewIdForUnknown,
  kNewIdAtExhaustion,
  kUnexpectedError,
  kOngoingAborted,
  kTransactionTimedOut,
  kEndRetryRecognised,
  kEndRefused,
  kMappingRefused,
  kFenced,
  kFatal,
  kMessageFailed,
  kSequencesRestart,
  kAppended,
  kDeduplicated,
  kNextExpectedOutOfOrder,
  kLaterOutOfOrder,
  kOldEpochRefused,
  kVerificationRefused,
  kAddedByBroker,
  kAcceptedWithoutEntry,
  kLateProduceAppended,
  kLateProduceDropped,
  kLateRequestDecides,
  kLateRequestTaken,
  kMarkerWritten,
  kMarkerRepeated,
  kLateMarkerTaken,
  kPositionRead,
  kPartlyAcknowledged,
};
inline constexpr int kNotes = 37;
const std::array<NameInfo, kNotes>& notes();
std::optional<Note> note_named(std::string_view name);

}  // namespace fencepost::spec::transactions
