// SPDX-License-Identifier: Apache-2.0
#include "calibrate/device/host_group.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <sstream>

#include "calibrate/device/team/packing.h"

namespace railyard::device {
namespace {

constexpr double joining_limit_s = 120;
constexpr std::size_t broadcast_chunk = 131072;  // elements: the next rank starts when the first chunk is here

std::span<const std::byte> bytes_of(std::span<const Bf16> elements) { return std::as_bytes(elements); }
std::span<std::byte> room_of(std::span<Bf16> elements) { return std::as_writable_bytes(elements); }

/// Where a rank listens: one of the addresses leads there.
struct Place {
  std::int32_t rank = 0, port = 0;
  std::array<char, 96> addresses{};  // with spaces between
};

std::string address_list(std::size_t most) {
  std::string text;
  for (const std::string& each : own_addresses()) {
    if (text.size() + each.size() + 1 < most) text += (text.empty() ? "" : " ") + each;
  }
  return text;
}

Socket connect_to_any(const std::string& addresses, int port) {
  std::istringstream list(addresses);
  std::string reason;
  for (std::string address; list >> address;) {
    try {
      return connect_to(address, port, list.eof() ? joining_limit_s : 3);
    } catch (const ConnectionError& error) {
      reason = error.what();
    }
  }
  throw ConnectionError(reason.empty() ? "a rank tells no address" : reason);
}

template <class Value>
Value receive_value(const Socket& socket) {
  Value value{};
  socket.receive(room_of_value(value), joining_limit_s);
  return value;
}

}  // namespace

GroupId HostGroup::name_of(const Listener& listener) {
  GroupId id;
  const std::string text = fmt::format("{} {}", listener.port(), address_list(sizeof id.bytes - 8));
  std::memcpy(id.bytes, text.data(), std::min(text.size(), sizeof id.bytes - 1));
  return id;
}

HostGroup::HostGroup(const GroupJoin& join, const Listener* listener) : rank_(join.first_rank), ranks_(join.ranks) {
  peers_.resize(static_cast<std::size_t>(ranks_));
  const Listener own(0);
  Place mine{.rank = rank_, .port = own.port()};
  const std::string addresses = address_list(mine.addresses.size());
  std::copy(addresses.begin(), addresses.end(), mine.addresses.begin());
  std::vector<Place> places(static_cast<std::size_t>(ranks_));
  // Rank 0 learns where everyone listens and tells them; then each rank connects to those before it.
  if (rank_ == 0) {
    for (int met = 1; met < ranks_; ++met) {
      Socket socket = listener->accept(joining_limit_s);
      const auto place = receive_value<Place>(socket);
      if (place.rank <= 0 || place.rank >= ranks_ || peers_[static_cast<std::size_t>(place.rank)].open()) {
        throw ConnectionError(fmt::format("a stranger came to the group as rank {}", place.rank));
      }
      places[static_cast<std::size_t>(place.rank)] = place;
      peers_[static_cast<std::size_t>(place.rank)] = std::move(socket);
    }
    for (int each = 1; each < ranks_; ++each) peer(each).send(std::as_bytes(std::span(places)), joining_limit_s);
    return;
  }
  const std::string name(reinterpret_cast<const char*>(join.id.bytes));
  const std::size_t space = name.find(' ');
  peers_[0] = connect_to_any(name.substr(space + 1), std::stoi(name.substr(0, space)));
  peers_[0].send(bytes_of_value(mine), joining_limit_s);
  peers_[0].receive(std::as_writable_bytes(std::span(places)), joining_limit_s);
  for (int each = 1; each < rank_; ++each) {
    const Place& place = places[static_cast<std::size_t>(each)];
    peers_[static_cast<std::size_t>(each)] = connect_to_any(place.addresses.data(), place.port);
    peer(each).send(bytes_of_value(rank_), joining_limit_s);
  }
  for (int met = rank_ + 1; met < ranks_; ++met) {
    Socket socket = own.accept(joining_limit_s);
    const auto rank = receive_value<int>(socket);
    if (rank <= rank_ || rank >= ranks_) throw ConnectionError("a stranger came to the group");
    peers_[static_cast<std::size_t>(rank)] = std::move(socket);
  }
}

void HostGroup::run(CollectiveKind kind, std::span<const Bf16> from, std::span<Bf16> to) {
  const std::size_t part = from.size() / static_cast<std::size_t>(ranks_);
  if (ranks_ == 1) {
    std::copy(from.begin(), from.end(), to.begin());
    return;
  }
  switch (kind) {
    case CollectiveKind::all_reduce: {
      // A ring that scatters sums and one that gathers them; what does not divide goes with rank 0 last, whole.
      const std::size_t even = part * static_cast<std::size_t>(ranks_);
      if (part > 0) {
        std::vector<Bf16> own(part);
        reduce_scatter(from.first(even), own);
        all_gather(own, to.first(even));
      }
      std::vector<Bf16> rest(from.begin() + static_cast<std::ptrdiff_t>(even), from.end());
      if (rest.empty()) return;
      std::vector<float> sum(rest.size());
      std::vector<Bf16> travelling = rest, got(rest.size());
      std::transform(rest.begin(), rest.end(), sum.begin(), widened);
      for (int step = 1; step < ranks_; ++step) {
        exchange(peer(next()), bytes_of(travelling), peer(before()), room_of(got));
        for (std::size_t i = 0; i < got.size(); ++i) sum[i] += widened(got[i]);
        travelling.swap(got);
      }
      std::transform(sum.begin(), sum.end(), to.begin() + static_cast<std::ptrdiff_t>(even), rounded);
      return;
    }
    case CollectiveKind::all_gather:
      return all_gather(from.first(part), to.first(part * static_cast<std::size_t>(ranks_)));
    case CollectiveKind::reduce_scatter:
      return reduce_scatter(from.first(part * static_cast<std::size_t>(ranks_)), to.first(part));
    case CollectiveKind::all_to_all:
      return all_to_all(from, to);
    case CollectiveKind::broadcast:
      return broadcast(from, to);
  }
}

void HostGroup::reduce_scatter(std::span<const Bf16> from, std::span<Bf16> part) {
  const std::size_t size = part.size();
  const auto share = [&](int rank) { return from.subspan(static_cast<std::size_t>(rank) * size, size); };
  // Each share travels once around, from the rank after its owner to its owner, growing at each.
  sums_.assign(share(before()).begin(), share(before()).end());
  arrived_.resize(size);
  for (int step = 1; step < ranks_; ++step) {
    exchange(peer(next()), bytes_of(sums_), peer(before()), room_of(arrived_));
    const std::span<const Bf16> own = share((rank_ + 2 * ranks_ - 1 - step) % ranks_);
    for (std::size_t i = 0; i < size; ++i) sums_[i] = rounded(widened(arrived_[i]) + widened(own[i]));
  }
  std::copy(sums_.begin(), sums_.end(), part.begin());
}

void HostGroup::all_gather(std::span<const Bf16> part, std::span<Bf16> to) {
  const std::size_t size = part.size();
  const auto place = [&](int rank) { return to.subspan(static_cast<std::size_t>(rank) * size, size); };
  std::copy(part.begin(), part.end(), place(rank_).begin());
  for (int step = 1; step < ranks_; ++step) {
    const int sent = (rank_ + ranks_ - step + 1) % ranks_, got = (rank_ + ranks_ - step) % ranks_;
    exchange(peer(next()), bytes_of(place(sent)), peer(before()), room_of(place(got)));
  }
}

void HostGroup::all_to_all(std::span<const Bf16> from, std::span<Bf16> to) {
  const std::size_t size = from.size() / static_cast<std::size_t>(ranks_);
  const auto at = [&](int rank) { return static_cast<std::size_t>(rank) * size; };
  std::copy_n(from.begin() + static_cast<std::ptrdiff_t>(at(rank_)), size,
              to.begin() + static_cast<std::ptrdiff_t>(at(rank_)));
  for (int step = 1; step < ranks_; ++step) {
    const int target = (rank_ + step) % ranks_, source = (rank_ + ranks_ - step) % ranks_;
    exchange(peer(target), bytes_of(from.subspan(at(target), size)), peer(source),
             room_of(to.subspan(at(source), size)));
  }
}

void HostGroup::broadcast(std::span<const Bf16> from, std::span<Bf16> to) {
  // A chain from rank 0 to the last: while one chunk is passed on, the next one comes.
  const auto chunk = [&](std::size_t at) { return std::min(broadcast_chunk, from.size() - at); };
  if (rank_ == 0) {
    peer(next()).send(bytes_of(from));
    std::copy(from.begin(), from.end(), to.begin());
    return;
  }
  std::size_t held = 0, passed = 0;  // elements
  const bool last = next() == 0;
  while (passed < to.size()) {
    const std::size_t coming = held < to.size() ? chunk(held) : 0;
    const std::span<const Bf16> going = last ? std::span<const Bf16>() : to.subspan(passed, held - passed);
    exchange(peer(last ? before() : next()), bytes_of(going), peer(before()), room_of(to.subspan(held, coming)));
    passed = held;
    held += coming;
  }
}

}  // namespace railyard::device
