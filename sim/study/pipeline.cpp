// SPDX-License-Identifier: Apache-2.0
#include "sim/study/pipeline.h"

#include <fmt/format.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <exception>
#include <iterator>
#include <map>
#include <mutex>
#include <vector>

#include "base/files.h"
#include "base/hash.h"
#include "sim/study/owner_validation.h"
#include "sim/study/speed.h"

namespace railyard {
namespace {

/// What follows from the step time per GPU.
void set_speeds(ResultRow& row, const Model& model, const Workload& workload) {
  const double tokens = static_cast<double>(workload.global_batch.value) * workload.sequence;
  const Flops flops = model_flops_per_token(model, workload.sequence) * tokens;
  const auto per_gpu = [&](Seconds step) { return flops / step / row.gpus; };
  row.model_flops_per_gpu = {per_gpu(row.step_time.high), per_gpu(row.step_time.typical), per_gpu(row.step_time.low)};
  const auto share = [&](FlopRate rate) { return rate / row.peak; };
  row.mfu = {share(row.model_flops_per_gpu.low), share(row.model_flops_per_gpu.typical),
             share(row.model_flops_per_gpu.high)};
  const auto rate = [&](Seconds step) { return tokens / step.in(second) / row.gpus; };
  row.tokens_per_second_per_gpu = {rate(row.step_time.high), rate(row.step_time.typical), rate(row.step_time.low)};
}

void append(std::vector<EvidenceLine>& list, std::vector<EvidenceLine> more) {
  list.insert(list.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

/// Headline: owner $/h of everything bought over effective PFLOP/s (DESIGN section 3).
void conclude(ResultRow& row) {
  const auto effective = [&](FlopRate rate, double goodput) { return rate.in(petaflop_per_second)*row.gpus * goodput; };
  row.effective_pflops = {effective(row.model_flops_per_gpu.low, row.goodput.low),
                          effective(row.model_flops_per_gpu.typical, row.goodput.typical),
                          effective(row.model_flops_per_gpu.high, row.goodput.high)};
  const Range<DollarsPerSecond>& cost = row.owner.total;
  row.usd_per_pflop_hour = {cost.low.in(dollar_per_hour) / row.effective_pflops.high,
                            cost.typical.in(dollar_per_hour) / row.effective_pflops.typical,
                            cost.high.in(dollar_per_hour) / row.effective_pflops.low};
}

/// A case wired, its parts listed, at a site its racks and cables planned.
struct WiredCase {
  Fabric fabric;
  BillOfMaterials bill;
  std::optional<SitePlan> site;
};

WiredCase wire_case(const WiringCase& asked, const Parts& parts, int spare_nodes, const PriceBook* book) {
  Fabric fabric = wire_fabric(asked.design, parts, asked.server, asked.gpus);
  const int servers = fabric.shape().nodes + spare_nodes;
  if (!asked.site) {
    BillOfMaterials bill = list_parts(fabric, asked.design, parts, asked.server, servers);
    return {std::move(fabric), std::move(bill), std::nullopt};
  }
  FloorPlan floor = plan_floor(fabric, asked.design, parts, asked.server, *asked.site);
  const std::string kind = asked.design.fabric == "roce" ? "ethernet" : asked.design.fabric;
  const PartCost cost = book != nullptr ? part_cost(*book, kind) : PartCost(no_price);
  CableSchedule cables = schedule_cables(fabric, asked.design, parts, asked.server, floor, cost);
  BillOfMaterials bill = list_parts(fabric, asked.design, parts, asked.server, servers, cables);
  return {std::move(fabric), std::move(bill), SitePlan{std::move(floor), std::move(cables)}};
}

/// What a remedy must pass: all that is done with the case itself, and a price for every part where there is a book.
WiringCheck check_of(const Parts& parts, int spare_nodes, const PriceBook* book) {
  return [&parts, spare_nodes, book](const WiringCase& changed) {
    const WiredCase wired = wire_case(changed, parts, spare_nodes, book);
    if (book == nullptr) return;
    const int nodes = wired.fabric.shape().nodes + spare_nodes;
    static_cast<void>(price_bill(wired.bill, *book, parts, nodes * changed.server.gpus, nodes));
  };
}

/// The server of the design for this GPU; when it has none, the designs that do.
const ServerPart& server_or_advise(const Design& design, const Catalogue& catalogue, std::string_view gpu, int gpus,
                                   const std::optional<Site>& site, const WiringCheck& check) {
  try {
    return server_for(design, catalogue.parts(), gpu);
  } catch (const InputError& error) {
    std::vector<Diagnostic> diagnostics = error.diagnostics();
    const WiringCase asked{design, catalogue.parts().server(design.servers.front()), gpus, site};
    std::string names;
    for (const Remedy& each : designs_with(gpu, asked, catalogue.parts(), advice_sources(catalogue), check)) {
      names += (names.empty() ? "" : ", ") + each.words;
    }
    if (names.empty()) throw;
    std::string& advice = diagnostics.front().expected;
    advice += fmt::format("{}use design {}", advice.empty() ? "" : "; or ", names);
    throw InputError(std::move(diagnostics));
  }
}

}  // namespace

AdviceSources advice_sources(const Catalogue& catalogue) {
  AdviceSources sources;
  const auto read = [](auto& list, const auto& load) {
    try {
      list.push_back(load());
    } catch (const InputError&) {
      return;
    }
  };
  for (const std::string& id : catalogue.designs()) read(sources.designs, [&] { return catalogue.design(id); });
  for (const std::string& id : catalogue.sites()) read(sources.sites, [&] { return catalogue.site(id); });
  return sources;
}

WiredDesign wire_design(const Design& design, const Catalogue& catalogue, std::string_view gpu, int gpus,
                        int spare_nodes, const std::optional<Site>& site, const PriceBook* book) {
  const Parts& parts = catalogue.parts();
  const WiringCheck check = check_of(parts, spare_nodes, book);
  const ServerPart& server = server_or_advise(design, catalogue, gpu, gpus, site, check);
  const WiringCase asked{design, server, gpus, site};
  try {
    auto [fabric, bill, plan] = wire_case(asked, parts, spare_nodes, book);
    return {design, &server, std::move(fabric), std::move(bill), std::move(plan)};
  } catch (const InputError& error) {
    throw advised(error, asked, parts, advice_sources(catalogue), check);
  }
}

PricedCluster price_cluster(const RowRequest& request, const Catalogue& catalogue) {
  const GpuPart& gpu = catalogue.parts().gpu(request.cluster.gpu);
  const Design design = catalogue.design(request.cluster.design, request.cluster.fabric);
  const PriceBook book = catalogue.price_book(request.price_book);
  const Reliability reliability = catalogue.reliability(gpu.id);
  const ServerPart& server = server_for(design, catalogue.parts(), gpu.id);

  ResultRow row;
  row.cluster = request.cluster.name;
  row.design = design.id;
  row.design_changes = to_text(request.cluster.fabric);
  row.gpu = gpu.id;
  row.server = server.id;
  row.price_book = book.id;
  row.gpus = request.gpus;
  row.nodes = (request.gpus + server.gpus - 1) / server.gpus;
  row.goodput_detail = goodput_of(reliability, row.nodes, Scenario::typical);
  row.spare_nodes = row.goodput_detail.spare_nodes;
  row.goodput = ordered(goodput_of(reliability, row.nodes, Scenario::low).share, row.goodput_detail.share,
                        goodput_of(reliability, row.nodes, Scenario::high).share);

  WiredDesign wired = wire_design(design, catalogue, gpu.id, request.gpus, row.spare_nodes,
                                  catalogue.site_or_none(request.cluster.site), &book);
  row.shape = wired.fabric.shape();
  row.bill = wired.bill;
  const int nodes_bought = row.nodes + row.spare_nodes;
  row.capex = price_bill(row.bill, book, catalogue.parts(), nodes_bought * server.gpus, nodes_bought);
  row.provisioned = row.bill.server_power + row.bill.network_power + row.bill.site_power;
  row.owner = owner_cost(request.owner, {.capex = row.capex.total(),
                                         .capex_assumed = row.capex.assumed(),
                                         .provisioned = row.provisioned,
                                         .power_assumed = server.power.evidence.assumed(),
                                         .gpus_owned = nodes_bought * server.gpus});
  row.recipe = design;
  append(row.evidence, owner_evidence(request.owner));
  append(row.evidence, reliability_evidence(reliability, gpu.id));
  append(row.evidence, part_evidence(row.bill, catalogue.parts(), gpu, request.workload.precision));
  const Site* at = wired.site ? &wired.site->floor.site() : nullptr;
  if (at != nullptr) row.site = at->id;
  append(row.evidence, wiring_evidence(design, row.bill.counts, at));
  return {std::move(row), std::move(wired)};
}

ResultRow evaluate_row(const RowRequest& request, const Catalogue& catalogue, const Fabric* remaining) {
  const GpuPart& gpu = catalogue.parts().gpu(request.cluster.gpu);
  const Model model = catalogue.model(request.workload.model);
  const Profile profile = catalogue.profile(request.cluster.profile);
  check_profile(profile, gpu, request.workload.precision);

  auto [row, wired] = price_cluster(request, catalogue);
  row.profile = profile.id;
  if (names_file(request.cluster.profile)) row.profile_file = request.cluster.profile;
  row.model = model.id;
  row.sequence = request.workload.sequence;
  row.peak = dense_peak(gpu, request.workload.precision);
  row.gpu_memory = gpu.memory.value.typical;
  row.speed_assumed = profile.speed_assumed();
  append(row.evidence, speed_evidence(profile, request.workload.precision, row.recipe.fabric));
  row.choice = choose_strategy(request.cluster.strategy, request.workload, model, profile, wired, gpu);
  if (remaining != nullptr) wired.fabric = *remaining;
  const StepRange step = simulate_range(model, row.choice.strategy, profile, wired, gpu);
  row.step = step.typical;
  row.step_time = step.time;
  row.memory = peak_memory(model, row.choice.strategy, request.gpus);
  set_speeds(row, model, request.workload);
  conclude(row);
  return std::move(row);
}

StudyResult run_study(const Study& study, const Catalogue& catalogue, const Progress& progress) {
  std::vector<RowRequest> requests;
  for (const ClusterSpec& cluster : study.clusters()) {
    for (const int gpus : study.gpus()) {
      requests.push_back({cluster, study.workload(), gpus, study.owner(), study.price_book()});
    }
  }
  StudyResult result;
  result.title = study.title();
  result.workload = fmt::format("{} seq={} gbs={}", study.workload().model, study.workload().sequence,
                                study.workload().global_batch.value);
  result.precision = to_string(study.workload().precision);
  result.price_book = study.price_book();
  result.buyer = study.owner().buyer;
  result.input_hash = hash_text({study.fingerprint(), catalogue.data_hash()});
  for (const ClusterSpec& cluster : study.clusters()) {
    if (names_file(cluster.profile)) result.input_hash = hash_text({result.input_hash, read_file(cluster.profile)});
  }
  result.rows.resize(requests.size());

  std::mutex reporting;
  std::size_t done = 0;
  // The first row that fails is told, whichever thread met its error first: the same input gives the same message.
  std::vector<std::exception_ptr> errors(requests.size());
  tbb::parallel_for(std::size_t{0}, requests.size(), [&](std::size_t i) {
    try {
      result.rows[i] = evaluate_row(requests[i], catalogue);
    } catch (const InputError& error) {
      errors[i] = std::make_exception_ptr(
          error.in(fmt::format("cluster '{}' with {} GPUs", requests[i].cluster.name, requests[i].gpus)));
    } catch (...) {
      errors[i] = std::current_exception();
    }
    const std::lock_guard lock(reporting);
    ++done;
    if (progress) progress(done, requests.size());
  });
  for (const std::exception_ptr& error : errors) {
    if (error) std::rethrow_exception(error);
  }

  for (const int gpus : study.gpus()) {
    std::vector<const ResultRow*> same_size;
    for (const ResultRow& row : result.rows) {
      if (row.gpus == gpus) same_size.push_back(&row);
    }
    if (same_size.size() > 1) result.verdicts.push_back(compare_rows(same_size));
  }
  result.published_costs = beside_published(result.rows, study.owner(), catalogue.published_owner_costs(),
                                            catalogue.published_owner_terms());
  return result;
}

Verdict compare_rows(std::span<const ResultRow* const> rows) {
  std::vector<const ResultRow*> order(rows.begin(), rows.end());
  std::stable_sort(order.begin(), order.end(), [](const ResultRow* a, const ResultRow* b) {
    return a->usd_per_pflop_hour.typical < b->usd_per_pflop_hour.typical;
  });
  const ResultRow& best = *order.front();
  const auto overlaps = [&](const ResultRow* other) {
    return other != &best && other->usd_per_pflop_hour.low <= best.usd_per_pflop_hour.high;
  };
  const auto rival = std::find_if(order.begin(), order.end(), overlaps);

  Verdict verdict;
  verdict.gpus = best.gpus;
  verdict.resolved = rival == order.end();
  verdict.lowest = best.cluster;
  verdict.rival = (verdict.resolved ? order[1] : *rival)->cluster;
  const auto span = [](const ResultRow& row) {
    return fmt::format("{} {:.2f} ({:.2f} to {:.2f})", row.cluster, row.usd_per_pflop_hour.typical,
                       row.usd_per_pflop_hour.low, row.usd_per_pflop_hour.high);
  };
  if (verdict.resolved) {
    verdict.better = best.cluster;
    verdict.sentence = fmt::format("{} GPUs: {} is cheapest; next {}", best.gpus, span(best), span(*order[1]));
  } else {
    verdict.sentence =
        fmt::format("{} GPUs: not resolved; the ranges of {} and {} overlap", best.gpus, span(best), span(**rival));
  }
  return verdict;
}

}  // namespace railyard
