// SPDX-License-Identifier: Apache-2.0
#include "sim/report/html/page.h"

#include <fmt/format.h>

#include <cassert>

#include "sim/report/html/answer.h"
#include "sim/report/html/assets.h"
#include "sim/report/html/figures.h"
#include "sim/report/html/sections.h"
#include "sim/report/html/svg.h"
#include "sim/report/version.h"

namespace railyard::html {
namespace {

std::string compounding_sentence(const StudyResult& result) {
  for (const EvidenceLine& line : result.rows.front().evidence) {
    if (line.unit == "%/year nominal") return "The cost of capital is a nominal yearly rate: a twelfth of it a month.";
    if (line.unit == "%/year effective") {
      return "The cost of capital is an effective yearly rate r: (1 + r)^(1/12) \u2212 1 a month.";
    }
  }
  return {};
}

std::string subtitle(const StudyResult& result) {
  const ResultRow& row = result.rows.front();
  const Strategy& strategy = row.choice.strategy;
  return fmt::format("Training {} in {}: steps of {} sequences of {} tokens. Prices of {}; owner: {}.", row.model,
                     result.precision, count(static_cast<double>(strategy.global_batch.value)), count(row.sequence),
                     result.price_book, result.buyer);
}

Markup header(const StudyResult& result) {
  const Answer answer = answer_of(result);
  Markup conditions;
  for (const std::string& condition : answer.conditions) conditions += element("li", condition);
  const bool firm = answer.certainty == Answer::Certainty::resolved;
  return element("header",
                 element("p", {{"class", "kicker"}}, "railyard: what an effective training PFLOP/s costs per hour") +
                     element("h1", result.title) + element("p", {{"class", "subtitle"}}, subtitle(result)) +
                     element("div", {{"class", firm ? "answer firm" : "answer"}},
                             element("p", element("strong", {{"class", "badge"}}, answer.badge) + Markup(" ") +
                                              Markup(answer.sentence)) +
                                 element("ul", conditions)));
}

Markup footer(const StudyResult& result) {
  Markup terms;
  const auto add = [&](std::string_view name, const std::string& value) {
    if (!value.empty()) terms += element("dt", name) + element("dd", value);
  };
  add("Program", fmt::format("railyard {}", version()));
  add("Input hash", result.input_hash);
  add("Price book", result.price_book);
  add("Buyer", result.buyer);
  add("Money", "US dollars of the price book's date, before tax, without inflation.");
  add("Hours", "Owned hours, sold or not; a month is 730 h, a year 8 760 h.");
  add("Rates", compounding_sentence(result));
  add("Capital",
      "Level payments at the end of each month over the life; salvage comes at the end of life, discounted.");
  add("MFU", "Model FLOP/s over the dense peak of the precision; causal attention counted half, recomputation never.");
  add("Goodput",
      "Share of wall-clock on steps that count; failures, checkpoints and restarts are in it, never in MFU.");
  return element("footer", element("h2", "Conventions") + element("dl", terms));
}

/// Style and script are written by hand beside this file and hold no closing tag of their own.
Markup asset(std::string_view tag, std::string_view content) {
  assert(content.find("</") == std::string_view::npos);
  return element(tag, Markup::trusted("\n" + std::string(content)));
}

}  // namespace

std::string study_page(const StudyResult& result) {
  assert(!result.rows.empty());
  Markup contents, sections;
  for (const auto& make : {headline_section, capex_section, network_section, switch_section, step_section,
                           owner_section, published_section, assumptions_section}) {
    const Section section = make(result);
    if (section.body.empty()) continue;
    contents += element("li", element("a", {{"href", "#" + section.id}}, section.title));
    sections += element("section", {{"id", section.id}, {"aria-labelledby", section.id + "-heading"}},
                        element("h2", {{"id", section.id + "-heading"}}, section.title) + section.body) +
                Markup("\n");
  }
  const Markup head =
      Markup::trusted(
          "<meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
          "<meta name=\"color-scheme\" content=\"light dark\">\n"
          // Nothing may be fetched, whatever a browser or a changed file tries.
          "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
          "script-src 'unsafe-inline'; img-src data:\">\n"
          "<link rel=\"icon\" href=\"data:,\">\n") +
      element("title", result.title) + Markup("\n") + asset("style", report_style());
  const Markup body =
      marker_shapes() +
      element("main", header(result) + element("nav", {{"aria-label", "Contents"}}, element("ul", contents)) +
                          Markup("\n") + sections + footer(result)) +
      Markup("\n") + asset("script", report_script());
  return "<!DOCTYPE html>\n" +
         element("html", {{"lang", "en"}}, element("head", head) + Markup("\n") + element("body", body)).text() + "\n";
}

}  // namespace railyard::html
