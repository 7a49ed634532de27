// SPDX-License-Identifier: Apache-2.0
#include "calibrate/device/team/sockets.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>
#include <utility>

#include "calibrate/device/timed_loop.h"

namespace railyard::device {
namespace {

constexpr double retry_s = 0.1;
constexpr int waiting_connections = 1024;

std::string system_text(int code) { return std::strerror(code); }  // NOLINT(concurrency-mt-unsafe): one thread waits

/// Milliseconds for poll until `end`; none: without end.
int left_ms(double limit_s, double end) {
  if (limit_s < 0) return -1;
  return static_cast<int>(std::max(0.0, 1000 * (end - steady_seconds())));
}

void wait_for(int handle, short events, double limit_s, double end, const char* what) {
  pollfd watched{.fd = handle, .events = events, .revents = 0};
  int ready = 0;
  do {
    ready = poll(&watched, 1, left_ms(limit_s, end));
  } while (ready < 0 && errno == EINTR);
  if (ready == 0) throw ConnectionError(fmt::format("{} took more than {:.0f} s", what, limit_s));
  if (ready < 0) throw ConnectionError(fmt::format("{}: {}", what, system_text(errno)));
}

bool again() { return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR; }

/// Small messages at once, a dead machine noticed within minutes, nothing that blocks.
void prepare(int handle) {
  const int on = 1, idle_s = 30, period_s = 10, misses = 6;
  (void)setsockopt(handle, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  (void)setsockopt(handle, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
  (void)setsockopt(handle, IPPROTO_TCP, TCP_KEEPIDLE, &idle_s, sizeof idle_s);
  (void)setsockopt(handle, IPPROTO_TCP, TCP_KEEPINTVL, &period_s, sizeof period_s);
  (void)setsockopt(handle, IPPROTO_TCP, TCP_KEEPCNT, &misses, sizeof misses);
  (void)fcntl(handle, F_SETFL, fcntl(handle, F_GETFL) | O_NONBLOCK);
}

/// Sends what it can; how much.
std::size_t send_some(int handle, std::span<const std::byte> bytes) {
  const ssize_t done = ::send(handle, bytes.data(), bytes.size(), MSG_NOSIGNAL);
  if (done < 0 && !again()) throw ConnectionError("a connection broke: " + system_text(errno));
  return done < 0 ? 0 : static_cast<std::size_t>(done);
}
std::size_t receive_some(int handle, std::span<std::byte> bytes) {
  const ssize_t done = recv(handle, bytes.data(), bytes.size(), 0);
  if (done == 0) throw ConnectionError("a connection was closed by the other side");
  if (done < 0 && !again()) throw ConnectionError("a connection broke: " + system_text(errno));
  return done < 0 ? 0 : static_cast<std::size_t>(done);
}

/// One attempt; nothing when it is refused.
Socket attempt(const sockaddr_in& address, double limit_s, double end) {
  Socket socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!socket.open()) throw ConnectionError("no socket: " + system_text(errno));
  prepare(socket.handle());
  if (connect(socket.handle(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    if (errno != EINPROGRESS) return {};
    wait_for(socket.handle(), POLLOUT, limit_s, end, "connecting");
    int error = 0;
    socklen_t size = sizeof error;
    if (getsockopt(socket.handle(), SOL_SOCKET, SO_ERROR, &error, &size) != 0 || error != 0) return {};
  }
  return socket;
}

sockaddr_in resolved(const std::string& host, int port) {
  addrinfo wanted{};
  wanted.ai_family = AF_INET;
  wanted.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  const int status = getaddrinfo(host.c_str(), nullptr, &wanted, &found);
  if (status != 0 || found == nullptr) {
    throw ConnectionError(fmt::format("'{}' is no host that is known here: {}", host, gai_strerror(status)));
  }
  sockaddr_in address{};
  std::memcpy(&address, found->ai_addr, sizeof address);
  freeaddrinfo(found);
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  return address;
}

}  // namespace

Socket::Socket(Socket&& other) noexcept : handle_(std::exchange(other.handle_, -1)) {}
Socket& Socket::operator=(Socket&& other) noexcept {
  std::swap(handle_, other.handle_);
  return *this;
}
Socket::~Socket() {
  if (handle_ >= 0) (void)close(handle_);
}

void Socket::send(std::span<const std::byte> bytes, double limit_s) const {
  const double end = steady_seconds() + limit_s;
  while (!bytes.empty()) {
    const std::size_t done = send_some(handle_, bytes);
    bytes = bytes.subspan(done);
    if (done == 0) wait_for(handle_, POLLOUT, limit_s, end, "sending");
  }
}

void Socket::receive(std::span<std::byte> bytes, double limit_s) const {
  const double end = steady_seconds() + limit_s;
  while (!bytes.empty()) {
    const std::size_t done = receive_some(handle_, bytes);
    bytes = bytes.subspan(done);
    if (done == 0) wait_for(handle_, POLLIN, limit_s, end, "waiting for an answer");
  }
}

Listener::Listener(int port) : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  if (!socket_.open()) throw ConnectionError("no socket: " + system_text(errno));
  const int on = 1;
  (void)setsockopt(socket_.handle(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_ANY);
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  if (bind(socket_.handle(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
      listen(socket_.handle(), waiting_connections) != 0) {
    throw ConnectionError(fmt::format("port {} cannot be listened on: {}", port, system_text(errno)));
  }
  socklen_t size = sizeof address;
  (void)getsockname(socket_.handle(), reinterpret_cast<sockaddr*>(&address), &size);
  port_ = ntohs(address.sin_port);
}

Socket Listener::accept(double limit_s) const {
  wait_for(socket_.handle(), POLLIN, limit_s, steady_seconds() + limit_s, "waiting for a connection");
  Socket socket(accept4(socket_.handle(), nullptr, nullptr, SOCK_CLOEXEC));
  if (!socket.open()) throw ConnectionError("a connection failed: " + system_text(errno));
  prepare(socket.handle());
  return socket;
}

Socket connect_to(const std::string& host, int port, double limit_s) {
  const double end = steady_seconds() + limit_s;
  const sockaddr_in address = resolved(host, port);
  while (true) {
    Socket socket = attempt(address, limit_s, end);
    if (socket.open()) return socket;
    if (steady_seconds() + retry_s > end) {
      throw ConnectionError(fmt::format("nobody answers at {}:{} after {:.0f} s", host, port, limit_s));
    }
    std::this_thread::sleep_for(std::chrono::duration<double>(retry_s));
  }
}

std::vector<std::string> own_addresses() {
  std::vector<std::string> found;
  ifaddrs* list = nullptr;
  if (getifaddrs(&list) != 0) return {"127.0.0.1"};
  for (const ifaddrs* each = list; each != nullptr; each = each->ifa_next) {
    if (each->ifa_addr == nullptr || each->ifa_addr->sa_family != AF_INET) continue;
    if ((each->ifa_flags & IFF_UP) == 0 || (each->ifa_flags & IFF_LOOPBACK) != 0) continue;
    sockaddr_in address{};
    std::memcpy(&address, each->ifa_addr, sizeof address);
    std::array<char, INET_ADDRSTRLEN> text{};
    if (inet_ntop(AF_INET, &address.sin_addr, text.data(), text.size()) != nullptr) found.emplace_back(text.data());
  }
  freeifaddrs(list);
  found.emplace_back("127.0.0.1");
  return found;
}

void exchange(const Socket& to, std::span<const std::byte> out, const Socket& from, std::span<std::byte> in) {
  while (!out.empty() || !in.empty()) {
    std::size_t done = 0;
    if (!out.empty()) {
      const std::size_t sent = send_some(to.handle(), out);
      out = out.subspan(sent);
      done += sent;
    }
    if (!in.empty()) {
      const std::size_t got = receive_some(from.handle(), in);
      in = in.subspan(got);
      done += got;
    }
    if (done > 0) continue;
    std::array<pollfd, 2> watched{pollfd{.fd = in.empty() ? -1 : from.handle(), .events = POLLIN, .revents = 0},
                                  pollfd{.fd = out.empty() ? -1 : to.handle(), .events = POLLOUT, .revents = 0}};
    if (poll(watched.data(), watched.size(), -1) < 0 && errno != EINTR) {
      throw ConnectionError("an exchange failed: " + system_text(errno));
    }
  }
}

}  // namespace railyard::device
