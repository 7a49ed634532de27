// SPDX-License-Identifier: Apache-2.0
// What a step asks of the network, apart from Network itself: so that tests can invent one and bounds can leave it out.
#pragma once

#include "sim/network/network.h"

namespace railyard {

class Communication {
 public:
  Communication() = default;
  Communication(const Communication&) = delete;
  Communication& operator=(const Communication&) = delete;
  virtual ~Communication() = default;
  /// As Network::collective.
  [[nodiscard]] virtual TrafficTime collective(Collective collective, Bytes bytes, const GroupLayout& groups) const = 0;
  /// As Network::send.
  [[nodiscard]] virtual TrafficTime send(Bytes bytes, int stride) const = 0;
};

/// Traffic that takes no time.
class FreeCommunication final : public Communication {
 public:
  [[nodiscard]] TrafficTime collective(Collective, Bytes, const GroupLayout&) const override { return {}; }
  [[nodiscard]] TrafficTime send(Bytes, int) const override { return {}; }
};

/// Traffic on a wired fabric; `network` must outlive it.
class NetworkCommunication final : public Communication {
 public:
  explicit NetworkCommunication(const Network& network) : network_(network) {}
  [[nodiscard]] TrafficTime collective(Collective collective, Bytes bytes, const GroupLayout& groups) const override;
  [[nodiscard]] TrafficTime send(Bytes bytes, int stride) const override;

 private:
  const Network& network_;
};

}  // namespace railyard
