// SPDX-License-Identifier: Apache-2.0
// The plug-in's C table over a session: exceptions end here.
#include <algorithm>
#include <cstring>
#include <new>

#include "calibrate/device/gpu/gpu_error.h"
#include "calibrate/device/gpu/gpu_session.h"
#include "calibrate/device/plugin_abi.h"

namespace railyard::device::gpu {
namespace {

void write(PluginText target, const char* text) {
  if (target.data == nullptr || target.size == 0) return;
  const std::size_t length = std::min<std::size_t>(std::strlen(text), target.size - 1);
  std::memcpy(target.data, text, length);
  target.data[length] = '\0';
}

/// Runs the function and turns how it ended into a status; its text, if it gives one, into the buffer.
template <class Function>
PluginStatus guarded(PluginText text, const Function& function, PluginStatus impossible = PluginStatus::waived) {
  try {
    write(text, "");
    if constexpr (std::is_same_v<decltype(function()), std::string>) {
      write(text, function().c_str());
    } else {
      function();
    }
    return PluginStatus::ok;
  } catch (const NotPossible& reason) {
    write(text, reason.what());
    return impossible;
  } catch (const std::exception& error) {
    write(text, error.what());
  } catch (...) {
    write(text, "unknown error");
  }
  return PluginStatus::failed;
}

GpuSession& at(void* session) { return *static_cast<GpuSession*>(session); }

PluginStatus open_session(void** session, PluginText text) {
  return guarded(
      text, [&] { *session = new GpuSession(); }, PluginStatus::no_device);
}
void close_session(void* session) { delete static_cast<GpuSession*>(session); }
PluginStatus facts(void* session, PluginText text) {
  return guarded(text, [&] { return at(session).facts(); });
}
PluginStatus prepare(void* session, const WorkRequest* request, std::int32_t* work, PluginText text) {
  return guarded(text, [&] { *work = at(session).prepare(*request); });
}
void release(void* session, std::int32_t work) {
  (void)guarded({}, [&] { at(session).release(work); });
}
PluginStatus queue(void* session, std::int32_t work, PluginText text) {
  return guarded(text, [&] { at(session).queue(work); });
}
PluginStatus block(void* session, std::int32_t work, PluginText text) {
  return guarded(text, [&] { at(session).block(work); });
}
void unblock(void* session, std::int32_t work) {
  (void)guarded({}, [&] { at(session).unblock(work); });
}
PluginStatus flush_l2(void* session, std::int32_t work, PluginText text) {
  return guarded(text, [&] { at(session).flush_l2(work); });
}
PluginStatus record(void* session, std::int32_t work, std::int32_t event, PluginText text) {
  return guarded(text, [&] { at(session).record(work, event); });
}
PluginStatus synchronise(void* session, PluginText text) {
  return guarded(text, [&] { at(session).synchronise(); });
}
PluginStatus elapsed(void* session, std::int32_t work, std::int32_t first, std::int32_t last, double* seconds,
                     PluginText text) {
  return guarded(text, [&] { *seconds = at(session).elapsed(work, first, last); });
}
PluginStatus state(void* session, std::int32_t device, DeviceState* state, PluginText text) {
  return guarded(text, [&] { *state = at(session).state(device); });
}
PluginStatus verify(void* session, std::int32_t work, double* error, double* limit, PluginText text) {
  return guarded(text, [&] {
    const auto result = at(session).verify(work);
    if (!result) throw NotPossible("nothing to check");
    *error = result->first;
    *limit = result->second;
  });
}
PluginStatus describe(void* session, std::int32_t work, PluginText text) {
  return guarded(text, [&] { return at(session).describe(work); });
}

PluginStatus new_group(void* session, GroupId* id, PluginText text) {
  return guarded(text, [&] { *id = at(session).collectives().new_group(); });
}
PluginStatus join(void* session, const GroupJoin* join, std::int32_t* group, PluginText text) {
  return guarded(text, [&] { *group = at(session).join(*join); });
}

constexpr PluginTable table{plugin_version,
                            sizeof(PluginTable),
                            open_session,
                            close_session,
                            facts,
                            prepare,
                            release,
                            queue,
                            block,
                            unblock,
                            flush_l2,
                            record,
                            synchronise,
                            elapsed,
                            state,
                            verify,
                            describe,
                            new_group,
                            join};

}  // namespace
}  // namespace railyard::device::gpu

extern "C" __attribute__((visibility("default"))) const railyard::device::PluginTable* railyard_device_entry(
    std::uint32_t version) {
  return version == railyard::device::plugin_version ? &railyard::device::gpu::table : nullptr;
}
