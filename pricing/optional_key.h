// SPDX-License-Identifier: Apache-2.0
// Optional keys of a map, so that a message about an unknown key offers them too.
#pragma once

#include <string>
#include <string_view>

#include "base/yaml_reader.h"

namespace railyard {

/// Whether the map has the key; one that is absent counts as asked for.
inline bool offers(YamlMap& map, std::string_view key) {
  if (map.has(key)) return true;
  static_cast<void>(map.text(key, std::string()));
  return false;
}

}  // namespace railyard
