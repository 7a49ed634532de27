// SPDX-License-Identifier: Apache-2.0
// Values as bytes, between processes of one build on machines of one byte order.
#pragma once

#include <cstddef>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>

namespace railyard::device {

template <class Value>
[[nodiscard]] std::span<const std::byte> bytes_of_value(const Value& value) {
  static_assert(std::is_trivially_copyable_v<Value>);
  return std::as_bytes(std::span(&value, 1));
}
template <class Value>
[[nodiscard]] std::span<std::byte> room_of_value(Value& value) {
  static_assert(std::is_trivially_copyable_v<Value>);
  return std::as_writable_bytes(std::span(&value, 1));
}

/// A value as a text of as many bytes.
template <class Value>
[[nodiscard]] std::string packed(const Value& value) {
  static_assert(std::is_trivially_copyable_v<Value>);
  return {reinterpret_cast<const char*>(&value), sizeof value};
}
/// The value again; one of nothing when the size is another.
template <class Value>
[[nodiscard]] Value unpacked(const std::string& text) {
  static_assert(std::is_trivially_copyable_v<Value>);
  Value value{};
  if (text.size() == sizeof value) std::memcpy(&value, text.data(), sizeof value);
  return value;
}

}  // namespace railyard::device
