// SPDX-License-Identifier: Apache-2.0
// The C interface between the program and a device plug-in: one entry, railyard_device_entry, gives a table of
// functions. Plain values and texts in the caller's buffers cross it; no types that allocate, no exceptions.
#pragma once

#include <cstdint>

#include "calibrate/device/work.h"

namespace railyard::device {

inline constexpr std::uint32_t plugin_version = 2;
inline constexpr const char* plugin_entry_name = "railyard_device_entry";

/// What a plug-in's function ends with. The text buffer then holds a sentence; empty after `ok`.
enum class PluginStatus : std::int32_t { ok, waived, failed, no_device };

/// Where a function puts a text: zero-terminated, cut to `size`.
struct PluginText {
  char* data = nullptr;
  std::uint32_t size = 0;
};

/// Every function takes the session that `open` gave; see Device for what each does.
struct PluginTable {
  std::uint32_t version = plugin_version;
  std::uint32_t size = sizeof(PluginTable);
  PluginStatus (*open)(void** session, PluginText text);
  void (*close)(void* session);
  /// "key: text" lines; the keys back_end, name, devices, compute_units, memory_bytes and clock_hz are always there.
  PluginStatus (*facts)(void* session, PluginText text);
  PluginStatus (*prepare)(void* session, const WorkRequest* request, std::int32_t* work, PluginText text);
  void (*release)(void* session, std::int32_t work);
  PluginStatus (*queue)(void* session, std::int32_t work, PluginText text);
  PluginStatus (*block)(void* session, std::int32_t work, PluginText text);
  void (*unblock)(void* session, std::int32_t work);
  PluginStatus (*flush_l2)(void* session, std::int32_t work, PluginText text);
  PluginStatus (*record)(void* session, std::int32_t work, std::int32_t event, PluginText text);
  PluginStatus (*synchronise)(void* session, PluginText text);
  PluginStatus (*elapsed)(void* session, std::int32_t work, std::int32_t first, std::int32_t last, double* seconds,
                          PluginText text);
  PluginStatus (*state)(void* session, std::int32_t device, DeviceState* state, PluginText text);
  /// `waived` where there is nothing to check.
  PluginStatus (*verify)(void* session, std::int32_t work, double* error, double* limit, PluginText text);
  PluginStatus (*describe)(void* session, std::int32_t work, PluginText text);
  PluginStatus (*new_group)(void* session, GroupId* id, PluginText text);
  PluginStatus (*join)(void* session, const GroupJoin* join, std::int32_t* group, PluginText text);
};

/// Null when the plug-in does not speak `version`.
using PluginEntry = const PluginTable* (*)(std::uint32_t version);

}  // namespace railyard::device
