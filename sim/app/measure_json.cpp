// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "sim/app/measure_output.h"
#include "sim/report/version.h"

namespace railyard {
namespace {

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return result + '"';
}

std::string number(double value, bool known) { return known ? exact_text(value) : "null"; }

std::string object(const device::Measurement& each) {
  const device::Timing& timing = each.timing;
  const bool measured = each.measured();
  const bool computes = device::flops(each.planned.work) > 0;
  std::string text = fmt::format(R"({{"group": {}, "operation": {}, "variant": {}, "size": {}, "mode": {})",
                                 quoted(each.planned.group), quoted(each.planned.operation),
                                 quoted(each.planned.variant), quoted(device::size_label(each.planned.work)),
                                 quoted(std::string(to_string(each.planned.loop.mode))));
  text += fmt::format(R"(, "rate_{}": {}, "median_s": {}, "low_s": {}, "high_s": {}, "noise": {}, "samples": {})",
                      computes ? "flop_per_s" : "byte_per_s", number(each.rate(), measured),
                      number(timing.time.median, measured), number(timing.time.low, measured),
                      number(timing.time.high, measured), number(timing.time.noise(), measured), timing.time.count);
  text += fmt::format(R"(, "dropped": {}, "runs_per_sample": {}, "ended": {}, "clock_hz": {}, "power_w": {})",
                      timing.dropped, timing.batch, quoted(std::string(to_string(timing.ended))),
                      number(timing.clock_hz, timing.clock_hz > 0), number(timing.power_w, timing.power_w > 0));
  if (each.planned.beside) {
    text += fmt::format(R"(, "alone_s": {}, "beside_s": {}, "other_alone_s": {}, "other_beside_s": {})",
                        number(each.alone_s, measured), number(each.beside_s, measured),
                        number(each.other_alone_s, measured), number(each.other_beside_s, measured));
  }
  if (each.verification) {
    text += fmt::format(R"(, "error": {}, "allowed_error": {})", exact_text(each.verification->error),
                        exact_text(each.verification->limit));
  }
  return text + fmt::format(R"(, "kernel": {}, "waived": {}}})", quoted(each.kernel), quoted(each.waived));
}

}  // namespace

std::string measure_json(const device::MeasureReport& report) {
  std::string text = fmt::format("{{\n  \"schema\": \"railyard/1\",\n  \"version\": {},\n  \"device\": {},\n",
                                 quoted(std::string(version())), quoted(report.facts.name));
  text += "  \"facts\": {";
  for (std::size_t i = 0; i < report.facts.facts.size(); ++i) {
    const device::Fact& fact = report.facts.facts[i];
    text += fmt::format("{}{}: {}", i > 0 ? ", " : "", quoted(fact.key), quoted(fact.text));
  }
  text += "},\n  \"measurements\": [";
  for (std::size_t i = 0; i < report.measurements.size(); ++i) {
    text += (i > 0 ? ",\n    " : "\n    ") + object(report.measurements[i]);
  }
  return text + fmt::format("\n  ],\n  \"wall_s\": {}\n}}\n", exact_text(report.wall_s));
}

}  // namespace railyard
