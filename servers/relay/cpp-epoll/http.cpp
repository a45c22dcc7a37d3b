#include "http.hpp"

#include <algorithm>
#include <charconv>

namespace {

constexpr std::size_t longest_head = 64 << 10;  // bytes
constexpr std::size_t longest_line = 4 << 10;   // of a chunk's size or a trailer, in bytes

char lower(char c) {
    return 'A' <= c && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool is_equal(std::string_view text, std::string_view lower_case) {
    return std::equal(text.begin(), text.end(), lower_case.begin(), lower_case.end(),
                      [](char a, char b) { return lower(a) == b; });
}

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t'))
        text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t'))
        text.remove_suffix(1);
    return text;
}

std::uint64_t number(std::string_view digits, int base) {
    std::uint64_t value = 0;
    const char* end = digits.data() + digits.size();
    const auto [rest, error] = std::from_chars(digits.data(), end, value, base);
    if (error != std::errc{} || rest != end || digits.empty())
        throw Malformed{"a length is not a number"};
    return value;
}

// Takes a line off the front of in, with its CRLF. Nothing if it has not come whole.
std::optional<std::string_view> take_line(std::string_view& in) {
    const std::size_t end = in.find("\r\n");
    if (std::min(end, in.size()) > longest_line)
        throw Malformed{"a line of a chunked body is too long"};
    if (end == in.npos)
        return std::nullopt;
    const std::string_view line = in.substr(0, end);
    in.remove_prefix(end + 2);
    return line;
}

}  // namespace

std::string_view Head::line() const {
    return std::string_view{text}.substr(0, text.find("\r\n"));
}

std::string_view Head::field(std::string_view name) const {
    std::string_view rest{text};
    rest.remove_prefix(line().size() + 2);
    while (!rest.empty()) {
        const std::string_view line = rest.substr(0, rest.find("\r\n"));
        rest.remove_prefix(line.size() + 2);
        if (line.size() > name.size() && line[name.size()] == ':' && is_equal(line.substr(0, name.size()), name))
            return trimmed(line.substr(name.size() + 1));
    }
    return "";
}

bool Head::is_last() const {
    std::string_view options = field("connection");
    while (!options.empty()) {
        const std::string_view option = options.substr(0, options.find(','));
        options.remove_prefix(std::min(option.size() + 1, options.size()));
        if (is_equal(trimmed(option), "close"))
            return true;
    }
    return false;
}

std::optional<Head> take_head(std::string& in) {
    const std::size_t end = in.find("\r\n\r\n");
    if (std::min(end, in.size()) > longest_head)
        throw Malformed{"the head is longer than 64 kB"};
    if (end == in.npos)
        return std::nullopt;
    Head head{in.substr(0, end + 2)};
    in.erase(0, end + 4);
    std::string_view rest{head.text};
    rest.remove_prefix(head.line().size() + 2);
    while (!rest.empty()) {
        const std::string_view line = rest.substr(0, rest.find("\r\n"));
        rest.remove_prefix(line.size() + 2);
        const std::size_t colon = line.find(':');
        if (colon == 0 || colon == line.npos || line.find_first_of(" \t") < colon)
            throw Malformed{"a line of the head has no name"};
    }
    return head;
}

Body::Body(const Head& head, bool is_request) {
    const std::string_view coding = head.field("transfer-encoding");
    const std::string_view length = head.field("content-length");
    if (!coding.empty() && !length.empty())
        throw Malformed{"the head has a length and a coding"};
    if (!coding.empty() && !is_equal(coding, "chunked"))
        throw Malformed{"a coding is not known"};
    if (!coding.empty())
        state = State::chunk_size;
    else if (!length.empty())
        state = (left = number(length, 10)) ? State::length : State::done;
    else if (!is_request)
        state = State::until_close;
}

void Body::take(std::string& in, std::string& data) {
    std::string_view rest{in};
    while (step(rest, data)) {
    }
    in.erase(0, in.size() - rest.size());
}

// Returns whether there may be more to take.
bool Body::step(std::string_view& in, std::string& data) {
    switch (state) {
        case State::done:
            return false;
        case State::until_close:
            data += in;
            in = {};
            return false;
        case State::length:
        case State::chunk: {
            const std::size_t size = std::min<std::uint64_t>(left, in.size());
            data += in.substr(0, size);
            in.remove_prefix(size);
            left -= size;
            if (left == 0)
                state = state == State::length ? State::done : State::chunk_end;
            return left == 0;
        }
        case State::chunk_end:
            if (in.size() < 2)
                return false;
            if (!in.starts_with("\r\n"))
                throw Malformed{"a chunk is longer than its size"};
            in.remove_prefix(2);
            state = State::chunk_size;
            return true;
        case State::chunk_size:
            if (const auto line = take_line(in)) {
                left = number(trimmed(line->substr(0, line->find(';'))), 16);
                state = left ? State::chunk : State::trailers;
                return true;
            }
            return false;
        case State::trailers:
            if (const auto line = take_line(in)) {
                state = line->empty() ? State::done : State::trailers;
                return true;
            }
            return false;
    }
    return false;
}
