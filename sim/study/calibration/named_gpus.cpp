// SPDX-License-Identifier: Apache-2.0
#include "sim/study/calibration/named_gpus.h"

#include <fmt/format.h>

#include <cctype>
#include <set>

namespace railyard {
namespace {

std::string model_of(const std::string& part) { return part.substr(0, part.find('-')); }

}  // namespace

std::string named_model(std::string_view name, const Parts& parts) {
  std::set<std::string> models;
  for (const auto& [id, gpu] : parts.gpus) models.insert(model_of(id));
  std::string word;
  for (const char c : std::string(name) + ' ') {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
      word += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
      continue;
    }
    if (models.contains(word)) return word;
    word.clear();
  }
  return {};
}

void check_gpus(const SampleSet& set, const Profile& like, const Parts& parts) {
  const std::string expected = model_of(like.gpu);
  const MeasuredSeries* first = nullptr;
  for (const MeasuredSeries& series : set.series) {
    const std::string model = named_model(series.gpu, parts);
    if (model.empty()) continue;
    if (first == nullptr) first = &series;
    if (model != named_model(first->gpu, parts)) {
      throw InputError(fmt::format("the logs are of several GPUs: '{}' in {}, '{}' in {}", first->gpu, first->file,
                                   series.gpu, series.file),
                       "a profile is of one GPU; make one of each");
    }
  }
  if (first == nullptr || named_model(first->gpu, parts) == expected) return;
  throw InputError(fmt::format("{} is of '{}', the profile {} of {}", first->file, first->gpu, like.id, like.gpu),
                   "--like takes a profile of the same GPU (railyard list profiles)");
}

std::string unproven_gpu(const SampleSet& set, const Profile& like, const Parts& parts) {
  for (const MeasuredSeries& series : set.series) {
    if (series.gpu.empty() || !named_model(series.gpu, parts).empty()) continue;
    return fmt::format("note: {} names the GPU '{}'; the profile says {}, as {}\n", series.file, series.gpu, like.gpu,
                       like.id);
  }
  return {};
}

}  // namespace railyard
