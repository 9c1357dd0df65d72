// The labels of a Wireshark text print-out, and what stands in them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace fencepost::traces {

/// A label that is understood and says nothing that a trace keeps.
bool is_passed_over(std::string_view label);

/// Hex digits in lower case.
std::string lower(std::string_view text);

/// "Partition (ID=12, Offset=15168)": the number after `key`, if it is there.
std::optional<std::int64_t> number_after(std::string_view label, std::string_view key);

/// The first bit of a batch's attribute by the label of the line that prints it.
std::optional<int> attribute_shift(std::string_view label);

/// Null, empty and hex as Wireshark prints them; false when it is none of these.
bool read_bytes(std::string_view value, std::optional<std::string>& into);

}  // namespace fencepost::traces
