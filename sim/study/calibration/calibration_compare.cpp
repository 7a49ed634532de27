// SPDX-License-Identifier: Apache-2.0
#include "sim/study/calibration/calibration_compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include "sim/study/calibration/profile_rates.h"
#include "sim/study/calibration/sample_fit.h"

namespace railyard {
namespace {

using fit::robust_deviation;
using fit::unknown_error;
constexpr double within_run = 0.01;          // standard error that one run cannot see of the next
constexpr std::size_t fewest_scattered = 5;  // sizes that show a scatter

/// One size of one side.
struct Cell {
  MeasuredPoint point;
  std::vector<double> logs;       // of the rates
  std::vector<std::size_t> runs;  // which series each is from
  double deviation = 0;           // of the repeats, relative; 0 without
  std::optional<double> error;    // relative standard error of the median; nothing without repeats
  double rate = 0;
};

/// One operation of one side, sizes in the order in which they were met.
struct Group {
  const MeasuredSeries* series = nullptr;  // the first
  std::vector<Cell> cells;
  std::optional<double> left_out_error;  // of the law

  std::map<std::string, std::size_t> places;  // of the cells by label

  Cell& place(const MeasuredPoint& point) {
    const auto [at, added] = places.try_emplace(point.label, cells.size());
    return added ? cells.emplace_back(Cell{.point = point}) : cells[at->second];
  }
  const Cell* find(const std::string& label) const {
    const auto at = places.find(label);
    return at == places.end() ? nullptr : &cells[at->second];
  }
};

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

/// Squared deviations from the mean, and how many are free.
std::pair<double, int> scatter(const std::vector<double>& values) {
  const double middle = mean(values);
  double sum = 0;
  for (const double value : values) sum += (value - middle) * (value - middle);
  return {sum, static_cast<int>(values.size()) - 1};
}

/// Between runs where several have the size, else within the run together with the neighbouring sizes.
void judge_repeats(Group& group) {
  std::vector<double> deviations;
  for (std::size_t i = 0; i < group.cells.size(); ++i) {
    double squares = 0;
    int degrees = 0;
    for (std::size_t j = i > 0 ? i - 1 : 0; j < std::min(i + 2, group.cells.size()); ++j) {
      const auto [sum, free] = scatter(group.cells[j].logs);
      squares += sum;
      degrees += free;
    }
    group.cells[i].deviation = degrees > 0 ? std::sqrt(squares / degrees) : 0;
    if (group.cells[i].logs.size() > 1) deviations.push_back(group.cells[i].deviation);
  }
  const double usual = fit::median(deviations);
  for (Cell& cell : group.cells) {
    cell.rate = std::exp(fit::median(cell.logs));
    std::map<std::size_t, std::vector<double>> by_run;
    for (std::size_t i = 0; i < cell.logs.size(); ++i) by_run[cell.runs[i]].push_back(cell.logs[i]);
    const double count = static_cast<double>(cell.logs.size());
    if (by_run.size() > 1) {
      std::vector<double> medians;
      for (const auto& [run, logs] : by_run) medians.push_back(fit::median(logs));
      const auto [sum, free] = scatter(medians);
      const double between = std::sqrt(sum / free / static_cast<double>(medians.size()));
      cell.error = std::max(between, std::max(cell.deviation, usual) / std::sqrt(count));
    } else if (cell.logs.size() > 1) {
      cell.error = std::max(within_run, std::max(cell.deviation, usual) / std::sqrt(count));
    }
  }
}

/// Groups of a sample set by title.
std::map<std::string, Group> groups_of(const SampleSet& set) {
  std::map<std::string, Group> groups;
  for (std::size_t run = 0; run < set.series.size(); ++run) {
    const MeasuredSeries& series = set.series[run];
    Group& group = groups[series.title()];
    if (group.series == nullptr) group.series = &series;
    for (const MeasuredPoint& point : series.points) {
      Cell& cell = group.place(point);
      cell.logs.push_back(std::log(point.rate));
      cell.runs.push_back(run);
    }
  }
  for (auto& [title, group] : groups) judge_repeats(group);
  return groups;
}

/// Left-out errors of the laws, where a group has sizes without repeats.
void add_left_out_errors(std::map<std::string, Group>& groups, const SampleSet& set, const Profile* like) {
  const auto lone = [](const auto& entry) {
    return std::any_of(entry.second.cells.begin(), entry.second.cells.end(),
                       [](const Cell& cell) { return !cell.error; });
  };
  if (std::none_of(groups.begin(), groups.end(), lone)) return;
  const SampleFit fitted = fit_samples(set, like);
  for (const FittedLaw& law : fitted.laws) {
    if (law.report.left_out().samples == 0) continue;
    const fit::ErrorSummary errors =
        law.report.corrected().samples > 0 ? law.report.corrected() : law.report.left_out();
    for (const MeasuredSeries* series : law.series) {
      groups.at(series->title()).left_out_error = robust_deviation * errors.median;
    }
  }
}

using Groups = std::map<std::string, Group>;

/// The one group of `others` that has the operation and ranks where one side does not know the nodes; nothing when
/// several do, or when one there has its equal in `own`.
Group* open_partner(const Group& group, Groups& others, const Groups& own) {
  Group* found = nullptr;
  for (auto& [title, other] : others) {
    const bool open = other.series->nodes == 0 || group.series->nodes == 0;
    if (!open || other.series->operation != group.series->operation || other.series->ranks != group.series->ranks) {
      continue;
    }
    if (found != nullptr || own.contains(title)) return nullptr;  // which of them is not known
    found = &other;
  }
  return found;
}

/// The group of the other side: of the same title, else the open partner, if it is so both ways.
Group* partner(const Group& group, Groups& others, Groups& own) {
  if (const auto same = others.find(group.series->title()); same != others.end()) return &same->second;
  Group* const found = open_partner(group, others, own);
  return found != nullptr && open_partner(*found, own, others) == &group ? found : nullptr;
}

std::string shown_size(const MeasuredSeries& series, const MeasuredPoint& point) {
  if (series.measure == Measure::attention) return fmt::format("{} tokens", point.size);
  if (point.label != fmt::format("{} B", point.size)) return point.label;
  constexpr std::array<std::string_view, 5> prefixes{"", "Ki", "Mi", "Gi", "Ti"};
  std::size_t step = 0;
  std::int64_t size = point.size;
  while (size > 0 && size % 1024 == 0 && step + 1 < prefixes.size()) {
    size /= 1024;
    ++step;
  }
  return fmt::format("{} {}B", size, prefixes[step]);
}

/// `noise` of the logarithm, so that it is the same the other way round; told as a share in the difference's direction.
CalibrationRow row_of(const MeasuredSeries& series, const MeasuredPoint& point, double a, double b, double noise) {
  CalibrationRow row{.operation = series.title(),
                     .size = shown_size(series, point),
                     .flops = series.measure == Measure::gemm || series.measure == Measure::attention,
                     .a = a,
                     .b = b,
                     .difference = b / a - 1,
                     .noise = b < a ? -std::expm1(-noise) : std::expm1(noise)};
  row.marked = std::abs(std::log(b / a)) > noise;
  return row;
}

/// Of a difference without repeats on both sides.
double lone_noise(const Group& a, const Group& b, const std::vector<double>& differences) {
  std::optional<double> error;
  if (differences.size() >= fewest_scattered) {
    const double middle = fit::median(differences);
    std::vector<double> sizes;
    for (const double difference : differences) sizes.push_back(std::abs(difference - middle));
    error = robust_deviation * fit::median(sizes);
  }
  if (a.left_out_error && b.left_out_error) {
    const double both = std::hypot(*a.left_out_error, *b.left_out_error);
    error = error ? std::min(*error, both) : both;
  }
  return 2 * (error ? std::max(*error, within_run) : std::hypot(unknown_error, unknown_error));
}

/// "all_reduce, 8 ranks: 1 KiB, 2 KiB and 5 more" for the sizes of a group that the other lacks; empty when none is.
std::string lacking(const Group& group, const Group& other) {
  constexpr std::size_t most_named = 3;
  std::string names;
  std::size_t count = 0;
  for (const Cell& cell : group.cells) {
    if (other.find(cell.point.label) != nullptr) continue;
    if (count++ < most_named) names += (names.empty() ? "" : ", ") + shown_size(*group.series, cell.point);
  }
  if (count > most_named) names += fmt::format(" and {} more", count - most_named);
  return count == 0 ? "" : fmt::format("{}: {}", group.series->title(), names);
}

void compare_samples(CalibrationComparison& result, const CalibrationInput& a, const CalibrationInput& b) {
  auto groups_a = groups_of(*a.samples), groups_b = groups_of(*b.samples);
  add_left_out_errors(groups_a, *a.samples, a.profile ? &*a.profile : nullptr);
  add_left_out_errors(groups_b, *b.samples, b.profile ? &*b.profile : nullptr);
  std::set<const Group*> met;
  for (auto& [title, group] : groups_a) {
    Group* const other = partner(group, groups_b, groups_a);
    std::vector<std::pair<const Cell*, const Cell*>> pairs;
    std::vector<double> differences;
    for (const Cell& cell : group.cells) {
      const Cell* const same = other == nullptr ? nullptr : other->find(cell.point.label);
      if (same == nullptr) continue;
      pairs.emplace_back(&cell, same);
      differences.push_back(std::log(same->rate / cell.rate));
    }
    if (pairs.empty()) {
      result.only_a.push_back(title);
      result.gone.push_back(title);
      continue;
    }
    met.insert(other);
    if (const std::string sizes = lacking(group, *other); !sizes.empty()) result.only_a.push_back(sizes);
    if (const std::string sizes = lacking(*other, group); !sizes.empty()) result.only_b.push_back(sizes);
    const double lone = lone_noise(group, *other, differences);
    for (const auto& [first, second_cell] : pairs) {
      const double noise =
          first->error && second_cell->error ? 2 * std::hypot(*first->error, *second_cell->error) : lone;
      result.rows.push_back(row_of(*group.series, first->point, first->rate, second_cell->rate, noise));
    }
  }
  for (const auto& [title, group] : groups_b) {
    if (!met.contains(&group)) result.only_b.push_back(title);
  }
  std::sort(result.only_a.begin(), result.only_a.end());
  std::sort(result.only_b.begin(), result.only_b.end());
}

/// Samples against what a profile predicts for them; `swapped` when the samples are b.
void compare_with_profile(CalibrationComparison& result, const SampleSet& set, const Profile& profile, bool swapped) {
  const ProfileRates rates(profile);
  auto groups = groups_of(set);
  add_left_out_errors(groups, set, &profile);
  for (const auto& [title, group] : groups) {
    const std::size_t before = result.rows.size();
    for (const Cell& cell : group.cells) {
      const std::optional<RateEstimate> law = rates.at(*group.series, cell.point);
      if (!law) continue;
      const double error = cell.error.value_or(group.left_out_error.value_or(unknown_error));
      const double noise = 2 * std::hypot(std::max(error, within_run), law->error);
      result.rows.push_back(swapped ? row_of(*group.series, cell.point, law->rate, cell.rate, noise)
                                    : row_of(*group.series, cell.point, cell.rate, law->rate, noise));
    }
    if (result.rows.size() == before) (swapped ? result.only_b : result.only_a).push_back(title);
  }
}

void compare_profiles(CalibrationComparison& result, const Profile& a, const Profile& b) {
  const ProfileRates rates_a(a), rates_b(b);
  for (const MeasuredSeries& series : common_grid(a, b)) {
    for (const MeasuredPoint& point : series.points) {
      const auto first = rates_a.at(series, point), other = rates_b.at(series, point);
      if (!first || !other) continue;
      result.rows.push_back(
          row_of(series, point, first->rate, other->rate, 2 * std::hypot(first->error, other->error)));
    }
  }
}

}  // namespace

CalibrationComparison compare(const CalibrationInput& a, const CalibrationInput& b) {
  CalibrationComparison result{.a = a.name, .b = b.name};
  if (a.samples && b.samples) {
    compare_samples(result, a, b);
  } else if (a.samples) {
    compare_with_profile(result, *a.samples, *b.profile, false);
  } else if (b.samples) {
    compare_with_profile(result, *b.samples, *a.profile, true);
  } else {
    compare_profiles(result, *a.profile, *b.profile);
  }
  if (result.rows.empty()) {
    std::string lists;
    for (const auto& [name, only] : {std::pair{a.name, result.only_a}, std::pair{b.name, result.only_b}}) {
      lists += (lists.empty() ? "" : "; ") + name + " has ";
      for (std::size_t i = 0; i < only.size(); ++i) lists += (i > 0 ? "; " : "") + only[i];
    }
    throw InputError(fmt::format("'{}' and '{}' share no operation of one size", a.name, b.name), lists);
  }
  return result;
}

}  // namespace railyard
