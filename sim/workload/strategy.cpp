// SPDX-License-Identifier: Apache-2.0
#include "sim/workload/strategy.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <span>

#include "base/diagnostic.h"
#include "base/nearest_name.h"

namespace railyard {
namespace {

// One key of the text form: how it is read and how it is printed. Those always printed are what people expect to see.
struct Key {
  std::string_view name;
  void (*read)(Strategy&, std::string_view value);
  std::string (*print)(const Strategy&);
  bool always = true;
};

constexpr std::int64_t largest_count = 1 << 30;
constexpr std::int64_t most_gpus = 1 << 20;  // of one kind of parallelism

[[noreturn]] void refuse(std::string_view key, std::string_view value, const std::string& expected) {
  throw InputError(fmt::format("strategy: {}={} is not possible", key, value), expected);
}

std::int64_t whole(std::string_view key, std::string_view value, std::int64_t low, std::int64_t high) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (error != std::errc{} || end != value.data() + value.size() || number < low || number > high) {
    refuse(key, value,
           high == largest_count ? fmt::format("a whole number of at least {}", low)
                                 : fmt::format("a whole number from {} to {}", low, high));
  }
  return number;
}

template <std::size_t N>
std::size_t named(std::string_view key, std::string_view value, const std::array<std::string_view, N>& names) {
  const auto found = std::ranges::find(names, value);
  if (found == names.end()) {
    const std::vector<std::string> all(names.begin(), names.end());
    refuse(key, value, expected_names(value, all));
  }
  return static_cast<std::size_t>(found - names.begin());
}

constexpr std::array<std::string_view, 3> recompute_names = {"none", "selective", "full"};
constexpr std::array<std::string_view, all_precisions.size()> precision_names = {"bf16", "fp8", "fp16"};
constexpr std::array<std::string_view, 2> attention_names = {"flash", "unfused"};
constexpr std::array<std::string_view, 2> gradient_names = {"fp32", "bf16"};

using S = Strategy;
using View = std::string_view;

bool flag(View key, View value) { return whole(key, value, 0, 1) == 1; }
std::string digit(bool value) { return value ? "1" : "0"; }

constexpr std::array<Key, 19> strategy_keys = {{
    {"tp", [](S& s, View v) { s.tp = static_cast<int>(whole("tp", v, 1, most_gpus)); },
     [](const S& s) { return fmt::to_string(s.tp); }},
    {"sp", [](S& s, View v) { s.sp = flag("sp", v); }, [](const S& s) { return digit(s.sp); }},
    {"pp", [](S& s, View v) { s.pp = static_cast<int>(whole("pp", v, 1, most_gpus)); },
     [](const S& s) { return fmt::to_string(s.pp); }},
    {"vpp", [](S& s, View v) { s.vpp = static_cast<int>(whole("vpp", v, 1, most_gpus)); },
     [](const S& s) { return fmt::to_string(s.vpp); }},
    {"cp", [](S& s, View v) { s.cp = static_cast<int>(whole("cp", v, 1, most_gpus)); },
     [](const S& s) { return fmt::to_string(s.cp); }, false},
    {"ep", [](S& s, View v) { s.ep = static_cast<int>(whole("ep", v, 1, most_gpus)); },
     [](const S& s) { return fmt::to_string(s.ep); }, false},
    {"ep_local", [](S& s, View v) { s.ep_local = static_cast<int>(whole("ep_local", v, 1, most_gpus)); },
     [](const S& s) { return fmt::to_string(s.ep_local); }, false},
    {"mbs", [](S& s, View v) { s.micro_batch = static_cast<int>(whole("mbs", v, 1, largest_count)); },
     [](const S& s) { return fmt::to_string(s.micro_batch); }},
    {"gbs", [](S& s, View v) { s.global_batch = {whole("gbs", v, 1, largest_count)}; },
     [](const S& s) { return fmt::to_string(s.global_batch.value); }},
    {"seq", [](S& s, View v) { s.sequence = static_cast<int>(whole("seq", v, 1, largest_count)); },
     [](const S& s) { return fmt::to_string(s.sequence); }},
    {"recompute", [](S& s, View v) { s.recompute = static_cast<Recompute>(named("recompute", v, recompute_names)); },
     [](const S& s) { return std::string(to_string(s.recompute)); }},
    {"zero", [](S& s, View v) { s.zero = static_cast<int>(whole("zero", v, 0, 3)); },
     [](const S& s) { return fmt::to_string(s.zero); }},
    {"precision", [](S& s, View v) { s.precision = all_precisions[named("precision", v, precision_names)]; },
     [](const S& s) { return std::string(to_string(s.precision)); }},
    {"attention", [](S& s, View v) { s.attention = static_cast<Attention>(named("attention", v, attention_names)); },
     [](const S& s) { return std::string(attention_names[static_cast<std::size_t>(s.attention)]); }, false},
    {"dropout", [](S& s, View v) { s.dropout = flag("dropout", v); }, [](const S& s) { return digit(s.dropout); },
     false},
    {"grad", [](S& s, View v) { s.bf16_gradients = named("grad", v, gradient_names) == 1; },
     [](const S& s) { return std::string(gradient_names[s.bf16_gradients ? 1 : 0]); }},
    {"tp_overlap", [](S& s, View v) { s.tp_overlap = flag("tp_overlap", v); },
     [](const S& s) { return digit(s.tp_overlap); }},
    {"dp_overlap", [](S& s, View v) { s.dp_overlap = flag("dp_overlap", v); },
     [](const S& s) { return digit(s.dp_overlap); }},
    {"split_sends", [](S& s, View v) { s.split_sends = flag("split_sends", v); },
     [](const S& s) { return digit(s.split_sends); }, false},
}};

}  // namespace

std::string_view to_string(Recompute recompute) { return recompute_names[static_cast<std::size_t>(recompute)]; }

Strategy parse_strategy(std::string_view text) {
  Strategy strategy;
  std::array<bool, strategy_keys.size()> seen{};
  std::size_t begin = 0;
  while ((begin = text.find_first_not_of(" \t,\n", begin)) != std::string_view::npos) {
    const std::size_t end = std::min(text.find_first_of(" \t,\n", begin), text.size());
    const std::string_view word = text.substr(begin, end - begin);
    begin = end;
    const std::size_t equals = word.find('=');
    if (equals == std::string_view::npos) {
      throw InputError(fmt::format("strategy: '{}' has no value", word), "words like tp=8, separated by spaces");
    }
    const std::string_view name = word.substr(0, equals);
    const auto key = std::ranges::find(strategy_keys, name, &Key::name);
    if (key == strategy_keys.end()) {
      std::vector<std::string> names;
      for (const Key& each : strategy_keys) names.emplace_back(each.name);
      const std::string near = nearest_name(name, names);
      throw InputError(fmt::format("strategy: unknown key '{}'", name),
                       fmt::format("expected one of: {}{}", fmt::join(names, ", "),
                                   near.empty() ? std::string() : fmt::format("; did you mean '{}'?", near)));
    }
    bool& again = seen[static_cast<std::size_t>(key - strategy_keys.begin())];
    if (again) throw InputError(fmt::format("strategy: {} is given twice", name), "each key once");
    again = true;
    key->read(strategy, word.substr(equals + 1));
  }
  return strategy;
}

std::string to_text(const Strategy& strategy) {
  const Strategy plain;
  std::string text;
  for (const Key& key : strategy_keys) {
    const std::string value = key.print(strategy);
    if (!key.always && value == key.print(plain)) continue;
    if (!text.empty()) text += ' ';
    text += fmt::format("{}={}", key.name, value);
  }
  return text;
}

}  // namespace railyard
