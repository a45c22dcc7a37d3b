// cpp-beast: Boost.Beast with coroutines of C++20, and an io_context for each core.
//
// Idiomatic here: a coroutine for each connection. While it relays, a second one reads from the client, so that it
// sees the client leave; `||` then cancels the first, whose upstream connection closes with it.
//
// Settings that are not the default:
//   - no_delay on both sides: Nagle's algorithm holds the end of a body back on a reused connection.
//     https://www.boost.org/doc/libs/1_88_0/doc/html/boost_asio/reference/ip__tcp/no_delay.html
//   - response_parser.body_limit none (default 8 MiB): files can be long.
//     https://www.boost.org/doc/libs/1_88_0/libs/beast/doc/html/beast/ref/boost__beast__http__basic_parser/body_limit.html
//   - -Wno-mismatched-new-delete: g++ takes a coroutine's frame for a mismatch. https://gcc.gnu.org/PR109224

#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/write.hpp>
#include <boost/json/src.hpp>

#include "server.hpp"
#include "upstream.hpp"

namespace json = boost::json;
using namespace asio::experimental::awaitable_operators;

class Files {
public:
    explicit Files(asio::io_context& context) : upstream(context, variable("STUB_URL"), 32 << 10) {}

    Task<bool> answer(Client& client, const Request& request) {
        const std::string_view path = request.target().substr(0, request.target().find('?'));
        const bool is_head = request.method() == http::verb::head;
        if (path == "/healthz" && request.method() == http::verb::get)
            co_return co_await client.send(http::status::ok, "text/plain", "ok");
        if (path != "/healthz" && !(path.starts_with("/files/") && path.rfind('/') == 6))
            co_return co_await fail(client, http::status::not_found, "no such path", is_head);
        if (path == "/healthz" || (!is_head && request.method() != http::verb::get))
            co_return co_await fail(client, http::status::method_not_allowed, "want GET or HEAD", is_head);
        const auto ended = co_await (file(client, request.method(), path) || client.left());
        co_return ended.index() == 0 && std::get<0>(ended);
    }

private:
    Upstream upstream;

    Task<bool> file(Client& client, http::verb method, std::string_view path) {
        Upstream::Answer answer;
        http::status status = http::status::bad_gateway;
        std::string why;
        try {
            answer = co_await upstream.ask(Request{method, "", 11}, path);
            if (answer->head().result() == http::status::not_found)
                status = http::status::not_found;
            if (answer->head().result() != http::status::ok)
                why = "upstream: " + std::to_string(answer->head().result_int());
        } catch (const boost::system::system_error& error) {
            why = "upstream: " + error.code().message();
        }
        if (!why.empty())
            co_return co_await fail(client, status, why, method == http::verb::head);
        try {
            co_return co_await relay(client, std::move(answer));
        } catch (const boost::system::system_error&) {
            co_return false;  // it was cut, so the client must not see a whole file
        }
    }

    Task<bool> relay(Client& client, Upstream::Answer answer) {
        http::response<http::empty_body> head{http::status::ok, 11};
        head.set(http::field::content_type, answer->head()[http::field::content_type]);
        head.keep_alive(client.keep_alive);
        const auto length = answer->parser->content_length();
        if (length)
            head.content_length(*length);
        else
            head.chunked(true);
        http::response_serializer<http::empty_body> serializer{head};
        auto [error, size] = co_await http::async_write_header(client.socket, serializer, use_tuple);
        while (!error && !answer->is_done()) {
            const std::string_view part = co_await answer->read();
            if (part.empty())
                break;
            const auto bytes = asio::buffer(part);
            if (length)
                std::tie(error, size) = co_await asio::async_write(client.socket, bytes, use_tuple);
            else
                std::tie(error, size) = co_await asio::async_write(client.socket, http::make_chunk(bytes), use_tuple);
        }
        const bool is_head = answer->parser->skip();
        if (!error && !length && !is_head)
            std::tie(error, size) = co_await asio::async_write(client.socket, http::make_chunk_last(), use_tuple);
        upstream.keep(std::move(answer));
        co_return !error && client.keep_alive;
    }

    Task<bool> fail(Client& client, http::status status, std::string_view why, bool is_head) {
        return client.send(status, "application/json", json::serialize(json::object{{"error", why}}), is_head);
    }
};

int main() {
    return serve<Files>(1 << 20);
}
