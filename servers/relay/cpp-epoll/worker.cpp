#include "worker.hpp"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <system_error>

#include "json.hpp"

namespace {

constexpr std::size_t longest_body = 16 << 20;  // of a request, in bytes
constexpr std::size_t most_unread = 64 << 10;   // of requests that wait for the answer before them, in bytes

// Returns what a call of the system returned, or throws its error.
int checked(int result, const char* call) {
    if (result < 0)
        throw std::system_error{errno, std::system_category(), call};
    return result;
}

void set_nodelay(int fd) {
    const int on = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);  // fails where the peer has left, which a read finds
}

}  // namespace

Peer::~Peer() {
    ::close(fd);
}

void Peer::send() {
    while (!out.empty()) {
        const ssize_t size = ::send(fd, out.data(), out.size(), MSG_NOSIGNAL);
        if (size < 0 && (errno == EAGAIN || errno == ENOTCONN))
            return;
        out.erase(0, checked(static_cast<int>(size), "send"));
    }
}

bool Peer::receive() {
    std::array<char, 16 << 10> buffer;
    const ssize_t size = recv(fd, buffer.data(), buffer.size(), 0);
    if (size < 0 && errno == EAGAIN)
        return true;
    in.append(buffer.data(), checked(static_cast<int>(size), "recv"));
    return size > 0;
}

Worker::Worker(const Target& target) : target(target), epoll(checked(epoll_create1(EPOLL_CLOEXEC), "epoll")) {
    checked(pipe(inbox), "pipe");
    epoll_event event{EPOLLIN, {nullptr}};
    checked(epoll_ctl(epoll, EPOLL_CTL_ADD, inbox[0], &event), "epoll_ctl");
}

void Worker::hand(int fd) {
    checked(static_cast<int>(write(inbox[1], &fd, sizeof fd)), "write");
}

void Worker::run() {
    std::array<epoll_event, 64> events;
    while (!stopping || clients > 0) {
        const int count = epoll_wait(epoll, events.data(), events.size(), -1);
        for (int i = 0; i < count; i++) {
            auto* peer = static_cast<Peer*>(events[i].data.ptr);
            if (!peer)
                take_inbox();
            else if (!peers.contains(peer))
                continue;  // closed in this turn
            else if (peer->is_client)
                on_client(static_cast<Client&>(*peer), events[i].events);
            else
                on_upstream(static_cast<Upstream&>(*peer), events[i].events);
        }
        closed.clear();
    }
}

void Worker::take_inbox() {
    int fd;
    checked(static_cast<int>(read(inbox[0], &fd, sizeof fd)), "read");
    if (fd >= 0) {
        set_nodelay(fd);
        clients++;
        add(std::make_unique<Client>(fd), EPOLLIN | EPOLLRDHUP);
        return;
    }
    stopping = true;
    std::vector<Client*> waiting;
    for (const auto& [peer, _] : peers)
        if (peer->is_client && static_cast<Client*>(peer)->state != Client::State::relaying)
            waiting.push_back(static_cast<Client*>(peer));
    for (Client* client : waiting) {
        client->state = Client::State::leaving;
        flush(*client);
    }
}

void Worker::on_client(Client& client, std::uint32_t events) {
    try {
        if (events & EPOLLOUT)
            flush(client);
        const bool has_left = events & (EPOLLRDHUP | EPOLLHUP | EPOLLERR) && !(events & EPOLLIN);
        if (has_left || (events & EPOLLIN && !client.receive()))
            return close_client(client);
        if (client.state == Client::State::leaving)
            client.in.clear();
        else
            read_requests(client);
    } catch (const std::system_error&) {
        close_client(client);  // it has left
    }
}

// Answers the requests that have arrived, one after another.
void Worker::read_requests(Client& client) {
    try {
        while (peers.contains(&client) && client.state == Client::State::reading && client.out.size() < most_unread &&
               read_request(client))
            answer(client);
    } catch (const Malformed& error) {
        client.is_last = true;
        reply(client, "400 Bad Request", error.what());
    }
    if (!peers.contains(&client))
        return;  // it has left
    const bool is_busy = client.state == Client::State::relaying || client.out.size() >= most_unread;
    const bool is_full = is_busy && client.in.size() > most_unread;
    watch(client, (client.events & ~EPOLLIN) | (is_full ? 0u : static_cast<std::uint32_t>(EPOLLIN)));
}

// Returns whether a request has arrived whole.
bool Worker::read_request(Client& client) {
    if (!client.has_head) {
        auto head = take_head(client.in);
        if (!head)
            return false;
        client.head = std::move(*head);
        client.body = Body{client.head, true};
        client.request.clear();
        client.has_head = true;
        client.is_last = client.head.is_last();
        if (client.head.field("expect") == "100-continue") {
            client.out += "HTTP/1.1 100 Continue\r\n\r\n";
            flush(client);
            if (!peers.contains(&client))
                return false;  // it has left
        }
    }
    client.body.take(client.in, client.request);
    if (client.request.size() > longest_body)
        throw Malformed{"the body is longer than 16 MiB"};
    client.has_head = !client.body.is_done();
    return client.body.is_done();
}

void Worker::answer(Client& client) {
    const std::string_view line = client.head.line();
    const std::string_view method = line.substr(0, line.find(' '));
    std::string_view path = line.substr(std::min(method.size() + 1, line.size()));
    path = path.substr(0, path.find_first_of(" ?"));
    if (!line.ends_with(" HTTP/1.1"))
        return reply(client, "505 HTTP Version Not Supported", "want HTTP/1.1");
    if (path == "/healthz" && method == "GET") {
        client.out += "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";
        return flush(client);
    }
    if (path == "/healthz")
        return reply(client, "405 Method Not Allowed\r\nAllow: GET", "want GET");
    if (path != "/chat")
        return reply(client, "404 Not Found", "no such path");
    if (method != "POST")
        return reply(client, "405 Method Not Allowed\r\nAllow: POST", "want POST");
    const auto message = message_of(client.request);
    if (!message)
        return reply(client, "400 Bad Request", R"(want {"message": "..."})");

    std::string body = R"({"model":"stub","stream":true,"messages":[{"role":"user","content":)";
    body.append(*message).append("}]}");
    client.question = "POST " + target.path + " HTTP/1.1\r\nHost: " + target.host +
                      "\r\nContent-Type: application/json\r\nContent-Length: " + std::to_string(body.size()) +
                      "\r\n\r\n" + body;
    client.state = Client::State::relaying;
    ask(client);
}

void Worker::ask(Client& client) {
    if (idle.empty())
        return connect(client);
    Upstream& upstream = *idle.back();
    idle.pop_back();
    upstream.client = &client;
    upstream.is_reused = true;
    upstream.has_head = false;
    client.upstream = &upstream;
    upstream.out = client.question;
    try {
        upstream.send();
        watch(upstream, EPOLLIN | (upstream.out.empty() ? 0u : static_cast<std::uint32_t>(EPOLLOUT)));
    } catch (const std::system_error& error) {
        lose_upstream(upstream, error.what());
    }
}

void Worker::connect(Client& client) {
    const int fd = socket(target.address.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0) {
        client.state = Client::State::reading;
        return reply(client, "503 Service Unavailable", "out of sockets");
    }
    auto upstream = std::make_unique<Upstream>(fd);
    set_nodelay(fd);
    // It is in progress, or an event says that it failed.
    (void)::connect(fd, reinterpret_cast<const sockaddr*>(&target.address), target.address_size);
    upstream->client = &client;
    upstream->out = client.question;
    client.upstream = upstream.get();
    add(std::move(upstream), EPOLLIN | EPOLLOUT);
}

void Worker::on_upstream(Upstream& upstream, std::uint32_t events) {
    if (!upstream.client) {  // the upstream closes an idle connection
        std::erase(idle, &upstream);
        return close(upstream);
    }
    try {
        if (events & EPOLLOUT) {
            upstream.send();
            if (upstream.out.empty())
                watch(upstream, EPOLLIN);
        }
        if (!(events & ~static_cast<std::uint32_t>(EPOLLOUT)))
            return;
        if (upstream.receive())
            read_answer(upstream);
        else if (upstream.has_head && upstream.body.ends_with_connection())
            finish_answer(upstream);
        else
            lose_upstream(upstream, "it ended the connection");
    } catch (const std::system_error& error) {
        lose_upstream(upstream, error.what());
    } catch (const Malformed& error) {
        lose_upstream(upstream, error.what());
    }
}

void Worker::read_answer(Upstream& upstream) {
    while (!upstream.has_head) {
        auto head = take_head(upstream.in);
        if (!head)
            return;
        upstream.head = std::move(*head);
        upstream.has_head = !upstream.head.line().starts_with("HTTP/1.1 1");  // that one only announces it
        if (upstream.has_head)
            start_answer(upstream);
        if (!peers.contains(&upstream))
            return;
    }
    std::string data;
    upstream.body.take(upstream.in, data);
    Client& client = *upstream.client;
    if (!data.empty()) {
        std::array<char, 16> size;
        char* const end = std::to_chars(size.begin(), size.end(), data.size(), 16).ptr;
        client.out.append(size.begin(), end).append("\r\n").append(data).append("\r\n");
    }
    if (upstream.body.is_done())
        finish_answer(upstream);
    else
        flush(client);
}

void Worker::start_answer(Upstream& upstream) {
    Client& client = *upstream.client;
    if (!upstream.head.line().starts_with("HTTP/1.1 200") ||
        !upstream.head.field("content-type").starts_with("text/event-stream"))
        return refuse(upstream, upstream.head.line());
    upstream.body = Body{upstream.head, false};
    client.out +=
        "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-cache\r\n"
        "Transfer-Encoding: chunked\r\nConnection: ";
    client.out += client.is_last || stopping ? "close\r\n\r\n" : "keep-alive\r\n\r\n";
}

void Worker::finish_answer(Upstream& upstream) {
    Client& client = *upstream.client;
    upstream.client = nullptr;
    client.upstream = nullptr;
    client.out += "0\r\n\r\n";
    client.state = client.is_last || stopping ? Client::State::leaving : Client::State::reading;
    if (upstream.body.is_done() && !upstream.head.is_last() && upstream.in.empty())
        idle.push_back(&upstream);
    else
        close(upstream);
    flush(client);
    read_requests(client);
}

void Worker::lose_upstream(Upstream& upstream, const char* why) {
    Client& client = *upstream.client;
    if (upstream.has_head)
        return close_client(client);  // without a last chunk, so it sees that the answer was cut
    if (!upstream.is_reused)
        return refuse(upstream, why);
    // Closed while idle, perhaps; a POST may be repeated that does no harm.
    // https://www.rfc-editor.org/rfc/rfc9110#section-9.2.2
    client.upstream = nullptr;
    close(upstream);
    connect(client);
}

// Answers that the upstream did not.
void Worker::refuse(Upstream& upstream, std::string_view why) {
    Client& client = *upstream.client;
    client.upstream = nullptr;
    client.state = Client::State::reading;
    close(upstream);  // why may be a part of it, and it stays until the end of this turn
    reply(client, "502 Bad Gateway", "upstream: " + std::string{why});
    read_requests(client);
}

void Worker::reply(Client& client, std::string_view status, std::string_view why) {
    const bool is_last = client.is_last || stopping;
    const std::string body = "{\"error\":" + quoted(why) + "}";
    client.out.append("HTTP/1.1 ").append(status).append("\r\nContent-Type: application/json\r\nContent-Length: ");
    client.out.append(std::to_string(body.size())).append("\r\nConnection: ").append(is_last ? "close" : "keep-alive");
    client.out.append("\r\n\r\n").append(body);
    if (is_last)
        client.state = Client::State::leaving;
    flush(client);
}

// Sends what is left for a client. While something is left, its upstream is not read.
void Worker::flush(Client& client) {
    try {
        client.send();
    } catch (const std::system_error&) {
        return close_client(client);  // it has left
    }
    const bool is_stalled = !client.out.empty();
    watch(client, is_stalled ? client.events | EPOLLOUT : client.events & ~EPOLLOUT);
    if (client.upstream && client.upstream->out.empty())
        watch(*client.upstream, is_stalled ? 0u : static_cast<std::uint32_t>(EPOLLIN));
    // To close with something unread would reset the connection.
    // https://www.rfc-editor.org/rfc/rfc9112#section-9.6
    if (client.state == Client::State::leaving && !is_stalled && (stopping || shutdown(client.fd, SHUT_WR) < 0))
        close_client(client);
}

void Worker::watch(Peer& peer, std::uint32_t events) {
    if (peer.events == events)
        return;
    peer.events = events;
    epoll_event event{events, {&peer}};
    checked(epoll_ctl(epoll, EPOLL_CTL_MOD, peer.fd, &event), "epoll_ctl");
}

void Worker::add(std::unique_ptr<Peer> peer, std::uint32_t events) {
    peer->events = events;
    epoll_event event{events, {peer.get()}};
    checked(epoll_ctl(epoll, EPOLL_CTL_ADD, peer->fd, &event), "epoll_ctl");
    peers.emplace(peer.get(), std::move(peer));
}

void Worker::close(Peer& peer) {
    const auto found = peers.find(&peer);
    epoll_ctl(epoll, EPOLL_CTL_DEL, peer.fd, nullptr);  // closing it would do the same, at the end of this turn
    closed.push_back(std::move(found->second));
    peers.erase(found);
}

void Worker::close_client(Client& client) {
    if (!peers.contains(&client))
        return;
    if (client.upstream)
        close(*client.upstream);
    clients--;
    close(client);
}
