// SPDX-License-Identifier: Apache-2.0
// Which of the fitted laws a profile takes: one for each block of its file.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "sim/study/calibration/sample_fit.h"
#include "topologies/parts.h"

namespace railyard {

/// Both directions of attention at one head dimension.
struct AttentionLaws {
  const FittedLaw *forward = nullptr, *backward = nullptr;
  [[nodiscard]] bool whole() const { return forward != nullptr && backward != nullptr; }
};

/// What of a profile the fits give; laws of the SampleFit they were chosen from.
struct MeasuredLaws {
  std::map<Precision, const FittedLaw*> products;
  std::map<int, AttentionLaws> attention;
  const FittedLaw *memory = nullptr, *ring = nullptr, *network = nullptr;
};

/// The choice that calibrate/FORMAT.md states. `like` tells what few samples do not; without `gpu` any ring is one over
/// the whole domain, without `network` no law over nodes is chosen. Either pointer may be none.
[[nodiscard]] MeasuredLaws choose_laws(const SampleFit& fit, const Profile* like, const GpuPart* gpu, bool network);

/// Laws that were not chosen and why, a sentence each.
[[nodiscard]] std::vector<std::string> unused_laws(const SampleFit& fit, const MeasuredLaws& measured);

/// True when the samples of an attention law tell where the rate saturates: sequences that span.
[[nodiscard]] bool tells_half(const FittedLaw& law);

/// True when the samples of a collective law tell starts and hops: small messages, and several numbers of steps to tell
/// them apart.
[[nodiscard]] bool tells_latency(const FittedLaw& law);

}  // namespace railyard
