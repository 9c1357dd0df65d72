// Error names, as Kafka spells them, from what captures and client logs print.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace fencepost::traces {

/// Success.
inline constexpr std::string_view kNoError = "NONE";

/// Kafka's name of an error code on the wire; "ERROR_<code>" for one not in the table.
std::string error_name(std::int64_t code);

/// The name for what librdkafka prints: its error text ("Broker: Not leader for partition") or its
/// own spelling of the name ("NOT_LEADER_FOR_PARTITION"). Names of errors that only the client has
/// keep librdkafka's spelling ("_TRANSPORT"). A text not in the table is returned as it is.
std::string error_name_of_text(std::string_view text);

/// True for a failure that only the client has: no broker answered.
bool is_client_error(std::string_view error);

/// True for a failure of a request that never left the client (librdkafka's queues).
bool is_before_sending(std::string_view error);

/// True when an answer with this error and a valid offset means that the broker appended the batch
/// and only then failed to answer for it (KafkaApis and purgatory: the offset is filled in first).
bool may_follow_append(std::string_view error);

}  // namespace fencepost::traces
