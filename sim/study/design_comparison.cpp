// SPDX-License-Identifier: Apache-2.0
#include "sim/study/design_comparison.h"

#include <fmt/format.h>

#include <map>

#include "pricing/capex.h"

namespace railyard {
namespace {

DesignRow design_row(const Design& design, const std::string& gpu, int gpus, const PriceBook& book,
                     const Catalogue& catalogue) {
  DesignRow row;
  row.design = design.id;
  row.gpu = gpu;
  row.gpus = gpus;
  try {
    const WiredDesign wired = wire_design(design, catalogue, gpu, gpus, 0);
    const int nodes = wired.fabric.shape().nodes;
    row.shape = wired.fabric.shape();
    row.counts = wired.bill.counts;
    row.network_power = wired.bill.network_power;
    row.network_capex = price_bill(wired.bill, book, catalogue.parts(), nodes * wired.server->gpus, nodes).network();
  } catch (const InputError& error) {
    row.possible = false;
    row.fault = error.diagnostics().front().message;
  }
  return row;
}

}  // namespace

std::string gpu_or_first(const std::string& gpu, const Design& design, const Parts& parts) {
  if (!gpu.empty()) return parts.gpu(gpu).id;
  return parts.server(design.servers.front()).gpu;
}

int module_count(const NetworkCounts& counts) {
  return counts.node_modules + counts.leaf_modules + counts.spine_modules + counts.core_modules +
         counts.manager_modules;
}

std::vector<DesignRow> compare_designs(const std::vector<std::string>& designs, const std::vector<int>& sizes,
                                       const std::string& gpu, const std::string& price_book,
                                       const Catalogue& catalogue) {
  const PriceBook book = catalogue.price_book(price_book);
  std::vector<Design> read;
  for (const std::string& id : designs) read.push_back(catalogue.design(id));
  std::vector<DesignRow> rows;
  for (const int gpus : sizes) {
    for (const Design& design : read) {
      rows.push_back(design_row(design, gpu_or_first(gpu, design, catalogue.parts()), gpus, book, catalogue));
    }
  }
  return rows;
}

std::vector<std::string> tier_savings(const std::vector<DesignRow>& rows) {
  std::map<int, std::vector<const DesignRow*>> by_size;
  for (const DesignRow& row : rows) {
    if (row.possible) by_size[row.gpus].push_back(&row);
  }
  std::vector<std::string> sentences;
  for (const auto& [gpus, same_size] : by_size) {
    std::map<int, std::string> designs_by_tiers;
    for (const DesignRow* row : same_size) {
      std::string& names = designs_by_tiers[row->counts.tiers];
      names += (names.empty() ? "" : ", ") + row->design;
    }
    if (designs_by_tiers.size() < 2) continue;
    std::string sentence = fmt::format("{} GPUs:", gpus);
    for (const auto& [tiers, names] : designs_by_tiers) {
      sentence +=
          fmt::format("{} {} tier{} with {}", sentence.back() == ':' ? "" : ";", tiers, tiers == 1 ? "" : "s", names);
    }
    sentences.push_back(std::move(sentence));
  }
  return sentences;
}

}  // namespace railyard
