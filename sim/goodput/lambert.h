// SPDX-License-Identifier: Apache-2.0
// The one value of the Lambert function that the checkpoint optimum needs, without the cancellation at its branch
// point.
#pragma once

namespace railyard {

/// 1 + W0(-exp(-1 - c)) for c >= 0 (infinity allowed), to a few units in the last place: the root w in [0, 1] of
/// w + log(1 - w) + c = 0. The argument nears -1/e as c nears 0, where W0 + 1 is about sqrt(2c).
[[nodiscard]] double one_plus_lambert(double c);

}  // namespace railyard
