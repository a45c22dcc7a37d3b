// cpp-beast: Boost.Beast with coroutines of C++20, and an io_context for each core.
//
// Idiomatic here: a coroutine for each connection. While it relays, a second one reads from the client, so that it
// sees the client leave; `||` then cancels the first, whose upstream connection closes with it. JSON: Boost.JSON.
//
// Settings that are not the default:
//   - no_delay on both sides: Nagle's algorithm holds small events back on a reused connection.
//     https://www.boost.org/doc/libs/1_88_0/doc/html/boost_asio/reference/ip__tcp/no_delay.html
//   - response_parser.body_limit none (default 8 MiB), request_parser.body_limit 16 MiB (default 1 MiB): streams have
//     no end, and prompts can be long.
//     https://www.boost.org/doc/libs/1_88_0/libs/beast/doc/html/beast/ref/boost__beast__http__basic_parser/body_limit.html
//   - -Wno-mismatched-new-delete: g++ takes a coroutine's frame for a mismatch. https://gcc.gnu.org/PR109224

#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/write.hpp>
#include <boost/json/src.hpp>

#include "server.hpp"
#include "upstream.hpp"

namespace json = boost::json;
using namespace asio::experimental::awaitable_operators;

class Chat {
public:
    explicit Chat(asio::io_context& context) : upstream(context, variable("STUB_URL"), 8 << 10) {}

    Task<bool> answer(Client& client, const Request& request) {
        const std::string_view path = request.target().substr(0, request.target().find('?'));
        if (path == "/healthz" && request.method() == http::verb::get)
            co_return co_await client.send(http::status::ok, "text/plain", "ok");
        if (path != "/healthz" && path != "/chat")
            co_return co_await fail(client, http::status::not_found, "no such path");
        if (path == "/healthz" || request.method() != http::verb::post)
            co_return co_await fail(client, http::status::method_not_allowed, "wrong method");

        error_code error;
        const json::value input = json::parse(request.body(), error);
        const json::value* message = error || !input.is_object() ? nullptr : input.as_object().if_contains("message");
        if (!message || !message->is_string())
            co_return co_await fail(client, http::status::bad_request, R"(want {"message": "..."})");
        const auto ended = co_await (chat(client, message->as_string()) || client.left());
        co_return ended.index() == 0 && std::get<0>(ended);
    }

private:
    Upstream upstream;

    Task<bool> chat(Client& client, const json::string& message) {
        Request question{http::verb::post, "", 11};
        question.set(http::field::content_type, "application/json");
        question.body() = json::serialize(json::object{
            {"model", "stub"},
            {"stream", true},
            {"messages", json::array{json::object{{"role", "user"}, {"content", message}}}},
        });
        Upstream::Answer answer;
        std::string why;
        try {
            answer = co_await upstream.ask(std::move(question), "/chat/completions");
            if (answer->head().result() != http::status::ok ||
                !answer->head()[http::field::content_type].starts_with("text/event-stream"))
                why = "upstream: " + std::to_string(answer->head().result_int());
        } catch (const boost::system::system_error& error) {
            why = "upstream: " + error.code().message();
        }
        if (!why.empty())
            co_return co_await fail(client, http::status::bad_gateway, why);
        try {
            co_return co_await relay(client, std::move(answer));
        } catch (const boost::system::system_error&) {
            co_return false;  // it was cut, so the last chunk is not sent
        }
    }

    Task<bool> relay(Client& client, Upstream::Answer answer) {
        http::response<http::empty_body> head{http::status::ok, 11};
        head.set(http::field::content_type, "text/event-stream");
        head.set(http::field::cache_control, "no-cache");
        head.keep_alive(client.keep_alive);
        head.chunked(true);
        http::response_serializer<http::empty_body> serializer{head};
        auto [error, size] = co_await http::async_write_header(client.socket, serializer, use_tuple);
        while (!error && !answer->is_done()) {
            const std::string_view part = co_await answer->read();
            if (!part.empty())
                std::tie(error, size) =
                    co_await asio::async_write(client.socket, http::make_chunk(asio::buffer(part)), use_tuple);
        }
        if (!error)
            std::tie(error, size) = co_await asio::async_write(client.socket, http::make_chunk_last(), use_tuple);
        upstream.keep(std::move(answer));
        co_return !error && client.keep_alive;
    }

    Task<bool> fail(Client& client, http::status status, std::string_view why) {
        return client.send(status, "application/json", json::serialize(json::object{{"error", why}}));
    }
};

int main() {
    return serve<Chat>(16 << 20);
}
