// loop/cpp: the simplest C++ program that relays a stream: a thread for each core with an epoll instance, copying the
// upstream's bytes as they are, one write per read.
//
// It is the floor against which a C++ server's CPU time per stream is held, not a server to compare with. It leaves out
// what a server owes: it believes every request and answer to be well-formed and to arrive in one piece, every answer
// to be chunked without trailers, and no request to come before the answer to the one before it. It answers no error,
// waits for a client that does not read, and ends at once on SIGTERM.

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace {

constexpr std::string_view body_end = "\r\n0\r\n\r\n";  // the last data's line end, and the empty chunk

std::string stub_host, stub_path;  // 127.0.0.1:PORT, and what follows

sockaddr_in address_of(std::string_view port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(static_cast<std::uint16_t>(std::atoi(std::string{port}.c_str())));
    return address;
}

void set_nodelay(int fd) {
    const int on = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

// A client, or the connection to the upstream that answers it.
struct Peer {
    int fd;
    bool is_client;
    Peer* other = nullptr;
    std::string kept{};  // the last bytes of the answer, so that its end is found however it is split
};

struct Worker {
    int epoll = epoll_create1(0);
    std::vector<Peer*> idle{};  // connections to the upstream

    void watch(Peer* peer) {
        epoll_event event{EPOLLIN, {peer}};
        epoll_ctl(epoll, EPOLL_CTL_ADD, peer->fd, &event);
    }

    void run() {
        std::array<epoll_event, 64> events;
        for (;;) {
            const int count = epoll_wait(epoll, events.data(), events.size(), -1);
            for (int i = 0; i < count; i++) {
                auto* peer = static_cast<Peer*>(events[i].data.ptr);
                std::array<char, 8 << 10> buffer;
                const ssize_t size = read(peer->fd, buffer.data(), buffer.size());
                if (size <= 0)
                    epoll_ctl(epoll, EPOLL_CTL_DEL, peer->fd, nullptr), shutdown(peer->fd, SHUT_RDWR);
                else if (peer->is_client)
                    ask(peer, {buffer.data(), static_cast<std::size_t>(size)});
                else
                    relay(peer, {buffer.data(), static_cast<std::size_t>(size)});
            }
        }
    }

    void ask(Peer* client, std::string_view request) {
        if (!request.starts_with("POST")) {
            write_all(client, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");  // GET /healthz
            return;
        }
        // {"message":TEXT}: the text is JSON there as it is here, and so is the brace.
        const std::string_view body = request.substr(request.find("\r\n\r\n") + 4);
        std::string question = R"({"model":"stub","stream":true,"messages":[{"role":"user","content":)";
        question.append(body.substr(body.find(':') + 1)).append("]}");
        if (idle.empty())
            dial();
        Peer* upstream = idle.back();
        idle.pop_back();
        upstream->other = client;
        upstream->kept.assign(body_end.size(), '\0');
        write_all(upstream, "POST " + stub_path + "/chat/completions HTTP/1.1\r\nHost: " + stub_host +
                                "\r\nContent-Type: application/json\r\nContent-Length: " +
                                std::to_string(question.size()) + "\r\n\r\n" + question);
    }

    void relay(Peer* upstream, std::string_view bytes) {
        write_all(upstream->other, bytes);
        upstream->kept.append(bytes);
        upstream->kept.erase(0, upstream->kept.size() - body_end.size());
        if (upstream->kept == body_end)
            idle.push_back(upstream);
    }

    void dial() {
        auto* upstream = new Peer{socket(AF_INET, SOCK_STREAM, 0), false};
        const sockaddr_in address = address_of(stub_host.substr(stub_host.rfind(':') + 1));
        connect(upstream->fd, reinterpret_cast<const sockaddr*>(&address), sizeof address);
        set_nodelay(upstream->fd);
        watch(upstream);
        idle.push_back(upstream);
    }

    static void write_all(Peer* peer, std::string_view bytes) {
        send(peer->fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);  // it blocks until all is sent, or the peer has left
    }
};

}  // namespace

int main() {
    const std::string url = std::getenv("STUB_URL") + std::strlen("http://");
    stub_host = url.substr(0, url.find('/'));
    stub_path = url.substr(stub_host.size());
    const int listener = socket(AF_INET, SOCK_STREAM, 0), on = 1;
    const sockaddr_in address = address_of(std::getenv("PORT"));
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (bind(listener, reinterpret_cast<const sockaddr*>(&address), sizeof address) < 0 ||
        listen(listener, SOMAXCONN) < 0)
        return 1;
    std::vector<Worker> workers(std::max(1u, std::thread::hardware_concurrency()));
    for (Worker& worker : workers)
        std::thread{[&worker] { worker.run(); }}.detach();
    for (std::size_t next = 0;; next++) {
        auto* client = new Peer{accept(listener, nullptr, nullptr), true};
        set_nodelay(client->fd);
        workers[next % workers.size()].watch(client);
    }
}
