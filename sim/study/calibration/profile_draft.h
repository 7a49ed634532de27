// SPDX-License-Identifier: Apache-2.0
// A profile while it is being written: hands out its lines, and keeps which figures were measured, which are those of
// another profile, and the sources behind them.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "sim/study/calibration/profile_figures.h"

namespace railyard {

class ProfileDraft {
 public:
  /// What is not measured is as in `like`, which must outlive this.
  explicit ProfileDraft(const Profile& like) : like_(like) {}
  [[nodiscard]] const Profile& like() const { return like_; }

  /// The id of the source that names tools, versions, GPU and date behind a law.
  std::string source(const FittedLaw& law);
  /// Notes figures that somebody else writes.
  void add_measured(std::string path) { measured_.push_back(std::move(path)); }

  /// A whole line of a measured figure; `path` is the dotted key, of which the last part is written. `how` says how it
  /// follows from the source.
  std::string measured(std::string_view indent, const std::string& path, const Range<double>& value,
                       const FigureUnit& unit, const std::string& source, const std::string& how);
  /// A whole line of a figure of the other profile, as an assumption.
  std::string as_like(std::string_view indent, const std::string& path, const Figure<double>& figure);
  std::string as_like(std::string_view indent, const std::string& path, const Figure<FlopRate>& figure);
  std::string as_like(std::string_view indent, const std::string& path, const Figure<Bandwidth>& figure);
  std::string as_like(std::string_view indent, const std::string& path, const Figure<Seconds>& figure);

  [[nodiscard]] const std::vector<std::string>& measured_keys() const { return measured_; }
  [[nodiscard]] const std::vector<std::string>& assumed_keys() const { return assumed_; }
  /// Lines of the `sources` map.
  [[nodiscard]] const std::string& source_lines() const { return source_lines_; }

 private:
  std::string assumed(std::string_view indent, const std::string& path, const Range<double>& value,
                      const FigureUnit& unit);

  const Profile& like_;
  std::vector<std::string> measured_, assumed_;
  std::map<const FittedLaw*, std::string> sources_;
  std::string source_lines_;
};

}  // namespace railyard
