// SPDX-License-Identifier: Apache-2.0
#include "sim/network/flow/fluid.h"

#include <algorithm>
#include <cassert>
#include <functional>
#include <queue>
#include <utility>

#include "base/diagnostic.h"
#include "base/index.h"
#include "sim/network/flow/live_rates.h"

namespace railyard {
namespace {

// Events closer than this share of the time are one: flows that end together by symmetry differ by rounding.
constexpr double together = 1e-12;

struct Event {
  double time = 0;
  int index = 0;              // a flow that sends its first byte, or flows + a group whose next flow is through
  std::uint32_t version = 0;  // of the group's rate; an event of an older one is void
  bool operator>(const Event& other) const { return time > other.time || (time == other.time && index > other.index); }
};

/// Flows of a group that are under way: they advance together, each until its own goal.
struct Progress {
  struct Goal {
    double bytes = 0;
    int flow = 0;
    bool operator>(const Goal& other) const {
      return bytes > other.bytes || (bytes == other.bytes && flow > other.flow);
    }
  };
  double served = 0;  // bytes to each flow that has been there since the group was last empty
  double since = 0;   // time at which that was so
  double rate = 0;
  double carried = 0;  // bytes of all flows
  std::uint32_t version = 0;
  std::priority_queue<Goal, std::vector<Goal>, std::greater<>> goals;
};

class Run {
 public:
  Run(const FlowSet& flows, std::span<const double> capacities, std::span<const Transfer> transfers,
      std::span<const Dependency> dependencies)
      : flows_(flows),
        transfers_(transfers),
        rates_(flows, capacities),
        progress_(rates_.groups().first_flows.size()),
        waits_(transfers.size(), 0),
        first_after_(transfers.size() + 1, 0),
        after_(dependencies.size()) {
    assert(at(flows.size()) == transfers.size());
    for (const Dependency& dependency : dependencies) {
      ++first_after_[at(dependency.first) + 1];
      ++waits_[at(dependency.then)];
    }
    for (std::size_t i = 0; i < transfers.size(); ++i) first_after_[i + 1] += first_after_[i];
    std::vector<std::size_t> next(first_after_.begin(), first_after_.end() - 1);
    for (const Dependency& dependency : dependencies) after_[next[at(dependency.first)]++] = dependency.then;
    refuse_circles();
    result_.arrivals.assign(transfers.size(), unlimited);
    result_.bottlenecks.assign(transfers.size(), no_resource);
    result_.carried.assign(capacities.size(), 0);
  }

  FluidResult finish() && {
    for (int flow = 0; flow < flows_.size(); ++flow) {
      if (waits_[at(flow)] == 0) start(flow, 0);
    }
    while (!events_.empty()) {
      const double now = events_.top().time;
      while (!events_.empty() && events_.top().time <= now * (1 + together)) {
        const Event event = events_.top();
        events_.pop();
        handle(event, now);
      }
      settle(now);
    }
    for (std::size_t group = 0; group < progress_.size(); ++group) {
      flows_.for_each_use(rates_.groups().first_flows[group], [&](ResourceId id, double fraction) {
        result_.carried[id] += progress_[group].carried * fraction;
      });
    }
    for (const double arrival : result_.arrivals) result_.end = std::max(result_.end, arrival);
    return std::move(result_);
  }

 private:
  [[nodiscard]] std::span<const int> after(int flow) const {
    return std::span(after_).subspan(first_after_[at(flow)], first_after_[at(flow) + 1] - first_after_[at(flow)]);
  }

  void refuse_circles() const {
    std::vector<int> left = waits_, ready;
    for (int flow = 0; flow < flows_.size(); ++flow) {
      if (left[at(flow)] == 0) ready.push_back(flow);
    }
    for (std::size_t i = 0; i < ready.size(); ++i) {
      for (const int then : after(ready[i])) {
        if (--left[at(then)] == 0) ready.push_back(then);
      }
    }
    if (ready.size() < left.size()) {
      const auto stuck = std::ranges::find_if(left, [](int waits) { return waits > 0; }) - left.begin();
      throw InputError("flow " + std::to_string(stuck) + " waits, directly or not, for flows that wait in a circle",
                       "dependencies without a circle");
    }
  }

  void start(int flow, double now) {
    const Transfer& transfer = transfers_[at(flow)];
    events_.push({std::max(transfer.start, now) + transfer.latency, flow, 0});
  }

  void arrive(int flow, double now, ResourceId bottleneck) {
    result_.arrivals[at(flow)] = now;
    result_.bottlenecks[at(flow)] = bottleneck;
    for (const int then : after(flow)) {
      if (--waits_[at(then)] == 0) start(then, now);
    }
  }

  void handle(const Event& event, double now) {
    if (event.index < flows_.size()) {
      const double bytes = transfers_[at(event.index)].bytes;
      if (bytes == 0) return arrive(event.index, now, no_resource);
      const int group = rates_.group_of(event.index);
      Progress& progress = progress_[at(group)];
      advance(progress, now);
      progress.goals.push({progress.served + bytes, event.index});
      rates_.set_count(group, static_cast<int>(progress.goals.size()));
      return;
    }
    const int group = event.index - flows_.size();
    Progress& progress = progress_[at(group)];
    if (event.version == progress.version) serve_to(group, progress.goals.top().bytes, now);
  }

  /// All flows of the group whose goal is reached when `served` bytes have been sent to each.
  void serve_to(int group, double served, double now) {
    Progress& progress = progress_[at(group)];
    progress.carried += static_cast<double>(progress.goals.size()) * (served - progress.served);
    progress.served = served;
    progress.since = now;
    const ResourceId bottleneck = rates_.bottleneck(group);
    while (!progress.goals.empty() && progress.goals.top().bytes <= served * (1 + together)) {
      arrive(progress.goals.top().flow, now, bottleneck);
      progress.goals.pop();
    }
    ++progress.version;
    rates_.set_count(group, static_cast<int>(progress.goals.size()));
  }

  static void advance(Progress& progress, double now) {
    if (progress.goals.empty()) {
      progress.served = 0;
    } else if (now > progress.since) {
      const double sent = progress.rate * (now - progress.since);
      progress.served += sent;
      progress.carried += sent * static_cast<double>(progress.goals.size());
    }
    progress.since = now;
  }

  void settle(double now) {
    const std::span<const int> solved = rates_.settle();
    if (!solved.empty()) ++result_.solves;
    for (const int group : solved) {
      Progress& progress = progress_[at(group)];
      advance(progress, now);
      progress.rate = rates_.rate(group);
      ++progress.version;
      if (progress.rate == 0) continue;
      const double left =
          progress.rate == unlimited ? 0 : (progress.goals.top().bytes - progress.served) / progress.rate;
      events_.push({now + std::max(left, 0.0), flows_.size() + group, progress.version});
    }
  }

  const FlowSet& flows_;
  std::span<const Transfer> transfers_;
  LiveRates rates_;
  std::vector<Progress> progress_;  // by group
  std::vector<int> waits_;          // by flow: arrivals that it still waits for
  std::vector<std::size_t> first_after_;
  std::vector<int> after_;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  FluidResult result_;
};

}  // namespace

double FluidResult::utilisation(ResourceId resource, double capacity) const {
  return end > 0 && capacity > 0 ? carried[resource] / (capacity * end) : 0;
}

FluidResult simulate_flows(const FlowSet& flows, std::span<const double> capacities,
                           std::span<const Transfer> transfers, std::span<const Dependency> dependencies) {
  return Run(flows, capacities, transfers, dependencies).finish();
}

}  // namespace railyard
