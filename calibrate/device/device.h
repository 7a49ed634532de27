// SPDX-License-Identifier: Apache-2.0
// The seam between the measuring loops and whatever runs kernels: a plug-in, the host itself, or a fake in tests. Work
// is prepared once, then queued on its stream between events; nothing here knows what is timed.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "calibrate/device/work.h"

namespace railyard::device {

/// The device cannot do the work; what() says why. The measurement is then waived, not failed.
class Waived : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};
/// A call failed on the device; nothing after it can be trusted.
class DeviceError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Every sample was taken while heat or the board's brake held the clock: there is no figure.
class Throttled : public DeviceError {
 public:
  using DeviceError::DeviceError;
};

/// One fact about device or software, for people: "driver", "580.159.04".
struct Fact {
  std::string key, text;
};

struct DeviceFacts {
  std::string back_end;  // "cuda", "hip", "host"
  std::string name;      // of device 0
  int devices = 0;       // of this node
  int nodes = 1;         // with as many devices each
  int compute_units = 0;
  double memory_bytes = 0;
  double clock_hz = 0;  // highest clock; 0: not known
  std::vector<Fact> facts;
};

/// Handle of prepared work.
struct WorkId {
  std::int32_t value = -1;
};

/// How far results are from a reference computed another way; `limit` follows from the types and sizes.
struct Verification {
  double error = 0, limit = 0;
  [[nodiscard]] bool passed() const { return error <= limit; }
};

class Device {
 public:
  Device() = default;
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;
  virtual ~Device() = default;

  [[nodiscard]] virtual const DeviceFacts& facts() const = 0;
  /// Buffers, plans and communicators. Throws Waived or DeviceError. Release gives back what only this work used.
  [[nodiscard]] virtual WorkId prepare(const WorkRequest& request) = 0;
  virtual void release(WorkId work) = 0;
  /// Puts one run on the work's stream; returns before it is done.
  virtual void queue(WorkId work) = 0;
  /// Holds the work's stream until `unblock`, so that what is queued meanwhile starts without the host's delays.
  virtual void block(WorkId work) = 0;
  virtual void unblock(WorkId work) = 0;
  /// Puts a write over more than the last-level cache on the work's stream.
  virtual void flush_l2(WorkId work) = 0;
  /// Puts event number `event`, below most_events, on the work's stream.
  virtual void record(WorkId work, int event) = 0;
  /// Waits for everything that was queued.
  virtual void synchronise() = 0;
  /// Seconds from one event of the work to another, after both; of several devices the longest.
  [[nodiscard]] virtual double elapsed(WorkId work, int first, int last) = 0;
  [[nodiscard]] virtual DeviceState state(int device) = 0;
  /// Runs the work once and checks what it wrote; nothing where there is nothing to check.
  [[nodiscard]] virtual std::optional<Verification> verify(WorkId work) = 0;
  /// The kernel or algorithm behind the work, as its library names it; may be empty.
  [[nodiscard]] virtual std::string describe(WorkId work) = 0;
  /// A name for a group of processes. Throws Waived where this device knows none.
  [[nodiscard]] virtual GroupId new_group();
  /// Joins a group, waiting until all of it have: the number that WorkRequest::group takes. Throws Waived, DeviceError.
  [[nodiscard]] virtual int join(const GroupJoin& join);
};

inline constexpr int most_events = 4096;
/// Runs that may be queued behind a block: a launch queue holds about a thousand.
inline constexpr int most_blocked = 512;

/// Prepared work that is released at the end of a scope.
class PreparedWork {
 public:
  PreparedWork(Device& device, const WorkRequest& request) : device_(device), id_(device.prepare(request)) {}
  PreparedWork(const PreparedWork&) = delete;
  PreparedWork& operator=(const PreparedWork&) = delete;
  ~PreparedWork() { device_.release(id_); }
  [[nodiscard]] WorkId id() const { return id_; }

 private:
  Device& device_;
  WorkId id_;
};

/// Blocks a stream and opens it again, also when something throws: a stream left blocked hangs the process.
class StreamBlock {
 public:
  StreamBlock(Device& device, WorkId work) : device_(device), work_(work) { device_.block(work_); }
  StreamBlock(const StreamBlock&) = delete;
  StreamBlock& operator=(const StreamBlock&) = delete;
  ~StreamBlock() { open(); }
  void open() {
    if (blocked_) device_.unblock(work_);
    blocked_ = false;
  }

 private:
  Device& device_;
  WorkId work_;
  bool blocked_ = true;
};

}  // namespace railyard::device
