// SPDX-License-Identifier: Apache-2.0
// bom, design and price: what is bought, without a workload.
#include "base/diagnostic.h"
#include "sim/app/commands.h"
#include "sim/report/json.h"
#include "sim/report/text.h"

namespace railyard {
namespace {

/// The GPU asked for, or that of the design's first server.
std::string gpu_or_first(const std::string& gpu, const Design& design, const Parts& parts) {
  if (!gpu.empty()) return parts.gpu(gpu).id;
  return parts.server(design.servers.front()).gpu;
}

std::string book_or_newest(const std::string& book, const Catalogue& catalogue) {
  return book.empty() ? catalogue.newest_price_book() : book;
}

}  // namespace

Outcome run(const BomOptions& options, const Context& context) {
  const Catalogue& catalogue = context.catalogue;
  const Design design = catalogue.design(options.design);
  const PriceBook book = catalogue.price_book(book_or_newest(options.book, catalogue));
  const WiredDesign wired =
      wire_design(design, catalogue, gpu_or_first(options.gpu, design, catalogue.parts()), options.gpus, 0);
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

Outcome run(const DesignOptions& options, const Context& context) {
  const Catalogue& catalogue = context.catalogue;
  const Design design = catalogue.design(options.design);
  const WiredDesign wired =
      wire_design(design, catalogue, gpu_or_first(options.gpu, design, catalogue.parts()), options.gpus, 0);
  const Bandwidth bisection = bisection_bandwidth(wired.fabric);
  switch (context.format) {
    case Format::json:
      return {design_json(design, wired.fabric.shape(), wired.bill.counts, bisection), {}, 0};
    case Format::csv:
      return {to_csv(layer_table(wired.bill.counts)), {}, 0};
    case Format::text:
      break;
  }
  return {design_text(design, wired.fabric.shape(), wired.bill.counts, bisection), {}, 0};
}

Outcome run(const PriceOptions& options, const Context& context) {
  const Catalogue& catalogue = context.catalogue;
  const Design design = catalogue.design(options.design);
  RowRequest request;
  request.cluster.name = design.id;
  request.cluster.design = design.id;
  request.cluster.gpu = gpu_or_first(options.gpu, design, catalogue.parts());
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

}  // namespace railyard
