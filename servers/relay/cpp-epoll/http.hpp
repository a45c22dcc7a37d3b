// Heads and bodies of HTTP/1.1 messages, as they arrive.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

// A message that is not HTTP/1.1.
struct Malformed : std::runtime_error {
    using std::runtime_error::runtime_error;
};

struct Head {
    std::string text;  // the lines, each with its CRLF, without the empty one

    std::string_view line() const;                        // "GET /healthz HTTP/1.1"
    std::string_view field(std::string_view name) const;  // name in lower case; "" if it is missing
    bool is_last() const;                                 // the connection ends after this message
};

// Takes a head off the front of in. Nothing if it has not come whole. Throws Malformed.
std::optional<Head> take_head(std::string& in);

// Decodes the body that follows a head.
class Body {
public:
    Body() = default;
    // A body without a length is empty in a request, and in an answer goes on to the end of the connection.
    // Throws Malformed.
    Body(const Head& head, bool is_request);

    // Moves what has come of the body from the front of in to the end of data. Throws Malformed.
    void take(std::string& in, std::string& data);
    bool is_done() const { return state == State::done; }
    bool ends_with_connection() const { return state == State::until_close; }

private:
    enum class State { done, length, until_close, chunk_size, chunk, chunk_end, trailers };
    State state = State::done;
    std::uint64_t left = 0;  // bytes of the body or the chunk

    bool step(std::string_view& in, std::string& data);
};
