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

// One key of the text form: how it is read and how it is printed.
struct Key {
  std::string_view name;
  void (*read)(Strategy&, std::string_view value);
  std::string (*print)(const Strategy&);
};

constexpr std::int64_t most = 1 << 30;
// A step of this many forward passes takes half a gigabyte to simulate; real ones have some ten thousand.
constexpr std::int64_t most_passes = 1 << 20;

[[noreturn]] void refuse(std::string_view key, std::string_view value, const std::string& expected) {
  throw InputError(fmt::format("strategy: {}={} is not possible", key, value), expected);
}

std::int64_t whole(std::string_view key, std::string_view value, std::int64_t low, std::int64_t high) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (error != std::errc{} || end != value.data() + value.size() || number < low || number > high) {
    if (low == high) refuse(key, value, fmt::format("only {}={} is simulated", key, low));
    refuse(key, value,
           high == most ? fmt::format("a whole number of at least {}", low)
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
constexpr std::array<std::string_view, 2> precision_names = {"bf16", "fp8"};
constexpr std::array<std::string_view, 2> gradient_names = {"fp32", "bf16"};

using S = Strategy;
using View = std::string_view;

constexpr std::array<Key, 15> strategy_keys = {{
    {"tp", [](S& s, View v) { s.tp = static_cast<int>(whole("tp", v, 1, most)); },
     [](const S& s) { return fmt::to_string(s.tp); }},
    {"sp", [](S& s, View v) { s.sp = whole("sp", v, 0, 1) == 1; },
     [](const S& s) { return fmt::to_string(int{s.sp}); }},
    {"pp", [](S& s, View v) { s.pp = static_cast<int>(whole("pp", v, 1, most)); },
     [](const S& s) { return fmt::to_string(s.pp); }},
    {"vpp", [](S& s, View v) { s.vpp = static_cast<int>(whole("vpp", v, 1, most)); },
     [](const S& s) { return fmt::to_string(s.vpp); }},
    {"cp", [](S&, View v) { whole("cp", v, 1, 1); }, [](const S&) { return std::string("1"); }},
    {"ep", [](S&, View v) { whole("ep", v, 1, 1); }, [](const S&) { return std::string("1"); }},
    {"mbs", [](S& s, View v) { s.micro_batch = static_cast<int>(whole("mbs", v, 1, most)); },
     [](const S& s) { return fmt::to_string(s.micro_batch); }},
    {"gbs", [](S& s, View v) { s.global_batch = {whole("gbs", v, 1, most)}; },
     [](const S& s) { return fmt::to_string(s.global_batch.value); }},
    {"seq", [](S& s, View v) { s.sequence = static_cast<int>(whole("seq", v, 1, most)); },
     [](const S& s) { return fmt::to_string(s.sequence); }},
    {"recompute", [](S& s, View v) { s.recompute = static_cast<Recompute>(named("recompute", v, recompute_names)); },
     [](const S& s) { return std::string(to_string(s.recompute)); }},
    {"zero", [](S& s, View v) { s.zero = static_cast<int>(whole("zero", v, 0, 1)); },
     [](const S& s) { return fmt::to_string(s.zero); }},
    {"precision",
     [](S& s, View v) { s.precision = named("precision", v, precision_names) == 0 ? Precision::bf16 : Precision::fp8; },
     [](const S& s) { return std::string(precision_names[s.precision == Precision::fp8 ? 1 : 0]); }},
    {"grad", [](S& s, View v) { s.bf16_gradients = named("grad", v, gradient_names) == 1; },
     [](const S& s) { return std::string(gradient_names[s.bf16_gradients ? 1 : 0]); }},
    {"tp_overlap", [](S& s, View v) { s.tp_overlap = whole("tp_overlap", v, 0, 1) == 1; },
     [](const S& s) { return fmt::to_string(int{s.tp_overlap}); }},
    {"dp_overlap", [](S& s, View v) { s.dp_overlap = whole("dp_overlap", v, 0, 1) == 1; },
     [](const S& s) { return fmt::to_string(int{s.dp_overlap}); }},
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
  std::string text;
  for (const Key& key : strategy_keys) {
    // cp and ep have one value only, so the text leaves them out.
    if (key.name == "cp" || key.name == "ep") continue;
    if (!text.empty()) text += ' ';
    text += fmt::format("{}={}", key.name, key.print(strategy));
  }
  return text;
}

std::vector<std::string> strategy_faults(const Strategy& strategy, const Model& model, int gpus, int gpus_per_node) {
  std::vector<std::string> faults;
  const auto divides = [&](std::int64_t part, std::int64_t whole_number, std::string_view key, std::string_view what) {
    if (whole_number % part == 0) return;
    faults.push_back(
        fmt::format("{}={} does not divide {} {}: take a {} that does", key, part, whole_number, what, key));
  };
  if (strategy.global_batch.value < 1) faults.emplace_back("no global batch: give gbs, in sequences");
  if (strategy.sequence < 1) faults.emplace_back("no sequence length: give seq, in tokens");
  divides(strategy.tp, model.heads, "tp", "attention heads");
  if (model.kv_heads != model.heads) divides(strategy.tp, model.kv_heads, "tp", "key-value heads");
  divides(strategy.tp, model.ffn_hidden, "tp", "columns of the MLP");
  divides(strategy.tp, model.vocab, "tp", "words of the vocabulary");
  if (strategy.sp && strategy.sequence > 0)
    divides(strategy.tp, strategy.sequence, "tp", "tokens of a sequence (sp=1)");
  if (strategy.tp > gpus_per_node || gpus_per_node % strategy.tp != 0) {
    faults.push_back(fmt::format("tp={} does not fit into a node of {} GPUs: take a divisor of {}", strategy.tp,
                                 gpus_per_node, gpus_per_node));
  }
  const std::int64_t chunks = static_cast<std::int64_t>(strategy.pp) * strategy.vpp;
  if (model.layers % chunks != 0) {
    faults.push_back(fmt::format("pp={} times vpp={} does not divide {} layers: take chunks of equally many layers",
                                 strategy.pp, strategy.vpp, model.layers));
  }
  if (strategy.vpp > 1 && strategy.pp == 1) {
    faults.push_back(fmt::format("vpp={} needs a pipeline: take pp of at least 2, or vpp=1", strategy.vpp));
  }
  if (model.positions > 0 && strategy.sequence > model.positions) {
    faults.push_back(fmt::format("seq={} is longer than the {} learned positions of the model: take a shorter seq",
                                 strategy.sequence, model.positions));
  }
  const std::int64_t pipeline_gpus = static_cast<std::int64_t>(strategy.tp) * strategy.pp;
  if (gpus < pipeline_gpus || gpus % pipeline_gpus != 0) {
    faults.push_back(fmt::format("{} GPUs are no multiple of tp*pp = {}: change tp or pp", gpus, pipeline_gpus));
    return faults;
  }
  const std::int64_t samples = static_cast<std::int64_t>(strategy.dp(gpus)) * strategy.micro_batch;
  if (strategy.global_batch.value > 0 && strategy.global_batch.value % samples != 0) {
    faults.push_back(fmt::format("gbs={} is no multiple of dp*mbs = {}*{} = {}: change gbs or mbs",
                                 strategy.global_batch.value, strategy.dp(gpus), strategy.micro_batch, samples));
    return faults;
  }
  if (strategy.micro_batches(gpus) * chunks > most_passes) {
    faults.push_back(
        fmt::format("{} micro-batches through {} model chunks are more than the {} passes that a step may "
                    "have here: take a larger mbs or a smaller gbs",
                    strategy.micro_batches(gpus), chunks, most_passes));
  }
  if (strategy.vpp > 1 && strategy.micro_batches(gpus) % strategy.pp != 0) {
    faults.push_back(
        fmt::format("vpp={} needs micro-batches in multiples of pp={}, there are {}: change gbs or mbs, or "
                    "take vpp=1",
                    strategy.vpp, strategy.pp, strategy.micro_batches(gpus)));
  }
  return faults;
}

}  // namespace railyard
