// The names of the properties (design, section 4); their formulas are in
// spec/model/property_formulas.h.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace fencepost::spec {

/// Safety properties first, in the order of the bits of a violation mask.
enum class Property : std::uint8_t {
  kNoDuplicate,
  kInOrder,
  kNoLoss,
  kNoFalseFailure,
  kHonestStatus,
  kWellFormed,
  kProgress,
};
inline constexpr int kSafetyProperties = 6;
inline constexpr int kProperties = 7;

struct PropertyInfo {
  std::string_view name;
  std::string_view says;
};

/// All properties, indexed by `Property`.
const std::array<PropertyInfo, kProperties>& properties();
std::optional<Property> property_named(std::string_view name);

/// What an effect notes about a step: witnesses ("sometimes ...") and remarks for the reader.
enum class Note : std::uint8_t {
  kDeduplicated,
  kDuplicateWaits,
  kAppended,
  kNotLeaderAfterAppend,
  kPlainNotLeaderBehind,
  kSuffixCut,
  kLateAppend,
  kLateDropped,
  kImplicitAcknowledgement,
  kBumpRequested,
  kBumpCompletes,
  kAdopts,
  kRenumbersUnresolved,
  kAdoptionDeferred,
  kNextExpectedOutOfOrder,
  kLaterOutOfOrder,
  kAbsenceProved,
  kGapLeft,
  kAcceptedWithoutEntry,
  kFatal,
  kFailed,
  kEpochExhausted,
  kUnknownProducerId,
  kOlderDuplicate,
  kExpiredInDoubt,
  kLaterRenumbered,
  kRecordsDeleted,
  kStateRebuilt,
  kRestarts,
  kCommittedCut,
  kOvertakesRequeue,
};
inline constexpr int kNotes = 31;

struct NoteInfo {
  std::string_view name;  ///< as in the `witnesses` of claims.json
  std::string_view says;  ///< "sometimes ..."
};
const std::array<NoteInfo, kNotes>& notes();
std::optional<Note> note_named(std::string_view name);

}  // namespace fencepost::spec
