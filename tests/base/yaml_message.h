// SPDX-License-Identifier: Apache-2.0
// What a user is told about a YAML text.
#pragma once

#include <functional>
#include <string>

#include "base/yaml_reader.h"

namespace railyard {

/// The message of reading `text` as design.yaml with `read`; empty when all is well.
inline std::string yaml_message(const std::string& text, const std::function<void(YamlMap&)>& read) {
  try {
    const YamlDocument document = YamlDocument::parse(text, "design.yaml");
    Diagnostics diagnostics;
    YamlMap map = document.root(diagnostics);
    read(map);
    map.finish();
    diagnostics.throw_if_any();
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

}  // namespace railyard
