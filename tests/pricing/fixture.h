// SPDX-License-Identifier: Apache-2.0
// Where the shipped books and buyers lie, and how near a payment comes to what is expected.
#pragma once

#include <string>

namespace railyard {

inline const std::string book_folder = RAILYARD_SOURCE_DIR "/pricing/books";
inline const std::string owner_folder = RAILYARD_SOURCE_DIR "/pricing/owners";

// Expected payments are given to about ten digits.
inline constexpr double relative = 1e-9;

}  // namespace railyard
