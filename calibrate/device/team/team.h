// SPDX-License-Identifier: Apache-2.0
// The processes of one launch, each with devices of its own: they meet once, then rank 0 gathers and tells. All call
// the same functions in the same order. A process that fails says so, and all others end with its reason.
#pragma once

#include <string>
#include <vector>

#include "calibrate/device/team/launch_place.h"
#include "calibrate/device/team/sockets.h"

namespace railyard::device {

/// Another process failed, or is lost.
class TeamError : public DeviceError {
 public:
  using DeviceError::DeviceError;
};

class Team {
 public:
  /// Meets the others; `agreed` (the version and the options) must be the same text everywhere. Throws TeamError that
  /// names who is missing, who differs, or what cannot be reached, after `limit_s` at most.
  Team(const LaunchPlace& place, const MeetingPlace& meeting, const std::string& agreed,
       double limit_s = default_meeting_limit_s);

  [[nodiscard]] int rank() const { return rank_; }
  [[nodiscard]] int size() const { return size_; }
  [[nodiscard]] bool root() const { return rank_ == 0; }

  /// Texts of all ranks in their order, on rank 0; nothing elsewhere.
  [[nodiscard]] std::vector<std::string> gather(const std::string& text) const;
  /// Rank 0's text, everywhere.
  [[nodiscard]] std::string tell(const std::string& text) const;
  /// Texts of all ranks, everywhere.
  [[nodiscard]] std::vector<std::string> gather_all(const std::string& text) const;
  [[nodiscard]] double largest(double value) const;
  /// Ends the others' run with this reason; never throws.
  void fail(const std::string& reason) const noexcept;

 private:
  void send(int rank, const std::string& text) const;
  [[nodiscard]] std::string receive(int rank) const;
  [[nodiscard]] const Socket& to(int rank) const;
  void welcome(const MeetingPlace& meeting, const std::string& agreed, double limit_s);
  void arrive(const MeetingPlace& meeting, const std::string& agreed, double limit_s);

  int rank_, size_;
  std::vector<Socket> others_;  // rank 0: by rank; others: rank 0's alone
};

}  // namespace railyard::device
