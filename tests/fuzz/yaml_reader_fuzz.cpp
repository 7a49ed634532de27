// SPDX-License-Identifier: Apache-2.0
// Any text is read or refused with an InputError: nothing else is thrown, nothing is read out of bounds.
// The first line, when it begins with '@', is a path for YamlDocument::with. What is read is UTF-8 without control
// characters, and so are messages.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "base/yaml_reader.h"

namespace {

using namespace railyard;

void expect(bool law) {
  if (!law) std::abort();
}

const std::vector<std::string> names = {"h100", "h200", "mi300x"};

/// Every getter on every key; then all that was not asked for.
void read_all(YamlMap map, const Sources& sources, int depth) {
  const std::vector<std::string> keys = map.keys();
  for (std::size_t i = 0; i < keys.size() && i < 16; ++i) {
    const std::string& key = keys[i];
    expect(map.has(key));
    expect(!text_fault(key, Layout::none));
    const std::string read = map.text(key);
    expect(!text_fault(read, Layout::none) && characters(read) <= longest_text);
    map.text(key, "fallback", 10);
    for (const std::string& item : map.texts(key)) expect(!text_fault(item, Layout::none));
    const std::int64_t whole = map.integer(key, -5, 5);
    expect(whole >= -5 && whole <= 5);
    map.integers(key, 1, 1000);
    const double number = map.number(key, 0, 5);
    expect(number >= 0 && number <= 5);
    map.flag(key, true);
    expect(map.interest(key).per_year <= 10 || !std::isnan(map.interest(key).per_year));
    expect(std::isfinite(map.quantity(key, units::money).in(dollar)));
    expect(std::isfinite(map.quantity(key, units::bandwidth, Bound::positive).in(byte / second)));
    const double share = map.share(key);
    expect(share >= 0 && share <= 1);
    expect(map.count<struct SequenceTag>(key, "sequence").value >= 1);
    map.figure(key, units::power, sources);
    map.number_figure(key, sources, 0, 5);
    map.interest_figure(key, sources);
    expect(map.choice(key, names) < names.size());
    map.fail(key, "no");
    map.fail_unknown(key, "GPU", names);
    if (depth > 0) {
      read_all(map.map(key), sources, depth - 1);
      for (YamlMap& item : map.maps(key)) read_all(std::move(item), sources, depth - 1);
    }
  }
  map.text("missing");
  map.sources("missing");
  map.finish();
}

void check(std::string text) {
  std::string path;
  if (text.starts_with('@')) {
    const std::size_t end = text.find('\n');
    path = text.substr(1, end - 1);
    text = end == std::string::npos ? std::string() : text.substr(end + 1);
  }
  try {
    YamlDocument document = YamlDocument::parse(std::move(text), "fuzz.yaml");
    if (!path.empty()) document = document.with(path, "{a: 1}");
    Diagnostics diagnostics;
    YamlMap root = document.root(diagnostics);
    const Sources sources = root.sources();
    read_all(root, sources, 2);
    diagnostics.throw_if_any();
  } catch (const InputError& error) {
    const std::string_view message = error.what();
    expect(message.find("error: ") != std::string_view::npos && message.ends_with('\n'));
    expect(!text_fault(message, Layout::lines) && message.find_first_of("\t\r") == std::string_view::npos);
    expect(message.size() < 500'000);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  check(std::string(reinterpret_cast<const char*>(data), size));
  return 0;
}
