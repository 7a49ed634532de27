// SPDX-License-Identifier: Apache-2.0
#include "calibrate/device/slow_devices.h"

#include "tests/catch.h"

namespace railyard::device {
namespace {

std::vector<DeviceSpeed> gpus(const std::vector<double>& rates, double deviation = 0.5e12) {
  std::vector<DeviceSpeed> list;
  for (std::size_t i = 0; i < rates.size(); ++i) {
    list.push_back({"GPU " + std::to_string(i), rates[i] * 1e12, deviation});
  }
  return list;
}

TEST_CASE("slow GPUs: the one that is below its like is named", "[device]") {
  const auto slow = slow_devices(gpus({700, 703, 698, 640, 701, 699, 702, 700}));
  REQUIRE(slow.size() == 1);
  CHECK(slow[0].name == "GPU 3");
  CHECK_THAT(slow[0].below, WithinRel(60.0 / 700, 0.01));  // the median is 700
}

TEST_CASE("slow GPUs: usual differences and noise name nobody", "[device]") {
  CHECK(slow_devices(gpus({700, 703, 698, 690, 701, 699, 702, 700})).empty());  // 1.4 %
  CHECK(slow_devices(gpus({700, 660, 740, 640, 690, 720, 675, 750})).empty());  // all differ
  CHECK(slow_devices(gpus({700, 640}, 30e12)).empty());                         // the samples scatter as much
  CHECK(slow_devices({}).empty());
}

TEST_CASE("slow GPUs: of two the slower one, of several slow ones the slowest first", "[device]") {
  const auto two = slow_devices(gpus({700, 640}));
  REQUIRE(two.size() == 1);
  CHECK(two[0].name == "GPU 1");
  const auto several = slow_devices(gpus({700, 650, 701, 600, 699, 702, 700, 701}));
  REQUIRE(several.size() == 2);
  CHECK(several[0].name == "GPU 3");
  CHECK(several[1].name == "GPU 1");
}

}  // namespace
}  // namespace railyard::device
