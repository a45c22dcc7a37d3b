// A thread that answers clients, with an epoll instance of its own.
#pragma once

#include <sys/socket.h>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "http.hpp"

// Where the upstream is, and which requests it gets.
struct Target {
    sockaddr_storage address;
    socklen_t address_size;
    std::string host;  // with its port
    std::string path;
};

// An open socket, and what could not be sent yet.
struct Peer {
    int fd;
    bool is_client;
    std::uint32_t events = 0;  // that epoll waits for
    std::string in, out;

    Peer(int fd, bool is_client) : fd(fd), is_client(is_client) {}
    Peer(const Peer&) = delete;
    virtual ~Peer();

    void send();     // Throws std::system_error if the connection is lost.
    bool receive();  // Returns false at the end of the connection. Throws std::system_error if it is lost.
};

struct Upstream;

struct Client : Peer {
    enum class State { reading, relaying, leaving };
    State state = State::reading;
    bool has_head = false;
    bool is_last = false;  // the connection ends after this request
    Head head;             // of the request
    Body body;
    std::string request;           // what has come of its body
    std::string question;          // what the upstream is asked
    Upstream* upstream = nullptr;  // while relaying

    explicit Client(int fd) : Peer(fd, true) {}
};

// A connection to the upstream.
struct Upstream : Peer {
    Client* client = nullptr;  // none while idle
    bool is_reused = false;
    bool has_head = false;
    Head head;  // of the answer
    Body body;

    explicit Upstream(int fd) : Peer(fd, false) {}
};

class Worker {
public:
    explicit Worker(const Target& target);

    // Hands over the socket of a client, or -1 to stop: open requests are answered first. Any thread may call it.
    void hand(int fd);
    void run();  // until it is stopped

private:
    const Target& target;
    int epoll, inbox[2];
    bool stopping = false;
    std::unordered_map<Peer*, std::unique_ptr<Peer>> peers;
    std::vector<std::unique_ptr<Peer>> closed;  // events of this turn may still name them
    std::vector<Upstream*> idle;
    std::size_t clients = 0;

    void take_inbox();
    void on_client(Client& client, std::uint32_t events);
    void on_upstream(Upstream& upstream, std::uint32_t events);
    void read_requests(Client& client);
    bool read_request(Client& client);
    void answer(Client& client);
    void ask(Client& client);
    void connect(Client& client);
    void read_answer(Upstream& upstream);
    void start_answer(Upstream& upstream);
    void finish_answer(Upstream& upstream);
    void lose_upstream(Upstream& upstream, const char* why);
    void refuse(Upstream& upstream, std::string_view why);
    void reply(Client& client, std::string_view status, std::string_view why);
    void flush(Client& client);
    void watch(Peer& peer, std::uint32_t events);
    void add(std::unique_ptr<Peer> peer, std::uint32_t events);
    void close(Peer& peer);
    void close_client(Client& client);
};
