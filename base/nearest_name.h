// SPDX-License-Identifier: Apache-2.0
// The valid name a user probably meant, for error messages.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace railyard {

/// Edits (insert, delete, replace, swap of neighbours) that turn `a` into `b`.
[[nodiscard]] int edit_distance(std::string_view a, std::string_view b);

/// The candidate nearest to `name`, at most 3 edits and less than half its length away; empty when none is near.
[[nodiscard]] std::string nearest_name(std::string_view name, std::span<const std::string> candidates);

/// "expected one of: a, b, c; did you mean 'b'?"; all candidates when eight or fewer, else only the nearest.
[[nodiscard]] std::string expected_names(std::string_view name, std::span<const std::string> candidates);

}  // namespace railyard
