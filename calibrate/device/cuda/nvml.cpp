// SPDX-License-Identifier: Apache-2.0
// Clock, power, energy, throttling and settings through NVML, with declarations of our own: no toolkit needs to be
// there. Settings are read, never changed.
#include <array>
#include <cstdint>

#include "calibrate/device/gpu/gpu_error.h"
#include "calibrate/device/gpu/libraries.h"
#include "calibrate/device/gpu/shared_library.h"

namespace railyard::device::gpu {
namespace {

using Handle = void*;
constexpr unsigned clock_sm = 1, clock_memory = 2;  // nvmlClockType_t
// nvmlClocksEventReasons: the power cap is how these cards run under load; heat and brakes are not.
constexpr unsigned long long reason_power_cap = 0x4, reason_slowdown = 0x8, reason_heat_software = 0x20,
                             reason_heat_hardware = 0x40, reason_brake = 0x80;

struct Functions {
  SharedLibrary library{{"libnvidia-ml.so.1", "libnvidia-ml.so"}};
  int (*init)() = nullptr;
  int (*by_bus_id)(const char*, Handle*) = nullptr;
  int (*power)(Handle, unsigned*) = nullptr;                    // mW
  int (*energy)(Handle, unsigned long long*) = nullptr;         // mJ
  int (*clock)(Handle, unsigned, unsigned*) = nullptr;          // MHz
  int (*highest_clock)(Handle, unsigned, unsigned*) = nullptr;  // MHz
  int (*reasons)(Handle, unsigned long long*) = nullptr;
  int (*temperature)(Handle, unsigned, unsigned*) = nullptr;  // sensor 0, degrees Celsius
  int (*power_limit)(Handle, unsigned*) = nullptr;            // mW
  int (*default_limit)(Handle, unsigned*) = nullptr;          // mW
  int (*ecc)(Handle, unsigned*, unsigned*) = nullptr;
  int (*driver)(char*, unsigned) = nullptr;
  int (*vbios)(Handle, char*, unsigned) = nullptr;

  Functions() {
    library.find("nvmlInit_v2", init);
    library.find("nvmlDeviceGetHandleByPciBusId_v2", by_bus_id);
    library.try_find("nvmlDeviceGetPowerUsage", power);
    library.try_find("nvmlDeviceGetTotalEnergyConsumption", energy);
    library.try_find("nvmlDeviceGetClockInfo", clock);
    library.try_find("nvmlDeviceGetMaxClockInfo", highest_clock);
    library.try_find("nvmlDeviceGetCurrentClocksEventReasons", reasons);
    if (reasons == nullptr) library.try_find("nvmlDeviceGetCurrentClocksThrottleReasons", reasons);
    library.try_find("nvmlDeviceGetTemperature", temperature);
    library.try_find("nvmlDeviceGetPowerManagementLimit", power_limit);
    library.try_find("nvmlDeviceGetPowerManagementDefaultLimit", default_limit);
    library.try_find("nvmlDeviceGetEccMode", ecc);
    library.try_find("nvmlSystemGetDriverVersion", driver);
    library.try_find("nvmlDeviceGetVbiosVersion", vbios);
  }
};

class Nvml final : public Monitor {
 public:
  explicit Nvml(const std::string& bus_id) {
    if (f_.init() != 0 || f_.by_bus_id(bus_id.c_str(), &handle_) != 0) throw NotPossible("NVML does not answer");
  }

  [[nodiscard]] DeviceState state() override {
    DeviceState state;
    unsigned value = 0;
    unsigned long long wide = 0;
    if (f_.clock != nullptr && f_.clock(handle_, clock_sm, &value) == 0) state.clock_hz = 1e6 * value;
    if (f_.power != nullptr && f_.power(handle_, &value) == 0) state.power_w = 1e-3 * value;
    if (f_.temperature != nullptr && f_.temperature(handle_, 0, &value) == 0) state.temperature_c = value;
    if (f_.energy != nullptr && f_.energy(handle_, &wide) == 0) state.energy_j = 1e-3 * static_cast<double>(wide);
    if (f_.reasons != nullptr && f_.reasons(handle_, &wide) == 0) {
      state.power_capped = (wide & reason_power_cap) != 0 ? 1 : 0;
      const auto bad = reason_slowdown | reason_heat_software | reason_heat_hardware | reason_brake;
      state.throttled = (wide & bad) != 0 ? 1 : 0;
    }
    return state;
  }

  [[nodiscard]] std::string facts() override {
    std::string text;
    std::array<char, 128> buffer{};
    const auto size = static_cast<unsigned>(buffer.size());
    unsigned value = 0, pending = 0;
    if (f_.driver != nullptr && f_.driver(buffer.data(), size) == 0) text += line("driver", buffer.data());
    if (f_.vbios != nullptr && f_.vbios(handle_, buffer.data(), size) == 0) text += line("VBIOS", buffer.data());
    if (f_.power_limit != nullptr && f_.power_limit(handle_, &value) == 0) {
      text += line("power limit", std::to_string(value / 1000) + " W");
    }
    if (f_.default_limit != nullptr && f_.default_limit(handle_, &value) == 0) {
      text += line("power limit as delivered", std::to_string(value / 1000) + " W");
    }
    if (f_.ecc != nullptr && f_.ecc(handle_, &value, &pending) == 0) text += line("ECC", value != 0 ? "on" : "off");
    if (f_.highest_clock != nullptr && f_.highest_clock(handle_, clock_sm, &value) == 0) {
      text += line("highest clock", std::to_string(value) + " MHz");
    }
    if (f_.clock != nullptr && f_.clock(handle_, clock_memory, &value) == 0) {
      text += line("memory clock", std::to_string(value) + " MHz");
    }
    return text;
  }

 private:
  static std::string line(const std::string& key, const std::string& value) { return key + ": " + value + "\n"; }

  Functions f_;
  Handle handle_ = nullptr;
};

}  // namespace

std::unique_ptr<Monitor> open_monitor(const std::string& bus_id) { return std::make_unique<Nvml>(bus_id); }

}  // namespace railyard::device::gpu
