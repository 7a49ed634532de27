// SPDX-License-Identifier: Apache-2.0
// bom, design, price and diff: what is bought, without a workload.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/diagnostic.h"
#include "base/nearest_name.h"
#include "base/quantity_text.h"
#include "sim/app/commands.h"
#include "sim/report/check_report.h"
#include "sim/report/floor_report.h"
#include "sim/report/json.h"
#include "sim/report/text.h"
#include "sim/study/design_comparison.h"
#include "sim/study/difference.h"

namespace railyard {
namespace {

std::string book_or_newest(const std::string& book, const Catalogue& catalogue) {
  return book.empty() ? catalogue.newest_price_book() : book;
}

const ClusterSpec& cluster_named(const Study& study, const std::string& name) {
  std::vector<std::string> names;
  for (const ClusterSpec& cluster : study.clusters()) {
    if (cluster.name == name) return cluster;
    names.push_back(cluster.name);
  }
  throw InputError(fmt::format("the study has no cluster '{}'", name), expected_names(name, names));
}

/// Wires a design, at a site when one is named.
WiredDesign wire(const Design& design, const std::string& gpu, int gpus, const std::string& site, const PriceBook& book,
                 const Catalogue& catalogue) {
  return wire_design(design, catalogue, gpu_or_first(gpu, design, catalogue.parts()), gpus, 0,
                     catalogue.site_or_none(site), &book);
}

}  // namespace

Outcome run(const BomOptions& options, const Context& context) {
  const Catalogue& catalogue = context.catalogue;
  const Design design = catalogue.design(options.design);
  const PriceBook book = catalogue.price_book(book_or_newest(options.book, catalogue));
  const WiredDesign wired = wire(design, options.gpu, options.gpus, options.site, book, catalogue);
  const int nodes = wired.fabric.shape().nodes;
  const Capex capex = price_bill(wired.bill, book, catalogue.parts(), nodes * wired.server->gpus, nodes);
  switch (context.format) {
    case Format::json:
      return {bom_json(design, options.gpus, book.id, wired.bill, capex, options.all), {}, 0};
    case Format::csv:
      return {to_csv(capex_table(capex, options.all)), {}, 0};
    case Format::text:
      break;
  }
  return {bom_text(wired.bill, capex, options.all), {}, 0};
}

namespace {

Outcome check(const DesignOptions& options, const Context& context) {
  const Catalogue& catalogue = context.catalogue;
  if (options.designs.size() > 1 || options.gpus.size() > 1) {
    throw InputError("--check looks at one design at one size", "name one design and one number of GPUs");
  }
  const Design design = catalogue.design(options.designs.front());
  const std::string gpu = gpu_or_first(options.gpu, design, catalogue.parts());
  const ServerPart& server = server_for(design, catalogue.parts(), gpu);
  const int gpus = options.gpus.front();
  const std::vector<Finding> findings = check_design({design, server, gpus, catalogue.site_or_none(options.site)},
                                                     catalogue.parts(), advice_sources(catalogue));
  const bool failed =
      std::ranges::any_of(findings, [](const Finding& each) { return each.verdict == CheckVerdict::fail; });
  constexpr int not_met = 3;
  const int exit_code = failed ? not_met : 0;
  switch (context.format) {
    case Format::json:
      return {check_json(design, gpus, findings), {}, exit_code};
    case Format::csv:
      return {to_csv(check_table(findings)), {}, exit_code};
    case Format::text:
      break;
  }
  return {check_text(design, gpus, findings), {}, exit_code};
}

}  // namespace

Outcome run(const DesignOptions& options, const Context& context) {
  if (options.check) return check(options, context);
  const Catalogue& catalogue = context.catalogue;
  if (options.designs.size() > 1 || options.gpus.size() > 1) {
    if (catalogue.site_or_none(options.site)) {
      throw InputError("--site plans one design at one size", "name one design and one number of GPUs");
    }
    const std::vector<DesignRow> rows =
        compare_designs(options.designs, options.gpus, options.gpu, book_or_newest(options.book, catalogue), catalogue);
    if (std::none_of(rows.begin(), rows.end(), [](const DesignRow& row) { return row.possible; })) {
      throw InputError("none of these designs can be built at these sizes: " + rows.front().fault);
    }
    switch (context.format) {
      case Format::json:
        return {designs_json(rows), {}, 0};
      case Format::csv:
        return {to_csv(designs_table(rows)), {}, 0};
      case Format::text:
        break;
    }
    return {designs_text(rows), {}, 0};
  }
  const Design design = catalogue.design(options.designs.front());
  const PriceBook book = catalogue.price_book(book_or_newest(options.book, catalogue));  // a wrong name is told always
  const WiredDesign wired = wire(design, options.gpu, options.gpus.front(), options.site, book, catalogue);
  if (wired.site && context.format == Format::json) return {floor_json(wired), {}, 0};
  if (wired.site && context.format == Format::csv) {
    return {to_csv(rack_table(wired)) + "\n" + to_csv(cable_table(wired)), {}, 0};
  }
  const Bandwidth bisection = bisection_bandwidth(wired.fabric);
  switch (context.format) {
    case Format::json:
      return {design_json(design, wired.fabric.shape(), wired.bill.counts, bisection), {}, 0};
    case Format::csv:
      return {to_csv(layer_table(wired.bill.counts)), {}, 0};
    case Format::text:
      break;
  }
  const std::string text = design_text(design, wired.fabric.shape(), wired.bill.counts, bisection);
  return {wired.site ? text + "\n" + floor_text(wired) : text, {}, 0};
}

Outcome run(const PriceOptions& options, const Context& context) {
  const Catalogue& catalogue = context.catalogue;
  const Design design = catalogue.design(options.design);
  RowRequest request;
  request.cluster.name = design.id;
  request.cluster.design = design.id;
  request.cluster.gpu = gpu_or_first(options.gpu, design, catalogue.parts());
  request.cluster.site = options.site;
  request.gpus = options.gpus;
  request.owner = catalogue.owner(options.buyer);
  request.price_book = book_or_newest(options.book, catalogue);
  const PricedCluster priced = price_cluster(request, catalogue);
  switch (context.format) {
    case Format::json:
      return {price_json(priced.row), {}, 0};
    case Format::csv:
      return {to_csv(capex_table(priced.row.capex, true)) + "\n" + to_csv(owner_table(priced.row.owner)), {}, 0};
    case Format::text:
      break;
  }
  return {price_text(priced.row), {}, 0};
}

Outcome run(const DiffOptions& options, const Context& context) {
  const Study study = read_study(options.study, options.settings, context.catalogue);
  if (study.clusters().size() < 2) throw InputError("the study has one cluster", "a difference needs two");
  const int gpus = size_of(study, options.gpus, options.settings);
  const auto chosen = [&](const std::string& name, std::size_t fallback) -> const ClusterSpec& {
    return name.empty() ? study.clusters()[fallback] : cluster_named(study, name);
  };
  const ClusterSpec& one = chosen(options.first, 0);
  const ClusterSpec& other = chosen(options.second, 1);
  if (&one == &other) {
    throw InputError(fmt::format("both clusters are '{}'", one.name), "name two with --first and --second");
  }
  const auto priced = [&](const ClusterSpec& cluster) {
    return price_cluster({cluster, study.workload(), gpus, study.owner(), study.price_book()}, context.catalogue).row;
  };
  const CapexDifference difference = capex_difference(priced(one), priced(other));
  std::optional<double> share;
  if (!options.share.empty()) {
    const QuantityText parsed = parse_quantity(options.share, units::share);
    if (!parsed.ok() || parsed.base <= 0 || parsed.base > 1) {
      throw InputError(fmt::format("--share '{}' is no share above 0 and up to 100 %", options.share),
                       "write it as '40 %'");
    }
    share = parsed.base;
  }
  switch (context.format) {
    case Format::json:
      return {difference_json(difference, share), {}, 0};
    case Format::csv:
      return {to_csv(difference_table(difference)), {}, 0};
    case Format::text:
      break;
  }
  return {difference_text(difference, share), {}, 0};
}

}  // namespace railyard
