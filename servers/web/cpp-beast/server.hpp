// An HTTP/1.1 server on Boost.Beast: its threads, its connections and its end. server.cpp has what it answers.
// Each server cpp-beast has this file.
#pragma once

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;

using boost::system::error_code;
using tcp = asio::ip::tcp;

using Executor = asio::io_context::executor_type;
using Socket = asio::basic_stream_socket<tcp, Executor>;
template <class T>
using Task = asio::awaitable<T, Executor>;
constexpr asio::as_tuple_t<asio::deferred_t> use_tuple{};

using Request = http::request<http::string_body>;

struct Client {
    Socket socket;
    beast::flat_buffer unread{};  // bytes that no parser has taken
    bool has_head = false;        // of the request that is read
    bool keep_alive = false;      // after the request that is answered

    // Ends when the client has left. Requests that arrive meanwhile wait in unread.
    Task<void> left() {
        while (unread.size() < 64 << 10) {
            auto [error, size] = co_await socket.async_read_some(unread.prepare(4 << 10), use_tuple);
            if (error)
                co_return;
            unread.commit(size);
        }
        co_await socket.async_wait(Socket::wait_error, use_tuple);
    }

    // Returns whether the connection can be used again.
    template <class Body>
    Task<bool> send(http::response<Body> response, bool is_head = false) {
        response.keep_alive(keep_alive);
        response.prepare_payload();
        http::response_serializer<Body> serializer{response};
        error_code error;
        if (is_head)
            std::tie(error, std::ignore) = co_await http::async_write_header(socket, serializer, use_tuple);
        else
            std::tie(error, std::ignore) = co_await http::async_write(socket, serializer, use_tuple);
        co_return !error && keep_alive;
    }

    Task<bool> send(http::status status, std::string_view type, std::string body, bool is_head = false) {
        http::response<http::string_body> response{status, 11, std::move(body)};
        response.set(http::field::content_type, type);
        return send(std::move(response), is_head);
    }
};

// A Service answers the requests of one thread, by
//   Task<bool> answer(Client &, const Request &)
// which returns whether the connection can be used again.
template <class Service>
class Worker {
public:
    explicit Worker(std::uint64_t body_limit) : body_limit(body_limit) {}

    asio::io_context context{1};

    Task<void> serve(Socket socket) {
        Client client{std::move(socket)};
        error_code ignored;  // the client may have left
        client.socket.set_option(tcp::no_delay{true}, ignored);
        while (!stopping && co_await serve_one(client)) {
        }
        // To close with something unread would reset the connection.
        // https://www.rfc-editor.org/rfc/rfc9112#section-9.6
        client.socket.shutdown(Socket::shutdown_send, ignored);
        client.has_head = false;
        client.unread.clear();
        reading.insert(&client);
        char rest[4 << 10];
        for (bool open = !stopping; open;) {
            auto [error, size] = co_await client.socket.async_read_some(asio::buffer(rest), use_tuple);
            open = !error;
        }
        has_read(client);
    }

    // Open requests are answered. One that has begun may take 5 s to arrive.
    void stop() {
        stopping = true;
        work.reset();
        if (reading.empty())
            return;
        for (Client* client : reading)
            if (!client->has_head && client->unread.size() == 0)
                client->socket.cancel();
        patience.expires_after(std::chrono::seconds{5});
        patience.async_wait([this](error_code) {
            for (Client* client : reading)
                client->socket.cancel();
        });
    }

private:
    std::uint64_t body_limit;  // bytes
    asio::executor_work_guard<Executor> work{context.get_executor()};
    asio::steady_timer patience{context};
    Service service{context};
    std::set<Client*> reading;
    bool stopping = false;

    void has_read(Client& client) {
        reading.erase(&client);
        if (stopping && reading.empty())
            patience.cancel();
    }

    Task<bool> serve_one(Client& client) {
        http::request_parser<http::string_body> parser;
        parser.body_limit(body_limit);
        error_code error = co_await read(client, parser);
        if (error == http::error::end_of_stream || error == http::error::partial_message ||
            (error && error.category() == asio::error::get_system_category()))
            co_return false;  // the client has left
        client.keep_alive = !error && !stopping && parser.keep_alive();
        if (error == http::error::body_limit)
            co_return co_await client.send(http::status::payload_too_large, "text/plain", "the body is too long");
        if (error || parser.get().version() != 11)
            co_return co_await client.send(http::status::bad_request, "text/plain",
                                           error ? error.message() : "want HTTP/1.1");
        co_return co_await service.answer(client, parser.get());
    }

    Task<error_code> read(Client& client, http::request_parser<http::string_body>& parser) {
        client.has_head = false;
        reading.insert(&client);
        auto [error, size] = co_await http::async_read_header(client.socket, client.unread, parser, use_tuple);
        client.has_head = true;
        if (!error && parser.get()[http::field::expect] == "100-continue") {
            http::response<http::empty_body> go_on{http::status::continue_, 11};
            co_await http::async_write(client.socket, go_on, use_tuple);  // a client that left is seen below
        }
        if (!error && !parser.is_done())
            std::tie(error, size) = co_await http::async_read(client.socket, client.unread, parser, use_tuple);
        has_read(client);
        co_return error;
    }
};

inline std::string variable(const char* name) {
    const char* value = std::getenv(name);
    if (!value)
        throw std::runtime_error{std::string{name} + ": not set"};
    return value;
}

// Serves until SIGTERM or SIGINT. A Service is made for each thread. Returns the status of the process.
template <class Service>
int serve(std::uint64_t body_limit) try {
    std::vector<std::unique_ptr<Worker<Service>>> workers;
    for (unsigned i = 0; i < std::max(1u, std::thread::hardware_concurrency()); i++)
        workers.push_back(std::make_unique<Worker<Service>>(body_limit));
    asio::io_context& first = workers[0]->context;

    const auto port = static_cast<std::uint16_t>(std::stoul(variable("PORT")));
    asio::basic_socket_acceptor<tcp, Executor> acceptor{first, {asio::ip::make_address(variable("HOST")), port}};
    auto accept = [&]() -> Task<void> {
        for (std::size_t i = 0; acceptor.is_open(); i = (i + 1) % workers.size()) {
            Worker<Service>& worker = *workers[i];
            auto [error, socket] = co_await acceptor.async_accept(worker.context, use_tuple);
            if (!error) {
                asio::co_spawn(worker.context, worker.serve(std::move(socket)), asio::detached);
            } else if (acceptor.is_open()) {
                std::cerr << "accept: " << error.message() << '\n';
                asio::steady_timer pause{first, std::chrono::milliseconds{10}};  // out of descriptors
                co_await pause.async_wait(use_tuple);
            }
        }
    };
    asio::co_spawn(first, accept(), asio::detached);

    asio::signal_set signals{first, SIGTERM, SIGINT};
    signals.async_wait([&](error_code, int) {
        acceptor.close();
        for (auto& worker : workers)
            asio::post(worker->context, [&worker] { worker->stop(); });
    });

    std::vector<std::jthread> threads;
    for (auto& worker : workers)
        if (&worker->context != &first)
            threads.emplace_back([&worker] { worker->context.run(); });
    first.run();
    return 0;
} catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
}
