// cpp-epoll: Linux and the standard library, a thread for each core. The least that a relay takes in C++.
//
// Idiomatic here: each thread waits for its sockets with epoll, level-triggered, and reads, decodes and sends at once
// what has come. While a client does not read, its upstream is not read either. HTTP and JSON: own code, in http.cpp
// and json.cpp.
//
// Settings that are not the default:
//   - TCP_NODELAY on both sides: Nagle's algorithm holds small events back on a reused connection.
//     https://man7.org/linux/man-pages/man7/tcp.7.html

#include <netdb.h>
#include <poll.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <unistd.h>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <memory>
#include <system_error>
#include <thread>
#include <vector>

#include "worker.hpp"

namespace {

std::string variable(const char* name) {
    const char* value = std::getenv(name);
    if (!value)
        throw std::runtime_error{std::string{name} + ": not set"};
    return value;
}

using Addresses = std::unique_ptr<addrinfo, decltype(&freeaddrinfo)>;

Addresses resolve(const std::string& host, const std::string& port) {
    addrinfo hints{}, *found = nullptr;
    hints.ai_socktype = SOCK_STREAM;
    if (const int error = getaddrinfo(host.c_str(), port.c_str(), &hints, &found))
        throw std::runtime_error{host + ":" + port + ": " + gai_strerror(error)};
    return {found, freeaddrinfo};
}

Target parse_url(std::string url) {
    const std::string scheme = "http://";
    if (!url.starts_with(scheme))
        throw std::runtime_error{"STUB_URL: want http://"};
    url.erase(0, scheme.size());
    Target target{};
    target.host = url.substr(0, url.find('/'));
    target.path = url.substr(target.host.size()) + "/chat/completions";
    const std::size_t colon = target.host.rfind(':');
    const Addresses address = resolve(target.host.substr(0, colon), target.host.substr(colon + 1));
    std::memcpy(&target.address, address->ai_addr, address->ai_addrlen);
    target.address_size = address->ai_addrlen;
    return target;
}

int listen_on(const std::string& host, const std::string& port) {
    const Addresses address = resolve(host, port);
    const int fd = socket(address->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    const int on = 1;
    if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) < 0 ||
        bind(fd, address->ai_addr, address->ai_addrlen) < 0 || listen(fd, SOMAXCONN) < 0)
        throw std::system_error{errno, std::system_category(), "port " + port};
    return fd;
}

void serve() {
    // The threads inherit the mask, so that the signals come to signals alone.
    sigset_t mask;
    sigemptyset(&mask);
    sigaddset(&mask, SIGTERM);
    sigaddset(&mask, SIGINT);
    sigprocmask(SIG_BLOCK, &mask, nullptr);
    const int signals = signalfd(-1, &mask, SFD_CLOEXEC);

    const Target target = parse_url(variable("STUB_URL"));
    const int listener = listen_on(variable("HOST"), variable("PORT"));
    std::vector<std::unique_ptr<Worker>> workers;
    std::vector<std::jthread> threads;
    for (unsigned i = 0; i < std::max(1u, std::thread::hardware_concurrency()); i++) {
        workers.push_back(std::make_unique<Worker>(target));
        threads.emplace_back([worker = workers.back().get()] { worker->run(); });
    }

    pollfd ready[] = {{listener, POLLIN, 0}, {signals, POLLIN, 0}};
    for (std::size_t next = 0; poll(ready, 2, -1) >= 0 && !ready[1].revents;) {
        const int fd = accept4(listener, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (fd >= 0) {
            workers[next++ % workers.size()]->hand(fd);
        } else if (errno != EAGAIN && errno != ECONNABORTED) {
            std::cerr << "accept: " << std::strerror(errno) << '\n';
            usleep(10'000);  // out of descriptors
        }
    }
    close(listener);
    for (auto& worker : workers)
        worker->hand(-1);
}

}  // namespace

int main() {
    try {
        serve();
    } catch (const std::exception& error) {
        std::cerr << error.what() << '\n';
        return 1;
    }
}
