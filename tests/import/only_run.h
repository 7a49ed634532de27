// SPDX-License-Identifier: Apache-2.0
// The run of a text that holds one.
#pragma once

#include <string>

#include "calibrate/import/import.h"
#include "tests/catch.h"

namespace railyard {

inline ImportedRun only_run(const std::string& text) {
  const ImportedFile file = import_log(text, "test.log");
  REQUIRE(file.runs.size() == 1);
  return file.runs[0];
}

}  // namespace railyard
