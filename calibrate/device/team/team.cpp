// SPDX-License-Identifier: Apache-2.0
#include "calibrate/device/team/team.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>
#include <system_error>
#include <thread>

#include "base/diagnostic.h"
#include "base/files.h"
#include "calibrate/device/team/packing.h"
#include "calibrate/device/timed_loop.h"

namespace railyard::device {
namespace {

constexpr std::uint32_t greeting = 0x59524431;  // what a railyard process says first
constexpr std::uint32_t most_bytes = 1U << 30U;
constexpr double failing_limit_s = 2;

enum class FrameKind : std::uint32_t { text, failure };

/// What goes before a text: fixed, in the byte order of the machines, which must be one.
struct Frame {
  FrameKind kind = FrameKind::text;
  std::uint32_t bytes = 0;
};

struct Hello {
  std::uint32_t greeting = device::greeting, rank = 0, size = 0, agreed_bytes = 0;
  std::uint64_t token = 0;  // of a meeting file; 0 without one
};

std::span<const std::byte> bytes_of(const std::string& text) { return std::as_bytes(std::span(text)); }
std::span<std::byte> room_of(std::string& text) { return std::as_writable_bytes(std::span(text)); }

void send_frame(const Socket& socket, FrameKind kind, const std::string& text, double limit_s) {
  socket.send(bytes_of_value(Frame{kind, static_cast<std::uint32_t>(text.size())}), limit_s);
  socket.send(bytes_of(text), limit_s);
}

std::string receive_frame(const Socket& socket, double limit_s) {
  Frame frame;
  socket.receive(room_of_value(frame), limit_s);
  if (frame.bytes > most_bytes) throw ConnectionError("the other side is no process of this launch");
  std::string text(frame.bytes, '\0');
  socket.receive(room_of(text), limit_s);
  if (frame.kind == FrameKind::failure) throw TeamError(text);
  return text;
}

/// Throws what a process said before it left; returns where it said nothing.
void heed_parting(const Socket& socket) {
  try {
    while (true) (void)receive_frame(socket, failing_limit_s);
  } catch (const ConnectionError&) {
    return;
  }
}

std::string ranks_text(const std::vector<int>& ranks) {
  constexpr std::size_t most = 8;
  std::string text;
  for (std::size_t i = 0; i < std::min(ranks.size(), most); ++i) {
    text += (i > 0 ? ", " : "") + std::to_string(ranks[i]);
  }
  return ranks.size() > most ? fmt::format("{} and {} more", text, ranks.size() - most) : text;
}

/// A file of rank 0: its port, a number that no older file has, and its addresses. Removed when the meeting is over.
class MeetingFile {
 public:
  MeetingFile(std::filesystem::path path, int port) : path_(std::move(path)) {
    std::random_device random;
    token_ = (static_cast<std::uint64_t>(random()) << 32U | random()) | 1U;
    std::string text = fmt::format("{} {}", port, token_);
    for (const std::string& each : own_addresses()) text += " " + each;
    std::error_code error;
    const std::filesystem::path folder = path_.parent_path();
    if (!std::filesystem::is_directory(folder, error)) {
      throw TeamError(fmt::format("'{}' cannot be written: there is no folder '{}'", path_.string(), folder.string()));
    }
    try {
      write_files(folder, {{path_.filename().string(), text + "\n"}});  // whole or not there
    } catch (const EnvironmentError& reason) {
      throw TeamError(reason.what());
    }
  }
  MeetingFile(const MeetingFile&) = delete;
  MeetingFile& operator=(const MeetingFile&) = delete;
  ~MeetingFile() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }
  [[nodiscard]] std::uint64_t token() const { return token_; }

 private:
  std::filesystem::path path_;
  std::uint64_t token_ = 0;
};

}  // namespace

Team::Team(const LaunchPlace& place, const MeetingPlace& meeting, const std::string& agreed, double limit_s)
    : rank_(place.rank), size_(place.size) {
  if (size_ == 1) return;
  try {
    root() ? welcome(meeting, agreed, limit_s) : arrive(meeting, agreed, limit_s);
  } catch (const ConnectionError& error) {
    throw TeamError(fmt::format("rank {} of {}: {}", rank_, size_, error.what()));
  }
}

void Team::welcome(const MeetingPlace& meeting, const std::string& agreed, double limit_s) {
  const Listener listener(meeting.port);
  std::optional<MeetingFile> file;
  if (!meeting.file.empty()) file.emplace(meeting.file, listener.port());
  others_.resize(static_cast<std::size_t>(size_));
  const double end = steady_seconds() + limit_s;
  std::string wrong;
  for (int met = 1; met < size_;) {
    Socket socket;
    Hello hello;
    std::string theirs;
    try {
      socket = listener.accept(std::max(0.001, end - steady_seconds()));
    } catch (const ConnectionError&) {
      std::vector<int> missing;
      for (int each = 1; each < size_; ++each) {
        if (!others_[static_cast<std::size_t>(each)].open()) missing.push_back(each);
      }
      const std::string reason = fmt::format("after {:.0f} s {} of {} processes are missing: rank {}", limit_s,
                                             missing.size(), size_, ranks_text(missing));
      fail(reason);
      throw TeamError(reason);
    }
    try {  // whoever else knocks at the port is turned away
      socket.receive(room_of_value(hello), failing_limit_s);
      if (hello.greeting != greeting || hello.agreed_bytes > most_bytes) continue;
      if (hello.token != (file ? file->token() : 0)) continue;
      theirs.resize(hello.agreed_bytes);
      socket.receive(room_of(theirs), failing_limit_s);
    } catch (const ConnectionError&) {
      continue;
    }
    const auto at = static_cast<std::size_t>(hello.rank);
    if (hello.rank == 0 || hello.rank >= hello.size || static_cast<int>(hello.size) != size_) {
      wrong = fmt::format("a process came as rank {} of {} to a launch of {}", hello.rank, hello.size, size_);
    } else if (others_[at].open()) {
      wrong = fmt::format("two processes came as rank {}", hello.rank);
    } else if (theirs != agreed) {
      wrong = fmt::format("rank {} was started otherwise than rank 0: {} instead of {}", hello.rank, theirs, agreed);
    }
    if (!wrong.empty()) {
      others_.push_back(std::move(socket));
      fail(wrong);
      throw TeamError(wrong);
    }
    others_[at] = std::move(socket);
    ++met;
  }
  (void)tell("met");
}

void Team::arrive(const MeetingPlace& meeting, const std::string& agreed, double limit_s) {
  const double end = steady_seconds() + limit_s;
  Hello hello;
  hello.rank = static_cast<std::uint32_t>(rank_);
  hello.size = static_cast<std::uint32_t>(size_);
  hello.agreed_bytes = static_cast<std::uint32_t>(agreed.size());
  const auto greet = [&](Socket socket) {
    socket.send(bytes_of_value(hello), limit_s);
    socket.send(bytes_of(agreed), limit_s);
    others_.clear();
    others_.push_back(std::move(socket));
    if (receive_frame(to(0), std::max(0.001, end - steady_seconds()) + failing_limit_s) != "met") {
      throw ConnectionError("the other side is no process of this launch");
    }
  };
  if (meeting.file.empty()) return greet(connect_to(meeting.host, meeting.port, limit_s));
  // A file of an earlier launch may lie there: whoever does not answer as he should is left, and the file read again.
  constexpr double again_s = 0.2;
  while (true) {
    std::ifstream file(meeting.file);
    int port = 0;
    if (file >> port >> hello.token) {
      for (std::string address; file >> address;) {
        try {
          return greet(connect_to(address, port, 1));
        } catch (const ConnectionError&) {
          continue;
        }
      }
    }
    if (steady_seconds() > end) {
      throw ConnectionError(fmt::format("'{}' leads to nobody after {:.0f} s", meeting.file, limit_s));
    }
    std::this_thread::sleep_for(std::chrono::duration<double>(again_s));
  }
}

const Socket& Team::to(int rank) const { return root() ? others_.at(static_cast<std::size_t>(rank)) : others_.at(0); }

void Team::send(int rank, const std::string& text) const {
  try {
    send_frame(to(rank), FrameKind::text, text, no_limit_s);
  } catch (const ConnectionError& error) {
    heed_parting(to(rank));
    throw TeamError(fmt::format("rank {} is lost: {}", rank, error.what()));
  }
}

std::string Team::receive(int rank) const {
  try {
    return receive_frame(to(rank), no_limit_s);
  } catch (const ConnectionError& error) {
    throw TeamError(fmt::format("rank {} is lost: {}", rank, error.what()));
  }
}

std::vector<std::string> Team::gather(const std::string& text) const {
  if (!root()) {
    send(0, text);
    return {};
  }
  std::vector<std::string> all{text};
  for (int rank = 1; rank < size_; ++rank) all.push_back(receive(rank));
  return all;
}

std::string Team::tell(const std::string& text) const {
  if (!root()) return receive(0);
  for (int rank = 1; rank < size_; ++rank) send(rank, text);
  return text;
}

std::vector<std::string> Team::gather_all(const std::string& text) const {
  std::string joined;
  for (const std::string& each : gather(text)) {
    const std::uint64_t bytes = each.size();
    joined.append(reinterpret_cast<const char*>(&bytes), sizeof bytes);
    joined += each;
  }
  joined = tell(joined);
  std::vector<std::string> all;
  for (std::size_t at = 0; at < joined.size();) {
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, joined.data() + at, sizeof bytes);
    all.push_back(joined.substr(at + sizeof bytes, bytes));
    at += sizeof bytes + bytes;
  }
  return all;
}

double Team::largest(double value) const {
  double most = value;
  for (const std::string& each : gather(packed(value))) most = std::max(most, unpacked<double>(each));
  return unpacked<double>(tell(packed(most)));
}

void Team::fail(const std::string& reason) const noexcept {
  for (const Socket& each : others_) {
    try {
      if (each.open()) send_frame(each, FrameKind::failure, reason, failing_limit_s);
    } catch (const std::exception&) {  // it is gone already
      continue;
    }
  }
}

}  // namespace railyard::device
