// SPDX-License-Identifier: Apache-2.0
#include "gemm_fit.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <functional>
#include <set>
#include <utility>

namespace railyard::fit {
namespace {

std::vector<std::string> split_csv(const std::string& line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (const char c : line) {
    if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      fields.emplace_back();
    } else {
      fields.back() += c;
    }
  }
  return fields;
}

using Point = std::vector<double>;
using Objective = std::function<double(const Point&)>;

Point blend(const Point& from, const Point& to, double share) {
  Point result = from;
  for (std::size_t i = 0; i < from.size(); ++i) result[i] += share * (to[i] - from[i]);
  return result;
}

/// Minimum near `start` by Nelder and Mead's simplex with the usual coefficients.
Point minimise(const Objective& objective, const Point& start, double step, int iterations) {
  std::vector<std::pair<double, Point>> simplex{{objective(start), start}};
  for (std::size_t i = 0; i < start.size(); ++i) {
    Point corner = start;
    corner[i] += step;
    simplex.emplace_back(objective(corner), corner);
  }
  for (int iteration = 0; iteration < iterations; ++iteration) {
    std::sort(simplex.begin(), simplex.end());
    Point centre(start.size(), 0.0);
    for (std::size_t i = 0; i + 1 < simplex.size(); ++i) {
      for (std::size_t j = 0; j < centre.size(); ++j) {
        centre[j] += simplex[i].second[j] / static_cast<double>(start.size());
      }
    }
    auto& worst = simplex.back();
    const auto trial = [&](double share) {
      Point point = blend(centre, worst.second, share);
      return std::pair{objective(point), point};
    };
    const auto reflected = trial(-1);
    if (reflected.first < simplex.front().first) {
      worst = std::min(reflected, trial(-2));
    } else if (reflected.first < simplex[simplex.size() - 2].first) {
      worst = reflected;
    } else if (const auto contracted = trial(0.5); contracted.first < worst.first) {
      worst = contracted;
    } else {
      for (std::size_t i = 1; i < simplex.size(); ++i) {
        simplex[i].second = blend(simplex.front().second, simplex[i].second, 0.5);
        simplex[i].first = objective(simplex[i].second);
      }
    }
  }
  return std::min_element(simplex.begin(), simplex.end())->second;
}

/// Positive parameters enter as logarithms, the share as a logit: the simplex then needs no bounds.
std::vector<Model> from_point(const Point& point, const std::vector<Series>& all) {
  std::vector<Model> models;
  std::size_t next = 3;
  for (const Series& series : all) {
    Model model;
    model.law.memory_bytes_per_s = series.memory_bytes_per_s;
    model.law.compute_units = series.compute_units;
    model.law.wave_sharing = 1 / (1 + std::exp(-point[0]));
    model.law.tile_edge = std::exp(point[1]);
    model.law.k_overhead = std::exp(point[2]) / series.operand_bytes;
    model.law.flop_per_s = 1e12 * std::exp(point[next++]);
    model.start = 1e-6 * std::exp(point[next++]);
    model.quantise = series.quantises ? 1e-12 * std::exp(point[next++]) : 0;
    models.push_back(model);
  }
  return models;
}

Point first_guess(const std::vector<Series>& all) {
  Point point{1, std::log(20), std::log(200)};
  for (const Series& series : all) {
    point.push_back(std::log(series.operand_bytes < 2 ? 1400 : 800));
    point.push_back(std::log(3));
    if (series.quantises) point.push_back(std::log(2));
  }
  return point;
}

}  // namespace

std::vector<Sample> read_samples(const std::string& file, const std::string& source, const std::string& gpu,
                                 const std::string& type) {
  std::ifstream in(file);
  std::vector<Sample> samples;
  for (std::string line; std::getline(in, line);) {
    const auto field = split_csv(line);
    if (field.size() < 7 || field[0].rfind(source, 0) != 0 || field[1] != gpu || field[2] != type) continue;
    Sample sample{{std::stoll(field[3]), std::stoll(field[4]), std::stoll(field[5])}, 0};
    const auto& [m, n, k, batch] = sample.shape;
    sample.seconds =
        2.0 * static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k) / (1e12 * std::stod(field[6]));
    samples.push_back(sample);
  }
  return samples;
}

double predict(const Model& model, const Series& series, const GemmShape& shape) {
  const Seconds kernel = gemm_time(model.law, shape, series.operand_bytes * byte, series.output_bytes * byte);
  return kernel.in(second) + model.start + model.quantise * static_cast<double>(shape.m) * static_cast<double>(shape.k);
}

std::vector<Model> fit(const std::vector<Series>& all) {
  const Objective objective = [&](const Point& point) {
    const std::vector<Model> models = from_point(point, all);
    double sum = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
      for (const Sample& sample : all[i].samples) {
        const double error = std::log(predict(models[i], all[i], sample.shape) / sample.seconds);
        sum += error * error;
      }
    }
    return sum;
  };
  Point best = first_guess(all);
  for (const double step : {0.5, 0.3, 0.2, 0.1}) best = minimise(objective, best, step, 300);
  return from_point(best, all);
}

std::vector<double> errors(const Model& model, const Series& series) {
  std::vector<double> result;
  for (const Sample& sample : series.samples) {
    result.push_back(std::abs(predict(model, series, sample.shape) / sample.seconds - 1));
  }
  std::sort(result.begin(), result.end());
  return result;
}

std::vector<std::vector<double>> leave_one_out(const std::vector<Series>& all) {
  std::set<std::pair<std::int64_t, std::int64_t>> groups;
  for (const Series& series : all) {
    for (const Sample& sample : series.samples) groups.emplace(sample.shape.n, sample.shape.k);
  }
  std::vector<std::vector<double>> result(all.size());
  for (const auto& group : groups) {
    std::vector<Series> seen = all, left_out = all;
    const auto in_group = [&](const Sample& sample) { return std::pair{sample.shape.n, sample.shape.k} == group; };
    for (std::size_t i = 0; i < all.size(); ++i) {
      std::erase_if(seen[i].samples, in_group);
      std::erase_if(left_out[i].samples, [&](const Sample& sample) { return !in_group(sample); });
    }
    const std::vector<Model> models = fit(seen);
    for (std::size_t i = 0; i < all.size(); ++i) {
      const auto part = errors(models[i], left_out[i]);
      result[i].insert(result[i].end(), part.begin(), part.end());
    }
  }
  for (auto& list : result) std::sort(list.begin(), list.end());
  return result;
}

double at_share(const std::vector<double>& sorted, double share) {
  if (sorted.empty()) return 0;
  return sorted[static_cast<std::size_t>(share * static_cast<double>(sorted.size() - 1))];
}

}  // namespace railyard::fit
