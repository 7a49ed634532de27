// SPDX-License-Identifier: Apache-2.0
// Catch2 of either major version, and the matchers used all over the tests.
#pragma once

#include <string>

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
using Catch::Approx;
using Catch::Matchers::ContainsSubstring;
#else
#include <catch2/catch.hpp>
inline auto ContainsSubstring(const std::string& text) { return Catch::Matchers::Contains(text); }
#endif
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;
