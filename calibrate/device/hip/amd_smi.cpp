// SPDX-License-Identifier: Apache-2.0
// Energy, clock and temperature through amd-smi (ROCm 6 and later), with declarations of our own; where it is missing,
// through rocm-smi. Not yet run on AMD hardware. Power is energy over time: the records that tell it change from
// release to release.
#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "calibrate/device/gpu/gpu_error.h"
#include "calibrate/device/gpu/shared_library.h"
#include "calibrate/device/hip/monitors.h"

namespace railyard::device::gpu {
namespace {

// Values of amdsmi.h.
constexpr std::uint64_t init_gpus = 2;
constexpr int clock_of_compute = 0, temperature_of_hotspot = 1, temperature_now = 0;

struct Functions {
  SharedLibrary library{{"libamd_smi.so.26", "libamd_smi.so.25", "libamd_smi.so.24", "libamd_smi.so"}};
  int (*init)(std::uint64_t) = nullptr;
  int (*of_address)(std::uint64_t, void**) = nullptr;
  int (*energy)(void*, std::uint64_t*, float*, std::uint64_t*) = nullptr;  // counts, microjoule each
  int (*clock)(void*, int, void*) = nullptr;                               // a record that begins with MHz
  int (*temperature)(void*, int, int, std::int64_t*) = nullptr;            // degrees

  Functions() {
    library.find("amdsmi_init", init);
    library.find("amdsmi_get_processor_handle_from_bdf", of_address);
    library.try_find("amdsmi_get_energy_count", energy);
    library.try_find("amdsmi_get_clock_info", clock);
    library.try_find("amdsmi_get_temp_metric", temperature);
  }
};

/// "0000:c1:00.0" as amdsmi_bdf_t: function in 3 bits, device in 5, bus in 8, domain in 48.
std::uint64_t number_of(const std::string& bus_id) {
  const auto hex = [&](std::size_t at, std::size_t size) {
    return bus_id.size() < at + size ? 0 : std::strtoull(bus_id.substr(at, size).c_str(), nullptr, 16);
  };
  return hex(11, 1) | hex(8, 2) << 3U | hex(5, 2) << 8U | hex(0, 4) << 16U;
}

class AmdSmi final : public Monitor {
 public:
  explicit AmdSmi(const std::string& bus_id) {
    if (f_.init(init_gpus) != 0) throw NotPossible("amd-smi does not answer");
    if (f_.of_address(number_of(bus_id), &processor_) != 0) throw NotPossible("amd-smi does not know " + bus_id);
  }

  [[nodiscard]] DeviceState state() override {
    DeviceState state;
    std::uint64_t value = 0, time = 0;
    float unit = 0;
    std::int64_t heat = 0;
    if (f_.energy != nullptr && f_.energy(processor_, &value, &unit, &time) == 0) {
      state.energy_j = 1e-6 * static_cast<double>(value) * static_cast<double>(unit);
    }
    std::array<std::uint32_t, 64> record{};
    if (f_.clock != nullptr && f_.clock(processor_, clock_of_compute, record.data()) == 0) {
      state.clock_hz = 1e6 * static_cast<double>(record[0]);
    }
    if (f_.temperature != nullptr && f_.temperature(processor_, temperature_of_hotspot, temperature_now, &heat) == 0) {
      state.temperature_c = static_cast<double>(heat);
    }
    return state;
  }

  [[nodiscard]] std::string facts() override { return "monitor: amd-smi\n"; }

 private:
  Functions f_;
  void* processor_ = nullptr;
};

}  // namespace

std::unique_ptr<Monitor> open_amd_smi(const std::string& bus_id) { return std::make_unique<AmdSmi>(bus_id); }

std::unique_ptr<Monitor> open_monitor(const std::string& bus_id) {
  try {
    return open_amd_smi(bus_id);
  } catch (const NotPossible&) {
    return open_rocm_smi(bus_id);
  }
}

}  // namespace railyard::device::gpu
