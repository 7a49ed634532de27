// SPDX-License-Identifier: Apache-2.0
// A device with an invented speed and a clock that only moves when something runs: loops are tested without a GPU.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "calibrate/device/device.h"

namespace railyard::device {

class FakeDevice : public Device {
 public:
  FakeDevice() {
    facts_.back_end = "cuda";
    facts_.name = "NVIDIA H200";
    facts_.devices = 1;
    facts_.compute_units = 132;
    facts_.memory_bytes = 150e9;
    facts_.clock_hz = 1.98e9;
    facts_.facts.push_back({"driver", "1.2.3"});
  }

  // What the device does: seconds of the n-th run of a work, and its state.
  std::function<double(const WorkRequest&, int)> seconds = [](const WorkRequest&, int) { return 1e-3; };
  std::function<DeviceState(double now)> state_at = [](double) { return DeviceState{.clock_hz = 1.9e9}; };
  std::function<std::optional<Verification>(const WorkRequest&)> check = [](const WorkRequest&) {
    return std::optional<Verification>{};
  };
  std::function<void(const WorkRequest&)> before_queue = [](const WorkRequest&) {};

  bool exchanges = false;        // collectives are possible
  std::vector<GroupJoin> joins;  // in their order

  DeviceFacts facts_;
  double now = 0;  // seconds
  int queued = 0, flushed = 0, blocked = 0, open_blocks = 0, prepared = 0;

  [[nodiscard]] std::function<double()> clock() {
    return [this] { return now; };
  }

  [[nodiscard]] const DeviceFacts& facts() const override { return facts_; }
  [[nodiscard]] WorkId prepare(const WorkRequest& request) override {
    if (request.kind == WorkKind::collective && !exchanges) throw Waived("one GPU");
    ++prepared;
    works_.push_back(request);
    runs_.push_back(0);
    return {static_cast<std::int32_t>(works_.size()) - 1};
  }
  void release(WorkId) override { --prepared; }
  void queue(WorkId work) override {
    const auto at = static_cast<std::size_t>(work.value);
    before_queue(works_[at]);
    ++queued;
    now += seconds(works_[at], runs_[at]++);
  }
  void block(WorkId) override {
    ++blocked;
    ++open_blocks;
  }
  void unblock(WorkId) override { --open_blocks; }
  void flush_l2(WorkId) override {
    ++flushed;
    now += 1e-4;
  }
  void record(WorkId, int event) override { events_[event] = now; }
  void synchronise() override { now += 1e-6; }
  [[nodiscard]] double elapsed(WorkId, int first, int last) override { return events_[last] - events_[first]; }
  [[nodiscard]] DeviceState state(int) override { return state_at(now); }
  [[nodiscard]] std::optional<Verification> verify(WorkId work) override {
    return check(works_[static_cast<std::size_t>(work.value)]);
  }
  [[nodiscard]] std::string describe(WorkId) override { return "fake kernel"; }
  [[nodiscard]] GroupId new_group() override {
    if (!exchanges) throw Waived("no library of collectives here");
    GroupId id;
    id.bytes[0] = 'g';
    return id;
  }
  [[nodiscard]] int join(const GroupJoin& join) override {
    joins.push_back(join);
    return static_cast<int>(joins.size()) - 1;
  }

 private:
  std::vector<WorkRequest> works_;
  std::vector<int> runs_;
  std::map<int, double> events_;
};

}  // namespace railyard::device
