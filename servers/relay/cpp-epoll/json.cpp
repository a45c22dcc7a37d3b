#include "json.hpp"

#include <algorithm>
#include <cstdio>

namespace {

constexpr int deepest = 1000;

// Reads a document from the front. Each function returns whether it found what it is named after.
class Reader {
public:
    explicit Reader(std::string_view text) : rest(text) {}

    std::string_view message;  // of the outermost object; the last one counts

    bool document() {
        space();
        const bool is_object = rest.starts_with('{');
        const bool found = value(0);
        return found && is_object && rest.empty();
    }

private:
    std::string_view rest;

    void space() { rest.remove_prefix(std::min(rest.find_first_not_of(" \t\r\n"), rest.size())); }

    bool token(std::string_view text) {
        if (!rest.starts_with(text))
            return false;
        rest.remove_prefix(text.size());
        space();
        return true;
    }

    bool value(int depth) {
        if (depth > deepest)
            return false;
        if (token("{"))
            return token("}") || members(depth);
        if (token("["))
            return token("]") || elements(depth);
        return string() || token("true") || token("false") || token("null") || number();
    }

    bool members(int depth) {
        do {
            const std::string_view from = rest;
            if (!string())
                return false;
            const bool is_message = depth == 0 && from.starts_with("\"message\"");
            if (!token(":"))
                return false;
            const std::string_view start = rest;
            if (!value(depth + 1))
                return false;
            if (is_message)
                message = start.starts_with('"') ? literal(start) : "";
        } while (token(","));
        return token("}");
    }

    bool elements(int depth) {
        do {
            if (!value(depth + 1))
                return false;
        } while (token(","));
        return token("]");
    }

    // Returns the string at the start of text, with its quotes. Nothing if there is none.
    static std::string_view literal(std::string_view text) {
        if (!text.starts_with('"'))
            return "";
        for (std::size_t i = 1; i < text.size(); i++) {
            const auto byte = static_cast<unsigned char>(text[i]);
            if (byte == '"')
                return text.substr(0, i + 1);
            if (byte < ' ')
                return "";
            if (byte != '\\')
                continue;
            const std::string_view escape = text.substr(i + 1, 5);
            if (escape.empty() || std::string_view{"\"\\/bfnrtu"}.find(escape[0]) == std::string_view::npos)
                return "";
            if (escape[0] == 'u' &&
                (escape.size() < 5 || escape.find_first_not_of("0123456789abcdefABCDEF", 1) != escape.npos))
                return "";
            i += escape[0] == 'u' ? 5 : 1;
        }
        return "";
    }

    bool string() {
        const std::string_view found = literal(rest);
        return !found.empty() && token(found);
    }

    bool digits() {
        const std::size_t count = std::min(rest.find_first_not_of("0123456789"), rest.size());
        rest.remove_prefix(count);
        return count > 0;
    }

    bool taken(char c) {
        const bool found = rest.starts_with(c);
        rest.remove_prefix(found);
        return found;
    }

    bool number() {
        taken('-');
        if (!taken('0') && !digits())
            return false;
        if (taken('.') && !digits())
            return false;
        if (taken('e') || taken('E')) {
            if (!taken('+'))
                taken('-');
            if (!digits())
                return false;
        }
        space();
        return true;
    }
};

}  // namespace

std::optional<std::string_view> message_of(std::string_view text) {
    Reader reader{text};
    if (!reader.document() || reader.message.empty())
        return std::nullopt;
    return reader.message;
}

std::string quoted(std::string_view text) {
    std::string out{'"'};
    for (const char c : text) {
        if (static_cast<unsigned char>(c) < ' ') {
            char escape[7];
            std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(c));
            out += escape;
        } else {
            if (c == '"' || c == '\\')
                out += '\\';
            out += c;
        }
    }
    return out + '"';
}
