// cpp-beast: Boost.Beast with coroutines of C++20, and an io_context for each core.
//
// Idiomatic here: a coroutine for each connection, and http::file_body, which sends a file as it reads it. Beast has
// no router and no decoder of URLs: both are below. JSON: Boost.JSON.
//
// Settings that are not the default:
//   - no_delay: Nagle's algorithm holds an answer of several writes back.
//     https://www.boost.org/doc/libs/1_88_0/doc/html/boost_asio/reference/ip__tcp/no_delay.html
//   - request_parser.body_limit 2 MiB (default 1 MiB), as the contract asks for a body of 1 MB.
//     https://www.boost.org/doc/libs/1_88_0/libs/beast/doc/html/beast/ref/boost__beast__http__basic_parser/body_limit.html
//   - parse_options.numbers precise: without it, numbers may change in their last bit.
//     https://www.boost.org/doc/libs/1_88_0/libs/json/doc/html/json/input_output.html
//   - parse_options.max_depth 1000 (default 32): values may nest deeper.
//     https://www.boost.org/doc/libs/1_88_0/libs/json/doc/html/json/input_output.html
//   - -Wno-mismatched-new-delete: g++ takes a coroutine's frame for a mismatch. https://gcc.gnu.org/PR109224

#include <charconv>
#include <optional>

#include <boost/json/src.hpp>

#include "server.hpp"

namespace json = boost::json;

// Decodes percent escapes. An escape that is not one stays as it is.
static std::string decoded(std::string_view text, bool is_query) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); i++) {
        unsigned char byte = text[i];
        const char* digits = text.data() + i + 1;
        if (byte == '%' && i + 2 < text.size() && std::from_chars(digits, digits + 2, byte, 16).ptr == digits + 2)
            i += 2;
        else if (byte == '+' && is_query)
            byte = ' ';
        out += static_cast<char>(byte);
    }
    return out;
}

static std::optional<std::string> parameter(std::string_view query, std::string_view name) {
    while (!query.empty()) {
        const std::string_view pair = query.substr(0, query.find('&'));
        query.remove_prefix(std::min(pair.size() + 1, query.size()));
        const std::size_t equals = std::min(pair.find('='), pair.size());
        if (decoded(pair.substr(0, equals), true) == name)
            return decoded(pair.substr(std::min(equals + 1, pair.size())), true);
    }
    return std::nullopt;
}

class Web {
public:
    explicit Web(asio::io_context&) {}

    Task<bool> answer(Client& client, const Request& request) {
        const std::string_view target = request.target();
        const std::size_t end = std::min(target.find('?'), target.size());
        const std::string_view path = target.substr(0, end);
        const std::string_view query = target.substr(std::min(end + 1, target.size()));
        const bool is_head = request.method() == http::verb::head;
        const bool is_get = is_head || request.method() == http::verb::get;

        const std::string_view id = path.starts_with("/id/") ? path.substr(4) : "";
        const bool is_id = !id.empty() && id.find('/') == id.npos;
        const bool is_json = path == "/json";
        if (path != "/" && path != "/healthz" && path != "/data" && !is_id && !is_json)
            return client.send(http::status::not_found, "text/plain", "no such path", is_head);
        if (is_json ? request.method() != http::verb::post : !is_get)
            return client.send(http::status::method_not_allowed, "text/plain", "wrong method", is_head);
        if (is_json)
            return echo(client, request.body());
        if (path == "/data")
            return data(client, is_head);
        if (!is_id)
            return client.send(http::status::ok, "text/plain", path == "/" ? "hi" : "", is_head);

        http::response<http::string_body> response{http::status::ok, 11, decoded(id, false)};
        response.set(http::field::content_type, "text/plain");
        response.set("x-powered-by", "benchmark");
        if (const auto name = parameter(query, "name"))
            response.body() += ' ' + *name;
        return client.send(std::move(response), is_head);
    }

private:
    static Task<bool> echo(Client& client, std::string_view body) {
        json::parse_options options;
        options.numbers = json::number_precision::precise;
        options.max_depth = 1000;
        error_code error;
        const json::value value = json::parse(body, error, {}, options);
        if (error)
            return client.send(http::status::bad_request, "text/plain", error.message());
        return client.send(http::status::ok, "application/json", json::serialize(value));
    }

    static Task<bool> data(Client& client, bool is_head) {
        http::response<http::file_body> response{http::status::ok, 11};
        error_code error;
        response.body().open("data.json", beast::file_mode::scan, error);
        if (error)
            return client.send(http::status::internal_server_error, "text/plain", error.message(), is_head);
        response.set(http::field::content_type, "application/json");
        return client.send(std::move(response), is_head);
    }
};

int main() {
    return serve<Web>(2 << 20);
}
