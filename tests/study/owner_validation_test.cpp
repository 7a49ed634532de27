// SPDX-License-Identifier: Apache-2.0
#include "sim/study/owner_validation.h"

#include <numeric>

#include "sim/study/pipeline.h"
#include "tests/catch.h"
#include "tests/study/fixture.h"

using namespace railyard;

namespace {

ResultRow priced(const char* cluster, const char* design, const char* gpu, int gpus) {
  RowRequest request;
  request.cluster.name = cluster;
  request.cluster.design = design;
  request.cluster.gpu = gpu;
  request.gpus = gpus;
  request.owner = shipped().owner("neocloud");
  request.price_book = "2024-12";
  return price_cluster(request, shipped()).row;
}

double sum_of(const OwnerComparison& comparison) {
  return std::accumulate(comparison.items.begin(), comparison.items.end(), 0.0,
                         [](double sum, const auto& item) { return sum + item.second; });
}

}  // namespace

TEST_CASE("owner costs: a study stands beside the published figure of its GPU and buyer, at the nearest size",
          "[study]") {
  const std::vector<ResultRow> rows{priced("A", "ndr-rail", "h100", 256), priced("A", "ndr-rail", "h100", 2048),
                                    priced("B", "roce-51t-rail", "mi300x", 256)};
  const PublishedOwnerCost published[] = {
      {.gpu = "h100", .buyer = "neocloud", .source = "s", .date = "2025-08", .gpus = 1024, .usd_per_gpu_hour = 1.69},
      {.gpu = "h100", .buyer = "hyperscaler", .source = "s", .date = "2025-08", .gpus = 1024, .usd_per_gpu_hour = 1.3},
      {.gpu = "b200", .buyer = "neocloud", .source = "s", .date = "2025-08", .gpus = 1024, .usd_per_gpu_hour = 2.34}};
  const std::vector<OwnerComparison> all = beside_published(rows, shipped().owner("neocloud"), published, {});
  REQUIRE(all.size() == 1);
  // 2 048 is twice 1 024, 256 a quarter of it.
  CHECK(all[0].gpus == 2048);
  CHECK(all[0].cluster == "A");
  CHECK(all[0].ours.typical == rows[1].owner.per_gpu.typical.in(dollar_per_hour));
  CHECK_THAT(all[0].difference, WithinRel(all[0].ours.typical - 1.69, 1e-12));
}

TEST_CASE("owner costs: the items sum to the cost, for every published row", "[study]") {
  const std::vector<PublishedOwnerCost> published = shipped().published_owner_costs();
  REQUIRE(published.size() == 10);
  CsvFile file;
  file.name = "some rows";
  file.columns = {"gpu", "buyer", "design", "gpus", "usd_per_gpu_hour", "source", "date"};
  for (const PublishedOwnerCost& each : published) {
    if (each.gpu != "h100" && each.gpu != "gb200") continue;  // a box and a rack
    file.records.push_back({static_cast<int>(file.records.size()) + 2,
                            {{"gpu", each.gpu},
                             {"buyer", each.buyer},
                             {"design", each.design},
                             {"gpus", std::to_string(each.gpus)},
                             {"usd_per_gpu_hour", std::to_string(each.usd_per_gpu_hour)},
                             {"source", each.source},
                             {"date", each.date}}});
  }
  const std::vector<OwnerComparison> all = compare_owner_costs(file, {}, "2026-09", shipped());
  REQUIRE(all.size() == 4);
  for (const OwnerComparison& each : all) {
    INFO(each.gpu << " " << each.buyer);
    CHECK_THAT(sum_of(each), WithinRel(each.ours.typical, 1e-9));
  }
}

TEST_CASE("owner costs: a cell that is no number names file, line and column", "[study]") {
  const CsvFile file =
      parse_csv("gpu,buyer,design,gpus,usd_per_gpu_hour,source,date\nh100,neocloud,ndr-rail,8,free,s,d\n", "costs.csv");
  CHECK_THROWS_WITH(read_published_costs(file),
                    ContainsSubstring("costs.csv:2:1: error: usd_per_gpu_hour: found 'free'"));
}
