// As much JSON as a chat message needs.
#pragma once

#include <optional>
#include <string>
#include <string_view>

// Returns the message of an object {"message": "..."} as it is written, with its quotes and escapes. Nothing if text is
// not JSON, or has no such message. Names are compared as they are written, so "\u006dessage" is another one.
std::optional<std::string_view> message_of(std::string_view text);

// Returns text as a string of JSON.
std::string quoted(std::string_view text);
