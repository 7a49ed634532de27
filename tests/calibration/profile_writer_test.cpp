// SPDX-License-Identifier: Apache-2.0
#include "sim/study/calibration/profile_writer.h"

#include "sim/study/calibration/named_gpus.h"
#include "sim/study/calibration/profile_lines.h"
#include "tests/calibration/ring_log.h"
#include "tests/catch.h"
#include "tests/study/fixture.h"

namespace railyard {
namespace {

Profile h100() { return shipped().profile("h100-cuda"); }

WrittenProfile written(const std::vector<std::string>& logs, const Profile* like) {
  std::vector<ImportedFile> files;
  for (const std::string& log : logs) files.push_back(import_log(log, "log"));
  const SampleSet set = sample_set("mine", files);
  ProfileRequest request;
  request.id = "mine";
  request.like = like;
  return write_profile(request, set, fit_samples(set, like), shipped().parts());
}

Profile parsed(const WrittenProfile& profile) { return read_profile(YamlDocument::parse(profile.yaml, "mine.yaml")); }

TEST_CASE("profile writer: a ring's bandwidth is measured, the rest is as the other profile and assumed",
          "[calibration]") {
  const Profile like = h100();
  const Profile mine = parsed(written({fixture::ring_log(4), fixture::ring_log(8)}, &like));
  CHECK(mine.gpu == "h100");
  const CollectiveParameters& known = mine.collectives.at("infiniband");
  CHECK_THAT(known.scale_up_ring.value.typical.in(gigabyte_per_second), WithinRel(350, 0.01));  // of the fixture's law
  CHECK_FALSE(known.scale_up_ring.evidence.assumed());
  CHECK_THAT(known.scale_up_ring.evidence.source, ContainsSubstring("nccl-tests"));
  CHECK_THAT(known.scale_up_ring.evidence.source, ContainsSubstring("H100"));
  CHECK_THAT(known.scale_up_ring.evidence.rule, ContainsSubstring("leaving out each"));
  // Two rank counts and small messages tell starts and hops: 10 us and 3 us.
  CHECK(known.base_latency.value.low.in(microsecond) <= 10.5);
  CHECK(known.base_latency.value.high.in(microsecond) >= 9.5);
  CHECK_THAT(known.scale_up_hop.value.typical.in(microsecond), WithinRel(3, 0.15));
  // Everything else, figure by figure.
  const std::vector<ProfileLine> lines = profile_lines(mine), others = profile_lines(like);
  REQUIRE(lines.size() == others.size());
  std::size_t assumed = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    INFO(lines[i].key);
    CHECK(lines[i].key == others[i].key);
    if (!lines[i].evidence.assumed()) continue;
    ++assumed;
    CHECK(lines[i].evidence.rule == "as h100-cuda; not measured here");
    CHECK_THAT(lines[i].value.typical, WithinRel(others[i].value.typical, 1e-5));
    CHECK_THAT(lines[i].value.low, WithinRel(others[i].value.low, 1e-5) || WithinAbs(0, 0));
    CHECK_THAT(lines[i].value.high, WithinRel(others[i].value.high, 1e-5));
  }
  CHECK(lines.size() - assumed == 8);  // ring, link, start and hop over either fabric
}

TEST_CASE("profile writer: the last-level cache and what refetching costs stay as the other profile has them",
          "[calibration]") {
  const Profile instinct = shipped().profile("mi300x-rocm-vip");
  Profile like = h100();
  like.last_level_cache = instinct.last_level_cache;
  like.compute_dies = instinct.compute_dies;
  like.gemm.at(Precision::fp8).refetch = instinct.gemm.at(Precision::fp8).refetch;
  REQUIRE(like.last_level_cache);
  const Profile mine = parsed(written({fixture::ring_log(8)}, &like));
  REQUIRE(mine.last_level_cache);
  CHECK(mine.last_level_cache->value.typical == like.last_level_cache->value.typical);
  CHECK(mine.compute_dies == like.compute_dies);
  CHECK_THAT(mine.gemm.at(Precision::fp8).refetch.value().value.typical,
             WithinRel(like.gemm.at(Precision::fp8).refetch.value().value.typical, 1e-9));
}

TEST_CASE("samples: of a vendor's own benchmark the host's launch interval is told apart from the products",
          "[calibration]") {
  const Profile like = h100();
  const GemmLaw law = *gemm_law(like, Precision::bf16, Speed::typical);
  MeasuredSeries series{.operation = "gemm bf16", .tool = "hipblaslt-bench"};
  for (const std::int64_t n : {256, 1024, 2048, 8192}) {
    for (const std::int64_t k : {512, 1024, 4096, 8192}) {
      const GemmShape shape{n, n, k};
      const double seconds = std::max(gemm_time(law, shape, 2.0 * byte, 2.0 * byte).in(second), 40e-6);
      const double work = 2.0 * static_cast<double>(n) * static_cast<double>(n) * static_cast<double>(k);
      series.points.push_back({.label = "", .shape = shape, .rate = work / seconds});
    }
  }
  const auto fitted = [&] {
    const SampleSet set{.name = "mine", .like = "", .series = {series}};
    return fit_samples(set, &like).laws.at(0);
  };
  REQUIRE_FALSE(fitted().shape_fitted);  // too few for the whole law
  CHECK_THAT(fitted().gemm->interval_s, WithinRel(40e-6, 0.01));
  CHECK(fitted().report.left_out().median < 0.02);
  series.tool = "do_bench";
  CHECK(fitted().gemm->interval_s == 0);
  CHECK(fitted().report.left_out().median > 0.05);
}

TEST_CASE("profile writer: one rank count gives the bandwidth alone", "[calibration]") {
  const Profile like = h100();
  const Profile mine = parsed(written({fixture::ring_log(8)}, &like));
  const CollectiveParameters& known = mine.collectives.at("roce");
  CHECK_FALSE(known.scale_up_ring.evidence.assumed());
  CHECK(known.base_latency.evidence.assumed());
  CHECK(known.scale_up_hop.evidence.assumed());
}

TEST_CASE("profile writer: few products give the speed of a law whose shape is known", "[calibration]") {
  const Profile like = h100();
  GemmLaw law = *gemm_law(like, Precision::bf16, Speed::typical);
  law.flop_per_s = 600e12;
  const Profile mine = parsed(written({fixture::gemm_json(law)}, &like));
  const GemmParameters& gemm = mine.gemm.at(Precision::bf16);
  CHECK_THAT(gemm.sustained.value.typical.in(teraflop_per_second), WithinRel(600, 0.002));
  CHECK_FALSE(gemm.sustained.evidence.assumed());
  CHECK(gemm.k_overhead.evidence.assumed());
  CHECK(gemm.fit->samples == 6);
  CHECK(gemm.fit->ranges.at("k").low == 1280);
  CHECK(mine.date == "2026-05-04");
  CHECK(mine.gemm.at(Precision::fp8).sustained.evidence.assumed());
}

TEST_CASE("profile writer: gaps without another profile are told", "[calibration]") {
  CHECK_THROWS_WITH(written({fixture::ring_log(8)}, nullptr),
                    ContainsSubstring("missing: compute_units") && ContainsSubstring("gemm") &&
                        ContainsSubstring("attention") && ContainsSubstring("--like"));
}

TEST_CASE("profile writer: speeds above the data sheet are refused", "[calibration]") {
  const Profile like = h100();
  CHECK_THROWS_WITH(written({fixture::ring_log(8, 600)}, &like), ContainsSubstring("above the data sheet"));
}

TEST_CASE("profile writer: several nodes give the share of the line rate once it is known", "[calibration]") {
  const Profile like = h100();
  // Ten nodes of one GPU: a ring of 45 GB/s on ports of 400 Gb/s is nine tenths.
  fixture::Rows sizes;
  for (long size = 1024; size <= 4294967296; size *= 4) {
    sizes.emplace_back(size, 200 + 1.8 * static_cast<double>(size) / 45e3);
  }
  const std::string log =
      fixture::settings() + fixture::devices(10, 1) + fixture::header() + fixture::rows(sizes, 1.8) + fixture::footer();
  const std::vector<ImportedFile> files{import_log(log, "log")};
  const SampleSet set = sample_set("mine", files);
  ProfileRequest request{.id = "mine", .like = &like, .fabric = "roce", .nic = 400.0 * gigabit_per_second};
  const SampleFit fit = fit_samples(set, &like);
  const Profile mine = parsed(write_profile(request, set, fit, shipped().parts()));
  CHECK_THAT(mine.collectives.at("roce").scale_out_efficiency.value.typical, WithinRel(0.9, 0.01));
  CHECK(mine.collectives.at("infiniband").scale_out_efficiency.evidence.assumed());
  request.nic = 200.0 * gigabit_per_second;
  CHECK_THROWS_WITH(write_profile(request, set, fit, shipped().parts()), ContainsSubstring("ports of --nic"));
  request.fabric = "rocee";
  CHECK_THROWS_WITH(write_profile(request, set, fit, shipped().parts()), ContainsSubstring("roce"));
}

TEST_CASE("fit: collectives over a fabric have at most six parameters", "[calibration]") {
  const std::vector<ImportedFile> files{import_log(fixture::ring_log(4) + fixture::ring_log(8), "log")};
  const SampleSet set = sample_set("mine", files);
  const SampleFit fit = fit_samples(set, nullptr);
  REQUIRE(fit.laws.size() == 1);
  CHECK(fit.laws[0].report.parameters.size() <= 6);
  CHECK(fit.laws[0].report.left_out().samples == fit.laws[0].report.seen().samples);
  CHECK(fit.laws[0].report.left_out().median < 0.02);  // times come from one such law, rates with two decimals
}

TEST_CASE("profile writer: one large message is the bandwidth, known to 5 % by assumption", "[calibration]") {
  const Profile like = h100();
  const std::string one = fixture::all_reduce(8, {{1073741824, 1073741824 * 1.75 / 300e3}});
  const Range<Bandwidth> ring = parsed(written({one}, &like)).collectives.at("roce").scale_up_ring.value;
  CHECK_THAT(ring.typical.in(gigabyte_per_second), WithinRel(300, 0.01));
  CHECK_THAT(ring.low.in(gigabyte_per_second), WithinRel(270, 0.01));
  // 64 MiB alone do not show it: nothing is left for a profile, and that is told with the reason.
  const std::string small = fixture::all_reduce(8, {{67108864, 67108864 * 1.75 / 300e3}});
  CHECK_THROWS_WITH(written({small}, &like), ContainsSubstring("no figure of a profile follows") &&
                                                 ContainsSubstring("no message is large enough"));
}

TEST_CASE("profile writer: attention at one sequence takes the saturation of the other profile", "[calibration]") {
  const Profile like = h100();
  const std::string json =
      R"({"rows": [{"backend": "X", "head_dim": 128, "heads": 32, "seq": 8192, "batch": 2, "causal": true,
          "fwd_tflops": 500, "bwd_tflops": 400}]})";
  const AttentionParameters attention = parsed(written({json}, &like)).attention.at(128);
  const double half = like.attention.at(128).half_sequence.value.typical;
  CHECK_THAT(attention.forward.value.typical.in(teraflop_per_second), WithinRel(500 * (1 + half / 8192), 1e-4));
  CHECK_THAT(attention.half_sequence.value.typical, WithinRel(half, 1e-5));
  CHECK(attention.half_sequence.evidence.assumed());
  CHECK_FALSE(attention.forward.evidence.assumed());
}

TEST_CASE("profile writer: many samples of few shapes do not make a law of their own", "[calibration]") {
  const Profile like = h100();
  std::string rows;
  for (int i = 0; i < 70; ++i) {
    rows += fmt::format("{}{{\"dtype\": \"bf16\", \"m\": 8192, \"n\": 8192, \"k\": 8192, \"ms\": {}}}",
                        i > 0 ? "," : "", 1.57 + 0.0001 * i);
  }
  const Profile mine = parsed(written({"{\"rows\": [" + rows + "]}"}, &like));
  CHECK(mine.gemm.at(Precision::bf16).tile_edge.evidence.assumed());
  CHECK_FALSE(mine.gemm.at(Precision::bf16).sustained.evidence.assumed());
}

TEST_CASE("profile writer: logs of several GPUs, or of another one, make no profile", "[calibration]") {
  const Profile like = h100(), other = shipped().profile("mi300x-rocm-stable");
  std::string h200 = fixture::ring_log(8);
  for (std::size_t at = 0; (at = h200.find("H100", at)) != std::string::npos;) h200.replace(at, 4, "H200");
  CHECK_THROWS_WITH(written({fixture::ring_log(4), h200}, &like), ContainsSubstring("several GPUs"));
  CHECK_THROWS_WITH(written({fixture::ring_log(8)}, &other),
                    ContainsSubstring("of mi300x") && ContainsSubstring("--like takes a profile of the same GPU"));
}

TEST_CASE("profile writer: what only some profiles say of collectives stays as the other profile has it",
          "[calibration]") {
  Profile like = h100();
  like.collectives.at("roce").pipelining.reset();
  const Profile plain = parsed(written({fixture::ring_log(8)}, &like));
  CHECK_FALSE(plain.collectives.at("roce").pipelining.has_value());
  CollectiveParameters& known = like.collectives.at("infiniband");
  const auto figure = [](auto value) {
    return Figure<decltype(value)>{.value = {value, value, value}, .evidence = {}};
  };
  known.library = &collective_library(collective_library_names().front());
  known.scale_up_reduction = figure(480.0 * gigabyte_per_second);
  known.pipelining = figure(3.0 * microsecond);
  known.message_gap = figure(2.0 * microsecond);
  known.network_step = figure(7.0 * microsecond);
  known.channel = figure(21.0 * gigabyte_per_second);
  known.tree_share = figure(0.9);
  known.all_to_all_share = figure(0.8);
  const Profile profile = parsed(written({fixture::ring_log(8)}, &like));
  const CollectiveParameters& mine = profile.collectives.at("infiniband");
  CHECK(mine.library == known.library);
  CHECK_THAT(mine.scale_up_reduction->value.typical.in(gigabyte_per_second), WithinRel(480, 1e-5));
  CHECK_THAT(mine.pipelining->value.typical.in(microsecond), WithinRel(3, 1e-5));
  CHECK_THAT(mine.message_gap->value.typical.in(microsecond), WithinRel(2, 1e-5));
  CHECK_THAT(mine.network_step->value.typical.in(microsecond), WithinRel(7, 1e-5));
  CHECK_THAT(mine.channel->value.typical.in(gigabyte_per_second), WithinRel(21, 1e-5));
  CHECK_THAT(mine.tree_share->value.typical, WithinRel(0.9, 1e-5));
  CHECK_THAT(mine.all_to_all_share->value.typical, WithinRel(0.8, 1e-5));
  CHECK(mine.tree_share->evidence.assumed());
}

TEST_CASE("profile writer: slower FP8 gradients stay as the other profile has them", "[calibration]") {
  const Profile like = h100();
  const Profile mine = parsed(written({fixture::ring_log(8)}, &like));
  REQUIRE(mine.gemm.at(Precision::fp8).backward_slowdown.has_value());
  CHECK(mine.gemm.at(Precision::fp8).backward_slowdown->value.typical == 1.06);
}

TEST_CASE("named GPUs: the model number counts, whatever stands around it", "[calibration]") {
  const Parts& parts = shipped().parts();
  for (const auto& [name, model] :
       {std::pair{"NVIDIA H100 80GB HBM3", "h100"}, std::pair{"H100-SXM", "h100"},
        std::pair{"NVIDIA A100-SXM4-40GB", "a100"}, std::pair{"AMD Instinct MI300X", "mi300x"},
        std::pair{"NVIDIA GB200", "gb200"}, std::pair{"NVIDIA GH200 480GB", "gh200"}, std::pair{"NVIDIA GX300", ""},
        std::pair{"NVIDIA Graphics Device", ""}, std::pair{"", ""}}) {
    CHECK(named_model(name, parts) == model);
  }
}

}  // namespace
}  // namespace railyard
