// SPDX-License-Identifier: Apache-2.0
#include "sim/study/calibration/profile_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "sim/study/calibration/named_gpus.h"
#include "sim/study/calibration/profile_sections.h"
#include "sim/study/speed.h"

namespace railyard {
namespace {

std::string run_lines(const ProfileRequest& request) {
  if (request.run.empty()) return {};
  std::string text = "run:\n";
  for (const RunFact& fact : request.run) text += fmt::format("  {}: {}\n", yaml_text(fact.key), yaml_text(fact.text));
  return text + "\n";
}

std::string head(const ProfileDraft& draft, const ProfileRequest& request, const SampleSet& set) {
  const Profile& like = draft.like();
  std::set<std::string> software;
  std::string date;
  for (const MeasuredSeries& series : set.series) {
    if (!series.software.empty()) software.insert(series.software);
    date = std::max(date, series.date);
  }
  std::string names;
  for (const std::string& each : software) names += (names.empty() ? "" : "; ") + each;
  std::string text =
      "# SPDX-License-Identifier: Apache-2.0\n"
      "# Format: calibrate/FORMAT.md. Written by `railyard calibrate`; the samples lie beside it.\n";
  text += fmt::format("profile: {}\ngpu: {}\n", yaml_text(request.id), yaml_text(like.gpu));
  text += fmt::format("software: {}\n", yaml_text(names.empty() ? "not told by the logs" : names));
  text += fmt::format("date: {}\n", date.empty() ? "undated" : yaml_text(date));
  text += fmt::format("description: {}\n\n{}sources:\n{}",
                      yaml_text(fmt::format("Fitted to {}: {} figures measured, {} as {}",
                                            request.run.empty() ? "benchmark logs" : "a run of calibrate measure",
                                            draft.measured_keys().size(), draft.assumed_keys().size(), like.id)),
                      run_lines(request), draft.source_lines());
  if (!request.direct.empty()) {
    text +=
        fmt::format("  device: {{title: {}, date: {}}}\n", yaml_text("railyard calibrate measure, " + request.gpu_name),
                    date.empty() ? "undated" : yaml_text(date));
  }
  text += fmt::format("  like: {{title: {}, date: {}}}\n\ncompute_units: {}\n",
                      yaml_text("railyard profile " + like.id), yaml_text(like.date), like.compute_units);
  if (like.last_level_cache) {
    const Range<Bytes>& size = like.last_level_cache->value;
    text += fmt::format(
        "compute_dies: {}\nlast_level_cache: {{low: {} MiB, typical: {} MiB, high: {} MiB, source: like}}\n",
        like.compute_dies, size.low.in(mebibyte), size.typical.in(mebibyte), size.high.in(mebibyte));
  }
  return text + "\n";
}

[[noreturn]] void refuse_gaps(const MeasuredLaws& measured) {
  std::string names = "compute_units, kernel_gap, compute_slowdown, collective_slowdown, speed_spread";
  if (measured.products.empty()) names += ", gemm";
  const auto whole = [](const auto& entry) { return entry.second.whole(); };
  if (std::none_of(measured.attention.begin(), measured.attention.end(), whole)) names += ", attention";
  if (measured.memory == nullptr) names += ", memory";
  names += measured.ring == nullptr ? ", collectives" : ", collectives over the network";
  throw InputError("the logs do not tell all that a profile holds; missing: " + names,
                   "add --like PROFILE: what is missing is taken from there and marked as assumed");
}

[[noreturn]] void refuse_nothing(const SampleFit& fit, const MeasuredLaws& measured) {
  std::string reasons;
  for (const std::vector<std::string>& sentences : {fit.left_out, unused_laws(fit, measured)}) {
    for (const std::string& sentence : sentences) reasons += (reasons.empty() ? "" : "; ") + sentence;
  }
  throw InputError("no figure of a profile follows from these logs", reasons);
}

/// As check_profile, but it is the logs that are to blame.
void check_speeds(const Profile& profile, const GpuPart& gpu) {
  try {
    for (const auto& [precision, parameters] : profile.gemm) check_profile(profile, gpu, precision);
  } catch (const InputError& error) {
    throw InputError(error.diagnostics().front().message + ", when fitted to these logs",
                     "are they of this GPU, of dense products, and bytes both read and written?");
  }
}

}  // namespace

WrittenProfile write_profile(const ProfileRequest& request, const SampleSet& set, const SampleFit& fit,
                             const Parts& parts) {
  const bool known = request.like != nullptr && request.data_sheet;
  const GpuPart* const gpu = known ? &parts.gpu(request.like->gpu) : nullptr;
  const MeasuredLaws measured = choose_laws(fit, request.like, gpu, request.nic.has_value());
  if (request.like == nullptr) refuse_gaps(measured);
  if (request.nic && !request.like->collectives.contains(request.fabric)) {
    (void)request.like->collective(request.fabric);  // throws with the fabrics there are
  }
  check_gpus(set, *request.like, parts);
  ProfileDraft draft(*request.like);
  std::string body = gemm_section(draft, measured, gpu);
  body += attention_section(draft, measured);
  body += kernel_section(draft, measured, request, gpu);
  body += collective_section(draft, measured, request, gpu);
  if (draft.measured_keys().empty()) refuse_nothing(fit, measured);
  const WrittenProfile written{head(draft, request, set) + body, draft.measured_keys(), draft.assumed_keys(),
                               unused_laws(fit, measured)};
  const Profile profile = read_profile(YamlDocument::parse(written.yaml, request.id + ".yaml"));
  if (gpu != nullptr) check_speeds(profile, *gpu);
  return written;
}

}  // namespace railyard
