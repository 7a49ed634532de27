// SPDX-License-Identifier: Apache-2.0
// Connections between processes: TCP over IPv4, with a time limit on everything that waits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "calibrate/device/device.h"

namespace railyard::device {

/// The other side cannot be reached, has gone, or is silent.
class ConnectionError : public DeviceError {
 public:
  using DeviceError::DeviceError;
};

/// Waiting has no end: for work of unknown length, while the connection lives.
inline constexpr double no_limit_s = -1;

class Socket {
 public:
  Socket() = default;
  explicit Socket(int handle) : handle_(handle) {}
  Socket(Socket&& other) noexcept;
  Socket& operator=(Socket&& other) noexcept;
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;
  ~Socket();

  [[nodiscard]] bool open() const { return handle_ >= 0; }
  [[nodiscard]] int handle() const { return handle_; }
  /// All of `bytes`. Throw ConnectionError.
  void send(std::span<const std::byte> bytes, double limit_s = no_limit_s) const;
  void receive(std::span<std::byte> bytes, double limit_s = no_limit_s) const;

 private:
  int handle_ = -1;
};

class Listener {
 public:
  /// Port 0: the system chooses one. Throws ConnectionError when the port is taken.
  explicit Listener(int port);
  [[nodiscard]] int port() const { return port_; }
  [[nodiscard]] Socket accept(double limit_s) const;

 private:
  Socket socket_;
  int port_ = 0;
};

/// Tries again until it is there or the time is over.
[[nodiscard]] Socket connect_to(const std::string& host, int port, double limit_s);

/// Addresses of this machine, numbers with dots: those others may reach first, 127.0.0.1 last.
[[nodiscard]] std::vector<std::string> own_addresses();

/// Sends to one and receives from the other at the same time, so that a ring of processes does not wait for itself.
void exchange(const Socket& to, std::span<const std::byte> out, const Socket& from, std::span<std::byte> in);

}  // namespace railyard::device
