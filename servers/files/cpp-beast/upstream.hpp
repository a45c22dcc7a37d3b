// A client of the upstream on Boost.Beast, with connections that are used again. relay and files have this file.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/asio/connect.hpp>
#include <boost/system/system_error.hpp>

#include "server.hpp"

class Upstream {
public:
    struct Connection {
        Socket socket;
        std::vector<char> part;
        beast::flat_buffer unread{};
        std::optional<http::response_parser<http::buffer_body>> parser{};

        const http::response<http::buffer_body>& head() const { return parser->get(); }
        bool is_done() const { return parser->is_done(); }

        // Reads what has come of the body: nothing only at its end. Throws boost::system::system_error if it was cut.
        Task<std::string_view> read() {
            auto& body = parser->get().body();
            body.size = part.size();
            while (!is_done() && body.size == part.size()) {
                body = {part.data(), part.size(), true};
                auto [error, size] = co_await http::async_read_some(socket, unread, *parser, use_tuple);
                if (error && error != http::error::need_buffer)
                    throw boost::system::system_error{error};
            }
            // The chunks that came with it, since read_some takes one. A fault in them comes again at the next read.
            for (error_code error; !error && !is_done() && body.size > 0 && unread.size() > 0;)
                unread.consume(parser->put(unread.data(), error));
            co_return std::string_view{part.data(), part.size() - body.size};
        }

        Task<error_code> exchange(const Request& request) {
            auto [error, size] = co_await http::async_write(socket, request, use_tuple);
            do {
                parser.emplace();
                parser->body_limit(boost::none);
                parser->skip(request.method() == http::verb::head);
                if (!error)
                    std::tie(error, size) = co_await http::async_read_header(socket, unread, *parser, use_tuple);
            } while (!error && head().result_int() < 200);  // that one only announced it
            co_return error;
        }
    };
    using Answer = std::unique_ptr<Connection>;

    // url is http://HOST:PORT and perhaps a path. part_size is the most that one read of a body returns, in bytes.
    Upstream(asio::io_context& context, std::string_view url, std::size_t part_size)
        : context(context), part_size(part_size) {
        constexpr std::string_view scheme = "http://";
        if (!url.starts_with(scheme))
            throw std::runtime_error{"STUB_URL: want http://"};
        url.remove_prefix(scheme.size());
        const std::size_t slash = std::min(url.find('/'), url.size());
        host = url.substr(0, slash);
        prefix = url.substr(slash);
        const std::size_t colon = host.rfind(':');
        tcp::resolver resolver{context};
        for (const auto& entry : resolver.resolve(host.substr(0, colon), host.substr(colon + 1)))
            endpoints.push_back(entry.endpoint());
    }

    // Returns when the head of the answer has come. Throws boost::system::system_error.
    Task<Answer> ask(Request request, std::string_view path) {
        request.target(prefix + std::string{path});
        request.set(http::field::host, host);
        request.prepare_payload();
        if (!idle.empty()) {
            Answer answer = std::move(idle.back());
            idle.pop_back();
            // Closed while idle, perhaps. What the servers ask may be asked again.
            // https://www.rfc-editor.org/rfc/rfc9110#section-9.2.2
            if (!co_await answer->exchange(request))
                co_return answer;
        }
        auto answer = std::make_unique<Connection>(Socket{context}, std::vector<char>(part_size));
        answer->unread.reserve(part_size);
        auto [error, endpoint] = co_await asio::async_connect(answer->socket, endpoints, use_tuple);
        if (!error) {
            answer->socket.set_option(tcp::no_delay{true});
            error = co_await answer->exchange(request);
        }
        if (error)
            throw boost::system::system_error{error};
        co_return answer;
    }

    void keep(Answer answer) {
        if (answer->is_done() && answer->parser->keep_alive() && answer->unread.size() == 0)
            idle.push_back(std::move(answer));
    }

private:
    asio::io_context& context;
    std::size_t part_size;
    std::string host, prefix;
    std::vector<tcp::endpoint> endpoints;
    std::vector<Answer> idle;
};
