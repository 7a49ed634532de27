// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <filesystem>

#include "calibrate/device/plugin_device.h"
#include "tests/catch.h"

namespace railyard::device {
namespace {

std::string reason(std::string_view name, const std::vector<std::filesystem::path>& folders) {
  try {
    (void)open_plugin(name, folders);
    return "a device answers";
  } catch (const NoDevice& error) {
    return error.what();
  }
}

TEST_CASE("plug-ins: one that is not there is named with the folders that were searched", "[device]") {
  CHECK(
      reason("cuda", {"/nowhere/a", "/nowhere/b"}) ==
      "the plug-in railyard_cuda.so is not there (searched: /nowhere/a, /nowhere/b); build it with the GPU's toolkit, "
      "or name its folder in RAILYARD_PLUGINS");
}

TEST_CASE("plug-ins: they are searched beside the program and in its install", "[device]") {
  const auto folders = plugin_folders("/opt/x/bin/railyard");
  REQUIRE(folders.size() >= 2);
  CHECK(folders[folders.size() - 2] == "/opt/x/bin");
  CHECK(folders.back() == "/opt/x/lib/railyard");
}

TEST_CASE("plug-ins: automatic takes the host when no GPU is there", "[device]") {
  CHECK(open_device(DeviceChoice::automatic, {"/nowhere"})->facts().back_end == "host");
}

// With a GPU these open it; without, they say so and nothing else happens.
#ifdef HAVE_railyard_cuda
TEST_CASE("plug-ins: the CUDA one opens, or says why no GPU answers", "[device]") {
  CHECK_THAT(reason("cuda", {HAVE_railyard_cuda}),
             ContainsSubstring("no GPU answers") || ContainsSubstring("a device answers"));
}
#endif
#ifdef HAVE_railyard_hip
TEST_CASE("plug-ins: the HIP one opens, or says why no GPU answers", "[device]") {
  CHECK_THAT(reason("hip", {HAVE_railyard_hip}),
             ContainsSubstring("no GPU answers") || ContainsSubstring("a device answers"));
}
#endif
#ifdef HAVE_railyard_hip_nvidia
TEST_CASE("plug-ins: the HIP one for NVIDIA opens, or says why no GPU answers", "[device]") {
  CHECK_THAT(reason("hip", {HAVE_railyard_hip_nvidia}),
             ContainsSubstring("no GPU answers") || ContainsSubstring("a device answers"));
}
#endif

}  // namespace
}  // namespace railyard::device
