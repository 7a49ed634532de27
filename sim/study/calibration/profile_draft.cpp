// SPDX-License-Identifier: Apache-2.0
#include "sim/study/calibration/profile_draft.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace railyard {
namespace {

std::string last_part(const std::string& path) { return path.substr(path.find_last_of('.') + 1); }

}  // namespace

std::string ProfileDraft::source(const FittedLaw& law) {
  if (const auto known = sources_.find(&law); known != sources_.end()) return known->second;
  std::set<std::string> tools;
  std::string date;
  std::size_t samples = 0;
  for (const MeasuredSeries* series : law.series) {
    std::string tool = series->tool + (series->version.empty() ? "" : " " + series->version);
    for (const std::string* more : {&series->gpu, &series->software}) tool += more->empty() ? "" : ", " + *more;
    tools.insert(tool);
    date = std::max(date, series->date);
    samples += series->points.size();
  }
  std::string title;
  for (const std::string& each : tools) title += (title.empty() ? "" : "; ") + each;
  title += fmt::format(": {}, {} samples", law.operation, samples);
  const std::string id = fmt::format("log{}", sources_.size() + 1);
  source_lines_ +=
      fmt::format("  {}: {{title: {}, date: {}}}\n", id, yaml_text(title), date.empty() ? "undated" : yaml_text(date));
  sources_[&law] = id;
  return id;
}

std::string ProfileDraft::measured(std::string_view indent, const std::string& path, const Range<double>& value,
                                   const FigureUnit& unit, const std::string& source, const std::string& how) {
  measured_.push_back(path);
  return fmt::format("{}{}, source: {}, derived: {}}}\n", indent, open_figure(last_part(path), value, unit), source,
                     yaml_text(how));
}

std::string ProfileDraft::assumed(std::string_view indent, const std::string& path, const Range<double>& value,
                                  const FigureUnit& unit) {
  assumed_.push_back(path);
  const std::string rule = yaml_text(fmt::format("as {}; not measured here", like_.id));
  return fmt::format("{}{}, source: like, assumed: {}}}\n", indent, open_figure(last_part(path), value, unit), rule);
}

std::string ProfileDraft::as_like(std::string_view indent, const std::string& path, const Figure<double>& figure) {
  return assumed(indent, path, figure.value, no_unit);
}
std::string ProfileDraft::as_like(std::string_view indent, const std::string& path, const Figure<FlopRate>& figure) {
  return assumed(indent, path, in_unit(figure.value, flop / second), teraflop_unit);
}
std::string ProfileDraft::as_like(std::string_view indent, const std::string& path, const Figure<Bandwidth>& figure) {
  return assumed(indent, path, in_unit(figure.value, byte / second), gigabyte_unit);
}
std::string ProfileDraft::as_like(std::string_view indent, const std::string& path, const Figure<Seconds>& figure) {
  return assumed(indent, path, in_unit(figure.value, second), microsecond_unit);
}

}  // namespace railyard
