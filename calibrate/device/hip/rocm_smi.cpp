// SPDX-License-Identifier: Apache-2.0
// Power, energy and temperature through rocm-smi, with declarations of our own. Not yet run on AMD hardware.
#include <cstdint>
#include <cstdlib>

#include "calibrate/device/gpu/gpu_error.h"
#include "calibrate/device/gpu/libraries.h"
#include "calibrate/device/gpu/shared_library.h"
#include "calibrate/device/hip/monitors.h"

namespace railyard::device::gpu {
namespace {

struct Functions {
  SharedLibrary library{{"librocm_smi64.so.7", "librocm_smi64.so.6", "librocm_smi64.so.5", "librocm_smi64.so"}};
  int (*init)(std::uint64_t) = nullptr;
  int (*count)(std::uint32_t*) = nullptr;
  int (*pci_id)(std::uint32_t, std::uint64_t*) = nullptr;
  int (*power)(std::uint32_t, std::uint32_t, std::uint64_t*) = nullptr;            // microwatt
  int (*energy)(std::uint32_t, std::uint64_t*, float*, std::uint64_t*) = nullptr;  // counts, microjoule each
  int (*temperature)(std::uint32_t, std::uint32_t, int, std::int64_t*) = nullptr;  // a thousandth of a degree
  int (*power_cap)(std::uint32_t, std::uint32_t, std::uint64_t*) = nullptr;        // microwatt

  Functions() {
    library.find("rsmi_init", init);
    library.find("rsmi_num_monitor_devices", count);
    library.find("rsmi_dev_pci_id_get", pci_id);
    library.try_find("rsmi_dev_power_ave_get", power);
    library.try_find("rsmi_dev_energy_count_get", energy);
    library.try_find("rsmi_dev_temp_metric_get", temperature);
    library.try_find("rsmi_dev_power_cap_get", power_cap);
  }
};

/// "0000:c1:00.0" as the number that rocm-smi uses: domain, bus, device and function.
std::uint64_t number_of(const std::string& bus_id) {
  const auto hex = [&](std::size_t at, std::size_t size) {
    return bus_id.size() < at + size ? 0 : std::strtoull(bus_id.substr(at, size).c_str(), nullptr, 16);
  };
  return hex(0, 4) << 32U | hex(5, 2) << 8U | hex(8, 2) << 3U | hex(11, 1);
}

class RocmSmi final : public Monitor {
 public:
  explicit RocmSmi(const std::string& bus_id) {
    std::uint32_t count = 0;
    if (f_.init(0) != 0 || f_.count(&count) != 0) throw NotPossible("rocm-smi does not answer");
    for (index_ = 0; index_ < count; ++index_) {
      std::uint64_t id = 0;
      if (f_.pci_id(index_, &id) == 0 && id == number_of(bus_id)) return;
    }
    throw NotPossible("rocm-smi does not know " + bus_id);
  }

  [[nodiscard]] DeviceState state() override {
    DeviceState state;
    std::uint64_t value = 0, time = 0;
    std::int64_t heat = 0;
    float unit = 0;
    if (f_.power != nullptr && f_.power(index_, 0, &value) == 0) state.power_w = 1e-6 * static_cast<double>(value);
    if (f_.energy != nullptr && f_.energy(index_, &value, &unit, &time) == 0) {
      state.energy_j = 1e-6 * static_cast<double>(value) * static_cast<double>(unit);
    }
    if (f_.temperature != nullptr && f_.temperature(index_, 1, 0, &heat) == 0) {
      state.temperature_c = 1e-3 * static_cast<double>(heat);
    }
    return state;
  }

  [[nodiscard]] std::string facts() override {
    std::uint64_t value = 0;
    if (f_.power_cap == nullptr || f_.power_cap(index_, 0, &value) != 0) return {};
    return "power limit: " + std::to_string(value / 1000000) + " W\n";
  }

 private:
  Functions f_;
  std::uint32_t index_ = 0;
};

}  // namespace

std::unique_ptr<Monitor> open_rocm_smi(const std::string& bus_id) { return std::make_unique<RocmSmi>(bus_id); }

}  // namespace railyard::device::gpu
