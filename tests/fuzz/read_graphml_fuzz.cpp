// SPDX-License-Identifier: Apache-2.0
// Any text is read as a fabric whose ports are used once, or refused with an InputError whose place is in the text.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "tests/fuzz/wiring_fuzz.h"
#include "topologies/exchange/graphml.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace railyard;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  wiring_fuzz::read(text, [&] { wiring_fuzz::check(read_graphml(text, "fuzz.graphml")); });
  return 0;
}
