// SPDX-License-Identifier: Apache-2.0
// The whole way on the shared measurements and logs, where they are present.
#include <cstdlib>
#include <filesystem>

#include "sim/study/calibration/calibration_compare.h"
#include "sim/study/calibration/profile_writer.h"
#include "tests/catch.h"
#include "tests/study/fixture.h"

namespace railyard {
namespace {

const std::filesystem::path shared(RAILYARD_SHARED_DIR);

void need_shared() {
  if (std::filesystem::exists(shared / "validation/h200") && std::filesystem::exists(shared / "logs")) return;
  WARN("the shared measurements are not here");
  std::exit(77);
}

TEST_CASE("shared: the H200 files give the speeds of the shipped profile", "[calibration]") {
  need_shared();
  std::vector<ImportedFile> files;
  for (const char* name : {"gemm", "hbm", "attention", "collectives-2gpu"}) {
    files.push_back(import_file(shared / "validation/h200" / (std::string(name) + ".json")));
    CHECK(files.back().verdict() == ImportVerdict::accepted);
  }
  for (const char* name : {"ops", "p2p", "interference-2gpu"}) {
    CHECK(import_file(shared / "validation/h200" / (std::string(name) + ".json")).verdict() == ImportVerdict::refused);
  }
  const Profile like = shipped().profile("h200-cuda");
  const SampleSet set = sample_set("mine", files);
  const SampleFit fit = fit_samples(set, &like);
  ProfileRequest request;
  request.id = "mine";
  request.like = &like;
  const Profile mine =
      read_profile(YamlDocument::parse(write_profile(request, set, fit, shipped().parts()).yaml, "mine.yaml"));
  for (const Precision precision : all_precisions) {
    const double ratio =
        mine.gemm.at(precision).sustained.value.typical / like.gemm.at(precision).sustained.value.typical;
    // The fp16 products are long and show no start; the shipped speed was fitted with none, here it is the law's.
    CHECK_THAT(ratio, WithinRel(1, precision == Precision::fp16 ? 0.005 : 0.002));
    CHECK(mine.gemm.at(precision).fit->left_out_error <= 0.05);
  }
  for (const int dim : {64, 128}) {
    CHECK_THAT(mine.attention.at(dim).forward.value.typical / like.attention.at(dim).forward.value.typical,
               WithinRel(1, 0.002));
    CHECK(mine.attention.at(dim).fit->left_out_error <= 0.05);
  }
  CHECK_THAT(mine.memory.value.typical / like.memory.value.typical, WithinRel(1, 0.002));
}

TEST_CASE("shared: every accepted log goes through samples, fits and a comparison with itself", "[calibration][slow]") {
  need_shared();
  std::size_t compared = 0;
  for (const auto& entry : std::filesystem::directory_iterator(shared / "logs")) {
    if (entry.path().filename() == "INDEX.csv" || entry.path().filename() == "README.md") continue;
    INFO(entry.path());
    const std::vector<ImportedFile> files{import_file(entry.path())};
    const SampleSet set = sample_set("x", files);
    if (set.series.empty()) continue;  // refused, or a topology
    const SampleSet again = read_samples(YamlDocument::parse(samples_yaml(set), "x.samples.yaml"));
    REQUIRE(again.series.size() == set.series.size());
    for (const FittedLaw& law : fit_samples(again, nullptr).laws) {
      CHECK(law.report.parameters.size() <= 6);
      CHECK(law.report.seen().samples > 0);
    }
    const CalibrationInput side{.name = "x", .profile = {}, .samples = again};
    for (const CalibrationRow& row : compare(side, side).rows) CHECK_FALSE(row.marked);
    ++compared;
  }
  CHECK(compared >= 60);
}

}  // namespace
}  // namespace railyard
